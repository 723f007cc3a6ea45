/// The head of a response.
public struct HTTPHead: Sendable, Hashable {
  /// The status, such as 200.
  public var status: Int
  /// Header fields.
  public var headers: HTTPHeaders
  /// The address of the final response, after redirects.
  public var address: String
  /// The length of the body in bytes, as sent; nil if the server does not state it.
  public var statedLength: Int?

  /// Creates a head.
  public init(status: Int, headers: HTTPHeaders = HTTPHeaders(), address: String, statedLength: Int? = nil) {
    self.status = status
    self.headers = headers
    self.address = address
    self.statedLength = statedLength
  }

  /// A Boolean value indicating success: 200 to 299.
  public var isSuccess: Bool { (200..<300).contains(status) }

  /// The media type in lower case, without parameters; empty if there is none.
  public var mediaType: String {
    let value = headers["Content-Type"] ?? ""
    let bare = value.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
    return String(Substring(bare)).lowercased()
  }

  /// Returns the head if it indicates success.
  ///
  /// - Throws: ``HTTPError/status(_:address:retryAfterInSeconds:)``.
  @discardableResult
  public func checked() throws(HTTPError) -> HTTPHead {
    if isSuccess { return self }
    throw .status(
      status, address: HTTPAddress.shown(address),
      retryAfterInSeconds: headers["Retry-After"].flatMap { RetryAfter.seconds($0, now: RetryAfter.now()) })
  }
}

/// A complete response.
public struct HTTPResponse: Sendable, Hashable {
  /// The head.
  public var head: HTTPHead
  /// The body.
  public var body: [UInt8]

  /// Creates a response.
  public init(head: HTTPHead, body: [UInt8]) {
    self.head = head
    self.body = body
  }

  /// The body as text; bytes that are not UTF-8 are replaced.
  public var text: String { String(decoding: body, as: UTF8.self) }
}
