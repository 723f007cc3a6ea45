/// Numbers in text, read from raw bytes without creating a string.
enum NumberText {
  /// Powers of ten that are exact as Double.
  static let powers: [Double] = (0...22).map { exponent in (0..<exponent).reduce(1.0) { power, _ in power * 10 } }

  /// Returns ten to the power of a number of decimals, 0...22.
  @inline(never)
  static func power(_ decimals: Int) -> Double { powers[decimals] }

  /// The largest plausible number in any field of a structure file, which also fits a Float.
  static let largest = 1e30
  /// The largest plausible coordinate in Å: the largest particles have some 1e5.
  static let largestCoordinate = 1e8

  /// Returns a coordinate in Å surrounded by blanks; nil if it is not a number or too large.
  @inline(__always)
  static func coordinate(_ base: UnsafePointer<UInt8>, _ count: Int) -> Double? {
    guard let value = number(base, count), abs(value) < largestCoordinate else { return nil }
    return value
  }

  /// Returns a coordinate in Å in a field of eight columns; nil if it is not a number or too large.
  @inline(__always)
  static func coordinate(_ base: UnsafePointer<UInt8>) -> Double? {
    DecimalWord.number(DecimalWord.load(base), likely: 3) ?? irregularCoordinate(base, 8)
  }

  @inline(never)
  static func irregularCoordinate(_ base: UnsafePointer<UInt8>, _ count: Int) -> Double? { coordinate(base, count) }

  @inline(never)
  static func irregularNumber(_ base: UnsafePointer<UInt8>, _ count: Int) -> Double? { number(base, count) }

  @inline(never)
  static func irregularInteger(_ base: UnsafePointer<UInt8>, _ count: Int) -> Int? { integer(base, count) }

  /// Returns an integer surrounded by blanks (bytes up to 32); nil if it is missing or malformed, or overflows 18
  /// digits.
  @inline(__always)
  static func integer(_ base: UnsafePointer<UInt8>, _ count: Int) -> Int? {
    var position = 0
    while position < count, base[position] <= 32 { position += 1 }
    guard position < count else { return nil }
    let isNegative = base[position] == 45
    if isNegative || base[position] == 43 { position += 1 }
    var value = 0
    let start = position
    while position < count {
      let digit = base[position] &- 48
      guard digit <= 9 else { break }
      value = value &* 10 &+ Int(digit)
      position += 1
    }
    guard position > start, position - start <= 18 else { return nil }
    while position < count {
      guard base[position] <= 32 else { return nil }
      position += 1
    }
    return isNegative ? -value : value
  }

  /// Returns a decimal number surrounded by blanks, exactly rounded for up to 15 digits; nil if there is none.
  ///
  /// It accepts a sign, digits, a point, an exponent (`1.0E+02`) and a standard uncertainty in brackets, which is
  /// dropped (`1.234(5)`). `nan`, `inf` and asterisks are not numbers here.
  @inline(__always)
  static func number(_ base: UnsafePointer<UInt8>, _ count: Int) -> Double? {
    var position = 0
    while position < count, base[position] <= 32 { position += 1 }
    guard position < count else { return nil }
    let isNegative = base[position] == 45
    if isNegative || base[position] == 43 { position += 1 }
    var mantissa: Int = 0
    var digits = 0
    while position < count {
      let digit = base[position] &- 48
      guard digit <= 9 else { break }
      mantissa = mantissa &* 10 &+ Int(digit)
      digits += 1
      position += 1
    }
    var decimals = 0
    if position < count, base[position] == 46 {
      position += 1
      let start = position
      while position < count {
        let digit = base[position] &- 48
        guard digit <= 9 else { break }
        mantissa = mantissa &* 10 &+ Int(digit)
        position += 1
      }
      decimals = position - start
      digits += decimals
    }
    guard digits > 0 else { return nil }
    while position < count, base[position] <= 32 { position += 1 }
    guard position == count, digits <= 15 else { return slowNumber(base, count) }
    let value = Double(mantissa) / powers[decimals]
    return isNegative ? -value : value
  }

