import PluginAPI

/// The reason an export was not written, or is not imported.
enum ExchangeError {
  private static let unknownExport = DeclaredError(
    "wsabi.unknown-export", .unusableInput, "the file or folder is not an export")
  static func unknownExport(path: String) -> ErrorReport {
    unknownExport("'\(path)' is not an export", advice: "give a folder, ZIP or AN2K file that 'wsabi export' wrote")
  }
  private static let damagedExport = DeclaredError(
    "wsabi.damaged-export", .unusableInput, "an export is damaged; nothing was imported")
  static func badManifest(location: String) -> ErrorReport {
    damagedExport("the manifest of the export is wrong at '\(location)'", advice: again)
  }
  /// A file of the export is not as it was written; why.
  static func badFile(_ name: String, reason: String) -> ErrorReport {
    damagedExport("'\(name)' of the export is damaged: \(reason)", advice: again)
  }
  /// A file of the export is not there.
  static func missingFile(_ name: String) -> ErrorReport {
    damagedExport("'\(name)' of the export is missing", advice: again)
  }
  /// A file that the export does not list.
  static func strangeFile(_ name: String) -> ErrorReport {
    damagedExport(
      "'\(name)' does not belong to the export", advice: "remove the file and import again; nothing was imported")
  }
  /// The archive is malformed, or uses an unsupported feature; the payload is the reason.
  static func badArchive(reason: String) -> ErrorReport {
    damagedExport("cannot read the ZIP archive: \(reason)", advice: again)
  }
  private static let tooLarge = DeclaredError(
    "wsabi.export-too-large", .refused, "an export is too large for the archive")
  static func tooLarge(_ what: String, limitInBytes limit: Int) -> ErrorReport {
    tooLarge("\(what) is larger than \(limit) bytes", advice: "export to a folder with '--format json'")
  }
  private static let file = DeclaredError("wsabi.export-file", .failure, "cannot read or write a file of an export")
  /// A file or folder cannot be written or read; the number is that of the system's error.
  static func file(path: String, number: Int32, reason: String) -> ErrorReport {
    var report = file("cannot use '\(path)': \(reason)", advice: "check the path, the folder and the free space")
    // 2 is ENOENT.
    if number == 2 { report.kind = .notFound }
    return report
  }
  private static let targetExists = DeclaredError(
    "wsabi.export-exists", .refused, "an export would replace a file or folder")
  static func targetExists(path: String) -> ErrorReport {
    targetExists("'\(path)' already exists", advice: "choose another path")
  }
  private static let alreadyThere = DeclaredError(
    "wsabi.already-there", .refused, "a capture of an export is already in the store")
  static func alreadyThere(person: Int, item: Int) -> ErrorReport {
    alreadyThere(
      "a capture of the export is already in the store, as item \(item) of person \(person)",
      advice: "nothing was imported; to replace that person, delete it first")
  }

  /// The stable codes.
  static let errorCodes = [unknownExport, damagedExport, tooLarge, file, targetExists, alreadyThere].map(
    \.catalogueEntry)

  private static let again = "get a complete copy of the export; nothing was imported"
}
