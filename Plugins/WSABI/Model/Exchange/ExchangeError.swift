import PluginAPI

/// The reason an export was not written, or is not imported.
enum ExchangeError: Error, Equatable, ReportableError {
  /// Not an export of this plugin, or one in a newer format.
  case unknownExport(path: String)
  /// The manifest has an unexpected value at a place.
  case badManifest(place: String)
  /// A file of the export is not as it was written; why.
  case badFile(String, reason: String)
  /// A file of the export is not there.
  case missingFile(String)
  /// A file that the export does not list.
  case strangeFile(String)
  /// The archive is malformed, or uses an unsupported feature; the payload is the reason.
  case badArchive(reason: String)
  /// More bytes than an archive can hold, or than can be read at once.
  case tooLarge(String, limitInBytes: Int)
  /// A file or folder cannot be written or read; the number is that of the system's error.
  case file(path: String, number: Int32, reason: String)
  /// There is something of that name.
  case targetExists(path: String)
  /// A part of the export is already in the store.
  case alreadyThere(person: Int, item: Int)

  var report: ErrorReport {
    switch self {
    case .unknownExport(let path):
      make(
        "unknown-export", .unusableInput, "'\(path)' is no export that can be read",
        "name a folder, a ZIP or an AN2K file that 'wsabi export' wrote")
    case .badManifest(let place):
      make("damaged-export", .unusableInput, "the manifest of the export is wrong at '\(place)'", Self.again)
    case .badFile(let name, let reason):
      make("damaged-export", .unusableInput, "'\(name)' of the export is not as it was written: \(reason)", Self.again)
    case .missingFile(let name):
      make("damaged-export", .unusableInput, "'\(name)' of the export is not there", Self.again)
    case .strangeFile(let name):
      make(
        "damaged-export", .unusableInput, "'\(name)' does not belong to the export",
        "remove it if you know it; nothing was imported")
    case .badArchive(let reason):
      make("damaged-export", .unusableInput, "the ZIP archive cannot be read: \(reason)", Self.again)
    case .tooLarge(let what, let limit):
      make(
        "export-too-large", .refused, "\(what) is larger than \(limit) bytes", "export a folder, with '--format json'")
    case .file(let path, let number, let reason):
      // 2 is ENOENT.
      make(
        "export-file", number == 2 ? .notFound : .failure, "'\(path)' cannot be used: \(reason)",
        "look at the path, the folder and the room on the disk")
    case .targetExists(let path):
      make("export-exists", .refused, "there is something at '\(path)' already", "name another place")
    case .alreadyThere(let person, let item):
      make(
        "already-there", .refused,
        "a capture of the export is in the store already, as item \(item) of person \(person)",
        "nothing was imported; delete that person first if the export shall replace them")
    }
  }

  private static let again = "get the export again, whole; nothing was imported"

  private func make(_ code: String, _ kind: ErrorReport.Kind, _ message: String, _ advice: String) -> ErrorReport {
    ErrorReport(code: "wsabi." + code, kind: kind, message, advice: advice)
  }

  /// The stable codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("wsabi.unknown-export", "what shall be imported is no export"),
    .init("wsabi.damaged-export", "an export is not as it was written; nothing was imported"),
    .init("wsabi.export-too-large", "an export does not fit into the archive"),
    .init("wsabi.export-file", "a file of an export cannot be written or read"),
    .init("wsabi.export-exists", "an export would replace something"),
    .init("wsabi.already-there", "a capture of an export is in the store already"),
  ]
}
