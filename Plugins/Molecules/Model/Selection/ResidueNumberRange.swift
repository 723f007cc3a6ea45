/// A range of residues, or one residue, by author number and insertion code.
struct ResidueNumberRange: Equatable, Sendable {
  /// One end of a range.
  struct Bound: Equatable, Sendable {
    var number: Int32
    /// The insertion code in ASCII, 0 for none.
    var code: UInt8 = 0
  }

  var first: Bound
  var last: Bound
  /// A Boolean value indicating whether it is one residue, so that a number without code means the residue without one.
  var isSingle: Bool
  /// A Boolean value indicating whether any insertion code matches, as in `52*`.
  var takesAnyCode = false

  /// A Boolean value indicating whether a bound has an insertion code.
  var hasCode: Bool { first.code != 0 || last.code != 0 }

  /// Returns true if a residue lies in the range by number, then insertion code, none first.
  ///
  /// In a range the last number without a code includes all its codes.
  func contains(number: Int32, code: UInt8) -> Bool {
    if isSingle { return number == first.number && (takesAnyCode || code == first.code) }
    var (low, high) = (first, last)
    if (high.number, high.code) < (low.number, low.code) { (low, high) = (high, low) }
    if number < low.number || number > high.number { return false }
    if number == low.number, code < low.code { return false }
    return number < high.number || high.code == 0 || code <= high.code
  }

  /// Reads `5`, `-5`, `52A`, `52*`, `5-10`, `-5--2`, `52A-60`, `5:10`; fails for any other text.
  init?(_ text: [UInt8]) {
    var rest = text[...]
    guard let first = Self.bound(&rest) else { return nil }
    self.first = first
    last = first
    isSingle = true
    if rest.isEmpty { return }
    if rest.count == 1, rest.first == UInt8(ascii: "*"), first.code == 0 {
      takesAnyCode = true
      return
    }
    guard let separator = rest.popFirst(), separator == UInt8(ascii: "-") || separator == UInt8(ascii: ":"),
      let last = Self.bound(&rest), rest.isEmpty
    else { return nil }
    self.last = last
    isSingle = false
  }

  private static func bound(_ rest: inout ArraySlice<UInt8>) -> Bound? {
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    var number: Int32 = 0
    var digits = 0
    while let byte = rest.first, byte >= 48, byte <= 57, digits < 9 {
      number = number * 10 + Int32(byte - 48)
      digits += 1
      rest.removeFirst()
    }
    guard digits > 0 else { return nil }
    var code: UInt8 = 0
    if let byte = rest.first, byte | 32 >= 97, byte | 32 <= 122 {
      code = byte
      rest.removeFirst()
    }
    return Bound(number: isNegative ? -number : number, code: code)
  }
}
