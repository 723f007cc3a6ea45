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
    "molecules.unreadable-file", .unusableInput, "the file is no structure in a format that is known")
  private static let fileExists = DeclaredError(
    "molecules.file-exists", .refused, "there is a file of that name already; nothing was written")

  static func file(_ error: FileError) -> ErrorReport {
    switch error {
    case .missing(let path): fileNotFound("there is no file '\(path)'", details: ["file": .text(path)])
    case .refused(let path):
      fileNotPermitted(
        "the file '\(path)' may not be read", advice: "make it readable for you", details: ["file": .text(path)])
    case .notAFile(let path):
      unreadableFile("'\(path)' is no file", advice: "name a structure file", details: ["file": .text(path)])
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
    ErrorCodeDescription("molecules.file-ignored", "a file among the originals is no structure and is left alone"),
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
