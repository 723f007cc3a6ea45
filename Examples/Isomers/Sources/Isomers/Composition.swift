/// The number of atoms of each element but hydrogen, whose number depends on the acidity of the solution.
struct Composition: Equatable {
  private(set) var counts: [String: Int] = [:]

  /// Creates a composition from numbers of atoms; hydrogen and deuterium are left out.
  init(_ counts: [String: Int]) {
    self.counts = counts.filter { !["H", "D"].contains($0.key) && $0.value != 0 }
  }

  /// Reads a molecular formula such as `C6H11O9P`; nil for other texts, such as formulas with a residue `R`.
  init?(formula: String) {
    var counts: [String: Int] = [:]
    var rest = Substring(formula)
    while let first = rest.first {
      guard first.isASCII, first.isUppercase else { return nil }
      let symbol = String(first) + rest.dropFirst().prefix { $0.isASCII && $0.isLowercase }
      rest = rest.dropFirst(symbol.count)
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      guard symbol != "R", let count = digits.isEmpty ? 1 : Int(digits) else { return nil }
      counts[symbol, default: 0] += count
    }
    self.init(counts)
    if counts.isEmpty { return nil }
  }

  /// Returns the number of atoms to add or remove to get another composition.
  func distance(to other: Composition) -> Int {
    Set(counts.keys).union(other.counts.keys).reduce(0) { sum, element in
      sum + abs((counts[element] ?? 0) - (other.counts[element] ?? 0))
    }
  }
}
