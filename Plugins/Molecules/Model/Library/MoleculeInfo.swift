import PluginAPI

/// The information about a molecule that `info` shows.
struct MoleculeInfo: Model {
  let molecule: Molecule
  let counts: StructureCounts
  let bonds: BondCounts
  let header: Header

  init(_ molecule: Molecule) {
    self.molecule = molecule
    counts = StructureCounts(molecule.structure)
    bonds = BondCounts(molecule.bonds.first ?? [])
    header = Header(molecule.structure)
  }

  static let typeName = MoleculeValueType.info
  static let fields = Fields<MoleculeInfo> {
    Field("id", \.molecule.id, "Number in the library; null for a file")
    Field("code", \.header.metadata.entryID.nonEmpty, "Entry code")
    Field("title", \.header.metadata.title.nonEmpty, "Title as in the file")
    Field("method", \.header.metadata.method.nonEmpty, "Experimental method; several are joined by '; '")
    Field("resolution", \.header.metadata.resolution, "Resolution in angstrom")
    Field("format", \.molecule.format, "File format: \(Molecule.formats)")
    Field("models", \.counts.models, "Number of models")
    Field("chains", \.counts.chains, "Number of chains in model 1, by author name")
    Field("residues", \.counts.residues, "Number of residues in model 1, including waters and ligands")
    Field("atoms", \.counts.atoms, "Number of atoms in model 1")
    Field("atomsAllModels", \.counts.atomsInAllModels, "Number of atoms in all models")
    Field("waters", \.counts.waters, "Number of waters in model 1")
    Field("heteroAtoms", \.counts.heteroAtoms, "Number of HETATM atoms in model 1")
    Field("altlocAtoms", \.counts.atomsWithAltloc, "Number of atoms in model 1 with an alternate location")
    Field(
      "insertionCodeResidues", \.counts.residuesWithInsertionCode,
      "Number of residues in model 1 with an insertion code")
    Field(
      "anisotropicAtoms", \.counts.anisotropicAtoms,
      "Number of atoms in model 1 with a nonzero anisotropic displacement")
    Field("elements", \.counts.elements, "Number of atoms in model 1 by element symbol")
    Field(
      "coordinateSum", { $0.counts.coordinateSum.components.map(ReportedDigits.length.rounded) },
      "Sums of x, y and z over model 1 in angstrom")
    Field("occupancySum", \.counts.occupancySum, .ratio, "Sum of the occupancies of model 1")
    Field("bFactorSum", \.counts.bFactorSum, .sum, "Sum of the B factors of model 1 in square angstrom")
    Field("helices", \.counts.helices, "Number of helices stated in the file")
    Field("sheets", \.counts.sheets, "Number of sheets stated in the file")
    Field("strands", \.counts.strands, "Number of strands in these sheets")
    Field("bonds", \.bonds.total, "Number of bonds in model 1")
    Field("bondsByOrigin", \.bonds, "Number of bonds in model 1 by evidence")
    Field("assemblies", \.molecule.structure.assemblies, "Biological assemblies")
    Field("spaceGroup", \.header.metadata.spaceGroup.nonEmpty, "Space group as in the file")
    Field("cell", \.header.metadata.cell, "Unit cell")
    Field("metadata", \.header, "Header data")
    Field("diagnostics", \.molecule.structure.diagnostics, "Problems in the file")
    Field(
      "file", \.molecule.file,
      "File as named on the command line; for a molecule in the library, the name of its original file")
  }

  /// The numbers of bonds by origin.
  struct BondCounts: Model {
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
  struct Header: Model {
    let metadata: StructureMetadata
    let sequences: [ChainSequence]

    init(_ structure: Structure) {
      metadata = structure.metadata
      sequences = ChainSequence.all(of: structure)
    }

    static let typeName = "molecules.header"
    static let fields = Fields<Header> {
      Field("classification", \.metadata.classification.nonEmpty, "Class of the entry")
      Field(
        "deposited", \.metadata.depositionDate.nonEmpty, "Date of deposition, as YYYY-MM-DD if it is readable")
      Field("keywords", \.metadata.keywords.nonEmpty, "Keywords")
      Field("compounds", \.metadata.compounds, "Molecules of the entry")
      Field("source", \.source.nonEmpty, "Organisms that the molecules come from")
      Field("authors", \.metadata.authors, "Authors of the entry")
      Field("journalTitle", \.metadata.citation.title.nonEmpty, "Title of the primary citation")
      Field("journalAuthors", \.metadata.citation.authors, "Authors of the primary citation")
      Field("journalReference", \.metadata.citation.reference.nonEmpty, "Journal, volume, page and year")
      Field("doi", \.metadata.citation.doi.nonEmpty, "DOI of the primary citation")
      Field("pubMed", \.metadata.citation.pubMed.nonEmpty, "PubMed number of the primary citation")
      Field("sequence", \.sequences, "Sequences of the polymers, by chain")
    }

    /// The sources of the compounds, each once.
    var source: String { metadata.compounds.map(\.sourceText).joinedOnce }
  }
}

extension Compound: Model {
  static let typeName = "molecules.compound"
  static let fields = Fields<Compound> {
    Field("id", \.id, "Molecule or entity identifier")
    Field("name", \.name, "Name")
    Field("chains", \.chains, "Author names of its chains")
    Field("organism", \.organism.nonEmpty, "Scientific name of the organism")
    Field(
      "details", { $0.details + $0.sourceDetails },
      "Other data of the file: tokens of COMPND and SOURCE, data items of an SDF record, keys of an XYZ file")
  }
}

extension Compound.Detail: Model {
  static let typeName = "molecules.compound-detail"
  static let fields = Fields<Compound.Detail> {
    Field("name", \.token, "Name")
    Field("value", \.value, "Text")
  }
}

extension UnitCell: Model {
  static let typeName = "molecules.cell"
  static let fields = Fields<UnitCell> {
    Field("a", \.a, "Edge a in angstrom")
    Field("b", \.b, "Edge b in angstrom")
    Field("c", \.c, "Edge c in angstrom")
    Field("alpha", \.alpha, "Angle alpha in degrees")
    Field("beta", \.beta, "Angle beta in degrees")
    Field("gamma", \.gamma, "Angle gamma in degrees")
  }
}

extension Assembly: Model {
  static let typeName = "molecules.assembly"
  static let fields = Fields<Assembly> {
    Field("name", \.id, "Name in the file")
    Field("operators", \.operatorCount, "Number of operators of all parts")
  }
}

extension String {
  /// The text; nil if it is empty because the file does not state it.
  var nonEmpty: String? { isEmpty ? nil : self }
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
