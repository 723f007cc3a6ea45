import Synchronization

/// Built-in bonds of common residues, by atom name.
///
/// A template is a line of words: names, then `A-B` (single), `A=B` (double), `A:H1,H2` (hydrogens of A), or the name
/// of another template whose bonds it includes.
/// - Source: wwPDB Chemical Component Dictionary, _chem_comp_bond of each residue (https://www.wwpdb.org/data/ccd).
enum ResidueTemplates {
  /// One bond of a template.
  struct TemplateBond: Equatable, Sendable {
    var first: String
    var second: String
    var order: BondOrder
  }

  /// Returns true if a template of that name exists.
  static func has(_ template: String) -> Bool { lines[template] != nil }

  /// Returns the bonds of a template (as `ALA`, `DG`, `HOH`), or nil if none has that name.
  ///
  /// Orders are those of one Kekulé form; the bonds of a metal are single.
  static func bonds(_ template: String) -> [TemplateBond]? {
    guard let words = lines[template] else { return nil }
    var bonds: [TemplateBond] = []
    append(words, to: &bonds, depth: 0)
    return bonds
  }

  /// A template whose atoms have indices.
  struct Indexed: Sendable {
    /// The indices by atom name; at most 255.
    private(set) var indices: [String: UInt8] = [:]
    private(set) var bonds: [(first: UInt8, second: UInt8, order: BondOrder)] = []

    init(_ named: [TemplateBond]) {
      for bond in named {
        for end in [bond.first, bond.second] where indices[end] == nil && indices.count < 255 {
          indices[end] = UInt8(indices.count)
        }
        if let a = indices[bond.first], let b = indices[bond.second], a != b { bonds.append((a, b, bond.order)) }
      }
    }
  }

  /// The templates that structures used so far: reading a line takes longer than using it.
  private static let used = Mutex<[String: Indexed]>([:])

  /// Returns a template with indices, or nil if none has that name.
  static func indexed(_ template: String) -> Indexed? {
    if let known = used.withLock({ $0[template] }) { return known }
    guard let made = bonds(template).map(Indexed.init) else { return nil }
    used.withLock { $0[template] = made }
    return made
  }

  /// Returns the dictionary's name of an atom that older files and simulation programs name differently.
  ///
  /// Primes for asterisks, `OP1` for `O1P`, `C7` for `C5M`, `CD1` for the `CD` of isoleucine, `O` and `OXT` for `OT1` and
  /// `OT2`; for water `O` for `OH2` (CHARMM) and `OW` (GROMACS), `H1` and `H2` for `HW1` and `HW2`.
  static func canonicalName(_ name: String, template: String) -> String {
    switch name {
    case "O1P": return "OP1"
    case "O2P": return "OP2"
    case "O3P": return "OP3"
    case "C5M": return "C7"
    case "OT1": return "O"
    case "OT2": return "OXT"
    case "CD" where template == "ILE": return "CD1"
    case "OH2" where template == "HOH": return "O"
    case "OW" where template == "HOH": return "O"
    case "HW1" where template == "HOH": return "H1"
    case "HW2" where template == "HOH": return "H2"
    default: break
    }
    guard name.utf8.last == 42 else { return name }
    return String(name.dropLast()) + "'"
  }

  /// The words of each template by its name.
  private static let lines: [String: Substring] = {
    var table: [String: Substring] = [:]
    for line in AminoAcidTemplates.lines + NucleotideTemplates.lines + LigandTemplates.lines {
      guard let end = line.firstIndex(of: "|") else { continue }
      for name in line[..<end].split(separator: " ") { table[String(name)] = line[line.index(after: end)...] }
    }
    return table
  }()