  /// Returns a number in the general case: exponents, uncertainties and more than 15 digits.
  @inline(never)
  private static func slowNumber(_ base: UnsafePointer<UInt8>, _ count: Int) -> Double? {
    var text: [UInt8] = []
    var position = 0
    while position < count, base[position] <= 32 { position += 1 }
    while position < count, base[position] > 32, base[position] != 40, text.count < 64 {
      let byte = base[position]
      let isNumeric = byte.isDigit || byte == 43 || byte == 45 || byte == 46 || (byte | 32) == 101
      guard isNumeric else { return nil }
      text.append(byte)
      position += 1
    }
    if position < count, base[position] == 40 {
      guard let end = uncertaintyEnd(base, count, from: position) else { return nil }
      position = end
    }
    while position < count, base[position] <= 32 { position += 1 }
    guard position == count, let value = Double(String(decoding: text, as: UTF8.self)), abs(value) < largest else {
      return nil
    }
    return value
  }

  /// Returns the offset after a run of digits in brackets.
  private static func uncertaintyEnd(_ base: UnsafePointer<UInt8>, _ count: Int, from start: Int) -> Int? {
    var position = start + 1
    while position < count, base[position].isDigit { position += 1 }
    guard position < count, base[position] == 41, position > start + 1 else { return nil }
    return position + 1
  }
}

/// Numbers of at most eight characters, read as one machine word without loops or branches on their length.
///
/// The word holds the text as memory does (first character in the lowest byte), shifted to its end: the last character
/// is in the highest byte, blanks fill the bytes before the first. Anything but blanks, a minus sign, digits and one
/// point before the last digit gives nil, and must be read by ``NumberText``.
/// - Source: the digit steps are those of D. Lemire, "Quickly parsing eight digits", 2018; bytes equal to a given one are found
///   as in H. S. Warren, Hacker's Delight, 2nd edition, section 6-1.
enum DecimalWord {
  private static let lowBits: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
  private static let blanks: UInt64 = 0x2020_2020_2020_2020
  private static let zeros: UInt64 = 0x3030_3030_3030_3030

