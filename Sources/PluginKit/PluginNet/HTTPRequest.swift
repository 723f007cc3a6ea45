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

/// Header fields in order; names are case-insensitive.
///
/// - Source: RFC 9110, section 5.
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// A field.
  public struct Field: Sendable, Hashable {
    /// The name as written.
    public var name: String
    /// The value without surrounding spaces.
    public var value: String

    /// Creates a field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The fields.
  public private(set) var fields: [Field] = []

  /// Creates fields from names and values.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field($0.0, $0.1) }
  }

  /// The first value with a name; setting it replaces all of that name.
  public subscript(name: String) -> String? {
    get { fields.first { HTTPHeaders.isSame($0.name, name) }?.value }
    set {
      fields.removeAll { HTTPHeaders.isSame($0.name, name) }
      if let newValue { fields.append(Field(name, newValue)) }
    }
  }

  /// Appends the field in a line of a head; ignores other lines.
  mutating func take(line: [UInt8]) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return }
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0D, 0x0A]
    var value = line[(colon + 1)...]
    while let last = value.last, blanks.contains(last) { value.removeLast() }
    while let first = value.first, blanks.contains(first) { value.removeFirst() }
    fields.append(Field(String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self)))
  }

  /// The lines to send, without characters that would end a line.
  var lines: [String] {
    fields.map { field in
      let text = "\(field.name): \(field.value)"
      return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }))
    }
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count && one.lowercased() == other.lowercased()
  }
}

/// Redirects for clients that stay on their host.
enum Redirect {
  /// Returns true if a response is a redirect with a location.
  static func isOne(_ head: HTTPHead) -> Bool {
    [301, 302, 303, 307, 308].contains(head.status) && head.headers["Location"] != nil
  }

  /// Returns the request that follows a redirect.
  ///
  /// - Throws: ``HTTPError`` if it would leave the host, or go from https to http.
  static func request(_ request: HTTPRequest, _ head: HTTPHead) throws(HTTPError) -> HTTPRequest {
    let location = head.headers["Location"] ?? ""
    guard let target = HTTPAddress.resolved(location, against: request.address) else {
      throw .protocolRefused(address: HTTPAddress.shown(request.address))
    }
    let (isSafe, staysSafe) = (isSafe(request.address), isSafe(target))
    if isSafe, !staysSafe { throw .protocolRefused(address: HTTPAddress.shown(request.address)) }
    let host = HTTPAddress.host(of: request.address)
    let isSame = HTTPAddress.hostAndPort(of: target) == HTTPAddress.hostAndPort(of: request.address)
    // A redirect from http to https changes the port.
    guard isSame || !isSafe && staysSafe && HTTPAddress.host(of: target) == host else {
      throw .redirectedElsewhere(host: host, target: HTTPAddress.hostAndPort(of: target))
    }
    var next = request
    next.address = target
    if head.status == 303 {
      (next.method, next.body) = (nil, nil)
      next.headers["Content-Type"] = nil
    }
    return next
  }

  private static func isSafe(_ address: String) -> Bool { HTTPAddress.parts(address)?.scheme == "https" }
}
