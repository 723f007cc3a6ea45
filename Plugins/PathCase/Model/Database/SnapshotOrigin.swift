/// The origin of a snapshot.
struct SnapshotOrigin: Sendable, Hashable {
  /// The SHA-256 digest of its manifest as 64 lowercase hexadecimal digits.
  var sha256: String
  /// The address or folder from which it was fetched.
  var source: String
  /// The time at which it was fetched, in seconds since 1970-01-01 UTC.
  var fetchedAt: Int
  /// The entity tag of the manifest, for conditional requests; nil if the service sent none.
  ///
  /// - Source: RFC 9110, section 8.8.3 (entity tags).
  var tag: String?
}

/// A document as it was fetched, cached so that the next update need not fetch it again.
struct FetchedDocument: Sendable, Hashable {
  var entry: ManifestDocument
  var bytes: [UInt8]
}
