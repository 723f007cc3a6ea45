import PluginAPI

/// The errors in accessing molecules.
enum MoleculeError {
  static let unknownMolecule = DeclaredError(
    "molecules.unknown-molecule", .notFound, "no molecule in the library has this number, code or title")
  static func unknown(_ word: String, nearest: String?, isEmpty: Bool) -> ErrorReport {
    let list =
      isEmpty
      ? "the library is empty; import a file with 'workbench molecules import FILE'"
      : "list the molecules with 'workbench molecules list'"
    return unknownMolecule(
      "no molecule or file '\(word)' found", advice: nearest.map { "did you mean '\($0)'?" } ?? list,
      details: ["molecule": .text(word)])
  }

  private static let ambiguous = DeclaredError(
    "molecules.ambiguous-molecule", .usage, "several molecules have this code or title; use the number")
  static func ambiguous(_ word: String, ids: [Int]) -> ErrorReport {
    ambiguous(
      "'\(word)' matches \(ids.count) molecules",
      advice: "give the number of one: " + ids.map(String.init).joined(separator: ", "),
      details: ["molecule": .text(word), "ids": ids.fieldValue])
  }

  static let unknownModel = DeclaredError("molecules.unknown-model", .notFound, "the molecule does not have this model")
  static func unknownModel(_ number: Int, count: Int) -> ErrorReport {
    unknownModel(
      "the molecule has no model '\(number)'",
      advice: count == 1 ? "its only model is 1" : "choose a model from 1 to \(count)",
      details: ["model": .integer(number), "models": .integer(count)])
  }

  static let unknownAssembly = DeclaredError(
    "molecules.unknown-assembly", .notFound, "the file has no assembly of this name, or no crystal")
  static let pictureTooLarge = DeclaredError(
    "molecules.picture-too-large", .usage, "a picture or animation has too many pixels")

  private static let fileNotFound = DeclaredError("molecules.file-not-found", .notFound, "the file does not exist")
  private static let fileNotPermitted = DeclaredError(
    "molecules.file-not-permitted", .refused, "the file is not readable; change its permissions")
  private static let unreadableFile = DeclaredError(
    "molecules.unreadable-file", .unusableInput, "the file is not a structure in a known format")

  static func file(_ error: FileError) -> ErrorReport {
    switch error {
    case .missing(let path): fileNotFound("file '\(path)' not found", details: ["file": .text(path)])
    case .refused(let path):
      fileNotPermitted(
        "permission to read '\(path)' denied", advice: "change the permissions of the file",
        details: ["file": .text(path)])
    case .notAFile(let path):
      unreadableFile("'\(path)' is not a file", advice: "give a structure file", details: ["file": .text(path)])
    case .tooLarge(let path, let limit):
      unreadableFile(
        "'\(path)' is larger than \(limit >> 30) GiB",
        advice: "export a part of it with the program that wrote the file; this limit is fixed",
        details: ["file": .text(path)])
    case .failed(let path, let reason):
      unreadableFile("'\(path)' cannot be used: \(reason)", details: ["file": .text(path)])
    }
  }

  /// A file could be read but not parsed.
  static func unreadable(path: String, reason: String, place: FilePlace = .whole) -> ErrorReport {
    unreadableFile(
      "'\(place.text(in: path))' cannot be read as a structure: \(reason)",
      details: Record([.init("file", .text(path))] + place.details))
  }

  private static let contentTooLarge = DeclaredError(
    "molecules.content-too-large", .unusableInput,
    "the uncompressed content exceeds the setting 'content-limit'")
  static func contentTooLarge(path: String, limitInBytes limit: Int) -> ErrorReport {
    contentTooLarge(
      "'\(path)' has more than \(limit >> 20) MiB of uncompressed content",
      advice: "if you trust the file, raise the limit with 'workbench config set molecules.content-limit 2047'",
      details: ["file": .text(path), "limitInBytes": .integer(limit)])
  }

  static let noCoordinates = DeclaredError(
    "molecules.no-coordinates", .unusableInput,
    "the file has no atom coordinates")
  static let notWritable = DeclaredError(
    "molecules.not-writable", .unusableInput, "the molecule does not fit into the format")
  static let oneMolecule = DeclaredError(
    "molecules.one-molecule", .usage, "a file in this format holds one molecule")
  static let formatMissing = DeclaredError(
    "molecules.format-missing", .usage, "neither '--format' nor the file name gives the format")
  static let noDatabase = DeclaredError(
    "molecules.no-database", .unusableInput, "the folder has no database of the original application")

