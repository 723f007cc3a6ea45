/// What is asked of a server.
public struct HTTPRequest: Sendable, Hashable {
  /// The address, `http://` or `https://`; see ``HTTPAddress`` for making one of parts.
  public var address: String
  /// The method; nil for GET, or POST when there is a body.
  public var method: String?
  /// Header fields, in order.
  public var headers: HTTPHeaders
  /// What is sent along; nil for nothing.
  public var body: [UInt8]?
  /// The largest body taken, in bytes after content encodings were undone; a larger one ends with an error.
  public var limitInBytes: Int
  /// The time for all of it; nil for any time.
  public var deadlineInSeconds: Double?
  /// Ends with an error when so many seconds go by without a byte; nil for never.
  public var stallInSeconds: Int?
  /// Whether content encodings are asked for and undone; without, the body is what the server sent.
  public var decodesContent: Bool
  /// Whether asking twice does no harm, so that a lost or put-off request is repeated; true unless a body is sent.
  public var isRepeatable: Bool
  /// Whether it must never be sent twice, whatever happens to its connection.
  ///
  /// It then goes over a new connection: over one that was kept, libcurl sends again what was lost because the server
  /// closed it without a byte, and nobody can know whether it had been carried out.
  public var isSentOnce = false

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - body: What is sent along.
  ///   - headers: Header fields.
  ///   - limitInBytes: The largest body taken.
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

/// Whether a receiver wants the rest.
@frozen
public enum HTTPFlow: Sendable {
  /// Go on.
  case more
  /// It has what it wants: the connection is dropped, which is no error.
  case enough
}
