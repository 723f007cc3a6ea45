/// Exact integer arithmetic that throws on overflow.
enum ModeArithmetic {
  /// Returns the sum of two products.
  ///
  /// - Throws: ``ModeError/numbersTooLarge``.
  static func sum(_ first: Int, _ left: Int, _ second: Int, _ right: Int) throws(ModeError) -> Int {
    let wide = Int128(first) * Int128(left) + Int128(second) * Int128(right)
    guard let sum = Int(exactly: wide) else { throw .numbersTooLarge }
    return sum
  }

  /// Returns the greatest common divisor, greater than 0; 0 if both are 0.
  static func divisor(_ left: Int, _ right: Int) -> Int {
    var (left, right) = (left.magnitude, right.magnitude)
    while right != 0 { (left, right) = (right, left % right) }
    return Int(left)
  }

  /// Returns the sum of two sparse lists, each multiplied by a factor.
  ///
  /// - Throws: ``ModeError/numbersTooLarge``.
  static func sum(
    _ first: Int, _ left: [ModeEntry], _ second: Int, _ right: [ModeEntry]
  ) throws(ModeError) -> [ModeEntry] {
    var sum: [ModeEntry] = []
    var (i, j) = (0, 0)
    while i < left.count || j < right.count {
      let index = min(i < left.count ? left[i].index : .max, j < right.count ? right[j].index : .max)
      var (a, b) = (0, 0)
      if i < left.count, left[i].index == index { (a, i) = (left[i].amount, i + 1) }
      if j < right.count, right[j].index == index { (b, j) = (right[j].amount, j + 1) }
      let amount = try Self.sum(first, a, second, b)
      if amount != 0 { sum.append(ModeEntry(index: index, amount: amount)) }
    }
    return sum
  }
}
