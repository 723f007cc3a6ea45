/// The integer codes in the database of the original application, version 1.2 of 2008, with later additions.
enum LegacyCodes {
  /// The elements by code; 7 is unknown.
  private static let elements: [(code: Int, symbol: String)] = [
    (0, "C"), (1, "H"), (2, "O"), (3, "N"), (4, "S"), (5, "P"), (6, "Fe"), (8, "Si"), (9, "F"), (10, "Cl"), (11, "Br"),
    (12, "I"), (13, "Ca"), (14, "Zn"), (15, "Cd"), (16, "Na"), (17, "Mg"),
  ]
  static let unknownElement = 7

  /// The residues by code: 0 is unknown, 29 water.
  private static let residues = [
    "UNL", "DA", "DC", "DG", "DT", "A", "C", "G", "U", "GLY", "ALA", "VAL", "LEU", "ILE", "SER", "CYS", "THR", "MET",
    "PRO", "PHE", "TYR", "TRP", "HIS", "LYS", "ARG", "ASP", "GLU", "ASN", "GLN", "HOH",
  ]
  static let serine = 14
  static let water = 29

  private static let codeOfElement: [Element: Int] = {
    var table: [Element: Int] = [.deuterium: 1]
    for (code, symbol) in elements {
      if let element = Element(symbol: symbol) { table[element] = code }
    }
    return table
  }()

  private static let codeOfResidue = Dictionary(
    uniqueKeysWithValues: residues.enumerated().dropFirst().map { ($0.element, $0.offset) })

  static func code(of element: Element) -> Int { codeOfElement[element] ?? unknownElement }

  static func element(_ code: Int) -> Element {
    elements.first { $0.code == code }.flatMap { Element(symbol: $0.symbol) } ?? .unknown
  }

  /// Returns the code of a residue name; variants have that of their template, other residues 0.
  static func code(ofResidue name: String) -> Int {
    codeOfResidue[name] ?? ResidueCatalog.entry(name).flatMap { codeOfResidue[$0.template] } ?? 0
  }

  static func residue(_ code: Int) -> String { residues.indices.contains(code) ? residues[code] : "UNL" }

  /// Returns single 0, double 1, triple 2; the original application wrote 0 only.
  static func code(of order: BondOrder) -> Int {
    switch order {
    case .double: 1
    case .triple: 2
    case .unknown, .single, .aromatic: 0
    }
  }

  static func order(_ code: Int) -> UInt8 { (0...2).contains(code) ? UInt8(code + 1) : 0 }

  /// The type of a row of metadata.
  enum MetadataType: Int {
    case source = 0
    case author = 1
    case journalAuthor = 2
    case journalTitle = 3
    case journalReference = 4
    case sequence = 5
  }
}
