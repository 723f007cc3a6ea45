/// The list of documents that make up a snapshot.
struct DatabaseManifest: Sendable, Hashable {
  var snapshot = ""
  var documents: [ManifestDocument] = []
}

/// A document of a snapshot, identified by its content.
struct ManifestDocument: Sendable, Hashable {
  /// The path relative to the manifest: `pools.xml`, `layouts/w-1.xml`.
  var path: String
  /// The SHA-256 digest of its bytes as 64 lowercase hexadecimal digits.
  var sha256: String
  /// Its size in bytes.
  var bytes: Int

  /// The type of the document; nil if the type is not known.
  var type: ContractType? { ContractType(path: path) }
}
