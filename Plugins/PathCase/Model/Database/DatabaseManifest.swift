/// Which documents make up a snapshot.
struct DatabaseManifest: Sendable, Hashable {
  var snapshot = ""
  var documents: [ManifestDocument] = []
}

/// A document of a snapshot, by its content.
struct ManifestDocument: Sendable, Hashable {
  /// Where it is, seen from the manifest: `pools.xml`, `layouts/w-1.xml`.
  var path: String
  /// The digest of its bytes, 64 small hexadecimal digits.
  var sha256: String
  /// Its size in bytes.
  var bytes: Int

  /// What it is about; nil for a document that no rule here knows.
  var type: ContractType? { ContractType(path: path) }
}
