/// Where a snapshot came from.
struct SnapshotOrigin: Sendable, Hashable {
  /// The digest of its manifest, 64 small hexadecimal digits.
  var sha256: String
  /// The address or folder it was fetched from.
  var source: String
  /// When it was fetched, in seconds since the beginning of 1970 (UTC).
  var fetchedAt: Int
  /// What the service calls this state of the manifest, to ask whether there is another; nil if it says nothing.
  ///
  /// - Source: RFC 9110, section 8.8.3 (entity tags).
  var tag: String?
}

/// A document as it was fetched, kept so that the next update need not fetch it again.
struct FetchedDocument: Sendable, Hashable {
  var entry: ManifestDocument
  var bytes: [UInt8]
}
