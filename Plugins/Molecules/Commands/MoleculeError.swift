import PluginAPI

/// The errors in accessing molecules.
enum MoleculeError {
  static let unknownMolecule = DeclaredError(
    "molecules.unknown-molecule", .notFound, "no molecule of the library has that number, code or title")
  static func unknown(_ word: String, nearest: String?, isEmpty: Bool) -> ErrorReport {
    let list =
      isEmpty
      ? "the library is empty; 'workbench molecules import FILE' fills it"
      : "'workbench molecules list' shows the molecules there are"
    return unknownMolecule(
      "there is no molecule or file '\(word)'", advice: nearest.map { "did you mean '\($0)'?" } ?? list,
      details: ["molecule": .text(word)])
  }

  private static let ambiguous = DeclaredError(
    "molecules.ambiguous-molecule", .usage, "several molecules have that code or title: use the number")
  static func ambiguous(_ word: String, ids: [Int]) -> ErrorReport {
    ambiguous(
      "'\(word)' means \(ids.count) molecules",
      advice: "name one by its number: " + ids.map(String.init).joined(separator: ", "),
      details: ["molecule": .text(word), "ids": ids.fieldValue])
  }

  static let unknownModel = DeclaredError("molecules.unknown-model", .notFound, "the molecule has fewer models")
  static func unknownModel(_ number: Int, count: Int) -> ErrorReport {
    unknownModel(
      "there is no model \(number)", advice: count == 1 ? "the molecule has one model" : "models are 1 to \(count)",
      details: ["model": .integer(number), "models": .integer(count)])
  }

  static let unknownAssembly = DeclaredError(
    "molecules.unknown-assembly", .notFound, "the file states no assembly of that name, or no crystal")
  static let pictureTooLarge = DeclaredError(
    "molecules.picture-too-large", .usage, "a picture or animation has too many pixels")

  private static let fileNotFound = DeclaredError("molecules.file-not-found", .notFound, "there is no such file")
  private static let fileNotPermitted = DeclaredError(
    "molecules.file-not-permitted", .refused, "the file may not be read: change its permissions")
  private static let unreadableFile = DeclaredError(
    "molecules.unreadable-file", .unusableInput, "the file is not a structure in a known format")
  private static let fileExists = DeclaredError(
    "molecules.file-exists", .refused, "there is a file of that name already; nothing was written")

  static func file(_ error: FileError) -> ErrorReport {
    switch error {
    case .missing(let path): fileNotFound("there is no file '\(path)'", details: ["file": .text(path)])
    case .refused(let path):
      fileNotPermitted(
        "the file '\(path)' may not be read", advice: "make it readable for you", details: ["file": .text(path)])
    case .notAFile(let path):
      unreadableFile("'\(path)' is not a file", advice: "name a structure file", details: ["file": .text(path)])
    case .tooLarge(let path, let limit):
      unreadableFile(
        "'\(path)' is larger than \(limit >> 30) GiB",
        advice: "no setting raises this limit; export the part you need with the program the file is from",
        details: ["file": .text(path)])
    case .exists(let path):
      fileExists(
        "there is a file '\(path)' already", advice: "name another with --output, or that one to replace it",
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
    "the uncompressed content is above the setting 'content-limit'")
  static func contentTooLarge(path: String, limitInBytes limit: Int) -> ErrorReport {
    contentTooLarge(
      "'\(path)' has more than \(limit >> 20) MiB of uncompressed content",
      advice: "if you trust the file, raise the limit: 'workbench config set molecules.content-limit 2047'",
      details: ["file": .text(path), "limitInBytes": .integer(limit)])
  }

  static let noCoordinates = DeclaredError(
    "molecules.no-coordinates", .unusableInput,
    "the file's format is known, but it has no coordinates of atoms")
  static let notWritable = DeclaredError(
    "molecules.not-writable", .unusableInput, "the format has no room for something of the molecule")
  static let oneMolecule = DeclaredError(
    "molecules.one-molecule", .usage, "a file of that format takes one molecule")
  static let formatMissing = DeclaredError(
    "molecules.format-missing", .usage, "neither an option nor the file's name tells the format")
  static let noDatabase = DeclaredError(
    "molecules.no-database", .unusableInput, "the folder has no database of the original program")

  private static let unreadableSelection = DeclaredError(
    "molecules.unreadable-selection", .usage, "the selection cannot be read: its column tells where")
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
      advice: "chain names are case-sensitive; 'chains' and 'atoms' show what there is",
      details: ["selection": .text(text)])
  }

  static let crowded = DeclaredError(
    "molecules.crowded-atoms", .unusableInput, "more atoms lie at one place than matter can hold")
  static let undefinedAngle = DeclaredError(
    "molecules.undefined-angle", .unusableInput, "points of an angle lie on each other or on a line")
  static let missingSecond = DeclaredError(
    "molecules.missing-second", .usage, "'superpose' takes two molecules, or '--models'")

  private static let notSuperposable = DeclaredError(
    "molecules.not-superposable", .unusableInput,
    "the structures have no residues, or too few atoms, in common")
  static func superposition(_ error: SuperpositionError) -> ErrorReport {
    notSuperposable(error.message, advice: error.advice)
  }

