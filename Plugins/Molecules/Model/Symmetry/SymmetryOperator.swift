/// A symmetry operator of a crystal in fractional coordinates, as in `-x,y+1/2,-z`.
struct SymmetryOperator: Hashable, Sendable {
  /// The integer rows of the rotation.
  var row0: SIMD3<Int32>
  var row1: SIMD3<Int32>
  var row2: SIMD3<Int32>
  /// The shift in twenty-fourths of a cell edge, which represent all shifts of space groups.
  var shift: SIMD3<Int32>

  /// The number of parts of a cell edge.
  static let parts: Int32 = 24
  static let identity = SymmetryOperator(
    row0: SIMD3(1, 0, 0), row1: SIMD3(0, 1, 0), row2: SIMD3(0, 0, 1), shift: .zero)

  init(row0: SIMD3<Int32>, row1: SIMD3<Int32>, row2: SIMD3<Int32>, shift: SIMD3<Int32>) {
    self.row0 = row0
    self.row1 = row1
    self.row2 = row2
    self.shift = shift
  }

  /// Reads an operator of three terms in x, y and z with integer factors and fractional shifts, any case, blanks
  /// ignored.
  ///
  /// - Source: International Tables for Crystallography A, section 1.4; REMARK 290 and _symmetry_equiv.pos_as_xyz.
  init?(_ text: String) {
    let terms = text.split(separator: ",", omittingEmptySubsequences: false)
    guard terms.count == 3 else { return nil }
    var rows: [SIMD3<Int32>] = []
    var shift = SIMD3<Int32>.zero
    for (axis, term) in terms.enumerated() {
      guard let (row, part) = Self.term(term.utf8.filter { $0 > 32 && $0 != 39 && $0 != 34 }) else { return nil }
      rows.append(row)
      shift[axis] = part
    }
    self.init(row0: rows[0], row1: rows[1], row2: rows[2], shift: shift)
  }

  /// Reads one term: factors of x, y and z, and the shift in parts.
  private static func term(_ bytes: [UInt8]) -> (SIMD3<Int32>, Int32)? {
    var row = SIMD3<Int32>.zero
    var shift = 0.0
    var place = 0
    while place < bytes.count {
      var sign = 1.0
      while place < bytes.count, bytes[place] == 43 || bytes[place] == 45 {
        if bytes[place] == 45 { sign = -sign }
        place += 1
      }
      guard place < bytes.count else { return nil }
      let axis = Int(bytes[place] | 32) - 120
      if (0...2).contains(axis) {
        row[axis] += Int32(sign)
        place += 1
        continue
      }
      let number = bytes[place...].prefix { $0 >= 46 && $0 <= 57 }
      guard !number.isEmpty, number.count < 16, let value = fraction(number) else { return nil }
      place += number.count
      shift += sign * value
    }
    let scaled = shift * Double(parts)
    guard row != .zero, abs(scaled) < 10_000, abs(scaled - scaled.rounded()) < 0.05 else { return nil }
    return (row, Int32(scaled.rounded()))
  }

  /// Reads a number such as `1/2`, `0.25` or `1`.
  private static func fraction(_ bytes: ArraySlice<UInt8>) -> Double? {
    let halves = bytes.split(separator: 47, omittingEmptySubsequences: false).map {
      Double(String(decoding: $0, as: UTF8.self))
    }
    switch halves.count {
    case 1: return halves[0]
    case 2:
      guard let top = halves[0], let bottom = halves[1], bottom != 0 else { return nil }
      return top / bottom
    default: return nil
    }
  }

  /// Returns the operator that applies another one first and then this one, with its shift reduced into the cell.
  func after(_ inner: SymmetryOperator) -> SymmetryOperator {
    func row(_ mine: SIMD3<Int32>) -> SIMD3<Int32> {
      mine.x &* inner.row0 &+ mine.y &* inner.row1 &+ mine.z &* inner.row2
    }
    let moved = SIMD3(
      (row0 &* inner.shift).wrappedSum(), (row1 &* inner.shift).wrappedSum(), (row2 &* inner.shift).wrappedSum())
    return SymmetryOperator(row0: row(row0), row1: row(row1), row2: row(row2), shift: moved &+ shift).inCell
  }

  /// The operator with its shift reduced to 0 ..< 1 cell edge.
  var inCell: SymmetryOperator {
    var copy = self
    for axis in 0..<3 {
      let rest = shift[axis] % Self.parts
      copy.shift[axis] = rest < 0 ? rest + Self.parts : rest
    }
    return copy
  }

  /// The operator as text, as in `-x+1/2,-y,z+1/2`.
  var text: String {
    zip([row0, row1, row2], 0..<3).map { row, axis in
      var term = ""
      for (letter, factor) in zip(["x", "y", "z"], 0..<3) where row[factor] != 0 {
        let sign = row[factor] < 0 ? "-" : term.isEmpty ? "" : "+"
        term += sign + (abs(row[factor]) == 1 ? "" : "\(abs(row[factor]))") + letter
      }
      return term + Self.fractionText(shift[axis])
    }.joined(separator: ",")
  }

  private static func fractionText(_ part: Int32) -> String {
    guard part != 0 else { return "" }
    var (top, bottom) = (abs(part), parts)
    for divisor in [2, 2, 2, 3] as [Int32] where top % divisor == 0 && bottom % divisor == 0 {
      top /= divisor
      bottom /= divisor
    }
    return (part < 0 ? "-" : "+") + (bottom == 1 ? "\(top)" : "\(top)/\(bottom)")
  }

  /// Returns the transformation in Å of the operator in a crystal, followed by a shift by whole cells.
  func transform(in frame: CrystalFrame, cells: SIMD3<Double> = .zero) -> Transform {
    let rotation = Transform(row0: SIMD3<Double>(row0), row1: SIMD3<Double>(row1), row2: SIMD3<Double>(row2))
    let move = Transform(translation: SIMD3<Double>(shift) / Double(Self.parts) + cells)
    return frame.toCartesian.after(move.after(rotation).after(frame.toFractional))
  }
}