  /// Appends the bonds of a line; a repeated bond changes its order only.
  private static func append(_ words: Substring, to bonds: inout [TemplateBond], depth: Int) {
    for word in words.split(separator: " ") {
      if let colon = word.firstIndex(of: ":") {
        for hydrogen in word[word.index(after: colon)...].split(separator: ",") {
          bonds.append(TemplateBond(first: String(word[..<colon]), second: String(hydrogen), order: .single))
        }
        continue
      }
      guard let sign = word.firstIndex(where: { $0 == "-" || $0 == "=" }) else {
        if depth < 4, let other = lines[String(word)] { append(other, to: &bonds, depth: depth + 1) }
        continue
      }
      let bond = TemplateBond(
        first: String(word[..<sign]), second: String(word[word.index(after: sign)...]),
        order: word[sign] == "=" ? .double : .single)
      if let known = bonds.firstIndex(where: { $0.first == bond.first && $0.second == bond.second }) {
        bonds[known].order = bond.order
      } else {
        bonds.append(bond)
      }
    }
  }
}

/// The bonds of amino acids, free and within proteins.
private enum AminoAcidTemplates {
  static let lines = standard + modified + mirrored

  /// The standard amino acids; `BACKBONE` and `CHIRAL` are only parts of others.
  private static let standard = [
    "BACKBONE|N-CA CA-C C=O C-OXT N:H,H2 OXT:HXT", "CHIRAL|BACKBONE CA-CB CA:HA",
    "GLY|BACKBONE CA:HA2,HA3", "ALA|CHIRAL CB:HB1,HB2,HB3",
    "VAL|CHIRAL CB-CG1 CB-CG2 CB:HB CG1:HG11,HG12,HG13 CG2:HG21,HG22,HG23",
    "LEU|CHIRAL CB-CG CG-CD1 CG-CD2 CB:HB2,HB3 CG:HG CD1:HD11,HD12,HD13 CD2:HD21,HD22,HD23",
    "ILE|CHIRAL CB-CG1 CB-CG2 CG1-CD1 CB:HB CG1:HG12,HG13 CG2:HG21,HG22,HG23 CD1:HD11,HD12,HD13",
    "SER|CHIRAL CB-OG CB:HB2,HB3 OG:HG", "CYS|CHIRAL CB-SG CB:HB2,HB3 SG:HG", "SEC CSE|CHIRAL CB-SE CB:HB2,HB3 SE:HE",
    "THR|CHIRAL CB-OG1 CB-CG2 CB:HB OG1:HG1 CG2:HG21,HG22,HG23",
    "MET|CHIRAL CB-CG CG-SD SD-CE CB:HB2,HB3 CG:HG2,HG3 CE:HE1,HE2,HE3",
    "MSE|CHIRAL CB-CG CG-SE SE-CE CB:HB2,HB3 CG:HG2,HG3 CE:HE1,HE2,HE3",
    "PRO|N-CA CA-C C=O C-OXT CA-CB CB-CG CG-CD N-CD N:H OXT:HXT CA:HA CB:HB2,HB3 CG:HG2,HG3 CD:HD2,HD3",
    "PHE|CHIRAL CB-CG CG=CD1 CG-CD2 CD1-CE1 CD2=CE2 CE1=CZ CE2-CZ CB:HB2,HB3 CD1:HD1 CD2:HD2 CE1:HE1 CE2:HE2 CZ:HZ",
    "TYR|CHIRAL CB-CG CG=CD1 CG-CD2 CD1-CE1 CD2=CE2 CE1=CZ CE2-CZ CZ-OH CB:HB2,HB3 CD1:HD1 CD2:HD2 CE1:HE1 CE2:HE2 "
      + "OH:HH",
    "TRP|CHIRAL CB-CG CG=CD1 CG-CD2 CD1-NE1 CD2=CE2 CD2-CE3 NE1-CE2 CE2-CZ2 CE3=CZ3 CZ2=CH2 CZ3-CH2 CB:HB2,HB3 "
      + "CD1:HD1 NE1:HE1 CE3:HE3 CZ2:HZ2 CZ3:HZ3 CH2:HH2",
    "HIS|CHIRAL CB-CG CG-ND1 CG=CD2 ND1=CE1 CD2-NE2 CE1-NE2 CB:HB2,HB3 ND1:HD1 CD2:HD2 CE1:HE1 NE2:HE2",
    "LYS|CHIRAL CB-CG CG-CD CD-CE CE-NZ CB:HB2,HB3 CG:HG2,HG3 CD:HD2,HD3 CE:HE2,HE3 NZ:HZ1,HZ2,HZ3",
    "ARG|CHIRAL CB-CG CG-CD CD-NE NE-CZ CZ-NH1 CZ=NH2 CB:HB2,HB3 CG:HG2,HG3 CD:HD2,HD3 NE:HE NH1:HH11,HH12 "
      + "NH2:HH21,HH22",
    "ASP|CHIRAL CB-CG CG=OD1 CG-OD2 CB:HB2,HB3 OD2:HD2",
    "GLU|CHIRAL CB-CG CG-CD CD=OE1 CD-OE2 CB:HB2,HB3 CG:HG2,HG3 OE2:HE2",
    "ASN|CHIRAL CB-CG CG=OD1 CG-ND2 CB:HB2,HB3 ND2:HD21,HD22",
    "GLN|CHIRAL CB-CG CG-CD CD=OE1 CD-NE2 CB:HB2,HB3 CG:HG2,HG3 NE2:HE21,HE22",
    "PYL|CHIRAL CB2-CG2 CB-CG CG-CD CD-CE CE-NZ NZ-C2 C2=O2 C2-CA2 CA2-N2 CA2-CG2 N2=CE2 CE2-CD2 CD2-CG2",
  ]

