/// Asks all machines of some links at once, and hears what they answer.
///
/// It has a clock of its own, so that a test needs none.
protocol DiscoveryTransport: AnyObject {
  /// The links that can be searched, in the order in which their responses are preferred.
  var links: [DiscoveryLink] { get }
  /// The port that is asked, and that answers come from.
  var port: Int { get }
  /// A time that never goes back.
  var milliseconds: Int { get }

  /// Asks one link.
  ///
  /// - Returns: Why it could not be asked; nil if it was.
  func ask(_ message: [UInt8], on link: Int) -> String?

  /// The next answer; nil if none came in that time.
  func next(withinMilliseconds limit: Int) -> DiscoveryDatagram?

  /// Gives back what it has of the system; nothing is asked afterwards.
  func close()
}

/// A datagram received from a link.
struct DiscoveryDatagram: Sendable, Hashable {
  /// The number of the link, from 0.
  var link: Int
  /// The sender's address, as long as the link's own.
  var source: [UInt8]
  var port: Int
  /// Empty for a message that is longer than messages are.
  var message: [UInt8]
}
