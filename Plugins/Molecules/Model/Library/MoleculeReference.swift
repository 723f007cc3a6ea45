import PluginAPI

/// Resolves a word to a molecule: a number, an entry code in any case, or the beginning of exactly one title.
enum MoleculeReference {
  /// The result of resolving a word.
  enum Match: Equatable {
    case found(MoleculeSummary)
    /// Several molecules with that code or beginning of a title.
    case ambiguous([MoleculeSummary])
    /// No molecule; the nearest code or title, if one is near.
    case missing(nearest: String?)
  }

  /// Resolves a word.
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
