/// The SHA-256 digest of bytes, given at once or piece by piece.
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
  private var state = SIMD8<UInt32>(
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)
  /// Bytes that fill no block of 64 yet.
  private var tail: [UInt8] = []
  private var byteCount: UInt64 = 0

  /// Creates the digest of no bytes yet.
  public init() {}

  /// The digest as 64 hexadecimal digits.
  ///
  /// - Complexity: linear.
  public static func hexadecimal(of bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(bytes)
    return hexadecimalDigits(hash.finish())
  }

  /// Bytes as hexadecimal digits, two for each.
  public static func hexadecimalDigits(_ digest: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Adds bytes behind those before.
  public mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { update($0) }
  }

  /// Adds bytes behind those before.
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

  /// Ends the digest.
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
    return state.indices.flatMap { index in
      stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: state[index] >> UInt32($0)) }
    }
  }

  private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, upTo end: Int) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
      for start in stride(from: start, to: end, by: 64) { addBlock(bytes, start, schedule) }
    }
  }

  private mutating func addBlock(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ schedule: UnsafeMutableBufferPointer<UInt32>
  ) {
    let block = UnsafeRawBufferPointer(bytes)
    for index in 0..<16 {
      schedule[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: start + 4 * index, as: UInt32.self))
    }
    for index in 16..<64 {
      let (near, far) = (schedule[index - 2], schedule[index - 15])
      let small1 = near.turned(17) ^ near.turned(19) ^ near >> 10
      let small0 = far.turned(7) ^ far.turned(18) ^ far >> 3
      schedule[index] = small1 &+ schedule[index - 7] &+ small0 &+ schedule[index - 16]
    }
    mix(schedule)
  }

  private mutating func mix(_ schedule: UnsafeMutableBufferPointer<UInt32>) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    Self.constants.withUnsafeBufferPointer { constants in
      for index in 0..<64 {
        let big1 = e.turned(6) ^ e.turned(11) ^ e.turned(25)
        let choice = (e & f) ^ (~e & g)
        let first = h &+ big1 &+ choice &+ constants[index] &+ schedule[index]
        let big0 = a.turned(2) ^ a.turned(13) ^ a.turned(22)
        let majority = (a & b) ^ (a & c) ^ (b & c)
        (h, g, f, e) = (g, f, e, d &+ first)
        (d, c, b, a) = (c, b, a, first &+ big0 &+ majority)
      }
    }
    state &+= SIMD8(a, b, c, d, e, f, g, h)
  }

  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}

extension UInt32 {
  /// The bits turned to the right.
  fileprivate func turned(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}