  /// Modified amino acids, caps, and acids that replace amino acids.
  private static let modified = [
    "SEP|SER OG-P P=O1P P-O2P P-O3P", "TPO|THR OG1-P P=O1P P-O2P P-O3P", "PTR|TYR OH-P P=O1P P-O2P P-O3P",
    "TYS|TYR OH-S S=O1 S=O2 S-O3 O3:HO3", "HYP|PRO CG-OD1 OD1:HD1", "PCA|CHIRAL CB-CG CG-CD CD=OE N-CD",
    "SME|CHIRAL CB-CG CG-S S=OE S-CE CB:HB2,HB3 CG:HG2,HG3 CE:HE1,HE2,HE3", "CSO|CYS SG-OD", "CSD|CYS SG=OD1 SG-OD2",
    "OCS|CYS SG=OD1 SG=OD2 SG-OD3",
    "CME|CYS SG-SD SD-CE CE-CZ CZ-OH", "KCX|LYS NZ-CX CX=OQ1 CX-OQ2", "MLZ|LYS NZ-CM", "MLY|LYS NZ-CH1 NZ-CH2",
    "M3L|LYS NZ-CM1 NZ-CM2 NZ-CM3", "ALY|LYS NZ-CH CH=OH CH-CH3",
    "LLP|LYS NZ=C4' C4'-C4 C4-C3 C3-O3 C4=C5 C3=C2 C2-C2' "
      + "C2-N1 N1=C6 C6-C5 C5-C5' C5'-OP4 OP4-P P=OP1 P-OP2 P-OP3",
    "MVA|VAL N-CN", "SAR|GLY N-CN", "MLE|LEU N-CN", "NCY|CYS N-CN", "N2C|CYS N-CN", "AIB|BACKBONE CA-CB1 CA-CB2",
    "ABA|CHIRAL CB-CG", "NLE|CHIRAL CB-CG CG-CD CD-CE CB:HB2,HB3 CG:HG2,HG3 CD:HD2,HD3 CE:HE1,HE2,HE3",
    "ORN|CHIRAL CB-CG CG-CD CD-NE", "CGU|CHIRAL CB-CG CG-CD1 CG-CD2 CD1=OE11 CD1-OE12 CD2=OE21 CD2-OE22",
    "ACE|C=O C-CH3 C:H CH3:H1,H2,H3", "FOR|C=O", "NME|N-C", "NH2|N:HN1,HN2", "UNK|CHIRAL CB-CG",
  ]