  /// The stable codes of this plugin's errors, and of notes about molecules and their files.
  static let codes = (accessing.map(\.catalogueEntry) + originals) + (measuring.map(\.catalogueEntry) + notes)

  private static let accessing = [
    unknownMolecule, ambiguous, unknownModel, unknownAssembly, pictureTooLarge, fileNotFound, fileNotPermitted,
    unreadableFile, contentTooLarge, noCoordinates, fileExists, notWritable, oneMolecule, formatMissing, noDatabase,
  ]

  private static let originals = [
    ErrorCodeDescription("molecules.original-not-kept", "the imported file could not be kept beside the library"),
    ErrorCodeDescription("molecules.original-not-removed", "the file of a deleted molecule could not be removed"),
    ErrorCodeDescription("molecules.original-unreadable", "the kept file of a molecule could not be read"),
    ErrorCodeDescription("molecules.original-missing", "the kept file of a molecule is gone"),
    ErrorCodeDescription("molecules.original-changed", "the kept file of a molecule is not what was imported"),
    ErrorCodeDescription("molecules.file-ignored", "a file among the originals is not a structure and is left alone"),
  ]

  private static let measuring = [
    unreadableSelection, emptySelection, crowded, undefinedAngle, missingSecond, notSuperposable,
  ]

  private static let notes = [
    ErrorCodeDescription(
      "molecules.ambiguous-rotation", "the superposed atoms lie on a line or are one: any turn fits"),
    ErrorCodeDescription(
      "molecules.original-not-read-anew", "the original cannot be read anew; what was read before stays"),
    ErrorCodeDescription("molecules.already-imported", "the file is in the library already and was read anew"),
  ]
}

/// The stable codes of this plugin: errors, notes about the library, and problems in files.
enum MoleculeErrorCodes {
  static let all =
    MoleculeError.codes + notes + reading + LibraryStore.errorCodes + ServiceError.codes + RemoteServices.errorCodes
    + SessionError.codes

  /// The notes of screens and the library.
  private static let notes = [
    ErrorCodeDescription("molecules.deleted", "a molecule was deleted from the library; the screen can bring it back"),
    ErrorCodeDescription("molecules.files-taken-in", "files that lay beside the library were taken in at the start"),
    ErrorCodeDescription("molecules.not-predicted", "the colors of pLDDT were asked for a structure that has none"),
    ErrorCodeDescription("molecules.not-rebuilt", "a molecule without an original is not in the rebuilt library"),
    ErrorCodeDescription("molecules.no-such-link", "the page has no link of that number"),
    ErrorCodeDescription("molecules.nothing-to-undo", "nothing was changed that could be undone"),
    ErrorCodeDescription("molecules.nothing-shown", "no molecule is shown that could be saved"),
    ErrorCodeDescription("molecules.page-shown", "a browser was asked to show the page"),
    ErrorCodeDescription("molecules.row-stays", "the row for downloading is not a molecule and cannot be deleted"),
    ErrorCodeDescription("molecules.one-model", "the molecule has one model, so there is no other to show"),
    ErrorCodeDescription("molecules.no-assembly", "the file states neither assemblies nor a crystal to show copies of"),
    ErrorCodeDescription("molecules.selection-note", "nothing is selected, or a selection cannot be kept by that name"),
    ErrorCodeDescription("molecules.too-many-labels", "the molecule is too large for labels on residues or atoms"),
    ErrorCodeDescription("molecules.color-legend", "what the colours of a picture mean"),
    ErrorCodeDescription("molecules.not-all-shown", "the mode cannot show all of the molecule, or only coarsely"),
    ErrorCodeDescription(
      "molecules.legacy-empty", "a molecule of the original program's database has neither file nor atoms"),
    ErrorCodeDescription(
      "molecules.legacy-rebuilt", "a molecule of the original program's database was made anew of its rows"),
    ErrorCodeDescription("molecules.not-in-library", "the molecule is shown from a file that was not imported"),
    ErrorCodeDescription("molecules.superposed", "a molecule was laid on the first one that is shown"),
  ]

  /// The problems in files that can still be read.
  private static let reading = (anyFormat + pdb + cif + bcif + sdf + xyz).map {
    ErrorCodeDescription("molecules." + $0.name, $0.summary)
  }

  private static let anyFormat: [(name: String, summary: String)] = [
    ("carriage-returns", "the lines end with carriage returns alone, as on old Macintoshes, and were read so"),
    ("gzip-trailing-bytes", "bytes after the end of the gzip data were ignored"),
  ]

