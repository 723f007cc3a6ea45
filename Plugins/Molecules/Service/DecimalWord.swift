/// Numbers of at most eight characters, read as one machine word: no loop, and no branch that depends on how long they are.
///
/// The word holds the text as memory does (first character in the lowest byte), moved to its end: the last character stands in
/// the highest byte, blanks fill the bytes before the first. Anything but blanks, a minus sign, digits and one point before the
/// last digit gives nil, and is left to ``NumberText``.
/// - Source: the digit steps are those of D. Lemire, "Quickly parsing eight digits", 2018; bytes equal to a given one are found
///   as in H. S. Warren, Hacker's Delight, 2nd edition, section 6-1.
enum DecimalWord {
  private static let lowBits: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
  private static let blanks: UInt64 = 0x2020_2020_2020_2020

  /// The eight bytes at an address.
  @inline(__always)
  static func load(_ address: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(address).loadUnaligned(as: UInt64.self))
  }

  /// The last bytes of a word, blanks before them.
  ///
  /// - Parameter count: how many, 1...8.
  @inline(__always)
  static func last(_ count: Int, of word: UInt64) -> UInt64 {
    let others = 1 &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count) &- 1
    return (word & ~others) | (blanks & others)
  }

  /// The number, exactly rounded; nil when it takes another reader to tell.
  @inline(__always)
  static func number(_ word: UInt64) -> Double? {
    let minus = zeroBytes(word ^ 0x2D2D_2D2D_2D2D_2D2D)
    var digits = word ^ ((minus >> 7) &* 0x0D)
    let blank = zeroBytes(digits ^ blanks)
    let point = zeroBytes(digits ^ 0x2E2E_2E2E_2E2E_2E2E)
    let fill = (blank >> 7) &* 0xFF
    var wrong = misplaced(fill: fill, minus: minus) | (blank | point) >> 63 | (point & (point &- 1))
    digits ^= fill & 0x1010_1010_1010_1010
    var decimals = 0
    if point != 0 {
      let below = point >> 7 &- 1
      digits = (digits & below) << 8 | 0x30 | (digits & ~(below << 8 | 0xFF))
      decimals = 7 - point.trailingZeroBitCount >> 3
    }
    wrong |= notDigits(digits)
    guard wrong == 0 else { return nil }
    let whole = Double(Int32(truncatingIfNeeded: eightDigits(digits)))
    let value = decimals == 3 ? whole / 1000 : decimals == 2 ? whole / 100 : whole / NumberText.power(decimals)
    return Double(bitPattern: value.bitPattern ^ (minus == 0 ? 0 : 1 << 63))
  }

  /// The integer; nil when it takes another reader to tell.
  @inline(__always)
  static func integer(_ word: UInt64) -> Int? {
    let minus = zeroBytes(word ^ 0x2D2D_2D2D_2D2D_2D2D)
    var digits = word ^ ((minus >> 7) &* 0x0D)
    let blank = zeroBytes(digits ^ blanks)
    let fill = (blank >> 7) &* 0xFF
    digits ^= fill & 0x1010_1010_1010_1010
    guard misplaced(fill: fill, minus: minus) | blank >> 63 | notDigits(digits) == 0 else { return nil }
    let value = Int(truncatingIfNeeded: eightDigits(digits))
    return minus == 0 ? value : -value
  }

  /// The highest bit of every byte that is zero.
  @inline(__always)
  private static func zeroBytes(_ word: UInt64) -> UInt64 {
    ~(((word & lowBits) &+ lowBits) | word | lowBits)
  }

  /// Not zero if blanks stand elsewhere than before the number, or a minus sign elsewhere than as the last of them.
  @inline(__always)
  private static func misplaced(fill: UInt64, minus: UInt64) -> UInt64 {
    let signGap = minus == 0 ? 0 : (minus << 1 &- 1) ^ fill
    return fill & (fill &+ 1) | signGap
  }

  /// Not zero if a byte is no decimal digit.
  @inline(__always)
  private static func notDigits(_ word: UInt64) -> UInt64 {
    let high: UInt64 = 0xF0F0_F0F0_F0F0_F0F0
    let zeros: UInt64 = 0x3030_3030_3030_3030
    return (word & high ^ zeros) | ((word &+ 0x0606_0606_0606_0606) & high ^ zeros)
  }

  /// The value of eight digits, the first in the lowest byte.
  @inline(__always)
  private static func eightDigits(_ word: UInt64) -> UInt64 {
    let digits = word &- 0x3030_3030_3030_3030
    let pairs = digits &* 10 &+ digits >> 8
    let mask: UInt64 = 0x0000_00FF_0000_00FF
    return ((pairs & mask) &* 0x000F_4240_0000_0064 &+ (pairs >> 16 & mask) &* 0x0000_2710_0000_0001) >> 32
  }
}