  /// The mirror images, whose atom names are those of the standard amino acids.
  private static let mirrored = [
    ("DAL", "ALA"), ("DAR", "ARG"), ("DSG", "ASN"), ("DAS", "ASP"), ("DCY", "CYS"), ("DGN", "GLN"), ("DGL", "GLU"),
    ("DHI", "HIS"), ("DIL", "ILE"), ("DLE", "LEU"), ("DLY", "LYS"), ("MED", "MET"), ("DPN", "PHE"), ("DPR", "PRO"),
    ("DSN", "SER"), ("DTH", "THR"), ("DTR", "TRP"), ("DTY", "TYR"), ("DVA", "VAL"),
  ].map { $0.0 + "|" + $0.1 }
}

/// The bonds of nucleotides, of modified nucleotides, and of nucleotides that are ligands.
private enum NucleotideTemplates {
  static let lines = parts + standard + modified + free

  /// Fragments that other templates are composed of.
  private static let parts = [
    "RING|O5'-C5' C5'-C4' C4'-O4' C4'-C3' O4'-C1' C3'-O3' C3'-C2' C2'-C1' C5':H5',H5'' C4':H4' C3':H3' O3':HO3' C1':H1'",
    "RIBOSE|RING C2'-O2' C2':H2' O2':HO2'", "DEOXYRIBOSE|RING C2':H2',H2''",
    "PHOSPHATE|OP3-P P=OP1 P-OP2 P-O5' OP3:HOP3 OP2:HOP2",
    "ADENINE|C1'-N9 N9-C8 N9-C4 C8=N7 N7-C5 C5-C6 C5=C4 C6-N6 C6=N1 N1-C2 C2=N3 N3-C4 C8:H8 N6:H61,H62 C2:H2",
    "HYPOXANTHINE|C1'-N9 N9-C8 N9-C4 C8=N7 N7-C5 C5-C6 C5=C4 C6=O6 C6-N1 N1-C2 C2=N3 N3-C4 C8:H8 N1:H1",
    "GUANINE|HYPOXANTHINE C2-N2 N2:H21,H22",
    "CYTOSINE|C1'-N1 N1-C2 N1-C6 C2=O2 C2-N3 N3=C4 C4-N4 C4-C5 C5=C6 N4:H41,H42 C5:H5 C6:H6",
    "URACIL|C1'-N1 N1-C2 N1-C6 C2=O2 C2-N3 N3-C4 C4=O4 C4-C5 C5=C6 N3:H3 C5:H5 C6:H6",
  ]

  private static let standard = [
    "A|PHOSPHATE RIBOSE ADENINE", "G|PHOSPHATE RIBOSE GUANINE", "C|PHOSPHATE RIBOSE CYTOSINE",
    "U|PHOSPHATE RIBOSE URACIL", "I|PHOSPHATE RIBOSE HYPOXANTHINE C2:H2", "DA|PHOSPHATE DEOXYRIBOSE ADENINE",
    "DG|PHOSPHATE DEOXYRIBOSE GUANINE", "DC|PHOSPHATE DEOXYRIBOSE CYTOSINE", "DU|PHOSPHATE DEOXYRIBOSE URACIL",
    "DT|PHOSPHATE DEOXYRIBOSE URACIL C5-C7 C7:H71,H72,H73", "DI|PHOSPHATE DEOXYRIBOSE HYPOXANTHINE C2:H2",
  ]

  private static let modified = [
    "PSU|PHOSPHATE RIBOSE C1'-C5 N1-C2 N1-C6 C2=O2 C2-N3 N3-C4 C4=O4 C4-C5 C5=C6", "H2U|U C5-C6",
    "4SU|PHOSPHATE RIBOSE "
      + "C1'-N1 N1-C2 N1-C6 C2=O2 C2-N3 N3-C4 C4=S4 C4-C5 C5=C6",
    "5MU|U C5-C5M", "5MC|C C5-CM5", "OMC|C O2'-CM2", "OMG|G O2'-CM2", "OMU|U O2'-CM2", "A2M|A O2'-CM'",
    "1MA|A N1-CM1", "2MG|G N2-CM2", "M2G|G N2-CM1 N2-CM2", "7MG|G N7-CM7", "1MG|G N1-CM1", "6MZ|A N6-C9",
    "5CM|DC C5-C5A", "5BU|U C5-BR", "BRU|DU C5-BR", "8OG|DG C8=O8",
    "CCC|C O2'-PC O3'-PC PC=O1C PC-O2C",
  ]

