import PluginAPI

/// The arguments and options that commands share.
enum MoleculeInputs {
  /// A molecule of the library or a file.
  static let molecule = Parameter(
    "molecule", .document(extensions: MoleculeFileTypes.extensions),
    "number, entry code or beginning of the title of a molecule of the library, or a file", isRequired: true
  ).completedByLibrary()

  /// The number of a model.
  static let model = Parameter(
    "model", .integer(minimum: 1, maximum: .max), "which model, counted from 1", defaultValue: 1)
}

/// The file types that this plugin opens.
enum MoleculeFileTypes {
  /// The file name extensions, without the first dot.
  static let extensions = descriptions.flatMap(\.extensions)

  /// The descriptions for the host.
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
  /// The records besides HEADER with which a file without a name, such as standard input, may start.
  private static let firstRecords = ["TITLE ", "REMARK", "CRYST1", "MODEL ", "ATOM  ", "HETATM"]

  /// The session files, which the viewer opens as well.
  static let session = FileTypeDescription(
    "Molecules session", extensions: [SessionFile.fileExtension], screen: "viewer")

  /// Returns true if a word is a file name: it contains a folder, or has one of the extensions.
  static func isFileName(_ word: String) -> Bool {
    word.contains("/") || extensions.contains { word.lowercased().hasSuffix("." + $0) }
  }
}

extension Parameter {
  /// Returns the parameter with completion of the numbers and entry codes of the library's molecules.
  func completedByLibrary() -> Parameter {
    completed(by: "list", column: "id", summaryColumn: "title", otherColumns: ["code"])
  }
}