  private static let unreadableSelection = DeclaredError(
    "molecules.unreadable-selection", .usage, "the selection is malformed; the message has the column")
  static func selection(_ text: String, _ error: SelectionError) -> ErrorReport {
    unreadableSelection(
      error.message, advice: error.advice,
      details: ["selection": .text(text), "column": .optional(error.column)])
  }

  private static let emptySelection = DeclaredError(
    "molecules.empty-selection", .notFound, "the selection has no atoms in the molecule")
  static func emptySelection(text: String) -> ErrorReport {
    emptySelection(
      "the selection '\(text)' has no atoms",
      advice: shortPath(in: text).map { "a path ends with an atom; for a residue write '\($0)/'" }
        ?? "chain names are case-sensitive; 'chains' and 'atoms' list the names",
      details: ["selection": .text(text)])
  }

  /// Returns the first path of a selection that ends with a number, such as `A/51`: no atom has such a name.
  private static func shortPath(in text: String) -> Substring? {
    text.split { $0.isWhitespace || $0 == "(" || $0 == ")" }.first { word in
      let parts = word.split(separator: "/", omittingEmptySubsequences: false)
      return parts.count == 2 && !parts[1].isEmpty && parts[1].allSatisfy { $0.isNumber || $0 == "-" }
    }
  }

  static let crowded = DeclaredError(
    "molecules.crowded-atoms", .unusableInput, "more atoms are close together than is possible")
  static let undefinedAngle = DeclaredError(
    "molecules.undefined-angle", .unusableInput, "points of an angle coincide or are on a line")
  static let missingSecond = DeclaredError(
    "molecules.missing-second", .usage, "'superpose' needs two molecules, or '--models'")

  private static let notSuperposable = DeclaredError(
    "molecules.not-superposable", .unusableInput,
    "the structures have no residues, or too few atoms, in common")
  static func superposition(_ error: SuperpositionError) -> ErrorReport {
    notSuperposable(error.message, advice: error.advice)
  }

  static let motif = DeclaredError(
    "molecules.unusable-motif", .usage, "the query of 'scan' is missing, ambiguous, malformed or incomplete")
  static func motif(_ error: MotifError) -> ErrorReport { motif(error.message, advice: error.advice) }

  /// The stable codes of this plugin's errors, and of notes about molecules and their files.
  static let codes =
    (accessing.map(\.catalogueEntry) + originals) + LibraryStore.sharingErrorCodes
    + (measuring.map(\.catalogueEntry) + notes)

  private static let accessing = [
    unknownMolecule, ambiguous, unknownModel, unknownAssembly, pictureTooLarge, fileNotFound, fileNotPermitted,
    unreadableFile, contentTooLarge, noCoordinates, ExportFile.exists, ExportFile.notWritten, notWritable, oneMolecule,
    formatMissing, noDatabase,
  ]

  private static let originals = [
    ErrorCodeDescription("molecules.original-not-kept", "the original file could not be stored beside the library"),
    ErrorCodeDescription(
      "molecules.original-not-removed", "the original file of a deleted molecule could not be removed"),
    ErrorCodeDescription("molecules.original-unreadable", "the original file of a molecule could not be read"),
    ErrorCodeDescription("molecules.original-missing", "the original file of a molecule is missing"),
    ErrorCodeDescription("molecules.original-changed", "the original file of a molecule has changed since the import"),
    ErrorCodeDescription("molecules.file-ignored", "a file among the originals is not a structure and was ignored"),
  ]

  private static let measuring = [
    unreadableSelection, emptySelection, crowded, undefinedAngle, missingSecond, notSuperposable, motif,
  ]

  private static let notes = [
    ErrorCodeDescription(
      "molecules.ambiguous-rotation", "the superposed atoms are on a line or at one point, so the rotation is ambiguous"
    ),
    ErrorCodeDescription(
      "molecules.original-not-read-anew", "the original file cannot be read again; the stored data is unchanged"),
    ErrorCodeDescription("molecules.scan-limit", "'scan' ended at its '--limit'; there may be more matches"),
    ErrorCodeDescription("molecules.already-imported", "the file is in the library already and was read again"),
  ]
}

