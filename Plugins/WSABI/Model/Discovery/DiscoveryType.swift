/// Under which type sensors announce themselves.
///
/// No standard names one for WS-Biometric Devices: see Documentation/Decisions/0013-discovery.md.
struct DiscoveryType: Sendable, Hashable {
  /// The type that simulated sensors announce.
  static let usual = "_ws-bd._tcp"

  /// Such as `_ws-bd._tcp`.
  let text: String
  /// The name to query: the type, and `local`.
  let name: DomainName

  /// Parses a type: an underscore, 1 to 15 letters, digits and hyphens, and `._tcp`; nil for any other text.
  ///
  /// - Source: RFC 6335, section 5.1; RFC 6763, section 7.
  init?(_ text: String) {
    let lowered = text.lowercased()
    let labels = lowered.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard labels.count == 2, labels[1] == "_tcp", labels[0].utf8.first == UInt8(ascii: "_") else { return nil }
    let word = Array(labels[0].utf8.dropFirst())
    guard (1...15).contains(word.count), word.contains(where: { (0x61...0x7A).contains($0) }),
      word.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }),
      word.first != 0x2D, word.last != 0x2D, let name = DomainName(labels: labels + ["local"])
    else { return nil }
    (self.text, self.name) = (lowered, name)
  }
}
