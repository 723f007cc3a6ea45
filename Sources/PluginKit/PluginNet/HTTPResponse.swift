internal import Glibc

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

/// A parser of `Retry-After` fields.
enum RetryAfter {
  /// Returns the seconds to wait; 0 for a time in the past.
  ///
  /// - Parameters:
  ///   - text: A number of seconds, or a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  ///   - now: Seconds since 1970.
  /// - Returns: nil for anything else.
  /// - Source: RFC 9110, sections 10.2.3 and 5.6.7.
  static func seconds(_ text: String, now: Double) -> Double? {
    if let seconds = UInt32(text) { return Double(seconds) }
    let words = text.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ":") }.map { String(Substring($0)) }
    guard words.count == 8, words[7] == "GMT", let day = Int(words[1]), let month = months.firstIndex(of: words[2]),
      let year = Int(words[3]), let hour = Int(words[4]), let minute = Int(words[5]), let second = Int(words[6]),
      (1970...9999).contains(year), (1...31).contains(day), (0..<24).contains(hour), (0..<60).contains(minute),
      (0...60).contains(second)
    else { return nil }
    var date = tm()
    (date.tm_year, date.tm_mon, date.tm_mday) = (Int32(year - 1900), Int32(month), Int32(day))
    (date.tm_hour, date.tm_min, date.tm_sec) = (Int32(hour), Int32(minute), Int32(second))
    return max(0, Double(timegm(&date)) - now)
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the seconds since 1970.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
