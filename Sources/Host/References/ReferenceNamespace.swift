/// A namespace of public ids, by its prefix at identifiers.org.
enum ReferenceNamespace: String, CaseIterable, Sendable {
  case pdb, uniprot
  case enzyme = "ec-code"
  case chebi
  case keggCompound = "kegg.compound"
  case keggReaction = "kegg.reaction"
  case keggDrug = "kegg.drug"
  case inchiKey = "inchikey"
  case pubchem = "pubchem.compound"
  case hmdb, rhea, reactome, ensembl
  case gene = "ncbigene"
  case taxonomy, openbis

  /// Other prefixes of the namespaces, such as those of KGML.
  private static let synonyms: [String: ReferenceNamespace] = [
    "ec": .enzyme, "cpd": .keggCompound, "rn": .keggReaction, "dr": .keggDrug, "kegg": .keggCompound,
    "pubchem": .pubchem, "taxon": .taxonomy,
  ]

  /// Returns the namespace of a prefix, such as `uniprot` in `uniprot:P69905`; nil for others.
  init?(prefix: String) {
    let prefix = prefix.lowercased()
    guard let namespace = ReferenceNamespace(rawValue: prefix) ?? Self.synonyms[prefix] else { return nil }
    self = namespace
  }

  /// A Boolean value indicating whether a text without a prefix can be recognized as an id of the namespace: numbers
  /// alone can be ids of several.
  var isRecognizable: Bool {
    switch self {
    case .pdb, .uniprot, .enzyme, .keggCompound, .keggReaction, .keggDrug, .inchiKey, .hmdb, .reactome, .ensembl,
      .openbis:
      true
    case .chebi, .pubchem, .rhea, .gene, .taxonomy: false
    }
  }

  /// Returns the usual form of an id; nil if the text is not one.
  ///
  /// The id of ChEBI has no prefix: `57604` for `CHEBI:57604`.
  func id(_ text: String) -> String? {
    guard text.utf8.count <= Self.longestID else { return nil }
    var id = text.uppercased()
    if self == .chebi, id.hasPrefix("CHEBI:") { id.removeFirst(6) }
    let bytes = Array(id.utf8)
    guard forms.contains(where: { Self.has(bytes, form: $0) }) else { return nil }
    switch self {
    case .pdb: return bytes[0] != UInt8(ascii: "0") && bytes.contains { $0 > UInt8(ascii: "9") } ? id : nil
    // Accessions of six characters with a digit in the second place; the letter before decides the form.
    // - Source: https://www.uniprot.org/help/accession_numbers
    case .uniprot: return bytes.count == 10 || Self.isShortAccession(bytes) ? id : nil
    case .enzyme: return id.lowercased()
    case .chebi, .keggCompound, .keggReaction, .keggDrug, .inchiKey, .pubchem, .hmdb, .rhea, .reactome, .ensembl, .gene,
      .taxonomy, .openbis:
      return id
    }
  }

  private static let longestID = 64

  /// The forms of ids: `9` is a digit, `A` a letter, `X` either of them, `+` repeats the one before; others are
  /// themselves.
  ///
  /// - Source: patterns of the namespaces at https://registry.identifiers.org, 2026.
  private var forms: [String] {
    switch self {
    case .pdb: ["9XXX"]
    case .uniprot: ["A9XXX9", "A9AXX9AXX9"]
    case .enzyme: ["9+.9+.9+.9+", "9+.9+.9+.N9+", "9+.9+.9+.-", "9+.9+.-.-", "9+.-.-.-"]
    case .chebi, .pubchem, .gene, .taxonomy: ["9+"]
    case .keggCompound: ["C99999"]
    case .keggReaction: ["R99999"]
    case .keggDrug: ["D99999"]
    case .inchiKey: ["AAAAAAAAAAAAAA-AAAAAAAAAA-A"]
    case .hmdb: ["HMDB99999", "HMDB9999999"]
    case .rhea: ["99999"]
    case .reactome: ["R-AAA-9+"]
    case .ensembl: ["ENSA99999999999", "ENSAAAA99999999999"]
    case .openbis: ["99999999999999999-9+"]
    }
  }

  private static func isShortAccession(_ bytes: [UInt8]) -> Bool {
    let isOldForm = "OPQ".utf8.contains(bytes[0])
    return isOldForm || fits(bytes[2], UInt8(ascii: "A"))
  }

  private static func has(_ id: [UInt8], form: String) -> Bool {
    let form = Array(form.utf8)
    var (index, position) = (0, 0)
    while position < form.count {
      guard index < id.count, fits(id[index], form[position]) else { return false }
      index += 1
      if position + 1 < form.count, form[position + 1] == UInt8(ascii: "+") {
        while index < id.count, fits(id[index], form[position]) { index += 1 }
        position += 1
      }
      position += 1
    }
    return index == id.count
  }

  private static func fits(_ byte: UInt8, _ kind: UInt8) -> Bool {
    let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    let isLetter = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    return switch kind {
    case UInt8(ascii: "9"): isDigit
    case UInt8(ascii: "A"): isLetter
    case UInt8(ascii: "X"): isDigit || isLetter
    default: byte == kind
    }
  }
}
