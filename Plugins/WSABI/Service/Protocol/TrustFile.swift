import Glibc

/// Files with certificates and keys, stored with a sensor by their absolute path, as a later run may start in another
/// folder.
enum TrustFile {
  /// Returns the absolute path of a file.
  ///
  /// - Throws: ``AddressError/file(_:)`` if there is none, or it cannot be read.
  static func path(_ text: String) throws(AddressError) -> String {
    guard let whole = realpath(text, nil) else { throw .file(text) }
    defer { free(whole) }
    guard access(whole, R_OK) == 0 else { throw .file(text) }
    return String(cString: whole)
  }
}