/// The stable codes of this plugin: errors, notes about the library, and problems in files.
enum MoleculeErrorCodes {
  static let all =
    MoleculeError.codes + notes + reading + LibraryStore.errorCodes + ServiceError.codes + RemoteServices.errorCodes
    + SessionError.codes

  /// The notes of screens and the library.
  private static let notes = [
    ErrorCodeDescription("molecules.deleted", "a molecule was deleted from the library; the screen can restore it"),
    ErrorCodeDescription("molecules.files-taken-in", "files beside the library were imported at the start"),
    ErrorCodeDescription(
      "molecules.not-predicted", "colors or a selection by pLDDT were requested for a structure that may not have it"),
    ErrorCodeDescription("molecules.not-rebuilt", "a molecule without an original file is not in the rebuilt library"),
    ErrorCodeDescription("molecules.rebuilt-uncounted", "the number of molecules before a rebuild is unknown"),
    ErrorCodeDescription("molecules.no-such-link", "the page has no link with this number"),
    ErrorCodeDescription("molecules.nothing-to-undo", "there is no change to undo"),
    ErrorCodeDescription("molecules.nothing-shown", "there is no molecule to save"),
    ErrorCodeDescription("molecules.page-shown", "the page was opened in a browser"),
    ErrorCodeDescription("molecules.row-stays", "the row for downloading is not a molecule and cannot be deleted"),
    ErrorCodeDescription("molecules.one-model", "the molecule has only one model"),
    ErrorCodeDescription("molecules.no-assembly", "the file has neither assemblies nor a crystal to show copies of"),
    ErrorCodeDescription(
      "molecules.selection-note", "nothing is selected, or the selection cannot be stored under this name"),
    ErrorCodeDescription("molecules.too-many-labels", "too many atoms are drawn for labels of residues or atoms"),
    ErrorCodeDescription("molecules.color-legend", "the meaning of the colors of a picture"),
    ErrorCodeDescription(
      "molecules.not-all-shown", "the mode cannot show the whole molecule, or shows it only coarsely"),
    ErrorCodeDescription(
      "molecules.legacy-empty", "a molecule in the original application's database has neither file nor atoms"),
    ErrorCodeDescription(
      "molecules.legacy-rebuilt", "a molecule in the original application's database was rebuilt from its rows"),
    ErrorCodeDescription("molecules.not-in-library", "the molecule comes from a file that was not imported"),
    ErrorCodeDescription("molecules.superposed", "a molecule was superposed on the first one shown"),
  ]

  /// The problems in files that can still be read.
  private static let reading = (anyFormat + pdb + cif + bcif + sdf + xyz).map {
    ErrorCodeDescription("molecules." + $0.name, $0.summary)
  }

  private static let anyFormat: [(name: String, summary: String)] = [
    ("carriage-returns", "the lines end with carriage returns only, as on old Macintosh computers"),
    ("gzip-trailing-bytes", "bytes after the end of the gzip data were ignored"),
  ]

