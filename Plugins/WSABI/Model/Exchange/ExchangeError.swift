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
      "wsabi.unknown-export", .unusableInput, "the file or folder is not an export")
    static let damaged = DeclaredError(
      "wsabi.damaged-export", .unusableInput, "an export is damaged; nothing was imported")
    static let tooLarge = DeclaredError(
      "wsabi.export-too-large", .refused, "an export is too large for the archive")
    /// A file that does not exist is reported as not found.
    static let (file, noFile) = (
      DeclaredError("wsabi.export-file", .failure, "cannot read or write a file of an export"),
      DeclaredError("wsabi.export-file", .notFound, "cannot read or write a file of an export")
    )
    static let exists = DeclaredError("wsabi.export-exists", .refused, "an export would replace a file or folder")
    static let alreadyThere = DeclaredError(
      "wsabi.already-there", .refused, "a capture of an export is already in the store")
  }

  /// The stable codes.
  static let errorCodes = [Code.unknown, Code.damaged, Code.tooLarge, Code.file, Code.exists, Code.alreadyThere].map(
    \.catalogueEntry)

  private static let again = "get a complete copy of the export; nothing was imported"

  var report: ErrorReport {
    switch self {
    case .unknownExport(let path):
      Code.unknown(
        "'\(path)' is not an export",
        advice: "give a folder, ZIP or AN2K file that 'wsabi export' wrote")
    case .badManifest(let place):
      Code.damaged("the manifest of the export is wrong at '\(place)'", advice: Self.again)
    case .badFile(let name, let reason):
      Code.damaged("'\(name)' of the export is damaged: \(reason)", advice: Self.again)
    case .missingFile(let name): Code.damaged("'\(name)' of the export is missing", advice: Self.again)
    case .strangeFile(let name):
      Code.damaged(
        "'\(name)' does not belong to the export", advice: "remove the file and import again; nothing was imported")
    case .badArchive(let reason): Code.damaged("cannot read the ZIP archive: \(reason)", advice: Self.again)
    case .tooLarge(let what, let limit):
      Code.tooLarge("\(what) is larger than \(limit) bytes", advice: "export to a folder with '--format json'")
    case .file(let path, let number, let reason):
      // 2 is ENOENT.
      (number == 2 ? Code.noFile : Code.file)(
        "cannot use '\(path)': \(reason)", advice: "check the path, the folder and the free space")
    case .targetExists(let path):
      Code.exists("'\(path)' already exists", advice: "choose another path")
    case .alreadyThere(let person, let item):
      Code.alreadyThere(
        "a capture of the export is already in the store, as item \(item) of person \(person)",
        advice: "nothing was imported; to replace that person, delete it first")
    }
  }
}
