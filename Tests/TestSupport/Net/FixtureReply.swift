/// The response of a fixture server.
public struct FixtureReply: Sendable {
  /// The way in which the body is sent.
  public enum Manner: Sendable {
    /// Whole, with its length.
    case whole
    /// Whole, without a length: the body ends with the connection.
    case unstated
    /// With the full length, but only this many bytes; then the connection is closed.
    case cut(after: Int)
    /// With the full length, but only this many bytes; then the connection is reset.
    case reset(after: Int)
    /// With the full length, but only this many bytes; then nothing until the client disconnects.
    case stuck(after: Int)
    /// One byte at a time, with this delay after each.
    case drip(milliseconds: Int32)
    /// Repeated without a length, until the client disconnects.
    case endless
  }

  public var status: Int
  public var headers: [(name: String, value: String)]
  public var body: [UInt8]
  public var manner: Manner

  public init(
    _ status: Int = 200, _ body: [UInt8] = [], type: String? = nil, headers: [(name: String, value: String)] = [],
    _ manner: Manner = .whole
  ) {
    self.status = status
    self.body = body
    self.manner = manner
    self.headers = headers + (type.map { [("Content-Type", $0)] } ?? [])
  }

  /// Returns a response with a text.
  public static func text(_ text: String, status: Int = 200, type: String = "text/plain") -> FixtureReply {
    FixtureReply(status, Array(text.utf8), type: type)
  }

  /// Returns a redirect to an address.
  public static func redirect(_ address: String) -> FixtureReply {
    FixtureReply(302, headers: [("Location", address)])
  }
}

/// A client's request to a fixture server.
public struct FixtureRequest: Sendable {
  public var method: String
  /// The path with the query.
  public var target: String
  /// The headers, by lower-case name.
  public var headers: [String: String]
  public var body: [UInt8]

  /// The path without the query.
  public var path: String { String(target.prefix { $0 != "?" }) }
}
