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
      let isNumeric = (byte >= 48 && byte <= 57) || byte == 43 || byte == 45 || byte == 46 || (byte | 32) == 101
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
    while position < count, base[position] >= 48, base[position] <= 57 { position += 1 }
    guard position < count, base[position] == 41, position > start + 1 else { return nil }
    return position + 1
  }
}
