import Glibc
import PluginAPI
import PluginStore
import PluginText

extension SensorAddress {
  /// Parses a typed or stored address.
  ///
  /// A missing scheme is http. Numbers of the internet protocol take their one spelling, so that `[0:0::1]` and `[::1]`
  /// are the same sensor.
  /// - Throws: The fault of the address.
  /// - Source: RFC 3986, sections 3 and 6.2.2; RFC 5952 for numbers of the sixth version.
  init(parsing text: String) throws(AddressError) {
    let trimmed = Substring(text.trimmed())
    if trimmed.isEmpty { throw .empty }
    if trimmed.utf8.count > 2048 { throw .tooLong }
    let (isSecure, remaining) = try Self.scheme(of: trimmed)
    if remaining.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) { throw .extras }
    let end = remaining.utf8.firstIndex(of: UInt8(ascii: "/")) ?? remaining.endIndex
    let authority = remaining[..<end]
    if authority.utf8.contains(UInt8(ascii: "@")) { throw .credentials }
    let (host, portText) = try Self.split(authority)
    let usual = isSecure ? 443 : 80
    let port = try portText.map { text throws(AddressError) in try Self.port(text) } ?? usual
    let path = try Self.path(remaining[end...])
    let shownHost = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    self.init(
      text: "\(isSecure ? "https" : "http")://\(shownHost)\(port == usual ? "" : ":\(port)")\(path)",
      host: host, port: port, isSecure: isSecure)
  }

  /// Reads an address of a sensor that is known by more than the system trusts.
  ///
  /// - Throws: ``AddressError/notSecure`` where there is something to know it by, and no encryption that would show it.
  init(parsing text: String, trusting trust: SensorTrust) throws(AddressError) {
    try self.init(parsing: text)
    if !trust.isEmpty, !isSecure { throw .notSecure }
    self.trust = trust
  }

  private static func scheme(of text: Substring) throws(AddressError) -> (isSecure: Bool, remaining: Substring) {
    let bytes = text.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
      return (false, text)
    }
    let remaining = text[bytes.index(colon, offsetBy: 3)...]
    switch text[..<colon].lowercased() {
    case "http": return (false, remaining)
    case "https": return (true, remaining)
    // Text in front of an `@` may be a password.
    case let other where other.utf8.allSatisfy(isNamePart): throw .scheme(other)
    default: throw .credentials
    }
  }

  private static func split(_ authority: Substring) throws(AddressError) -> (host: String, port: Substring?) {
    if authority.utf8.first == UInt8(ascii: "[") {
      guard let close = authority.utf8.firstIndex(of: UInt8(ascii: "]")) else { throw .host }
      let behind = authority[authority.utf8.index(after: close)...]
      guard behind.isEmpty || behind.utf8.first == UInt8(ascii: ":") else { throw .host }
      let number = String(authority[..<close].dropFirst())
      guard let host = canonicalNumber(number, AF_INET6) else { throw .host }
      return (host, behind.isEmpty ? nil : behind.dropFirst())
    }
    let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
    guard let name = parts.first, parts.count <= 2 else { throw .host }
    return (try host(name), parts.count == 2 ? parts[1] : nil)
  }

  private static func host(_ text: Substring) throws(AddressError) -> String {
    let name = (text.utf8.last == UInt8(ascii: ".") ? text.dropLast() : text).lowercased()
    guard !name.isEmpty, name.utf8.count <= 253, name.utf8.allSatisfy(isNamePart) else { throw .host }
    let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.allSatisfy({ (1...63).contains($0.count) }) else { throw .host }
    // `127.1`, `0x7f.0.0.1` and the like are numbers to some programs and names to others.
    let isNumber = labels.last?.first.map { (0x30...0x39).contains($0) } ?? false
    guard isNumber else { return name }
    guard let number = canonicalNumber(name, AF_INET) else { throw .host }
    return number
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Returns the canonical form of a numeric IP address; nil if the text is not one.
  private static func canonicalNumber(_ text: String, _ family: Int32) -> String? {
    var number = in6_addr()
    var room = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let isOne = withUnsafeMutableBytes(of: &number) { bytes in
      inet_pton(family, text, bytes.baseAddress) == 1
        && inet_ntop(family, bytes.baseAddress, &room, socklen_t(room.count)) != nil
    }
    return isOne ? String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }

  private static func port(_ text: Substring) throws(AddressError) -> Int {
    guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(text), (1...65_535).contains(number)
    else { throw .port }
    return number
  }

  /// Returns the path without trailing slashes.
  private static func path(_ text: Substring) throws(AddressError) -> String {
    var path = text
    while path.utf8.last == UInt8(ascii: "/") { path = path.dropLast() }
    let bytes = Array(path.utf8)
    for (index, byte) in bytes.enumerated() where !isNamePart(byte) {
      if byte == UInt8(ascii: "%") {
        let digits = bytes[(index + 1)...].prefix(2)
        guard digits.count == 2, digits.allSatisfy(isHexadecimal) else { throw .path }
      } else if !"/~!$&'()*+,;=:@".utf8.contains(byte) {
        throw .path
      }
    }
    let segments = bytes.split(separator: UInt8(ascii: "/"))
    guard !segments.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) else { throw .path }
    return String(path)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
  }
}

