/// A small molecule, wherever it is found.
struct Metabolite: Sendable, Hashable {
  var id: Identifier
  var name: String
  /// Whether it takes part in so many processes that pictures leave it out: ATP, water, NADH.
  var isCommon = false
  /// Elements and their counts in Hill order, as at pH 7.
  var formula: String?
  /// The net charge in elementary charges, as at pH 7.
  var charge: Int?
  /// Where other databases describe it, by their name in small letters: `kegg`, `chebi`, `hmdb`.
  var references: [String: String] = [:]
  var synonyms: [String] = []
}

/// A metabolite in a compartment: what processes take from and give to.
struct MetabolitePool: Sendable, Hashable {
  var id: Identifier
  var metabolite: Identifier
  var compartment: Identifier
  /// Whether the network ends here: the world outside may fill and empty it.
  var isBoundary = false
}
