/// Writes numbers into fields that are too narrow for their decimal digits.
enum Hybrid36 {
  /// Returns the text of a number in a field of a width; nil if it does not fit in any form.
  ///
  /// Decimal first; then base 36 with a leading upper-case letter, which stands for 10·36^(w-1) up to 36^w less 10^w;
  /// then the same with lower-case letters.
  /// - Source: R. W. Grosse-Kunstleve, hybrid-36, http://cci.lbl.gov/hybrid_36/
  static func text(_ number: Int, width: Int) -> String? {
    let decimal = (0..<width).reduce(1) { power, _ in power * 10 }
    let step = (1..<width).reduce(1) { power, _ in power * 36 }
    if number < decimal, number > -decimal / 10 { return "\(number)" }
    guard number >= decimal else { return nil }
    let upper = number - decimal
    if upper < 26 * step { return digits(upper + 10 * step, letters: 65) }
    let lower = upper - 26 * step
    return lower < 26 * step ? digits(lower + 10 * step, letters: 97) : nil
  }

  private static func digits(_ value: Int, letters: UInt8) -> String {
    var rest = value
    var bytes: [UInt8] = []
    while rest > 0 {
      let digit = UInt8(rest % 36)
      bytes.append(digit < 10 ? 48 + digit : letters + digit - 10)
      rest /= 36
    }
    return String(decoding: bytes.reversed(), as: UTF8.self)
  }
}