  /// Nucleotides that are not part of a polymer, with other names of the phosphates.
  private static let free = [
    "ALPHA|PA=O1A PA-O2A PA-O5'", "BETA|ALPHA PA-O3A O3A-PB PB=O1B PB-O2B", "DIPHOSPHATE|BETA PB-O3B",
    "TRIPHOSPHATE|DIPHOSPHATE O3B-PG PG=O1G PG-O2G PG-O3G", "MONOPHOSPHATE|P=O1P P-O2P P-O3P P-O5'",
    "AMP|MONOPHOSPHATE RIBOSE ADENINE", "ADP|DIPHOSPHATE RIBOSE ADENINE", "ATP|TRIPHOSPHATE RIBOSE ADENINE",
    "GDP|DIPHOSPHATE RIBOSE GUANINE", "GTP|TRIPHOSPHATE RIBOSE GUANINE", "5GP|MONOPHOSPHATE RIBOSE GUANINE",
    "CTP|TRIPHOSPHATE RIBOSE CYTOSINE", "UDP|DIPHOSPHATE RIBOSE URACIL", "UTP|TRIPHOSPHATE RIBOSE URACIL",
    "ANP|BETA PB-N3B N3B-PG PG=O1G PG-O2G PG-O3G RIBOSE ADENINE",
    "ACP|BETA PB-C3B C3B-PG PG=O1G PG-O2G PG-O3G RIBOSE ADENINE",
    "AGS|BETA PB-O3B O3B-PG PG-S1G PG-O2G PG-O3G RIBOSE ADENINE",
    "GNP|BETA PB-N3B N3B-PG PG=O1G PG-O2G PG-O3G RIBOSE GUANINE",
    "CMP|P=O1P P-O2P P-O5' P-O3' RIBOSE ADENINE", "ADN|RIBOSE ADENINE",
    "NAD NAP NDP NAI|PA=O1A PA-O2A PA-O5B O5B-C5B C5B-C4B C4B-O4B C4B-C3B O4B-C1B C3B-O3B C3B-C2B C2B-O2B C2B-C1B C1B-N9A "
      + "N9A-C8A N9A-C4A C8A=N7A N7A-C5A C5A-C6A C5A=C4A C6A-N6A C6A=N1A N1A-C2A C2A=N3A N3A-C4A O3-PA O3-PN PN=O1N "
      + "PN-O2N PN-O5D O5D-C5D C5D-C4D C4D-O4D C4D-C3D O4D-C1D C3D-O3D C3D-C2D C2D-O2D C2D-C1D C1D-N1N N1N-C2N "
      + "N1N=C6N C2N=C3N C3N-C7N C3N-C4N C7N=O7N C7N-N7N C4N=C5N C5N-C6N O2B-P2B P2B=O1X P2B-O2X P2B-O3X",
    "FMN|FLAVIN O5'-P P=O1P P-O2P P-O3P",
    "FLAVIN|N1-C2 N1=C10 C2=O2 C2-N3 N3-C4 C4=O4 C4-C4A C4A=N5 C4A-C10 N5-C5A C5A=C6 C5A-C9A C6-C7 C7-C7M C7=C8 "
      + "C8-C8M C8-C9 C9=C9A C9A-N10 N10-C10 N10-C1' C1'-C2' C2'-O2' C2'-C3' C3'-O3' C3'-C4' C4'-O4' C4'-C5' C5'-O5'",
    "FAD|FLAVIN N10-C10 O5'-P P=O1P P-O2P P-O3P O3P-PA PA=O1A PA-O2A PA-O5B O5B-C5B C5B-C4B C4B-O4B C4B-C3B O4B-C1B "
      + "C3B-O3B C3B-C2B C2B-O2B C2B-C1B C1B-N9A N9A-C8A N9A-C4A C8A=N7A N7A-C5A C5A-C6A C5A=C4A C6A-N6A C6A=N1A "
      + "N1A-C2A C2A=N3A N3A-C4A C4X=N5 C4-C4X C4X-C10 N5-C5X C5X=C6 C5X-C9A",
    "SAM|N-CA CA-C C=O C-OXT CA-CB CB-CG CG-SD SD-CE SD-C5' C5'-C4' C4'-O4' C4'-C3' O4'-C1' C3'-O3' C3'-C2' C2'-O2' "
      + "C2'-C1' ADENINE",
    "SAH|N-CA CA-C C=O C-OXT CA-CB CB-CG CG-SD SD-C5' C5'-C4' C4'-O4' C4'-C3' O4'-C1' C3'-O3' C3'-C2' C2'-O2' C2'-C1' "
      + "ADENINE",
  ]
}

