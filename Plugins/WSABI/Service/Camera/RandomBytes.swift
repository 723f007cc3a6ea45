import Glibc

/// Numbers by chance from the system.
enum RandomBytes {
  /// Bytes that nobody can guess; nil if the system gives none.
  static func bytes(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return getentropy(&bytes, count) == 0 ? bytes : nil
  }

  /// A number that nobody can guess; nil if the system gives none.
  static func number() -> UInt64? { bytes(8)?.reduce(0) { $0 << 8 | UInt64($1) } }
}
