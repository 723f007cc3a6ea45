internal import CDigest

/// The SHA-256 digest of bytes, computed at once or in pieces.
///
/// ```swift
/// var hash = SHA256()
/// hash.update(first)
/// hash.update(second)
/// let digest = hash.finish()
/// ```
///
/// - Source: FIPS PUB 180-4, sections 4.1.2, 4.2.2, 5 and 6.2.
public struct SHA256: Sendable {
  /// Not a vector: an asynchronous function that holds one of 32 bytes overwrites memory, with Swift 6.3.
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// The bytes that do not fill a block of 64 yet.
  private var tail: [UInt8] = []
  private var byteCount: UInt64 = 0

  /// Creates a digest without any bytes.
  public init() {}

  /// Returns the digest as 64 hexadecimal digits.
  ///
  /// - Complexity: linear.
  public static func hexadecimal(of bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(bytes)
    return Hexadecimal.text(hash.finish())
  }

  /// Appends bytes to the message.
  public mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { update($0) }
  }

  /// Appends bytes to the message.
  public mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) {
    byteCount += UInt64(bytes.count)
    var start = 0
    if !tail.isEmpty {
      start = min(64 - tail.count, bytes.count)
      tail.append(contentsOf: bytes[..<start])
      if tail.count < 64 { return }
      let block = tail
      block.withUnsafeBufferPointer { add($0, from: 0, upTo: 64) }
      tail.removeAll(keepingCapacity: true)
    }
    let end = start + (bytes.count - start) / 64 * 64
    add(bytes, from: start, upTo: end)
    tail.append(contentsOf: bytes[end...])
  }

  /// Completes the digest.
  ///
  /// - Returns: 32 bytes.
  public consuming func finish() -> [UInt8] {
    var end = tail
    end.append(0x80)
    while end.count % 64 != 56 { end.append(0) }
    let bitCount = byteCount * 8
    for shift in stride(from: 56, through: 0, by: -8) {
      end.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift)))
    }
    end.withUnsafeBufferPointer { add($0, from: 0, upTo: $0.count) }
    return state.flatMap { word in
      stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, upTo end: Int) {
    guard end > start, let base = bytes.baseAddress else { return }
    state.withUnsafeMutableBufferPointer { digest_add($0.baseAddress, base + start, (end - start) / 64) }
  }
}
