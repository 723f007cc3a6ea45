import PluginAPI

/// The arguments and options that commands share.
enum MoleculeInputs {
  /// A molecule of the library or a file.
  static let molecule = Argument(
    "molecule", String.self, kind: .document(extensions: MoleculeFileTypes.extensions),
    "number, entry code or beginning of the title of a molecule of the library, or a file"
  ).completedByLibrary()

  /// The 0-based index of a model; callers count from 1.
  static let model = modelIndex("model", "which model, counted from 1")

  /// Returns an option for a model, whose content is the 0-based index.
  static func modelIndex(_ name: String, _ summary: String) -> Option<Int> {
    Option(Parameter(name, .integer(minimum: 1, maximum: .max), summary, defaultValue: 1)) { $0.integer.map { $0 - 1 } }
  }

  /// Throws if a molecule does not have a model.
  static func check(_ model: Int, in molecule: Molecule) throws(ErrorReport) {
    let count = molecule.structure.models.count
    guard (0..<count).contains(model) else { throw MoleculeError.unknownModel(model + 1, count: count) }
  }
}

extension Argument {
  /// Returns the argument with completion of the numbers and entry codes of the library's molecules.
  func completedByLibrary() -> Argument {
    var copy = self
    copy.parameter = parameter.completed(
      by: "list", column: "id", summaryColumn: "title", otherColumns: ["code"])
    return copy
  }
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
