import Glibc
import PluginText

extension DiscoveredSensor {
  /// Creates a sensor from a found service, sanitized for display; nil if its path cannot be part of an address.
  init?(_ found: DiscoveryBook.Found, on link: DiscoveryLink) {
    let path = found.texts["path"].map { String(decoding: $0, as: UTF8.self) } ?? ""
    guard path.isEmpty || path.utf8.first == UInt8(ascii: "/") else { return nil }
    let isSecure = ["1", "true", "yes"].contains { found.texts["tls"].map(Array.init) ?? [] == Array($0.utf8) }
    let host = Self.text(of: found.address)
    let typed = "\(isSecure ? "https" : "http")://\(host):\(found.port)\(path)"
    guard let address = try? SensorAddress(parsing: typed) else { return nil }
    let name = Self.shown(found.texts["name"]) ?? Self.shown(Array(found.instance.firstLabel))
    self.init(
      name: name ?? address.text, address: address.text, modality: Self.shown(found.texts["modality"]),
      place: link.name)
  }

  /// Returns sanitized text from another machine; nil if nothing is left of it.
  private static func shown(_ bytes: [UInt8]?) -> String? {
    guard let bytes else { return nil }
    let text = SanitizedText.line(String(decoding: bytes, as: UTF8.self), limit: 64)
    return text.contains { !$0.isWhitespace } ? text : nil
  }

  private static func text(of address: [UInt8]) -> String {
    let family = address.count == 4 ? AF_INET : AF_INET6
    var room = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(family, address, &room, socklen_t(room.count)) != nil else { return "" }
    let text = String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return family == AF_INET ? text : "[\(text)]"
  }
}
