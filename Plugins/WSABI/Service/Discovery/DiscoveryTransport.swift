/// A transport that queries all machines of several links at once, and receives their responses.
///
/// It has its own clock, so that a test needs none.
protocol DiscoveryTransport: AnyObject {
  /// The links that can be searched, in the order in which their responses are preferred.
  var links: [DiscoveryLink] { get }
  /// The port of queries, from which responses come too.
  var port: Int { get }
  /// A time that never goes back.
  var milliseconds: Int { get }

  /// Sends a query on a link.
  ///
  /// - Returns: The reason it could not be sent; nil on success.
  func ask(_ message: [UInt8], on link: Int) -> String?

  /// Returns the next response; nil if none was received in that time.
  func next(withinMilliseconds limit: Int) -> DiscoveryDatagram?

  /// Releases the system resources; no queries are possible afterwards.
  func close()
}

/// A datagram received from a link.
struct DiscoveryDatagram: Sendable, Hashable {
  /// The number of the link, from 0.
  var link: Int
  /// The sender's address, of the same length as the link's.
  var source: [UInt8]
  var port: Int
  /// Empty for a message that is longer than messages are.
  var message: [UInt8]
}
