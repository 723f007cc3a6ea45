import PluginAPI

/// A language that a client of `serve` speaks: its methods and its form of errors.
///
/// Each client has its own.
protocol ServedProtocol: Sendable {
  /// A Boolean value indicating whether a request that was canceled is answered with an error.
  var answersCanceled: Bool { get }

  /// Returns true if requests of a method wait for their turn: those that run or describe commands.
  func takesTurn(_ method: String) -> Bool

  /// Returns the id of the request that a message cancels; nil if the message is not about that.
  func canceledRequest(by method: String, _ parameters: Value) -> Value?

  /// Decodes the parameters of a request, on the thread that reads it.
  func decoded(_ parameters: Value, of method: String) throws(ErrorReport) -> Value

  /// Answers a request.
  ///
  /// - Returns: The result as JSON.
  @MainActor func response(to request: ServedRequest) async throws -> [UInt8]

  /// Releases the client's resources.
  @MainActor func end()
}

extension ServedProtocol {
  /// Returns parameters that need no decoding.
  func decoded(_ parameters: Value, of method: String) throws(ErrorReport) -> Value { parameters }
}

/// A request of a client.
struct ServedRequest: Sendable {
  let id: Value
  let method: String
  /// The parameters, decoded by the protocol.
  let parameters: Value
  /// The size of its line in bytes.
  let bytes: Int
  let client: ServedClient
}