  private static let pdb: [(name: String, summary: String)] = [
    ("anisotropy-misplaced", "PDB: an ANISOU line follows no atom of its serial number and was ignored"),
    ("anisotropy-unreadable", "PDB: an ANISOU line has no six numbers in its columns and was ignored"),
    ("atom-line-short", "PDB: an atom line ends before its coordinates; the atom was left out"),
    ("cell-unreadable", "PDB: the CRYST1 line has no three cell edges and was ignored"),
    ("charge-unreadable", "PDB: a charge is not a digit with a sign; 0 was taken"),
    ("column-21-used", "PDB: column 21, blank as a rule, was read as part of chain or residue names"),
    ("conect-to-itself", "PDB: CONECT bonds an atom to itself; the bond was ignored"),
    ("conect-unreadable", "PDB: CONECT has something else than a serial number in its columns"),
    ("conect-unresolved", "PDB: CONECT names a serial number that no atom has"),
    ("content-after-end", "PDB: what follows the END record is not read"),
    ("coordinate-unreadable", "PDB: the coordinates of an atom are not numbers; the atom was left out"),
    ("element-unknown", "PDB: the element of an atom cannot be told and is kept as unknown"),
    ("element-unreadable", "PDB: an element symbol is none; the element was taken from the atom name"),
    ("end-before-atoms", "PDB: an END record before any atom was ignored"),
    ("endmdl-without-model", "PDB: an ENDMDL record without MODEL was ignored"),
    ("factor-unreadable", "PDB: an occupancy or B factor is not a number; 0 was taken"),
    ("insertion-code-digit", "PDB: an insertion code is a digit and may belong to a residue number"),
    ("legacy-columns", "PDB: columns 73-80 are as before 1996; elements were taken from the atom names"),
    ("model-not-ended", "PDB: a MODEL record came before the ENDMDL of the model before"),
    ("model-number-missing", "PDB: a MODEL record has no number; it was numbered by its place"),
    ("model-number-repeated", "PDB: a model number is used twice; both models were kept"),
    ("range-unreadable", "PDB: a HELIX or SHEET line has no residue numbers and was ignored"),
    ("record-lower-case", "PDB: a record name in small letters was read as in capitals"),
    ("residue-number-too-wide", "PDB: a residue number of five digits; the columns after it were read shifted"),
    ("residue-number-unreadable", "PDB: a residue number is not a number; 0 was taken"),
    ("serial-too-wide", "PDB: a serial number of six digits; the columns after it were read shifted"),
    ("tabs-expanded", "PDB: tabs in an atom line were read as blanks up to the next eighth column"),
    ("serial-unreadable", "PDB: a serial number is not a number; the atom was kept without one"),
  ]

  private static let cif: [(name: String, summary: String)] = [
    ("cif-coordinate-unreadable", "mmCIF: a row of _atom_site has no coordinates and was left out"),
    ("cif-field-unclosed", "mmCIF: a text field is not closed; only its first line was taken"),
    ("cif-further-block", "mmCIF: data blocks after the first one with atoms are not read"),
    ("cif-loop-incomplete", "mmCIF: a loop ends inside a row; that row was left out"),
    ("cif-loop-without-tags", "mmCIF: a loop names no tags and was ignored"),
    ("cif-operators-unreadable", "mmCIF: an assembly's operator expression is unusable; the assembly was left out"),
    ("cif-quote-unclosed", "mmCIF: a quoted value is not closed on its line; the rest of the line was taken"),
    ("cif-resolution-without-key", "mmCIF: a resolution limit without pdbx_refine_id is not a resolution"),
    ("cif-tag-without-value", "mmCIF: a tag has no value and was ignored"),
    ("cif-value-without-tag", "mmCIF: a value belongs to no tag and was ignored"),
  ]

  private static let bcif: [(name: String, summary: String)] = [
    ("bcif-category-too-large", "BinaryCIF: a category claims more values than the file can hold and was left out"),
    ("bcif-column-unreadable", "BinaryCIF: a column cannot be decoded and was left out"),
    ("bcif-cut-short", "BinaryCIF: the file is damaged; what stands before the damage was read"),
  ]

  private static let sdf: [(name: String, summary: String)] = [
    ("sdf-atom-unreadable", "SDF: an atom line has no coordinates and was left out"),
    ("sdf-bond-unreadable", "SDF: a bond line names no two atoms and was left out"),
    ("sdf-charge-unreadable", "SDF: a charge is none; 0 was taken"),
    ("sdf-columns-free", "SDF: an atom's fields are not in their columns and were split at blanks"),
    ("sdf-counts-unreadable", "SDF: a record does not count its atoms and bonds and was left out"),
    ("sdf-element-unknown", "SDF: an element symbol is none; the atom is kept as unknown"),
    ("sdf-flat", "SDF: the coordinates are those of a drawing"),
    ("sdf-property-unreadable", "SDF: a property line names no atom and was ignored"),
    ("sdf-table-short", "SDF: a table ends before its last line"),
  ]

  private static let xyz: [(name: String, summary: String)] = [
    ("xyz-atom-unreadable", "XYZ: an atom line has no coordinates and was left out"),
    ("xyz-count-unreadable", "XYZ: a frame does not begin with its number of atoms; what follows was not read"),
    ("xyz-element-guessed", "XYZ: an element is told by the first letter of a label"),
    ("xyz-element-unknown", "XYZ: an element symbol is none; the atom is kept as unknown"),
    ("xyz-frame-short", "XYZ: a frame has fewer atoms than it announces"),
  ]
}
