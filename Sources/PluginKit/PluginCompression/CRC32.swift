internal import CZlib

/// The checksum of gzip, ZIP and PNG, computed over bytes that arrive in pieces.
///
/// - Source: RFC 1952, section 8.
@frozen
public struct CRC32: Sendable, Hashable {
  /// The checksum of all bytes so far; 0 for none.
  public private(set) var value: UInt32 = 0

  /// Creates a checksum of no bytes.
  public init() {}

  /// Adds the next bytes.
  public mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
    value = UInt32(truncatingIfNeeded: crc32_z(UInt(value), start, bytes.count))
  }

  /// Adds the next bytes.
  public mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }
}