  private static let pdb: [(name: String, summary: String)] = [
    ("anisotropy-misplaced", "PDB: an ANISOU line does not follow the atom of its serial number and was ignored"),
    ("anisotropy-unreadable", "PDB: an ANISOU line does not have six numbers in its columns and was ignored"),
    ("atom-line-short", "PDB: an atom line ends before its coordinates; the atom was left out"),
    ("cell-unreadable", "PDB: the CRYST1 line does not have three cell edges and was ignored"),
    ("charge-unreadable", "PDB: a charge is not a digit with a sign and was read as 0"),
    ("column-21-used", "PDB: column 21, usually blank, was read as part of chain or residue names"),
    ("conect-to-itself", "PDB: CONECT bonds an atom to itself; the bond was ignored"),
    ("conect-unreadable", "PDB: the columns of a CONECT line do not hold a serial number"),
    ("conect-unresolved", "PDB: a CONECT line refers to a serial number that no atom has"),
    ("content-after-end", "PDB: content after the END record was ignored"),
    ("coordinate-unreadable", "PDB: the coordinates of an atom are not numbers; the atom was left out"),
    ("element-unknown", "PDB: the element of an atom is unknown"),
    ("element-unreadable", "PDB: an element symbol is unknown; the element comes from the atom name"),
    ("end-before-atoms", "PDB: an END record before any atom was ignored"),
    ("endmdl-without-model", "PDB: an ENDMDL record without MODEL was ignored"),
    ("factor-unreadable", "PDB: an occupancy or B factor is not a number and was read as 0"),
    ("insertion-code-digit", "PDB: an insertion code is a digit and may belong to a residue number"),
    ("legacy-columns", "PDB: columns 73-80 have the layout used before 1996; elements come from the atom names"),
    ("model-not-ended", "PDB: a MODEL record precedes the ENDMDL of the previous model"),
    ("model-number-missing", "PDB: a MODEL record has no number and was numbered by its position"),
    ("model-number-repeated", "PDB: a model number occurs twice; both models were read"),
    ("range-unreadable", "PDB: a HELIX or SHEET line has no residue numbers in its columns and was ignored"),
    ("record-lower-case", "PDB: a record name in lower case was read as upper case"),
    ("residue-number-too-wide", "PDB: a residue number of five digits; the columns after it were read shifted"),
    ("residue-number-unreadable", "PDB: a residue number is not a number and was read as 0"),
    ("serial-too-wide", "PDB: a serial number of six digits; the columns after it were read shifted"),
    ("tabs-expanded", "PDB: tabs in an atom line were expanded to tab stops of eight columns"),
    ("serial-unreadable", "PDB: a serial number is not a number; the atom has none"),
  ]

  private static let cif: [(name: String, summary: String)] = [
    ("cif-coordinate-unreadable", "mmCIF: a row of _atom_site has no coordinates and was left out"),
    ("cif-field-unclosed", "mmCIF: a text field is not closed; only its first line was read"),
    ("cif-further-block", "mmCIF: data blocks after the first one with atoms were ignored"),
    ("cif-loop-incomplete", "mmCIF: a loop ends inside a row; the row was left out"),
    ("cif-loop-without-tags", "mmCIF: a loop has no tags and was ignored"),
    ("cif-operators-unreadable", "mmCIF: an assembly refers to unknown or too many operators and was left out"),
    ("cif-quote-unclosed", "mmCIF: a quoted value is not closed on its line; it was read to the end of the line"),
    ("cif-resolution-without-key", "mmCIF: a resolution limit without pdbx_refine_id was not used as the resolution"),
    ("cif-tag-without-value", "mmCIF: a tag has no value and was ignored"),
    ("cif-value-without-tag", "mmCIF: a value has no tag and was ignored"),
  ]

  private static let bcif: [(name: String, summary: String)] = [
    ("bcif-category-too-large", "BinaryCIF: a category declares more values than the file can hold and was left out"),
    ("bcif-column-unreadable", "BinaryCIF: a column cannot be decoded and was left out"),
    ("bcif-cut-short", "BinaryCIF: the file is damaged; the content before the damage was read"),
  ]

  private static let sdf: [(name: String, summary: String)] = [
    ("sdf-atom-unreadable", "SDF: an atom line has no coordinates and was left out"),
    ("sdf-bond-unreadable", "SDF: a bond line does not name two atoms and was left out"),
    ("sdf-charge-unreadable", "SDF: a charge is not a number in its range and was read as 0"),
    ("sdf-columns-free", "SDF: an atom's fields are not in their columns and were split at blanks"),
    ("sdf-counts-unreadable", "SDF: a record has no counts of atoms and bonds and was left out"),
    ("sdf-element-unknown", "SDF: an element symbol is unknown"),
    ("sdf-flat", "SDF: the coordinates are two-dimensional"),
    ("sdf-property-unreadable", "SDF: a property line does not name an atom and was ignored"),
    ("sdf-table-short", "SDF: a table has fewer lines than declared"),
  ]

  private static let xyz: [(name: String, summary: String)] = [
    ("xyz-atom-unreadable", "XYZ: an atom line has no coordinates and was left out"),
    ("xyz-count-unreadable", "XYZ: a frame does not begin with its number of atoms; the rest of the file was ignored"),
    ("xyz-element-guessed", "XYZ: an element was guessed from the first letter of a label"),
    ("xyz-element-unknown", "XYZ: an element symbol is unknown"),
    ("xyz-frame-short", "XYZ: a frame has fewer atoms than declared"),
  ]
}
