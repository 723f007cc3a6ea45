import PluginJSON

/// Reads an answer of V3 while it arrives, in one pass and without recursion, however deep it is nested.
///
/// Each element of the answer is handed over as soon as it is complete, the same object only once.
// It belongs to the thread of all transfers until the call returns, and to the caller afterwards.
final class GraphReader: RPCResultReader, @unchecked Sendable {
  let channel: RowChannel?
  private var parser: GraphParser

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - shape: What the answer is.
  ///   - channel: Where rows go; the transfer pauses while it is full.
  ///   - onElement: Takes each element in order; on the thread of all transfers, so it never waits.
  init(
    _ shape: GraphParser.Shape, channel: RowChannel? = nil,
    _ onElement: @escaping GraphParser.Handler = { _, _ in }
  ) {
    self.channel = channel
    parser = GraphParser(shape, onElement)
  }

  /// The objects read so far.
  var graph: ObjectGraph { parser.graph }

  /// The number of all there are as the server says; nil if it says none.
  var totalCount: Int? { parser.totalCount }

  func take(_ event: JSONEvent) throws -> JSONFlow { try parser.take(event) }
}
