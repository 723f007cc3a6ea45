/// A request to a server.
public struct HTTPRequest: Sendable, Hashable {
  /// The address, `http://` or `https://`; build one with ``HTTPAddress``.
  public var address: String
  /// The method; nil for GET, or POST when there is a body.
  public var method: String?
  /// Header fields, in order.
  public var headers: HTTPHeaders
  /// The body; nil for none.
  public var body: [UInt8]?
  /// The maximum size of the body in bytes, after decoding; a larger one fails with an error.
  public var limitInBytes: Int
  /// The time limit for the whole request; nil for none.
  public var deadlineInSeconds: Double?
  /// The maximum number of seconds without a byte, after which the request fails; nil for no limit.
  public var stallInSeconds: Int?
  /// A Boolean value indicating whether content encodings are requested and decoded; otherwise the body is as sent.
  public var decodesContent: Bool
  /// A Boolean value indicating whether the request may be retried without harm; true unless there is a body.
  public var isRepeatable: Bool
  /// A Boolean value indicating whether the request must never be sent twice, whatever happens to its connection.
  ///
  /// It then uses a new connection: on a reused one, libcurl resends a request if the server closed the connection
  /// without a response, although the server may have carried it out.
  public var isSentOnce = false

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - body: The body; nil for none.
  ///   - headers: Header fields.
  ///   - limitInBytes: The maximum size of the body, in bytes.
  public init(
    _ address: String, body: [UInt8]? = nil, headers: HTTPHeaders = HTTPHeaders(), limitInBytes: Int = 8 << 20
  ) {
    self.address = address
    self.body = body
    self.headers = headers
    self.limitInBytes = limitInBytes
    method = nil
    deadlineInSeconds = 60
    stallInSeconds = 30
    decodesContent = true
    isRepeatable = body == nil
  }
}

/// A receiver's decision whether to continue.
@frozen
public enum HTTPFlow: Sendable {
  /// Continue.
  case more
  /// The receiver has what it needs: the connection is dropped, which is not an error.
  case enough
}
