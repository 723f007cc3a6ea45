/// Numbers as people read them, with a fixed number of decimals.
enum FixedText {
  /// The number rounded to some decimals; what is no number, or too large for them, as it describes itself.
  ///
  /// - Parameter decimals: 0 to 6.
  static func text(_ value: Double, decimals: Int) -> String {
    precondition((0...6).contains(decimals), "fixed texts have 0 to 6 decimals")
    let scale = (0..<decimals).reduce(1) { product, _ in product * 10 }
    let scaled = (value * Double(scale)).rounded()
    guard abs(scaled) < 1e15 else { return "\(value)" }
    let whole = Int(scaled).magnitude
    let sign = scaled < 0 ? "-" : ""
    guard decimals > 0 else { return sign + "\(whole)" }
    let fraction = String(whole % UInt(scale))
    let zeros = String(repeating: "0", count: decimals - fraction.count)
    return sign + "\(whole / UInt(scale))." + zeros + fraction
  }
}
