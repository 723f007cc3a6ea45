/// The hosts on which sensors are allowed, as a deployer lists them.
///
/// An entry is a host (`sensor.example`, `10.0.0.7`, `::1`), all hosts below a name (`*.lab.example`), or an IPv4
/// network (`192.168.20.0/24`). Names are compared literally, never resolved.
struct AllowedHosts: Sendable, Hashable {
  private enum Entry: Hashable {
    case host(String)
    case below(String)
    case network(UInt32, bits: Int)
  }

  private let entries: [Entry]
  /// True if there is no list, so that every host is allowed.
  let allowsAll: Bool

  /// Parses entries separated by commas or blanks; an empty text allows every host.
  ///
  /// An unreadable entry matches nothing, so that a typing error does not allow every host.
  init(_ text: String) {
    let words = text.split { $0 == "," || $0 == " " || $0 == "\n" || $0 == "\t" }.map { $0.lowercased() }
    allowsAll = words.isEmpty
    entries = words.compactMap(Self.entry)
  }

  private static func entry(_ word: String) -> Entry? {
    if word.hasPrefix("*.") { return .below(String(word.dropFirst())) }
    guard let slash = word.firstIndex(of: "/") else {
      return .host(word.hasPrefix("[") ? String(word.dropFirst().prefix { $0 != "]" }) : word)
    }
    guard let address = number(word[..<slash]), let bits = Int(word[word.index(after: slash)...]),
      (0...32).contains(bits)
    else { return nil }
    return .network(address, bits: bits)
  }

  /// Returns true if sensors on a host are allowed.
  ///
  /// - Parameter host: A host in the form of ``SensorAddress/host``.
  func allows(_ host: String) -> Bool {
    if allowsAll { return true }
    return entries.contains { entry in
      switch entry {
      case .host(let name): name == host
      case .below(let end): host.hasSuffix(end) && host.utf8.count > end.utf8.count
      case .network(let network, let bits):
        Self.number(host).map { bits == 0 || ($0 ^ network) >> UInt32(32 - bits) == 0 } ?? false
      }
    }
  }

  /// Returns the number of an IPv4 address; nil for any other text.
  private static func number(_ text: some StringProtocol) -> UInt32? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var number: UInt32 = 0
    for part in parts {
      guard (1...3).contains(part.utf8.count), let byte = UInt8(part) else { return nil }
      number = number << 8 | UInt32(byte)
    }
    return number
  }
}
