import PluginAPI

/// A format in which molecules are exported.
struct ExportFormat: Sendable {
  /// A function that returns the bytes of a file.
  enum Writer: Sendable {
    /// A writer of one molecule, which runs on a separate thread.
    case ofOne(@Sendable (Molecule) throws -> [UInt8])
    /// A writer of several molecules.
    case ofSeveral(@Sendable ([Molecule], MoleculeLibrary) async throws -> [UInt8])
  }

  /// The name on the command line.
  let name: String
  /// The file name extensions; new files get the first one.
  let extensions: [String]
  /// Help text about the format's data; empty if the command's help describes it.
  var note = ""
  let writer: Writer

  /// The formats, in the order of the help: a new format is a row of this table.
  static let all: [ExportFormat] = [
    ExportFormat(
      name: "pdb", extensions: ["pdb", "ent"],
      note: "PDB writes large numbers as hybrid-36; a molecule that does not fit is an error.",
      writer: .ofOne { molecule in
        do throws(StructureWritingError) {
          return try PDBWriter.bytes(of: molecule)
        } catch {
          throw MoleculeError.notWritable("the molecule cannot be written as PDB: \(error.description)")
        }
      }),
    ExportFormat(name: "mmcif", extensions: ["cif", "mmcif"], writer: .ofOne { MMCIFWriter.bytes(of: $0) }),
    ExportFormat(
      name: "xyz", extensions: ["xyz"], note: "XYZ has elements and positions only.",
      writer: .ofOne { XYZWriter.bytes(of: $0) }),
    ExportFormat(
      name: "sql-1.2", extensions: ["sql"],
      note: "sql-1.2 is the database of the original application and holds several molecules.",
      writer: .ofSeveral { molecules, library in
        var bytes: [UInt8] = []
        try await LegacyDatabase(scratch: library.context.folders.cache).write(molecules) { finished in
          do throws(FileError) {
            bytes = try StructureSource.bytes(ofFile: finished)
          } catch {
            throw MoleculeError.file(error)
          }
        }
        return bytes
      }),
  ]

  /// The names of the formats that hold several molecules.
  static let namesOfSeveral = all.filter(\.holdsSeveral).map(\.name)

  /// A Boolean value indicating whether a file holds several molecules.
  var holdsSeveral: Bool {
    switch writer {
    case .ofOne: false
    case .ofSeveral: true
    }
  }

  /// Returns the format for a file's extension, or nil.
  static func format(ofFile file: String) -> ExportFormat? {
    let name = file.lowercased()
    return all.first { $0.extensions.contains { name.hasSuffix("." + $0) } }
  }

  /// Returns the bytes of a file of molecules; a format of one molecule holds the first.
  func bytes(of molecules: [Molecule], _ library: MoleculeLibrary) async throws -> [UInt8] {
    switch writer {
    case .ofOne(let write): try await library.computed("writing \(name)") { _ in try write(molecules[0]) }
    case .ofSeveral(let write): try await write(molecules, library)
    }
  }
}

extension ExportFormat: ParameterValue, FieldValue {
  static var parameterKind: Parameter.Kind { .choice(all.map(\.name)) }
  static var schema: ValueSchema { .choice(all.map(\.name)) }

  var parameterValue: Value { .text(name) }
  var fieldValue: Value { parameterValue }

  init?(parameterValue value: Value) {
    guard let format = Self.all.first(where: { $0.parameterValue == value }) else { return nil }
    self = format
  }
}
