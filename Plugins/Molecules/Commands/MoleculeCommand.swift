import PluginAPI

/// A command of this plugin: its declaration and what it does.
struct MoleculeCommand: Command {
  let declaration: CommandDescription
  private let body: @Sendable (CommandCall) async throws -> Void

  init(_ declaration: CommandDescription, _ body: @escaping @Sendable (CommandCall) async throws -> Void) {
    self.declaration = declaration
    self.body = body
  }

  func run(_ call: CommandCall) async throws { try await body(call) }

  /// All commands, in the order help shows them.
  static let all: [MoleculeCommand] =
    LibraryCommands.all + [RebuildCommand.command, InfoCommand.command, RenderCommand.command, AnimateCommand.command]
    + TableCommands.all
    + [SelectCommand.command] + MeasureCommands.all + [SuperposeCommand.command] + ChemistryCommands.all
    + InteractionCommands.all + ServiceCommands.all + [ExportCommand.command] + SessionCommands.all

  /// A molecule of the library or a file.
  static let molecule = Parameter(
    "molecule", .document(extensions: MoleculeFileTypes.extensions),
    "number, entry code or beginning of the title of a molecule of the library, or a file", isRequired: true
  ).completedByLibrary()

  /// Which model.
  static let model = Parameter(
    "model", .integer(minimum: 1, maximum: .max), "which model, counted from 1", defaultValue: 1)
}

/// The types of files this plugin opens.
enum MoleculeFileTypes {
  /// What a file's name ends with, without the first point.
  static let extensions = descriptions.flatMap(\.extensions)

  /// As the host takes them.
  static let descriptions =
    [
      FileTypeDescription(
        pdbName, extensions: ["pdb", "ent", "pdb1", "pdb.gz", "ent.gz", "pdb1.gz"],
        magic: Array("HEADER".utf8), screen: "viewer"),
      FileTypeDescription(
        "Macromolecular Crystallographic Information File", extensions: ["cif", "mmcif", "cif.gz", "mmcif.gz"],
        magic: Array("data_".utf8), screen: "viewer"),
      FileTypeDescription("BinaryCIF file", extensions: ["bcif", "bcif.gz"], screen: "viewer"),
      FileTypeDescription(
        "structure-data file (V2000, V3000)", extensions: ["sdf", "sd", "mol", "sdf.gz", "sd.gz", "mol.gz"],
        screen: "viewer"),
      FileTypeDescription("XYZ file", extensions: ["xyz", "extxyz", "xyz.gz", "extxyz.gz"], screen: "viewer"),
    ] + firstRecords.map { FileTypeDescription(pdbName, extensions: [], magic: Array($0.utf8), screen: "viewer") }

  private static let pdbName = "Protein Data Bank file"
  /// The records besides HEADER that a file without a name, such as standard input, may start with.
  private static let firstRecords = ["TITLE ", "REMARK", "CRYST1", "MODEL ", "ATOM  ", "HETATM"]

  /// The files of sessions, which the viewer shows as well.
  static let session = FileTypeDescription(
    "Molecules session", extensions: [SessionFile.fileExtension], screen: "viewer")

  /// Whether a word is meant as a file's name: it has a folder in it, or one of the extensions.
  static func isFileName(_ word: String) -> Bool {
    word.contains("/") || extensions.contains { word.lowercased().hasSuffix("." + $0) }
  }
}

extension Parameter {
  /// Returns the parameter completed with the numbers and entry codes of the molecules of the library.
  func completedByLibrary() -> Parameter {
    completed(by: "list", column: "id", summaryColumn: "title", otherColumns: ["code"])
  }
}
