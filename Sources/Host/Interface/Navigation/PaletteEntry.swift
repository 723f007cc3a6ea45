import PluginAPI

/// Something the command palette offers.
struct PaletteEntry: Sendable {
  /// What happens when it is chosen.
  enum Target: Sendable {
    case action(ActionInvocation)
    case command(plugin: String, CommandDescription)
    case screen(ScreenRequest)
    case host(HostKey)
  }

  var title: String
  var detail: String
  var keys: String
  var target: Target
  /// Title and detail in lower case, for a first quick look.
  let bytes: [UInt8]

  init(_ title: String, detail: String, keys: String = "", _ target: Target) {
    self.title = title
    self.detail = detail
    self.keys = keys
    self.target = target
    bytes = Array((title + " " + detail).lowercased().utf8)
  }
}

/// Entries that match what was typed, best first.
struct PaletteRanking: Sendable {
  /// A matching entry with the matched positions in its title.
  struct Hit: Sendable {
    var index: Int
    var positions: [Int]
  }

  /// Ranks entries; a match in the title goes before one that needs the detail.
  ///
  /// - Complexity: O(*n*) over all bytes for entries that lack a character, more only for those that match.
  static func hits(_ pattern: String, in entries: [PaletteEntry]) -> [Hit] {
    let wanted = Array(pattern.lowercased().utf8.filter { $0 != 0x20 })
    if wanted.isEmpty { return entries.indices.map { Hit(index: $0, positions: []) } }
    var scored: [(hit: Hit, score: Int)] = []
    for (index, entry) in entries.enumerated() where contains(entry.bytes, wanted) {
      if let match = FuzzyMatch(pattern, in: entry.title) {
        scored.append((Hit(index: index, positions: match.positions), match.score + 1000))
      } else if let match = FuzzyMatch(pattern, in: entry.title + " " + entry.detail) {
        scored.append((Hit(index: index, positions: match.positions.filter { $0 < entry.title.count }), match.score))
      }
    }
    return scored.sorted { ($1.score, $0.hit.index) < ($0.score, $1.hit.index) }.map(\.hit)
  }

  private static func contains(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
    var next = 0
    for byte in bytes where byte == wanted[next] {
      next += 1
      if next == wanted.count { return true }
    }
    return false
  }
}
