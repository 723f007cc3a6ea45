/// A network that the user imported from a file, without the file's bytes.
struct ImportedNetwork: Sendable, Hashable {
  /// The id that names it in commands; unique among the imported networks.
  var id: Identifier
  /// The display name.
  var name: String
  /// The format of the file, as shown by `info`.
  var format: String
  /// The name of the file, without folders.
  var file: String
  /// The SHA-256 digest of its bytes as 64 lowercase hexadecimal digits.
  var sha256: String
  /// The time of the import, in seconds since 1970-01-01 UTC.
  var importedAt: Int
}