  /// Returns the eight bytes at an address.
  @inline(__always)
  static func load(_ address: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(address).loadUnaligned(as: UInt64.self))
  }

  /// Returns the last bytes of a word, preceded by blanks.
  ///
  /// - Parameter count: the number of bytes, 1...8.
  @inline(__always)
  static func last(_ count: Int, of word: UInt64) -> UInt64 {
    let others = 1 &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count) &- 1
    return (word & ~others) | (blanks & others)
  }

  /// Returns the number, exactly rounded; nil if it requires another reader.
  ///
  /// It is optimized for two or three decimals, as in nearly all coordinates, occupancies and B factors; other numbers
  /// are slower.
  /// - Parameter decimals: The likely number of decimals, 2 or 3.
  @inline(__always)
  static func number(_ word: UInt64, likely decimals: Int) -> Double? {
    fixedNumber(word, decimals: decimals) ?? number(word)
  }

  /// Returns the number if it has a given number of decimals, 2 or 3; else nil.
  ///
  /// The position of the point is known, so that only the blanks before the number have to be found.
  @inline(__always)
  private static func fixedNumber(_ word: UInt64, decimals: Int) -> Double? {
    let point = UInt64(56 &- 8 &* decimals)
    guard word &>> point & 0xFF == 0x2E else { return nil }
    // The digits without the point, each as its value, preceded by a zero.
    let below = 1 &<< point &- 1
    let digits = (word & below) << 8 ^ word & ~(below << 8 | 0xFF) ^ 0x3030_3030_3030_3000
    // Blanks are allowed up to the character before the point, which must be a digit or the sign.
    let (kept, isMinus) = withoutBlanks(digits, before: (digits ^ 0x1010_1010_1010_1000) | 1 &<< point)
    guard isDigits(kept) else { return nil }
    let value = Double(Int32(truncatingIfNeeded: joined(kept))) / (decimals == 3 ? 1000 : 100)
    return Double(bitPattern: value.bitPattern ^ (isMinus ? 1 << 63 : 0))
  }

  /// Returns the number, exactly rounded; nil if it requires another reader.
  @inline(never)
  static func number(_ word: UInt64) -> Double? {
    let minus = zeroBytes(word ^ 0x2D2D_2D2D_2D2D_2D2D)
    var digits = word ^ ((minus >> 7) &* 0x0D)
    let blank = zeroBytes(digits ^ blanks)
    let point = zeroBytes(digits ^ 0x2E2E_2E2E_2E2E_2E2E)
    let fill = (blank >> 7) &* 0xFF
    let wrong = misplaced(fill: fill, minus: minus) | (blank | point) >> 63 | (point & (point &- 1))
    digits ^= fill & 0x1010_1010_1010_1010
    var decimals = 0
    if point != 0 {
      let below = point >> 7 &- 1
      digits = (digits & below) << 8 | 0x30 | (digits & ~(below << 8 | 0xFF))
      decimals = 7 - point.trailingZeroBitCount >> 3
    }
    digits ^= zeros
    guard wrong == 0, isDigits(digits) else { return nil }
    let value = Double(Int32(truncatingIfNeeded: joined(digits))) / NumberText.power(decimals)
    return Double(bitPattern: value.bitPattern ^ (minus == 0 ? 0 : 1 << 63))
  }

  /// Returns the integer; nil if it requires another reader.
  @inline(__always)
  static func integer(_ word: UInt64) -> Int? {
    let digits = word ^ zeros
    let (kept, isMinus) = withoutBlanks(digits, before: (digits ^ 0x1010_1010_1010_1010) | 1 << 56)
    // The last character is not a sign.
    guard isDigits(kept), digits >> 60 == 0 else { return nil }
    let value = Int(truncatingIfNeeded: joined(kept))
    return isMinus ? -value : value
  }

  /// Returns the values of digits, with zeros in place of the blanks and the minus sign before them.
  ///
  /// - Parameters:
  ///   - digits: Characters combined with the code of `0` by exclusive or: a blank is then 10 and a minus sign 1D, in
  ///     hexadecimal.
  ///   - marks: Zero in every byte of a blank, nonzero in the last byte that may be one.
  @inline(__always)
  private static func withoutBlanks(_ digits: UInt64, before marks: UInt64) -> (kept: UInt64, isMinus: Bool) {
    let first = UInt64(truncatingIfNeeded: marks.trailingZeroBitCount & 56)
    let remaining = digits &>> first
    let isMinus = remaining & 0xFF == 0x1D
    return ((remaining ^ (isMinus ? 0x1D : 0)) &<< first, isMinus)
  }

  /// Returns a word with the highest bit set in every byte that is zero.
  @inline(__always)
  private static func zeroBytes(_ word: UInt64) -> UInt64 {
    ~(((word & lowBits) &+ lowBits) | word | lowBits)
  }

  /// Returns a nonzero value if there are blanks other than before the number, or a minus sign other than as the last
  /// of them.
  @inline(__always)
  private static func misplaced(fill: UInt64, minus: UInt64) -> UInt64 {
    let signGap = minus == 0 ? 0 : (minus << 1 &- 1) ^ fill
    return fill & (fill &+ 1) | signGap
  }

  /// Returns true if every byte is the value of a decimal digit.
  @inline(__always)
  private static func isDigits(_ word: UInt64) -> Bool {
    // Adding six to ten to fifteen carries into the upper four bits.
    (word | (word &+ 0x0606_0606_0606_0606)) & 0xF0F0_F0F0_F0F0_F0F0 == 0
  }

  /// Returns the number formed by eight values of digits, the first in the lowest byte.
  @inline(__always)
  private static func joined(_ digits: UInt64) -> UInt64 {
    let pairs = digits &* 10 &+ digits >> 8
    let mask: UInt64 = 0x0000_00FF_0000_00FF
    return ((pairs & mask) &* 0x000F_4240_0000_0064 &+ (pairs >> 16 & mask) &* 0x0000_2710_0000_0001) >> 32
  }
}
