import PluginAPI
internal import PluginNet

/// The errors of updating a database, beyond those of documents, network and folder.
enum UpdateError {
  /// The catalog of the errors of updates, including those of the network.
  static let errorCodes = all.map(\.catalogueEntry) + HTTPError.errorCodes

  private static let all: [DeclaredError] = [
    noServer, deadline, file, manifestTooLarge, emptyManifest, listedTwice, otherAddress,
  ]

  // MARK: The source

  static let noServer = DeclaredError(
    "pathcase.no-server", .usage, "no server is set that databases come from: see --server")
  static let otherAddress = DeclaredError(
    "pathcase.other-address", .usage, "databases are fetched over http and https alone")

  static func otherAddress(_ address: String) -> ErrorReport {
    otherAddress(
      "'\(address)' is no address that databases are fetched from",
      advice: "give an address with http:// or https://, a folder or a .tar.gz file")
  }

  static let deadline = DeclaredError(
    "pathcase.net-005", .timedOut, "the update took longer than allowed: nothing was changed")
  static let file = DeclaredError(
    "pathcase.file-unreadable", .unusableInput, "a document of a folder cannot be read")

  /// Returns the error of a file; a path that exists but is not a snapshot counts as unusable input.
  static func file(path: String, reason: SystemReason) -> ErrorReport {
    var report = file(
      "'\(path)' cannot be read: \(reason)",
      advice: "name a snapshot: a folder, a .tar.gz file or an http address", details: ["file": .text(path)])
    if reason.kind != .failure { report.kind = reason.kind }
    return report
  }

  // MARK: The manifest and the documents

  static let manifestTooLarge = DeclaredError(
    "pathcase.manifest-too-large", .unusableInput, "the manifest lists more documents or bytes than are fetched")
  static let emptyManifest = DeclaredError(
    "pathcase.manifest-empty", .unusableInput, "the manifest lists no document of a known type")
  static let listedTwice = DeclaredError(
    "pathcase.listed-twice", .unusableInput, "the manifest lists a document twice")

  private static let damagedAtHand = DeclaredError(
    "pathcase.store-damaged", .failure, "a database file is damaged: roll back, or fetch it anew")

  /// Returns the error of a document of the active database that is no longer as it was fetched.
  static func damagedAtHand(document: String) -> ErrorReport {
    damagedAtHand(
      "'\(document)' of the database in use is damaged", advice: "'update' without '--only' fetches it anew",
      details: ["document": .text(document)])
  }
}
