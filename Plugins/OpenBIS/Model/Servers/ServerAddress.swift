import PluginAPI
import PluginText

/// The address of a server: `https://host[:port][/path]`, without `/openbis` at the end, without user, query and
/// fragment.
struct ServerAddress: Sendable, Hashable {
  /// The address without a slash at the end.
  var base: String

  /// Creates the address of a server from its stored base.
  init(base: String) {
    self.base = base
  }

  /// Creates an address from user input: a host, a host and port, or any address of the server's pages.
  ///
  /// The scheme is `https` unless `http` is given; the part of a web address after `/openbis` does not belong to the
  /// server's base.
  /// - Returns: nil if the text has no host, or has another scheme, a user or a space.
  init?(_ text: String) {
    var remaining = Substring(text.trimmed())
    var scheme = "https"
    if let end = remaining.utf8.firstIndex(of: UInt8(ascii: ":")), remaining[end...].hasPrefix("://") {
      scheme = remaining[..<end].lowercased()
      remaining = remaining[end...].dropFirst(3)
    }
    guard scheme == "https" || scheme == "http" else { return nil }
    remaining = remaining.prefix { $0 != "?" && $0 != "#" }
    let authority = remaining.prefix { $0 != "/" }
    var path = remaining[authority.endIndex...].split(separator: "/").map(String.init)
    if let index = path.firstIndex(where: { $0 == "openbis" || $0 == "datastore_server" }) {
      path.removeSubrange(index...)
    }
    let isPlain = remaining.utf8.allSatisfy {
      $0 > 32 && $0 != 127 && $0 != UInt8(ascii: "@") && $0 != UInt8(ascii: "\\")
    }
    guard isPlain, Self.isHostAndPort(authority) else { return nil }
    base = ([scheme + "://" + authority.lowercased()] + path).joined(separator: "/")
  }

  /// Returns true if a text is a host name or host address, with or without a port.
  private static func isHostAndPort(_ text: Substring) -> Bool {
    var host = text
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return false }
      host = text[..<end].dropFirst()
      let port = text[text.index(after: end)...]
      return !host.isEmpty && (port.isEmpty || (port.hasPrefix(":") && UInt16(port.dropFirst()) != nil))
    }
    if let colon = text.firstIndex(of: ":") {
      host = text[..<colon]
      guard let port = UInt16(text[text.index(after: colon)...]), port > 0 else { return false }
    }
    return !host.isEmpty && !host.hasPrefix(".") && !host.hasPrefix("-")
  }

  /// Returns the address a user entered, without user, password and query.
  ///
  /// This applies to any text, because mistyped addresses may contain passwords too.
  static func hidingSecrets(_ address: String) -> String {
    func withoutQuery(_ text: Substring) -> String {
      let shown = text.prefix { $0 != "?" }
      return shown.endIndex == text.endIndex ? String(shown) : shown + "?…"
    }
    guard let end = address.lastIndex(of: "@") else { return withoutQuery(address[...]) }
    let colon = address.firstIndex(of: ":") ?? end
    let scheme = address[colon...].hasPrefix("://") ? address[..<colon] + "://" : ""
    // 'anna@lab' is the form of account names.
    if scheme.isEmpty, colon >= end { return withoutQuery(address[...]) }
    return scheme + "•••" + withoutQuery(address[end...])
  }

  /// A Boolean value indicating whether others can read the traffic.
  var isOpen: Bool { base.hasPrefix("http://") }

  /// A Boolean value indicating whether the server is this machine.
  var isLoopback: Bool {
    let remaining = base.drop { $0 != ":" }.dropFirst(3).prefix { $0 != "/" }
    return remaining.hasPrefix("localhost") || remaining.hasPrefix("127.") || remaining.hasPrefix("[::1]")
  }

  /// The address without the scheme, for people.
  var shown: String { String(base.drop { $0 != ":" }.dropFirst(3)) }
}

extension Account {
  /// Returns the id of a user's account at a server: readable, usable as a file's name, and different for every user.
  static func id(of user: String, at server: ServerAddress) -> String {
    func plain(_ text: String) -> String {
      String(
        text.lowercased().unicodeScalars.map { scalar in
          let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
          return isPlain || scalar == "." ? Character(scalar) : "_"
        })
    }
    // Two users may have the same plain text: the number distinguishes them.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in (server.base + "\n" + user).utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let number = String(hash, radix: 36)
    return plain(server.shown).prefix(60) + "-" + plain(user).prefix(30) + "-" + number.prefix(8)
  }
}

/// Addresses of data store servers as servers write them: with or without a slash or `/datastore_server` at the end.
enum DataStoreAddress {
  /// Returns the address without either ending.
  static func base(_ address: String) -> String {
    var address = address
    while address.hasSuffix("/") { address.removeLast() }
    if address.hasSuffix("/datastore_server") { address.removeLast("/datastore_server".count) }
    return address
  }

  /// Returns the address of files and images, with `/datastore_server` at the end.
  static func files(_ address: String) -> String { base(address) + "/datastore_server" }
}

/// A key of a server that the user decided to trust.
struct TrustedKey: Sendable, Hashable {
  /// The server as `host:port`, in lower case.
  var host: String
  /// The SHA-256 of the public key, as the connection reports it.
  var pin: String
  /// The subject of the certificate, for people.
  var subject: String
  var firstTrustedAt: Instant
}

/// The certificate that a server shows before anything is sent to it.
struct ShownCertificate: Sendable, Hashable {
  /// The SHA-256 of its public key, in Base64.
  var pin: String
  /// The subject of the certificate.
  var subject: String
  /// The issuer of the certificate.
  var issuer: String
  /// The end of its validity.
  var validUntil: String
  /// The reason why it is not trusted without the user's agreement; nil if it is.
  var problem: String?
}
