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

  private enum Code {
    static let unknown = DeclaredError(
      "wsabi.unknown-export", .unusableInput, "the file or folder to import is not an export")
    static let damaged = DeclaredError(
      "wsabi.damaged-export", .unusableInput, "an export is not as it was written; nothing was imported")
    static let tooLarge = DeclaredError(
      "wsabi.export-too-large", .refused, "an export does not fit into the archive")
    /// A file that does not exist is reported as not found.
    static let (file, noFile) = (
      DeclaredError("wsabi.export-file", .failure, "a file of an export cannot be written or read"),
      DeclaredError("wsabi.export-file", .notFound, "a file of an export cannot be written or read")
    )
    static let exists = DeclaredError("wsabi.export-exists", .refused, "an export would replace something")
    static let alreadyThere = DeclaredError(
      "wsabi.already-there", .refused, "a capture of an export is in the store already")
  }

  /// The stable codes.
  static let errorCodes = [Code.unknown, Code.damaged, Code.tooLarge, Code.file, Code.exists, Code.alreadyThere].map(
    \.catalogueEntry)

  private static let again = "get the export again, whole; nothing was imported"

  var report: ErrorReport {
    switch self {
    case .unknownExport(let path):
      Code.unknown(
        "'\(path)' is not an export that can be read",
        advice: "name a folder, a ZIP or an AN2K file that 'wsabi export' wrote")
    case .badManifest(let place):
      Code.damaged("the manifest of the export is wrong at '\(place)'", advice: Self.again)
    case .badFile(let name, let reason):
      Code.damaged("'\(name)' of the export is not as it was written: \(reason)", advice: Self.again)
    case .missingFile(let name): Code.damaged("'\(name)' of the export is not there", advice: Self.again)
    case .strangeFile(let name):
      Code.damaged(
        "'\(name)' does not belong to the export", advice: "remove it if you know it; nothing was imported")
    case .badArchive(let reason): Code.damaged("the ZIP archive cannot be read: \(reason)", advice: Self.again)
    case .tooLarge(let what, let limit):
      Code.tooLarge("\(what) is larger than \(limit) bytes", advice: "export a folder, with '--format json'")
    case .file(let path, let number, let reason):
      // 2 is ENOENT.
      (number == 2 ? Code.noFile : Code.file)(
        "'\(path)' cannot be used: \(reason)", advice: "look at the path, the folder and the room on the disk")
    case .targetExists(let path):
      Code.exists("there is something at '\(path)' already", advice: "name another place")
    case .alreadyThere(let person, let item):
      Code.alreadyThere(
        "a capture of the export is in the store already, as item \(item) of person \(person)",
        advice: "nothing was imported; delete that person first if the export shall replace them")
    }
  }
}
