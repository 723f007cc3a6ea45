import PluginAPI

/// Finds the molecule that a word means: a number, an entry code in any case, or the beginning of one title only.
enum MoleculeReference {
  /// What a word leads to.
  enum Match: Equatable {
    case found(MoleculeSummary)
    /// Several molecules of that code or title beginning.
    case ambiguous([MoleculeSummary])
    /// None; the nearest code or title, if one is near.
    case missing(nearest: String?)
  }

  /// Looks a word up.
  ///
  /// - Complexity: linear in the molecules.
  static func match(_ word: String, among molecules: [MoleculeSummary]) -> Match {
    if let id = Int(word), let molecule = molecules.first(where: { $0.id == id }) { return .found(molecule) }
    let wanted = word.lowercased()
    guard !wanted.isEmpty else { return .missing(nearest: nil) }
    let byCode = molecules.filter { $0.code.lowercased() == wanted }
    if !byCode.isEmpty { return byCode.count == 1 ? .found(byCode[0]) : .ambiguous(byCode) }
    let exact = molecules.filter { $0.displayTitle.lowercased() == wanted }
    if exact.count == 1 { return .found(exact[0]) }
    let byTitle = molecules.filter { $0.displayTitle.lowercased().hasPrefix(wanted) }
    switch byTitle.count {
    case 1: return .found(byTitle[0])
    case 0: return .missing(nearest: nearest(to: word, among: molecules))
    default: return .ambiguous(byTitle)
    }
  }

  private static func nearest(to word: String, among molecules: [MoleculeSummary]) -> String? {
    let codes = molecules.map(\.code).filter { !$0.isEmpty }
    if let code = Suggestion.nearest(to: word, in: codes) { return code }
    return Suggestion.nearest(to: word, in: molecules.map(\.displayTitle))
  }
}
