/// Functions that build and parse web addresses.
///
/// - Source: RFC 3986.
public enum HTTPAddress {
  /// Escapes all but letters, digits and `-._~`, so that a text can be used anywhere in an address.
  public static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(byte)
      default:
        let digits = Array("0123456789ABCDEF".utf8)
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the address with a query of escaped names and values.
  public static func with(_ address: String, query: [(name: String, value: String)]) -> String {
    if query.isEmpty { return address }
    let pairs = query.map { escaped($0.name) + "=" + escaped($0.value) }.joined(separator: "&")
    return address + (address.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + pairs
  }

  /// Returns the address with one more path segment, escaped and separated by one `/`.
  public static func appending(_ segment: String, to address: String) -> String {
    (address.hasSuffix("/") ? address : address + "/") + escaped(segment)
  }

  /// Returns the parts of an absolute address; nil for anything else.
  static func parts(_ address: String) -> (scheme: String, authority: String, rest: String)? {
    guard let colon = address.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = address[..<colon].lowercased()
    var rest = address[address.utf8.index(after: colon)...]
    guard scheme == "http" || scheme == "https", rest.hasPrefix("//") else { return nil }
    rest = rest.dropFirst(2)
    let end = rest.utf8.firstIndex { [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
    return (scheme, String(rest[..<(end ?? rest.endIndex)]), String(rest[(end ?? rest.endIndex)...]))
  }

  /// Returns the host of an address in lower case, without user, port and brackets; empty if it has none.
  public static func host(of address: String) -> String {
    guard let authority = parts(address)?.authority else { return "" }
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }).lowercased() }
    return String(host.prefix { $0 != ":" }).lowercased()
  }

  /// Returns the host and port of an address in lower case, `example.org:8443`, with the protocol's port by default.
  ///
  /// An IPv6 address is in brackets. The result is empty if the address has no host.
  public static func hostAndPort(of address: String) -> String {
    guard let parts = parts(address) else { return "" }
    let name = host(of: address)
    if name.isEmpty { return "" }
    let authority = parts.authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let suffix = authority.hasPrefix("[") ? authority.drop { $0 != "]" }.dropFirst() : authority.drop { $0 != ":" }
    let port = suffix.hasPrefix(":") && suffix.utf8.count > 1 ? Int(suffix.dropFirst()) : nil
    return (name.contains(":") ? "[\(name)]" : name) + ":\(port ?? (parts.scheme == "https" ? 443 : 80))"
  }

  /// Returns the address for messages: shortened, and without user, password and likely secrets.
  public static func shown(_ address: String) -> String {
    guard let parts = parts(address) else { return String(address.prefix(200)) }
    let host = parts.authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    return String("\(parts.scheme)://\(host)\(withoutSecrets(parts.rest))".prefix(200))
  }

  /// The names in queries whose values grant access, in lower case.
  private static let secretNames: Set<String> = [
    "sessionid", "session_id", "token", "access_token", "api_key", "apikey", "password",
  ]

  /// Returns the path and query with the values of secrets replaced.
  private static func withoutSecrets(_ rest: String) -> String {
    guard let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) else { return rest }
    let pairs = rest[rest.utf8.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
    let kept = pairs.map { pair in
      let name = pair.prefix { $0 != "=" }
      return secretNames.contains(name.lowercased()) && name.endIndex != pair.endIndex ? name + "=•••" : pair
    }
    return rest[...mark] + kept.joined(separator: "&")
  }

  /// Returns true for a usable address: `http://` or `https://`, a host, and no spaces or control characters.
  public static func isUsable(_ address: String) -> Bool {
    !host(of: address).isEmpty && !address.utf8.contains { $0 <= 32 || $0 == 127 }
  }

  /// Returns true if the host is this machine.
  static func isLoopback(_ address: String) -> Bool {
    let host = host(of: address)
    return host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }

  /// Resolves a reference on a page.
  ///
  /// - Parameters:
  ///   - reference: The reference as written on the page: absolute, `//host/path`, `/path`, `path`, `?query`.
  ///   - base: The address of the page.
  /// - Returns: The address without its fragment; nil if it is not a web address, such as `mailto:`, or only a
  ///   fragment.
  /// - Source: RFC 3986, section 5.2.
  public static func resolved(_ reference: String, against base: String) -> String? {
    let trimmed = reference.unicodeScalars.filter { $0.value > 32 && $0.value != 127 }
    let bare = String(String.UnicodeScalarView(trimmed.prefix { $0 != "#" }))
    guard !bare.isEmpty, let page = parts(base) else { return nil }
    if parts(bare) != nil { return isUsable(bare) ? bare : nil }
    if hasScheme(bare) { return nil }
    let root = "\(page.scheme)://\(page.authority)"
    if bare.hasPrefix("//") { return isUsable("\(page.scheme):\(bare)") ? "\(page.scheme):\(bare)" : nil }
    let path = String(page.rest.prefix { $0 != "?" && $0 != "#" })
    if bare.hasPrefix("?") { return root + (path.isEmpty ? "/" : path) + bare }
    if bare.hasPrefix("/") { return root + withoutDots(bare) }
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "/"
    return root + withoutDots(folder + bare)
  }

  private static func hasScheme(_ text: String) -> Bool {
    guard let end = text.utf8.firstIndex(where: { ":/?".utf8.contains($0) }) else { return false }
    return text.utf8[end] == UInt8(ascii: ":") && end != text.startIndex
  }

  /// Returns a path without `.` and `..` segments.
  private static func withoutDots(_ address: String) -> String {
    let path = address.prefix { $0 != "?" }
    var segments: [Substring] = []
    let all = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in all.enumerated() {
      let isLast = index == all.count - 1
      if segment == "." {
        if isLast { segments.append("") }
      } else if segment == ".." {
        if segments.count > 1 { segments.removeLast() }
        if isLast { segments.append("") }
      } else {
        segments.append(segment)
      }
    }
    return segments.joined(separator: "/") + address.dropFirst(path.count)
  }
}
