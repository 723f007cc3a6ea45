/// A helix stated by the file.
struct Helix: Equatable, Sendable {
  var id: String
  var first: ResidueAddress
  var last: ResidueAddress
  /// The class number of the PDB format: 1 right-handed alpha, 3 pi, 5 3-10, 10 polyproline.
  var helixClass: Int
  /// The stated number of residues, 0 if not stated.
  var length: Int
}

/// A sheet stated by the file.
struct Sheet: Equatable, Sendable {
  var id: String
  /// Strands in file order; a barrel repeats its first strand at the end.
  var strands: [Strand]
}

/// One strand of a sheet.
struct Strand: Equatable, Sendable {
  var id: String
  var first: ResidueAddress
  var last: ResidueAddress
  /// 0 for the first strand, 1 parallel, -1 antiparallel to the previous strand.
  var sense: Int
}
