/// A client's request.
public struct ServerRequest: Sendable {
  /// A header field, or a query item.
  public struct Field: Sendable, Hashable {
    /// The name as sent; decoded in a query.
    public var name: String
    /// The value; decoded in a query.
    public var value: String

    /// Creates a field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The method, such as `GET`.
  public let method: String
  /// The decoded path, without the query.
  public let path: String
  /// The query items in order.
  public let query: [Field]
  /// The header fields in order.
  public let headers: [Field]
  /// The body, as it arrives.
  public let body: RequestBody

  /// Returns the value of the first header field with a name, ignoring case; nil if there is none.
  public func header(_ name: String) -> String? {
    let lower = name.lowercased()
    return headers.first { $0.name.lowercased() == lower }?.value
  }

  /// Returns the value of the first query item with a name; nil if there is none.
  public func queryItem(_ name: String) -> String? { query.first { $0.name == name }?.value }
}

/// The body of a request, as it arrives; the client waits while it is not read.
public struct RequestBody: Sendable {
  let exchange: Exchange

  /// Waits for the next piece; returns nil at the end.
  ///
  /// - Throws: ``ServerError/bodyTooLarge(limitInBytes:)``; `CancellationError` if the client disconnects or the server
  ///   stops.
  public func next() async throws -> [UInt8]? { try await exchange.nextPiece() }

  /// Waits for the complete body.
  ///
  /// - Throws: As for a piece.
  public func whole() async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let piece = try await next() { bytes += piece }
    return bytes
  }
}

/// Percent-encoding in addresses.
///
/// - Source: RFC 3986, section 2.1.
enum PercentText {
  /// Returns the decoded text; malformed escapes are kept.
  static func undone(_ text: String, plusIsBlank: Bool = false) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(digit),
        let low = rest.dropFirst().first.flatMap(digit)
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") && plusIsBlank ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
