import PluginAPI

/// An error in accessing a molecule.
enum MoleculeError: Error, Equatable, ReportableError {
  /// The word denotes no molecule of the library.
  case unknown(String, nearest: String?, isEmpty: Bool)
  /// The word denotes several molecules.
  case ambiguous(String, ids: [Int])
  /// A file could not be read.
  case file(FileError)
  /// A file could be read but not parsed.
  case unreadable(path: String, reason: String, place: FilePlace = .whole)
  /// The content of a compressed file is larger than the limit.
  case contentTooLarge(path: String, limitInBytes: Int)
  /// A file of a known format has no atoms with coordinates.
  case noCoordinates(path: String, reason: String)
  /// A molecule cannot be written in a format.
  case notWritable(format: String, reason: String)
  /// Several molecules were given for a format that holds one.
  case oneMolecule(format: String)
  /// Neither a format nor a file name with a known extension was given.
  case formatMissing([String])
  /// A folder has no database of the original application.
  case noDatabase(path: String)
  /// The model does not exist.
  case unknownModel(Int, count: Int)
  /// The word for a model is not a number.
  case unreadableModel(String)
  /// There are no copies of that name.
  case unknownAssembly(String, known: [String])
  /// A picture or animation has too many pixels.
  case pictureTooLarge(width: Int, height: Int, frames: Int)
  /// A selection has an error.
  case selection(String, SelectionError)
  /// A selection has no atoms where some are needed.
  case emptySelection(String)
  /// An implausible number of atoms is at one position.
  case crowded(atom: String, count: Int)
  /// The angle is undefined, since its points coincide or are collinear.
  case undefinedMeasurement(MeasuredQuantity)
  /// The structure to superpose on is missing.
  case missingSecond
  /// Two structures cannot be superposed.
  case superposition(SuperpositionError)
  /// Some of several files could not be imported.
  case notAllImported(failed: [String], imported: Int, first: ErrorReport)

