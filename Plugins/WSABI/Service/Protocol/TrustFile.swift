import Glibc
import PluginStore

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

  /// Returns the bytes of a file, or nil and the reason it cannot be read.
  static func bytes(_ path: String) -> (bytes: [UInt8]?, problem: String) {
    do throws(WholeFile.ReadFailure) {
      return (try WholeFile.read(path, limitInBytes: 1 << 20), "")
    } catch {
      return (nil, "\(error.reason)")
    }
  }
}
