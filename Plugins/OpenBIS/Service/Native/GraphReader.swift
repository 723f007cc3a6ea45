import PluginJSON

/// A parser of a V3 response while it arrives, in one pass and without recursion, however deeply it is nested.
///
/// Each element is passed to the handler as soon as it is complete, the same object only once.
// It belongs to the thread of all transfers until the call returns, and to the caller afterwards.
final class GraphReader: RPCResultReader, @unchecked Sendable {
  let channel: RowChannel?
  private var parser: GraphParser

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - shape: The structure of the response.
  ///   - channel: The channel for rows; the transfer pauses while it is full.
  ///   - onElement: Receives each element in order; called on the thread of all transfers, so it must not wait.
  init(
    _ shape: GraphParser.Shape, channel: RowChannel? = nil,
    _ onElement: @escaping GraphParser.Handler = { _, _ in }
  ) {
    self.channel = channel
    parser = GraphParser(shape, onElement)
  }

  /// The objects read so far.
  var graph: ObjectGraph { parser.graph }

  /// The total number of elements reported by the server; nil if it is not reported.
  var totalCount: Int? { parser.totalCount }

  func take(_ event: JSONEvent) throws -> JSONFlow { try parser.take(event) }
}
