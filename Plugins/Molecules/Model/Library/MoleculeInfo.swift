import PluginAPI

/// Everything that is known about a molecule, as `info` shows it.
struct MoleculeInfo: Model {
  private let molecule: Molecule
  private let counts: StructureCounts
  private let bonds: BondCounts
  private let header: Header

  init(_ molecule: Molecule) {
    self.molecule = molecule
    counts = StructureCounts(molecule.structure)
    bonds = BondCounts(molecule.bonds.first ?? [])
    header = Header(molecule.structure)
  }

  static let typeName = MoleculeValueType.info
  static let fields = Fields<MoleculeInfo> {
    Field("id", \.molecule.id, "number in the library; null for a file")
    Field("code", \.header.metadata.entryID.nonEmpty, "entry code")
    Field("title", \.header.metadata.title.nonEmpty, "title as the file writes it")
    Field("method", \.header.metadata.method.nonEmpty, "experimental method; several are joined by '; '")
    Field("resolution", \.header.metadata.resolution, "resolution in angstrom")
    Field("format", \.molecule.format, "PDB, mmCIF, BinaryCIF, SDF or XYZ")
    Field("models", \.counts.models, "models")
    Field("chains", \.counts.chains, "chains of model 1 by author name")
    Field("residues", \.counts.residues, "residues of model 1, waters and ligands included")
    Field("atoms", \.counts.atoms, "atoms of model 1")
    Field("atomsAllModels", \.counts.atomsInAllModels, "atoms of all models")
    Field("waters", \.counts.waters, "water residues of model 1")
    Field("heteroAtoms", \.counts.heteroAtoms, "atoms of model 1 that came as HETATM")
    Field("altlocAtoms", \.counts.atomsWithAltloc, "atoms of model 1 with an alternate location mark")
    Field(
      "insertionCodeResidues", \.counts.residuesWithInsertionCode, "residues of model 1 with an insertion code")
    Field(
      "anisotropicAtoms", \.counts.anisotropicAtoms,
      "atoms of model 1 with an anisotropic displacement other than zero")
    Field("elements", \.counts.elements, "atoms of model 1 by element symbol")
    Field("coordinateSum", \.counts.coordinateSum.components, "sums of x, y and z over model 1 in angstrom")
    Field("occupancySum", \.counts.occupancySum, "sum of occupancies of model 1")
    Field("bFactorSum", \.counts.bFactorSum, "sum of B factors of model 1 in square angstrom")
    Field("helices", \.counts.helices, "helices the file states")
    Field("sheets", \.counts.sheets, "sheets the file states")
    Field("strands", \.counts.strands, "strands of these sheets")
    Field("bonds", \.bonds.total, "bonds of model 1")
    Field("bondsByOrigin", \.bonds, "bonds of model 1 by their evidence")
    Field("assemblies", \.molecule.structure.assemblies, "biological assemblies")
    Field("spaceGroup", \.header.metadata.spaceGroup.nonEmpty, "space group as written")
    Field("cell", \.header.metadata.cell, "unit cell")
    Field("metadata", \.header, "header data")
    Field("diagnostics", \.molecule.structure.diagnostics, "problems of the file")
    Field("file", \.molecule.file, "the file as it was named; of a molecule of the library the original's name")
  }

  /// The numbers of bonds by origin.
  private struct BondCounts: Model {
    private var counts = [Int](repeating: 0, count: BondOrigin.allCases.count)

    init(_ bonds: [Bond]) {
      for bond in bonds { counts[Int(bond.origin.rawValue)] += 1 }
    }

    var total: Int { counts.reduce(0, +) }

    static let typeName = "molecules.bond-counts"
    static let fields = Fields<BondCounts> {
      return BondOrigin.allCases.map { origin in
        Field(origin.name, { $0.counts[Int(origin.rawValue)] }, origin.summary)
      }
    }
  }

  /// The header data of a structure.
  private struct Header: Model {
    let metadata: StructureMetadata
    private let sequences: [ChainSequence]

    init(_ structure: Structure) {
      metadata = structure.metadata
      sequences = ChainSequence.all(of: structure)
    }

