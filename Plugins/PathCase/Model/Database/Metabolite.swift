/// A small molecule, independent of its location.
struct Metabolite: Sendable, Hashable {
  var id: Identifier
  var name: String
  /// A Boolean value indicating whether pictures leave it out because it takes part in too many processes: ATP, water,
  /// NADH.
  var isCommon = false
  /// The molecular formula in Hill order, at pH 7.
  var formula: String?
  /// The net charge in elementary charges, at pH 7.
  var charge: Int?
  /// The identifiers in other databases, keyed by the database's lowercase name: `kegg`, `chebi`, `hmdb`.
  var references: [String: String] = [:]
  var synonyms: [String] = []
}

/// A metabolite in a compartment, consumed and produced by processes.
struct MetabolitePool: Sendable, Hashable {
  var id: Identifier
  var metabolite: Identifier
  var compartment: Identifier
  /// A Boolean value indicating whether the network ends here: the environment may fill and empty the pool.
  var isBoundary = false
}
