import PluginAPI
internal import PluginText

/// The reasons for which documents do not match the snapshot in their manifest.
enum SnapshotError: Error, Equatable, ReportableError {
  /// The size of a document differs from the manifest.
  case size(document: String, found: Int, expected: Int)
  /// The digest of a document differs from the manifest.
  case digest(document: String)
  /// A document belongs to another state of the database.
  case mixed(document: String, found: String, expected: String)

  /// Compares a document with its entry in the manifest.
  static func check(_ bytes: [UInt8], against entry: ManifestDocument) throws(SnapshotError) {
    if bytes.count != entry.bytes {
      throw .size(document: entry.path, found: bytes.count, expected: entry.bytes)
    }
    if SHA256.hexadecimal(of: bytes) != entry.sha256 { throw .digest(document: entry.path) }
  }

  /// Returns whether the bytes of a cached document are still those that were fetched.
  static func isWhole(_ document: FetchedDocument) -> Bool {
    (try? check(document.bytes, against: document.entry)) != nil
  }

  var report: ErrorReport {
    let (document, message) =
      switch self {
      case .size(let document, let found, let expected):
        (document, "'\(document)' has \(found) bytes instead of the \(expected) of the manifest")
      case .digest(let document): (document, "'\(document)' does not have the digest in the manifest")
      case .mixed(let document, let found, let expected):
        (document, "'\(document)' belongs to the snapshot '\(found)' instead of '\(expected)'")
      }
    return Self.mismatch(
      message, advice: "the database changed during the download, or the download was incomplete; try again",
      details: ["document": .text(document)], isRetryable: true)
  }

  static let mismatch = DeclaredError(
    "pathcase.net-003", .unusableInput, "documents do not match their manifest or each other: try again")
}
