/// Names of monatomic ions, whose element cannot be inferred from the atom name alone.
///
/// The atom `CA` of a residue `CA` is calcium, and that of an amino acid is a carbon.
enum MonatomicIon {
  /// Returns the element of the ion named by a residue; nil for other residues.
  static func element(ofResidue name: String) -> Element? { elements[core(name)] }

  /// Returns the element of an atom; nil unless its residue is an ion and the atom has the name of the ion or its symbol.
  static func element(ofAtom atom: String, inResidue residue: String) -> Element? {
    guard let element = element(ofResidue: residue) else { return nil }
    let name = core(atom)
    return name == core(residue) || name == element.symbol.uppercased() ? element : nil
  }

  /// Returns the letters of a name in capitals, without a trailing charge: `NA+`, `Cl-`, `ZN2`.
  private static func core(_ name: String) -> String {
    String(decoding: name.uppercased().utf8.prefix { $0 >= 65 && $0 <= 90 }, as: UTF8.self)
  }

  /// Elements by the letters of residue names.
  ///
  /// - Source: the chemical component dictionary of the wwPDB; ions of the force fields of GROMACS and AMBER; ions of the
  ///   CHARMM force fields (toppar_water_ions.str), which have names of three letters.
  private static let elements: [String: Element] = {
    let symbols = [
      "LI", "NA", "K", "RB", "CS", "MG", "CA", "SR", "BA", "MN", "FE", "CO", "NI", "CU", "ZN", "AG", "CD", "HG", "AL",
      "PB", "CL", "BR",
    ]
    let others = [
      "LIT": "LI", "SOD": "NA", "POT": "K", "RUB": "RB", "CES": "CS", "CAL": "CA", "BAR": "BA", "CAD": "CD",
      "CLA": "CL",
      "BRO": "BR", "IOD": "I",
    ]
    let pairs = symbols.map { ($0, $0) } + others.map { ($0.key, $0.value) }
    return Dictionary(pairs.compactMap { name, symbol in Element(symbol: symbol).map { (name, $0) } }) { first, _ in
      first
    }
  }()
}
