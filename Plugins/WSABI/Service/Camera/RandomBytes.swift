import Glibc

/// Random numbers from the system.
enum RandomBytes {
  /// Returns unpredictable bytes; nil if the system delivers none.
  static func bytes(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return getentropy(&bytes, count) == 0 ? bytes : nil
  }

  /// Returns an unpredictable number; nil if the system delivers none.
  static func number() -> UInt64? { bytes(8)?.reduce(0) { $0 << 8 | UInt64($1) } }
}
