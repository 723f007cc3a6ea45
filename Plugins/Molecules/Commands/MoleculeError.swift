import PluginAPI

/// What can go wrong when a molecule is asked for.
enum MoleculeError: Error, Equatable, ReportableError {
  /// No molecule of the library is meant by the word.
  case unknown(String, nearest: String?, isEmpty: Bool)
  /// Several are meant.
  case ambiguous(String, ids: [Int])
  /// A file could not be read.
  case file(FileError)
  /// A file could be read but not understood.
  case unreadable(path: String, reason: String)
  /// There is no such model.
  case unknownModel(Int, count: Int)
  /// Of several files some could not be imported.
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
    case .unreadable(let path, let reason):
      ErrorReport(
        code: "molecules.unreadable-file", kind: .unusableInput, "'\(path)' cannot be read as a structure: \(reason)",
        details: ["file": .text(path)])
    case .unknownModel(let number, let count):
      ErrorReport(
        code: "molecules.unknown-model", kind: .notFound, "there is no model \(number)",
        advice: count == 1 ? "the molecule has one model" : "models are 1 to \(count)",
        details: ["model": .integer(number), "models": .integer(count)])
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
        advice: "name a PDB or mmCIF file", details: ["file": .text(path)])
    case .tooLarge(let path, let limit):
      ErrorReport(
        code: "molecules.unreadable-file", kind: .unusableInput, "'\(path)' is larger than \(limit >> 30) GiB",
        details: ["file": .text(path)])
    case .failed(let path, let reason):
      ErrorReport(
        code: "molecules.unreadable-file", kind: .unusableInput, "'\(path)' cannot be read: \(reason)",
        details: ["file": .text(path)])
    }
  }

  /// The stable codes of this plugin's errors.
  static let codes = [
    ErrorCodeDescription("molecules.unknown-molecule", "no molecule of the library has that number, code or title"),
    ErrorCodeDescription("molecules.ambiguous-molecule", "several molecules have that code or title: use the number"),
    ErrorCodeDescription("molecules.unknown-model", "the molecule has fewer models"),
    ErrorCodeDescription("molecules.file-not-found", "there is no such file"),
    ErrorCodeDescription("molecules.file-not-permitted", "the file may not be read: change its permissions"),
    ErrorCodeDescription("molecules.unreadable-file", "the file is no structure in a format that is known"),
    ErrorCodeDescription("molecules.original-not-kept", "the imported file could not be kept beside the library"),
    ErrorCodeDescription("molecules.original-not-removed", "the file of a deleted molecule could not be removed"),
    ErrorCodeDescription("molecules.original-unreadable", "the kept file of a molecule could not be read"),
    ErrorCodeDescription("molecules.original-missing", "the kept file of a molecule is gone"),
    ErrorCodeDescription("molecules.original-changed", "the kept file of a molecule is not what was imported"),
    ErrorCodeDescription("molecules.file-ignored", "a file among the originals is no structure and is left alone"),
    ErrorCodeDescription(
      "molecules.original-not-read-anew", "the original cannot be read anew; what was read before stays"),
    ErrorCodeDescription("molecules.already-imported", "the file is in the library already and was read anew"),
  ]
}