  var report: ErrorReport {
    switch self {
    case .unknown(let word, let nearest, let isEmpty):
      ErrorReport(
        code: "molecules.unknown-molecule", kind: .notFound, "there is no molecule or file '\(word)'",
        advice: nearest.map { "did you mean '\($0)'?" }
          ?? (isEmpty
            ? "the library is empty; 'workbench molecules import FILE' fills it"
            : "'workbench molecules list' shows the molecules there are"),
        details: ["molecule": .text(word)])
    case .ambiguous(let word, let ids):
      ErrorReport(
        code: "molecules.ambiguous-molecule", kind: .usage, "'\(word)' means \(ids.count) molecules",
        advice: "name one by its number: " + ids.map(String.init).joined(separator: ", "),
        details: ["molecule": .text(word), "ids": .list(ids.map(Value.integer))])
    case .file(let error): Self.report(error)
    case .unreadable(let path, let reason, let place):
      ErrorReport(
        code: "molecules.unreadable-file", kind: .unusableInput,
        "'\(place.text(in: path))' cannot be read as a structure: \(reason)",
        details: Record([.init("file", .text(path))] + place.details))
    case .contentTooLarge(let path, let limit):
      ErrorReport(
        code: "molecules.content-too-large", kind: .unusableInput,
        "'\(path)' has more than \(limit >> 20) MiB of uncompressed content",
        advice: "if you trust the file, raise the limit: 'workbench config set molecules.content-limit 2047'",
        details: ["file": .text(path), "limitInBytes": .integer(limit)])
    case .noCoordinates(let path, let reason):
      ErrorReport(
        code: "molecules.no-coordinates", kind: .unusableInput, "'\(path)' has no coordinates of atoms: \(reason)",
        details: ["file": .text(path)])
    case .notWritable(let format, let reason):
      ErrorReport(
        code: "molecules.not-writable", kind: .unusableInput, "the molecule cannot be written as \(format): \(reason)")
    case .oneMolecule(let format):
      ErrorReport(
        code: "molecules.one-molecule", kind: .usage, "a file of format '\(format)' takes one molecule",
        advice: "export them one by one, or with --format sql-1.2")
    case .formatMissing(let formats):
      ErrorReport(
        code: "molecules.format-missing", kind: .usage, "neither --format nor the file's name tells the format",
        advice: "give --format with one of " + formats.joined(separator: ", "))
    case .noDatabase(let path):
      ErrorReport(
        code: "molecules.no-database", kind: .unusableInput, "the folder '\(path)' has no 'molecules.sql'",
        advice: "name files, or the Documents folder of the original program", details: ["folder": .text(path)])
    case .unknownModel(let number, let count):
      ErrorReport(
        code: "molecules.unknown-model", kind: .notFound, "there is no model \(number)",
        advice: count == 1 ? "the molecule has one model" : "models are 1 to \(count)",
        details: ["model": .integer(number), "models": .integer(count)])
    case .unreadableModel(let word):
      ErrorReport(
        code: "molecules.unknown-model", kind: .usage, "'\(word)' is no model",
        advice: "give a number from 1 on, or 'all'", details: ["model": .text(word)])
    case .unknownAssembly(let word, let known):
      ErrorReport(
        code: "molecules.unknown-assembly", kind: .notFound, "there is no assembly '\(word)'",
        advice: "there are " + known.map { "'\($0)'" }.joined(separator: ", "), details: ["assembly": .text(word)])
    case .pictureTooLarge(let width, let height, let frames):
      ErrorReport(
        code: "molecules.picture-too-large", kind: .usage,
        frames == 1
          ? "a picture of \(width)×\(height) pixels is larger than is drawn"
          : "\(frames) pictures of \(width)×\(height) pixels are more than is drawn",
        advice: "a side has at most 16384 pixels, and all together at most 67108864",
        details: ["width": .integer(width), "height": .integer(height), "frames": .integer(frames)])
    case .selection(let text, let error):
      ErrorReport(
        code: "molecules.unreadable-selection", kind: .usage, error.message, advice: error.advice,
        details: ["selection": .text(text), "column": .optional(error.column)])
    case .emptySelection(let text):
      ErrorReport(
        code: "molecules.empty-selection", kind: .notFound, "the selection '\(text)' has no atoms",
        advice: "chain names are case-sensitive; 'chains' and 'atoms' show what there is",
        details: ["selection": .text(text)])
    case .crowded(let atom, let count):
      ErrorReport(
        code: "molecules.crowded-atoms", kind: .unusableInput,
        "\(count) atoms lie within \(Int(AtomCrowd.radius)) angstrom of atom '\(atom)', more than matter can hold",
        advice: "the coordinates are not a structure; draw it or see 'workbench molecules atoms' to find the fault",
        details: ["atom": .text(atom), "atoms": .integer(count)])
    case .undefinedMeasurement(let measurement):
      ErrorReport(
        code: "molecules.undefined-angle", kind: .unusableInput, "the \(measurement.rawValue) is not defined there",
        advice: "choose points that do not lie on each other, for a dihedral not on a line either")
    case .missingSecond:
      ErrorReport(
        code: "molecules.missing-second", kind: .usage, "there is no molecule to be superposed on",
        advice: "name a second one, or give '--models' to superpose the models of one")
    case .superposition(let error):
      ErrorReport(
        code: "molecules.not-superposable", kind: .unusableInput, error.message, advice: error.advice)
    case .notAllImported(let failed, let imported, let first):
      ErrorReport(
        code: first.code, kind: first.kind,
        "\(failed.count) of \(failed.count + imported) files could not be imported; the first: \(first.message)",
        advice: first.advice, details: ["failed": .list(failed.map(Value.text)), "imported": .integer(imported)])
    }
  }

