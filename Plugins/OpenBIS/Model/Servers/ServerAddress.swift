import PluginText

/// Where a server is: `https://host[:port][/path]`, without `/openbis` at the end, without user, query and fragment.
struct ServerAddress: Sendable, Hashable {
  /// The address without a slash at the end.
  var base: String

  /// Creates the address of a server from its base as it is kept.
  init(base: String) {
    self.base = base
  }

  /// Reads what people write: a host, a host and port, or any address of the server's pages.
  ///
  /// `https` unless `http` is written; what stands behind `/openbis` in a web address is no part of the server's base.
  /// - Returns: nil if there is no host in it, or another scheme, a user or a blank.
  init?(_ words: String) {
    var rest = Substring(words.trimmed())
    var scheme = "https"
    if let end = rest.utf8.firstIndex(of: UInt8(ascii: ":")), rest[end...].hasPrefix("://") {
      scheme = rest[..<end].lowercased()
      rest = rest[end...].dropFirst(3)
    }
    guard scheme == "https" || scheme == "http" else { return nil }
    rest = rest.prefix { $0 != "?" && $0 != "#" }
    let authority = rest.prefix { $0 != "/" }
    var path = rest[authority.endIndex...].split(separator: "/").map(String.init)
    if let place = path.firstIndex(where: { $0 == "openbis" || $0 == "datastore_server" }) {
      path.removeSubrange(place...)
    }
    let isPlain = rest.utf8.allSatisfy { $0 > 32 && $0 != 127 && $0 != UInt8(ascii: "@") && $0 != UInt8(ascii: "\\") }
    guard isPlain, Self.isHostAndPort(authority) else { return nil }
    base = ([scheme + "://" + authority.lowercased()] + path).joined(separator: "/")
  }

  /// Whether it is a name or an address of a host, with or without a port.
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

  /// What people wrote as an address, without the user, the password and the query that may stand in it.
  ///
  /// A text that is no address is as good as one: passwords stand in those that were written wrongly, too.
  static func hidingSecrets(_ words: String) -> String {
    func withoutQuery(_ text: Substring) -> String {
      let shown = text.prefix { $0 != "?" }
      return shown.endIndex == text.endIndex ? String(shown) : shown + "?…"
    }
    guard let end = words.lastIndex(of: "@") else { return withoutQuery(words[...]) }
    let colon = words.firstIndex(of: ":") ?? end
    let scheme = words[colon...].hasPrefix("://") ? words[..<colon] + "://" : ""
    // 'anna@lab' is how accounts are named.
    if scheme.isEmpty, colon >= end { return withoutQuery(words[...]) }
    return scheme + "•••" + withoutQuery(words[end...])
  }

  /// Whether what is sent can be read on the way.
  var isOpen: Bool { base.hasPrefix("http://") }

  /// Whether it is this machine.
  var isLoopback: Bool {
    let rest = base.drop { $0 != ":" }.dropFirst(3).prefix { $0 != "/" }
    return rest.hasPrefix("localhost") || rest.hasPrefix("127.") || rest.hasPrefix("[::1]")
  }

  /// Without the scheme, as people read it.
  var shown: String { String(base.drop { $0 != ":" }.dropFirst(3)) }
}

extension Account {
  /// The id of a user's account at a server: readable, usable as a file's name, and another one for any other user.
  static func id(of user: String, at server: ServerAddress) -> String {
    func plain(_ text: String) -> String {
      String(
        text.lowercased().unicodeScalars.map { scalar in
          let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
          return isPlain || scalar == "." ? Character(scalar) : "_"
        })
    }
    // What was made plain may be the same for two users: the number tells them apart.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in (server.base + "\n" + user).utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let number = String(hash, radix: 36)
    return plain(server.shown).prefix(60) + "-" + plain(user).prefix(30) + "-" + number.prefix(8)
  }
}
