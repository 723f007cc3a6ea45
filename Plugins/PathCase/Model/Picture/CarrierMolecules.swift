/// Molecules that carry groups, electrons or energy through all of a metabolism, and water, gases and ions.
///
/// A model does not say which of its species they are; pictures draw them beside each reaction.
enum CarrierMolecules {
  /// Their ids in models that follow BiGG, without `M_` and compartment.
  private static let ids: Set<String> = [
    "h", "h2o", "atp", "adp", "amp", "gtp", "gdp", "gmp", "ctp", "cdp", "cmp", "utp", "udp", "ump", "itp", "idp", "nad",
    "nadh", "nadp", "nadph", "fad", "fadh2", "fmn", "fmnh2", "pi", "ppi", "co2", "hco3", "o2", "o2s", "h2o2", "nh4",
    "coa", "q8", "q8h2", "mqn8", "mql8", "2dmmq8", "2dmmql8", "thf", "trdox", "trdrd", "fdxo_2_2", "fdxrd", "ficytc",
    "focytc", "q6", "q6h2", "q10", "q10h2", "so4", "k", "na1", "cl",
  ]
  /// Their names in small letters, where ids follow no rule.
  private static let names: Set<String> = [
    "h+", "h⁺", "proton", "water", "h2o", "h₂o", "atp", "adp", "amp", "gtp", "gdp", "nad", "nad+", "nadh", "nadp",
    "nadp+",
    "nadph", "fad", "fadh2", "phosphate", "pi", "orthophosphate", "diphosphate", "pyrophosphate", "ppi", "co2",
    "carbon dioxide", "oxygen", "o2", "ammonium", "ammonia", "coa", "coenzyme a", "bicarbonate",
  ]

  /// Whether a node stands for one.
  static func contains(_ node: GraphNode) -> Bool {
    if node.kind != .pool { return false }
    var id = node.subject.text[...]
    if id.hasPrefix("M_") { id = id.dropFirst(2) }
    if ids.contains(String(id)) || names.contains(node.label.lowercased()) { return true }
    // The compartment stands behind the last line.
    guard let end = id.lastIndex(of: "_") else { return false }
    return ids.contains(String(id[..<end]))
  }
}
