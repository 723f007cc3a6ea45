/// A network that the user took in from a file, without its bytes.
struct ImportedNetwork: Sendable, Hashable {
  /// Names it in commands; unique among the imported ones.
  var id: Identifier
  /// What it is called.
  var name: String
  /// The format of the file, as `info` says it.
  var format: String
  /// The name of the file, without folders.
  var file: String
  /// The digest of its bytes, 64 small hexadecimal digits.
  var sha256: String
  /// When it was taken in, in seconds since the beginning of 1970 (UTC).
  var importedAt: Int
}