    static let typeName = "molecules.header"
    static let fields = Fields<Header> {
      Field("classification", \.metadata.classification.nonEmpty, "class of the entry")
      Field(
        "deposited", \.metadata.depositionDate.nonEmpty, "date of deposition, YYYY-MM-DD where it could be read")
      Field("keywords", \.metadata.keywords.nonEmpty, "key words")
      Field("compounds", \.metadata.compounds, "the molecules the entry consists of")
      Field("source", \.source.nonEmpty, "organisms the molecules come from")
      Field("authors", \.metadata.authors, "authors of the entry")
      Field("journalTitle", \.metadata.citation.title.nonEmpty, "title of the primary citation")
      Field("journalAuthors", \.metadata.citation.authors, "its authors")
      Field("journalReference", \.metadata.citation.reference.nonEmpty, "journal, volume, page and year")
      Field("doi", \.metadata.citation.doi.nonEmpty, "its DOI")
      Field("pubMed", \.metadata.citation.pubMed.nonEmpty, "its PubMed number")
      Field("sequence", \.sequences, "sequences of the polymers, by chain")
    }

    /// The sources of the compounds, each once.
    private var source: String { metadata.compounds.map(\.sourceText).joinedOnce }
  }
}

extension Compound: Model {
  static let typeName = "molecules.compound"
  static let fields = Fields<Compound> {
    Field("id", \.id, "molecule or entity identifier")
    Field("name", \.name, "name")
    Field("chains", \.chains, "author names of its chains")
    Field("organism", \.organism.nonEmpty, "scientific name of the organism")
    Field(
      "details", { $0.details + $0.sourceDetails },
      "further statements of the file: tokens of COMPND and SOURCE, data items of an SDF record, keys of an XYZ file")
  }
}

extension Compound.Detail: Model {
  static let typeName = "molecules.compound-detail"
  static let fields = Fields<Compound.Detail> {
    Field("name", \.token, "its name")
    Field("value", \.value, "its text")
  }
}

extension UnitCell: Model {
  static let typeName = "molecules.cell"
  static let fields = Fields<UnitCell> {
    Field("a", \.a, "edge in angstrom")
    Field("b", \.b, "edge in angstrom")
    Field("c", \.c, "edge in angstrom")
    Field("alpha", \.alpha, "angle in degrees")
    Field("beta", \.beta, "angle in degrees")
    Field("gamma", \.gamma, "angle in degrees")
  }
}

extension Assembly: Model {
  static let typeName = "molecules.assembly"
  static let fields = Fields<Assembly> {
    Field("name", \.id, "its name in the file")
    Field("operators", \.operatorCount, "operators over all its parts")
  }
}

extension String {
  /// The text; nil if it is empty, as where a file does not state it.
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

/// The counts and sums of a structure, over its first model unless stated otherwise.
struct StructureCounts: Equatable, Sendable {
  var models = 0
  /// The number of chains by author name.
  var chains = 0
  var residues = 0
  var atoms = 0
  /// The number of atoms of all models.
  var atomsInAllModels = 0
  /// The numbers of atoms by element symbol (`X` unknown, `D` deuterium).
  var elements: [String: Int] = [:]
  /// The number of atoms with an alternate location mark.
  var atomsWithAltloc = 0
  var residuesWithInsertionCode = 0
  var waters = 0
  var heteroAtoms = 0
  /// The number of atoms with a nonzero displacement tensor.
  var anisotropicAtoms = 0
  /// The sums of coordinates in Å.
  var coordinateSum = SIMD3<Double>()
  var occupancySum = 0.0
  /// The sum of B factors in Å².
  var bFactorSum = 0.0
  var helices = 0
  var sheets = 0
  var strands = 0

  /// Counts a structure.
  ///
  /// - Complexity: linear in atoms and residues.
  init(_ structure: Structure) {
    models = structure.models.count
    atomsInAllModels = structure.atoms.count
    helices = structure.helices.count
    sheets = structure.sheets.count
    strands = structure.sheets.reduce(0) { $0 + $1.strands.count }
    guard let model = structure.models.first else { return }
    chains = model.chains.count
    residues = model.residues.count
    for residue in structure.residues[model.residues] {
      if residue.insertionCode != 0 { residuesWithInsertionCode += 1 }
      if residue.kind == .water { waters += 1 }
    }
    countAtoms(structure.atoms, model.atoms)
  }

  private mutating func countAtoms(_ table: AtomTable, _ range: Range<Int>) {
    atoms = range.count
    var histogram = [Int](repeating: 0, count: 256)
    for atom in range {
      histogram[Int(table.element[atom].rawValue)] += 1
      if table.altloc[atom] != 0 { atomsWithAltloc += 1 }
      if table.isHetero[atom] { heteroAtoms += 1 }
      coordinateSum += table.position(atom)
      occupancySum += Double(table.occupancy[atom])
      bFactorSum += Double(table.bFactor[atom])
    }
    anisotropicAtoms = table.anisotropy.count { range.contains(Int($0.atom)) && $0.isNonzero }
    for (code, count) in histogram.enumerated() where count > 0 {
      elements[Element(rawValue: UInt8(code)).symbol] = count
    }
  }
}