/// The bonds of ligands, sugars, polyatomic ions and crystallization agents.
private enum LigandTemplates {
  static let lines = small + sugars + [haem, pyridoxal]

  private static let small = [
    "HOH|O:H1,H2", "DOD|O:D1,D2", "SO4|S=O1 S=O2 S-O3 S-O4", "PO4|P=O1 P-O2 P-O3 P-O4", "PI|P=O1 P-O2 P-O3 P-O4",
    "NO3|N=O1 N-O2 N-O3", "CO3|C=O1 C-O2 C-O3", "NH4|N:HN1,HN2,HN3,HN4", "AZI|N1=N2 N2=N3", "CYN|C-N", "CMO|C-O",
    "OXY|O1=O2", "PER|O1-O2", "SF4|FE1-S2 FE1-S3 FE1-S4 FE2-S1 FE2-S3 FE2-S4 FE3-S1 FE3-S2 FE3-S4 FE4-S1 FE4-S2 FE4-S3",
    "FES|FE1-S1 FE1-S2 FE2-S1 FE2-S2", "NCO|CO-N1 CO-N2 CO-N3 CO-N4 CO-N5 CO-N6",
    "IRI|IR-N1 IR-N2 IR-N3 IR-N4 IR-N5 IR-N6", "MO6|MG-O1 MG-O2 MG-O3 MG-O4 MG-O5 MG-O6",
    "GOL|C1-O1 C1-C2 C2-O2 C2-C3 C3-O3 C1:H11,H12 O1:HO1 C2:H2 O2:HO2 C3:H31,H32 O3:HO3",
    "EDO|C1-O1 C1-C2 C2-O2 C1:H11,H12 O1:HO1 C2:H21,H22 O2:HO2", "PEG|C1-O1 C1-C2 C2-O2 O2-C3 C3-C4 C4-O4",
    "PGE|C1-O1 C1-C2 C2-O2 O2-C3 C3-C4 C4-O3 C6-O4 C5-C6 C5-O3", "PG4|PEGS O4-C7 C7-C8 C8-O5",
    "PEGS|C1-O1 C1-C2 C2-O2 O2-C3 C3-C4 C4-O3 O3-C5 C5-C6 C6-O4",
    "MPD MRD|C1-C2 C2-O2 C2-CM C2-C3 C3-C4 C4-O4 C4-C5", "ACT ACY|C=O C-OXT C-CH3", "FMT|C=O1 C-O2",
    "DMS|S=O S-C1 S-C2", "BME|C1-C2 C1-O1 C2-S2", "IPA|C1-C2 C2-C3 C2-O2", "EOH|C1-C2 C1-O", "ACN|C-O C-C1 C-C2",
    "IMD|N1-C2 N1-C5 C2=N3 N3-C4 C4=C5", "TRS|C-C1 C-C2 C-C3 C-N C1-O1 C2-O2 C3-O3",
    "CIT FLC|C1=O1 C1-O2 C1-CAC CAC-CB C1-C2 C2-C3 C3-O7 C3-C4 C3-C6 C4-C5 C5=O3 C5-O4 C6=O5 C6-O6",
    "MES|O1-C2 O1-C6 C2-C3 C3-N4 N4-C5 N4-C7 C5-C6 C7-C8 C8-S S=O1S S=O2S S-O3S",
    "EPE|N1-C2 N1-C6 N1-C9 C2-C3 C3-N4 N4-C5 N4-C7 C5-C6 C7-C8 C8-O8 C9-C10 C10-S S=O1S S=O2S S-O3S",
    "TLA|O1=C1 O11-C1 C1-C2 C2-O2 C2-C3 C3-O3 C3-C4 C4=O4 C4-O41", "MLI|C1-C2 C1-C3 C2=O6 C2-O7 C3=O8 C3-O9",
    "EST|C1-C2 C1=C10 C2=C3 C3-O3 C3-C4 C4=C5 C5-C10 C5-C6 C6-C7 C7-C8 C8-C9 C8-C14 C9-C10 C9-C11 C11-C12 C12-C13 "
      + "C13-C14 C13-C17 C13-C18 C14-C15 C15-C16 C16-C17 C17-O17",
    "QUI|N1-C2 N1=C9 C2-C C2=C3 C3-N4 N4=C10 C10-C5 C10-C9 C5=C6 C6-C7 C7=C8 C8-C9 C=O1 C-O2",
  ]

