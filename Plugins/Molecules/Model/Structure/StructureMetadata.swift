/// The header data of a structure; an empty text or nil means that the file does not state it.
struct StructureMetadata: Equatable, Sendable {
  /// Entry identifier, as in `1CRN` or `pdb_00017u1t`.
  var entryID = ""
  /// Title as written in the file, continuation lines joined.
  var title = ""
  /// Classification (HEADER, _struct_keywords.pdbx_keywords).
  var classification = ""
  /// The deposition date, `YYYY-MM-DD` if readable, else as written.
  var depositionDate = ""
  var keywords = ""
  /// Experimental method, as in `X-RAY DIFFRACTION`; several are joined by `; `.
  var method = ""
  var authors: [String] = []
  /// The molecules of the entry.
  var compounds: [Compound] = []
  /// The primary citation.
  var citation = Citation()
  /// Resolution in Å.
  var resolution: Double?
  /// High limit in Å of the data that the model was refined against, as the refinement program states it.
  var refinementResolution: Double?
  /// The unit cell; nil if the file has none or only the 1 × 1 × 1 Å placeholder.
  var cell: UnitCell?
  /// Space group as written, as in `P 21 21 21`.
  var spaceGroup = ""
  /// The symmetry operators as written in the file, as in `-X,Y+1/2,-Z`; empty if there are none.
  var symmetryOperators: [String] = []
  /// Number of chains in the unit cell (Z).
  var chainsPerCell: Int?
  /// The transformation from the file's coordinates in Å to the deposited ones (ORIGX, _database_PDB_matrix); nil if
  /// not stated.
  var depositedFrame: Transform?
}

/// One molecule of an entry and its source.
struct Compound: Equatable, Sendable {
  /// Molecule or entity identifier.
  var id = ""
  /// The name of the molecule.
  var name = ""
  /// Author names of its chains.
  var chains: [String] = []
  /// Label names of its parts (_struct_asym); empty for PDB files.
  var labels: [String] = []
  /// The scientific name of the source organism.
  var organism = ""
  /// The other tokens of COMPND in file order, as (`EC`, `3.1.1.7`).
  var details: [Detail] = []
  /// The other tokens of SOURCE in file order, as (`TISSUE`, `BLOOD`).
  var sourceDetails: [Detail] = []

  /// One token and its value.
  struct Detail: Equatable, Sendable {
    var token: String
    var value: String
  }
}

/// A journal article.
struct Citation: Equatable, Sendable {
  var title = ""
  var authors: [String] = []
  /// Journal, volume, page and year in one line.
  var reference = ""
  var doi = ""
  var pubMed = ""
}

/// A crystal's unit cell.
struct UnitCell: Equatable, Sendable {
  /// Edges in Å.
  var a: Double
  var b: Double
  var c: Double
  /// Angles in degrees.
  var alpha: Double
  var beta: Double
  var gamma: Double
}

/// The full sequence of a polymer as deposited.
struct PolymerSequence: Equatable, Sendable {
  /// Chain name (PDB) or entity identifier (mmCIF).
  var id: String
  /// The author names of the chains with this sequence.
  var chains: [String]
  /// Residue names in order; of microheterogeneous positions the first.
  var residueNames: [String]
}
