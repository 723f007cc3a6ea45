/// The heavy-atom bonds of standard residues, by atom name.
///
/// - Source: wwPDB Chemical Component Dictionary, _chem_comp_bond of each residue (https://www.wwpdb.org/data/ccd).
enum ResidueTemplates {
  /// One bond of a template.
  struct TemplateBond: Equatable, Sendable {
    var first: String
    var second: String
    var order: BondOrder
  }

  /// The bonds of a template (as `ALA`, `DG`, `HOH`), or nil when there is none of that name.
  static func bonds(_ template: String) -> [TemplateBond]? { templates[template] }

  /// The dictionary's name of an atom that older files and simulation programs call otherwise.
  ///
  /// Primes for asterisks, `OP1` for `O1P`, `C7` for `C5M`, `CD1` for the `CD` of isoleucine, `O` and `OXT` for `OT1`, `OT2`.
  static func canonicalName(_ name: String, template: String) -> String {
    switch name {
    case "O1P": return "OP1"
    case "O2P": return "OP2"
    case "O3P": return "OP3"
    case "C5M": return "C7"
    case "OT1": return "O"
    case "OT2": return "OXT"
    case "CD" where template == "ILE": return "CD1"
    default: break
    }
    guard name.utf8.last == 42 else { return name }
    return String(name.dropLast()) + "'"
  }

  private static let templates: [String: [TemplateBond]] = {
    var table: [String: [TemplateBond]] = ["HOH": [], "HEM": parse(haem)]
    for (name, sideChain) in aminoAcids {
      let start = name == "GLY" ? backbone : backbone + " CA-CB"
      table[name] = parse(start + " " + sideChain)
    }
    for (names, base) in nucleotides {
      for name in names.split(separator: " ") {
        let sugar = name.hasPrefix("D") ? phosphateAndSugar : phosphateAndSugar + " C2'-O2'"
        table[String(name)] = parse(sugar + " " + base)
      }
    }
    return table
  }()

  /// Reads `A-B` (single) and `A=B` (double).
  private static func parse(_ text: String) -> [TemplateBond] {
    text.split(separator: " ").compactMap { word in
      let isDouble = word.contains("=")
      let ends = word.split(separator: isDouble ? "=" : "-")
      guard ends.count == 2 else { return nil }
      return TemplateBond(first: String(ends[0]), second: String(ends[1]), order: isDouble ? .double : .single)
    }
  }

  private static let backbone = "N-CA CA-C C=O C-OXT"
  private static let aminoAcids = [
    ("GLY", ""), ("ALA", ""), ("VAL", "CB-CG1 CB-CG2"), ("LEU", "CB-CG CG-CD1 CG-CD2"),
    ("ILE", "CB-CG1 CB-CG2 CG1-CD1"), ("SER", "CB-OG"), ("CYS", "CB-SG"), ("SEC", "CB-SE"), ("THR", "CB-OG1 CB-CG2"),
    ("MET", "CB-CG CG-SD SD-CE"), ("MSE", "CB-CG CG-SE SE-CE"), ("PRO", "CB-CG CG-CD N-CD"),
    ("PHE", "CB-CG CG=CD1 CG-CD2 CD1-CE1 CD2=CE2 CE1=CZ CE2-CZ"),
    ("TYR", "CB-CG CG=CD1 CG-CD2 CD1-CE1 CD2=CE2 CE1=CZ CE2-CZ CZ-OH"),
    ("TRP", "CB-CG CG=CD1 CG-CD2 CD1-NE1 CD2=CE2 CD2-CE3 NE1-CE2 CE2-CZ2 CE3=CZ3 CZ2=CH2 CZ3-CH2"),
    ("HIS", "CB-CG CG-ND1 CG=CD2 ND1=CE1 CD2-NE2 CE1-NE2"), ("LYS", "CB-CG CG-CD CD-CE CE-NZ"),
    ("ARG", "CB-CG CG-CD CD-NE NE-CZ CZ-NH1 CZ=NH2"), ("ASP", "CB-CG CG=OD1 CG-OD2"),
    ("GLU", "CB-CG CG-CD CD=OE1 CD-OE2"), ("ASN", "CB-CG CG=OD1 CG-ND2"), ("GLN", "CB-CG CG-CD CD=OE1 CD-NE2"),
    (
      "PYL",
      "CB-CG CG-CD CD-CE CE-NZ NZ-C2 C2=O2 C2-CA2 CA2-N2 CA2-CG2 N2=CE2 CE2-CD2 CD2-CG2 CG2-CB2"
    ),
  ]

  /// Protoporphyrin IX with iron: the ligand that is met most often, and in old structures too distorted for distances.
  private static let haem = """
    CHA-C1A CHA=C4D CHB-C4A CHB=C1B CHC-C4B CHC=C1C CHD=C4C CHD-C1D NA-C1A NA-C4A C1A=C2A C2A-C3A C3A=C4A C3A-CMA \
    C2A-CAA CAA-CBA CBA-CGA CGA=O1A CGA-O2A NB-C1B NB=C4B C1B-C2B C2B=C3B C3B-C4B C2B-CMB C3B-CAB CAB=CBB NC-C1C \
    NC-C4C C1C-C2C C2C=C3C C3C-C4C C2C-CMC C3C-CAC CAC=CBC ND=C1D ND-C4D C1D-C2D C2D=C3D C3D-C4D C2D-CMD C3D-CAD \
    CAD-CBD CBD-CGD CGD=O1D CGD-O2D FE-NA FE-NB FE-NC FE-ND
    """
  private static let phosphateAndSugar =
    "OP3-P P=OP1 P-OP2 P-O5' O5'-C5' C5'-C4' C4'-O4' C4'-C3' O4'-C1' C3'-O3' C3'-C2' C2'-C1'"
  private static let nucleotides = [
    ("A DA", "C1'-N9 N9-C8 N9-C4 C8=N7 N7-C5 C5-C6 C5=C4 C6-N6 C6=N1 N1-C2 C2=N3 N3-C4"),
    ("G DG", "C1'-N9 N9-C8 N9-C4 C8=N7 N7-C5 C5-C6 C5=C4 C6=O6 C6-N1 N1-C2 C2-N2 C2=N3 N3-C4"),
    ("I DI", "C1'-N9 N9-C8 N9-C4 C8=N7 N7-C5 C5-C6 C5=C4 C6=O6 C6-N1 N1-C2 C2=N3 N3-C4"),
    ("C DC", "C1'-N1 N1-C2 N1-C6 C2=O2 C2-N3 N3=C4 C4-N4 C4-C5 C5=C6"),
    ("U DU", "C1'-N1 N1-C2 N1-C6 C2=O2 C2-N3 N3-C4 C4=O4 C4-C5 C5=C6"),
    ("DT", "C1'-N1 N1-C2 N1-C6 C2=O2 C2-N3 N3-C4 C4=O4 C4-C5 C5=C6 C5-C7"),
  ]
}
