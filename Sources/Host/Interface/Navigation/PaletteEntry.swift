import PluginAPI

/// Something the command palette offers.
struct PaletteEntry: Sendable {
  /// The action performed when the entry is chosen.
  enum Target: Sendable {
    case action(ActionInvocation)
    case command(plugin: String, CommandDescription)
    case screen(ScreenRequest)
    case host(HostKey)
  }

  var title: String
  var detail: String
  var keys = ""
  /// Other words to find it by.
  var synonyms: [String] = []
  /// True for a command of another plugin than the one whose screen is in front.
  var isForeign = false
  var target: Target

  init(_ title: String, detail: String, keys: String = "", synonyms: [String] = [], _ target: Target) {
    self.title = title
    self.detail = detail
    self.keys = keys
    self.synonyms = synonyms
    self.target = target
  }

  /// True for a command that deletes data: it is found by words, never by scattered letters.
  fileprivate var isDestructive: Bool {
    if case .command(_, let declaration) = target { declaration.effects.contains(.deletes) } else { false }
  }
}

/// Ranks the entries of the palette by a typed pattern.
enum PaletteRanking {
  /// A matching entry with the matched positions in its title.
  struct Hit: Sendable {
    var index: Int
    var positions: [Int]
  }

  /// The part of an entry that contains the typed words, the most significant first.
  private enum Field: Int {
    case title, synonyms, detail, scattered
  }

  /// Ranks entries: those with the typed words in title or synonyms, then those that have them in the detail, then those
  /// whose title has the letters in order.
  ///
  /// Among the first, kinds of matches decide (see `FuzzyMatch.Kind`), then commands of other plugins come last.
  /// - Complexity: O(*n*) over all bytes for entries that lack a letter, more for those that match.
  static func hits(_ pattern: String, in entries: [PaletteEntry]) -> [Hit] {
    if pattern.allSatisfy({ $0 == " " }) { return entries.indices.map { Hit(index: $0, positions: []) } }
    let found = entries.indices.compactMap { index in
      match(pattern, entries[index]).map { (index: index, field: $0.field, match: $0.match) }
    }
    // Sorting is stable: equals stay in the order of the entries.
    let ranked = found.sorted { left, right in
      rank(left.field, left.match, entries[left.index]) < rank(right.field, right.match, entries[right.index])
    }
    return ranked.map { hit in
      let length = entries[hit.index].title.count
      return Hit(index: hit.index, positions: hit.match.positions.filter { $0 < length })
    }
  }

  private static func match(_ pattern: String, _ entry: PaletteEntry) -> (field: Field, match: FuzzyMatch)? {
    let title = FuzzyMatch(pattern, in: entry.title)
    if let title, title.kind > .scattered { return (.title, title) }
    let named = ([entry.title] + entry.synonyms).joined(separator: " ")
    if let match = FuzzyMatch(pattern, in: named), match.kind > .initials { return (.synonyms, match) }
    if let match = FuzzyMatch(pattern, in: named + " " + entry.detail), match.kind > .initials {
      return (.detail, match)
    }
    return entry.isDestructive ? nil : title.map { (.scattered, $0) }
  }

  /// Returns the rank as a tuple, in whose order the best is first.
  private static func rank(_ field: Field, _ match: FuzzyMatch, _ entry: PaletteEntry) -> (Int, Int, Int, Int, Int) {
    let group = max(field.rawValue, Field.synonyms.rawValue)
    return (group, -match.kind.rawValue, entry.isForeign ? 1 : 0, field.rawValue, -match.score)
  }
}