  /// Pyranoses; those on one line differ in their configuration only.
  private static let sugars = [
    "PYRANOSE|C1-C2 C1-O1 C1-O5 C2-C3 C3-C4 C3-O3 C4-C5 C4-O4 C5-C6 C5-O5 C1:H1 C2:H2 C3:H3 C4:H4 C5:H5 O1:HO1 O3:HO3 "
      + "O4:HO4",
    "GLC BGC MAN BMA GAL GLA|PYRANOSE C2-O2 C6-O6 O2:HO2 C6:H61,H62 O6:HO6",
    "FUC FUL RAM|PYRANOSE C2-O2 O2:HO2 C6:H61,H62,H63",
    "NAG NDG A2G NGA BM3|PYRANOSE C2-N2 N2-C7 C7=O7 C7-C8 C6-O6 N2:HN2 C6:H61,H62 O6:HO6 C8:H81,H82,H83",
    "SIA SLB|C1=O1A C1-O1B C1-C2 C2-C3 C2-O2 C2-O6 C3-C4 C4-C5 C4-O4 C5-C6 C5-N5 C6-C7 C6-O6 C7-C8 C7-O7 C8-C9 C8-O8 C9-O9 "
      + "C10-C11 C10-N5 C10=O10",
    "XYP XYS|C1-C2 C1-O1 C1-O5 C2-C3 C2-O2 C3-C4 C3-O3 C4-C5 C4-O4 C5-O5",
  ]

  /// Protoporphyrin IX with iron, the most common ligand; in old structures it is too distorted for bonds by distance.
  private static let haem =
    "HEM HEC|CHA-C1A CHA=C4D CHB-C4A CHB=C1B CHC-C4B CHC=C1C CHD=C4C CHD-C1D NA-C1A NA-C4A C1A=C2A C2A-C3A C3A=C4A C3A-CMA "
    + "C2A-CAA CAA-CBA CBA-CGA CGA=O1A CGA-O2A NB-C1B NB=C4B C1B-C2B C2B=C3B C3B-C4B C2B-CMB C3B-CAB CAB=CBB NC-C1C "
    + "NC-C4C C1C-C2C C2C=C3C C3C-C4C C2C-CMC C3C-CAC CAC=CBC ND=C1D ND-C4D C1D-C2D C2D=C3D C3D-C4D C2D-CMD C3D-CAD "
    + "CAD-CBD CBD-CGD CGD=O1D CGD-O2D FE-NA FE-NB FE-NC FE-ND"

  private static let pyridoxal =
    "PLP|N1-C2 N1=C6 C2-C2A C2=C3 C3-O3 C3-C4 C4-C4A C4=C5 C4A=O4A C5-C6 C5-C5A C5A-O4P O4P-P P=O1P P-O2P P-O3P"
}
