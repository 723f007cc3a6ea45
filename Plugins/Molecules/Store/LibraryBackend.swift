import PluginAPI
import PluginText

/// The contents of the library in one of the places where it can be.
protocol LibraryBackend: Sendable {
  func snapshot() async throws -> LibrarySnapshot
  func metadata(of id: Int) async throws -> [MetadataEntry]
  func molecule(_ id: Int) async throws -> StoredMolecule
  /// Reads the bytes of a molecule's file as it was imported.
  func original(of molecule: MoleculeSummary) async throws -> [UInt8]
  func matches(_ words: [String]) async throws -> [Int]
  func digests() async throws -> [String: Int]
  func id(ofSource source: String) async throws -> Int?
  func strayFiles(_ snapshot: LibrarySnapshot) async throws -> [String]

  func add(_ new: NewMolecule) async throws -> (id: Int, wasKnown: Bool)
  func replace(_ id: Int, by new: NewMolecule) async throws
  func keepReading(of id: Int) async throws
  func delete(_ id: Int) async throws
  func setLastViewed(_ id: Int) async throws

  func check() async throws -> [Diagnostic]
  func export() async throws -> Value
  func backup(to path: String) async throws
  func restore(from path: String) async throws
  func replaceByOriginals() async throws -> LibraryReplacement
  func close() async
}

/// A molecule to be added to the library.
struct NewMolecule: Sendable {
  var molecule: Molecule
  /// The unchanged bytes of the file.
  let original: [UInt8]
  /// The SHA-256 of the file, which identifies it.
  let digest: String
  /// The source of the file: a path or an address.
  let source: String
  let addedAt: Instant

  /// Creates it and digests the file, which blocks the calling thread for a large file.
  init(molecule: Molecule, original: [UInt8], source: String, addedAt: Instant) {
    self.molecule = molecule
    self.original = original
    digest = SHA256.hexadecimal(of: original)
    self.source = source
    self.addedAt = addedAt
  }
}

extension NewMolecule {
  /// The molecule as it is stored; encodes it, which takes a while for a large one.
  var entry: LibraryEntry {
    let metadata = molecule.structure.metadata
    return LibraryEntry(
      summary: MoleculeSummary(
        id: 0, code: metadata.entryID, title: metadata.title, compound: metadata.compounds.first?.name ?? "",
        format: molecule.format, counts: molecule.counts, addedAt: addedAt, file: Originals.cleaned(molecule.file)),
      reading: LibraryStore.reading, source: source, size: original.count, digest: digest,
      metadata: MetadataEntry.entries(of: molecule), pieces: MoleculePiece.all(of: molecule), original: original)
  }
}

extension MoleculeSummary {
  /// The columns of a summary in either database.
  static let columns = """
    id, code, title, compound, format, models, chains, residues, atoms, bonds, added_seconds, added_nanoseconds, file
    """

  /// Creates the summary of a row whose first columns are ``columns``.
  ///
  /// - Parameters:
  ///   - integer: Returns the whole number in a column.
  ///   - text: Returns the text in a column.
  init(integer: (Int) -> Int, text: (Int) -> String) {
    let nanoseconds = Int32(truncatingIfNeeded: min(max(0, integer(11)), 999_999_999))
    self.init(
      id: integer(0), code: text(1), title: text(2), compound: text(3), format: text(4),
      counts: MoleculeCounts(
        models: integer(5), chains: integer(6), residues: integer(7), atoms: integer(8), bonds: integer(9)),
      addedAt: Instant(seconds: Int64(integer(10)), nanoseconds: nanoseconds), file: text(12))
  }
}

/// A molecule with everything that a library stores about it.
struct LibraryEntry: Sendable {
  var summary: MoleculeSummary
  /// The version of the readers that read it.
  var reading: Int
  var source: String
  /// The size of the file in bytes.
  var size: Int
  var digest: String
  var metadata: [MetadataEntry]
  var pieces: [MoleculePiece]
  /// The bytes of the file; nil if they are missing or were changed.
  var original: [UInt8]?
}

/// A part of a molecule in encoded form.
struct MoleculePiece: Sendable {
  enum Kind: String, Sendable {
    case hierarchy, annotations, atoms, bonds
  }

  var kind: Kind
  /// The model, 0-based; 0 for parts of all models.
  var model: Int
  var content: [UInt8]

  /// Returns the parts of a molecule.
  static func all(of molecule: Molecule) -> [MoleculePiece] {
    let structure = molecule.structure
    let common = [
      MoleculePiece(kind: .hierarchy, model: 0, content: StructureCoding.hierarchy(of: structure)),
      MoleculePiece(kind: .annotations, model: 0, content: StructureCoding.annotations(of: structure)),
    ]
    return common
      + structure.models.indices.flatMap { model in
        [
          MoleculePiece(kind: .atoms, model: model, content: StructureCoding.atoms(of: structure, model: model)),
          MoleculePiece(kind: .bonds, model: model, content: StructureCoding.bonds(molecule.bonds(ofModel: model))),
        ]
      }
  }
}

/// The contents of the library at one moment.
struct LibrarySnapshot: Equatable, Sendable {
  /// The molecules, oldest first.
  var molecules: [MoleculeSummary] = []
  /// A Boolean value indicating whether the first start was completed.
  var isInitialised = false
  /// The number of the last viewed molecule.
  var lastViewed: Int?
  /// Files whose removal was started.
  var removals: [String] = []
  /// Molecules that were read by older readers, or into an older schema.
  var outdated: [MoleculeSummary] = []
}

/// A molecule in encoded form.
struct StoredMolecule: Sendable {
  let id: Int
  let format: String
  let file: String
  private var pieces = StructureCoding.Pieces()
  private var bonds: [[UInt8]] = []

  init(id: Int, format: String, file: String) {
    (self.id, self.format, self.file) = (id, format, file)
  }

  /// Adds a part; those of one kind come in the order of their models.
  mutating func add(_ kind: MoleculePiece.Kind, _ content: [UInt8]) {
    switch kind {
    case .hierarchy: pieces.hierarchy = content
    case .annotations: pieces.annotations = content
    case .atoms: pieces.atoms.append(content)
    case .bonds: bonds.append(content)
    }
  }

  /// Decodes structure and bonds, which takes a while for a large molecule.
  ///
  /// - Throws: ``ColumnError`` if a piece is damaged or of another version.
  func decoded() throws -> Molecule {
    let structure = try StructureCoding.structure(from: pieces)
    guard bonds.count == structure.models.count else { throw ColumnError.unexpected(offset: 0) }
    let decoded = try bonds.map { try StructureCoding.bonds(from: $0, atomCount: structure.atoms.count) }
    return Molecule(id: id, format: format, file: file, structure: structure, bonds: decoded)
  }
}

/// The findings of a check about originals.
enum OriginalFault {
  static func missing(_ file: String) -> Diagnostic {
    Diagnostic(
      .warning, code: "molecules.original-missing", "original file '\(file)' is missing",
      advice: "import the file again; the stored molecule is still usable")
  }

  static func changed(_ file: String) -> Diagnostic {
    Diagnostic(
      .warning, code: "molecules.original-changed", "original file '\(file)' has changed since the import",
      advice: "restore the file, or import it under another name")
  }
}
