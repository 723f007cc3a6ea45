/// Numbers with a fixed count of decimals.
enum FixedText {
  /// Returns a number rounded half away from zero, as `-0.125`; numbers too large for that keep their exponent.
  static func text(_ value: Double, decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (value * scale).rounded()
    guard abs(scaled) < 9e15 else { return "\(value)" }
    let digits = String(abs(Int(scaled)))
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let whole = padded.dropLast(decimals)
    let sign = scaled < 0 ? "-" : ""
    return decimals == 0 ? sign + whole : sign + whole + "." + padded.suffix(decimals)
  }
}