extension DeviceDefinition {
  /// Returns the address of the sensor, with its trust.
  ///
  /// - Throws: The fault of the address, also if it cannot carry the trust.
  func sensorAddress() throws(AddressError) -> SensorAddress {
    try SensorAddress(parsing: address, trusting: trust)
  }
}

/// Files with certificates and keys, stored with a sensor by their absolute path, as a later run may start in another
/// folder.
enum TrustFile {
  /// Returns the absolute path of a file.
  ///
  /// - Throws: ``AddressError/file(_:)`` if there is none, or it cannot be read.
  static func path(_ text: String) throws(AddressError) -> String {
    guard let whole = realpath(text, nil) else { throw .file(text) }
    defer { free(whole) }
    guard access(whole, R_OK) == 0 else { throw .file(text) }
    return String(cString: whole)
  }

  /// Returns the bytes of a file, or nil and the reason it cannot be read.
  static func bytes(_ path: String) -> (bytes: [UInt8]?, problem: String) {
    do throws(WholeFile.ReadFailure) {
      return (try WholeFile.read(path, limitInBytes: 1 << 20), "")
    } catch {
      return (nil, "\(error.reason)")
    }
  }
}

/// The reason a text is not a sensor's address; never includes the text itself, which may hold a password.
enum AddressError: Error, Equatable, ReportableError {
  case empty
  /// It is longer than 2048 bytes.
  case tooLong
  /// Another scheme than http and https.
  case scheme(String)
  /// A user name or a password precedes the host.
  case credentials
  /// A query or a fragment is at its end.
  case extras
  /// The host is malformed: empty, or with characters that hosts cannot have.
  case host
  /// The port is not one from 1 to 65535.
  case port
  /// The path has characters that an address cannot have, or goes upward.
  case path
  /// There is a pin or a certificate for an address without encryption.
  case notSecure
  /// A pin is malformed.
  case pin
  /// A file with certificates or a key cannot be read; its path.
  case file(String)

  private static let badAddress = DeclaredError(
    "wsabi.bad-address", .usage, "the text is not the address of a sensor")
  /// The stable codes.
  static let errorCodes = [badAddress.catalogueEntry]

  var report: ErrorReport {
    let (message, advice) = texts
    return Self.badAddress(message, advice: advice)
  }

  private var texts: (message: String, advice: String) {
    switch self {
    case .empty: ("the address of the sensor is empty", "give one, such as 'http://192.168.1.20:8000/Service'")
    case .tooLong: ("the address of the sensor is longer than 2048 bytes", "shorten it")
    case .scheme(let scheme):
      (
        "unsupported scheme '\(SanitizedText.line(scheme, limit: 20))' in the address of the sensor",
        "use http or https"
      )
    case .credentials:
      ("the address of the sensor contains a user name or password", "remove it: WS-BD does not use them")
    case .extras: ("the address of the sensor contains a query or fragment", "remove the text after '?' or '#'")
    case .host:
      ("the host in the address of the sensor cannot be used", "write an ASCII name ('xn--…') or an IP address")
    case .port: ("the port of the sensor's address is not a number from 1 to 65535", "check the text after ':'")
    case .path:
      (
        "the path of the sensor's address contains characters that must be escaped",
        "escape them, such as '%20' for a space"
      )
    case .notSecure: ("pins and certificates need an https address", "write the address as 'https://…'")
    case .pin:
      ("the pin is not a hash of 44 characters", "show the pin with 'workbench wsabi sensor certificate URI'")
    case .file(let path):
      ("cannot read '\(SanitizedText.line(path, limit: 500))'", "give a readable PEM file")
    }
  }
}