  private static func report(_ error: FileError) -> ErrorReport {
    switch error {
    case .missing(let path):
      ErrorReport(
        code: "molecules.file-not-found", kind: .notFound, "there is no file '\(path)'", details: ["file": .text(path)])
    case .refused(let path):
      ErrorReport(
        code: "molecules.file-not-permitted", kind: .refused, "the file '\(path)' may not be read",
        advice: "make it readable for you", details: ["file": .text(path)])
    case .notAFile(let path):
      ErrorReport(
        code: "molecules.unreadable-file", kind: .unusableInput, "'\(path)' is no file",
        advice: "name a structure file", details: ["file": .text(path)])
    case .tooLarge(let path, let limit):
      ErrorReport(
        code: "molecules.unreadable-file", kind: .unusableInput, "'\(path)' is larger than \(limit >> 30) GiB",
        advice: "no setting raises this limit; export the part you need with the program the file is from",
        details: ["file": .text(path)])
    case .exists(let path):
      ErrorReport(
        code: "molecules.file-exists", kind: .refused, "there is a file '\(path)' already",
        advice: "name another with --output, or that one to replace it", details: ["file": .text(path)])
    case .failed(let path, let reason):
      ErrorReport(
        code: "molecules.unreadable-file", kind: .unusableInput, "'\(path)' cannot be used: \(reason)",
        details: ["file": .text(path)])
    }
  }

  /// The stable codes of this plugin's errors.
  static let codes = [
    ErrorCodeDescription("molecules.unknown-molecule", "no molecule of the library has that number, code or title"),
    ErrorCodeDescription("molecules.ambiguous-molecule", "several molecules have that code or title: use the number"),
    ErrorCodeDescription("molecules.unknown-model", "the molecule has fewer models"),
    ErrorCodeDescription("molecules.unknown-assembly", "the file states no assembly of that name, or no crystal"),
    ErrorCodeDescription("molecules.picture-too-large", "a picture or animation has too many pixels"),
    ErrorCodeDescription("molecules.file-not-found", "there is no such file"),
    ErrorCodeDescription("molecules.file-not-permitted", "the file may not be read: change its permissions"),
    ErrorCodeDescription("molecules.unreadable-file", "the file is no structure in a format that is known"),
    ErrorCodeDescription(
      "molecules.content-too-large", "the uncompressed content is above the setting 'content-limit'"),
    ErrorCodeDescription("molecules.no-coordinates", "the file's format is known, but it has no coordinates of atoms"),
    ErrorCodeDescription("molecules.file-exists", "there is a file of that name already; nothing was written"),
    ErrorCodeDescription("molecules.not-writable", "the format has no room for something of the molecule"),
    ErrorCodeDescription("molecules.one-molecule", "a file of that format takes one molecule"),
    ErrorCodeDescription("molecules.format-missing", "neither an option nor the file's name tells the format"),
    ErrorCodeDescription("molecules.no-database", "the folder has no database of the original program"),
    ErrorCodeDescription("molecules.original-not-kept", "the imported file could not be kept beside the library"),
    ErrorCodeDescription("molecules.original-not-removed", "the file of a deleted molecule could not be removed"),
    ErrorCodeDescription("molecules.original-unreadable", "the kept file of a molecule could not be read"),
    ErrorCodeDescription("molecules.original-missing", "the kept file of a molecule is gone"),
    ErrorCodeDescription("molecules.original-changed", "the kept file of a molecule is not what was imported"),
    ErrorCodeDescription("molecules.file-ignored", "a file among the originals is no structure and is left alone"),
    ErrorCodeDescription("molecules.unreadable-selection", "the selection cannot be read: its column tells where"),
    ErrorCodeDescription("molecules.empty-selection", "the selection has no atoms in the molecule"),
    ErrorCodeDescription("molecules.crowded-atoms", "more atoms lie at one place than matter can hold"),
    ErrorCodeDescription("molecules.undefined-angle", "points of an angle lie on each other or on a line"),
    ErrorCodeDescription("molecules.missing-second", "'superpose' takes two molecules, or '--models'"),
    ErrorCodeDescription("molecules.not-superposable", "the structures have no residues, or too few atoms, in common"),
    ErrorCodeDescription(
      "molecules.ambiguous-rotation", "the superposed atoms lie on a line or are one: any turn fits"),
    ErrorCodeDescription(
      "molecules.original-not-read-anew", "the original cannot be read anew; what was read before stays"),
    ErrorCodeDescription("molecules.already-imported", "the file is in the library already and was read anew"),
  ]
}
