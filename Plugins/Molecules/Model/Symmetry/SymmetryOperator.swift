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
    var index = 0
    while index < bytes.count {
      var sign = 1.0
      while index < bytes.count, bytes[index] == 43 || bytes[index] == 45 {
        if bytes[index] == 45 { sign = -sign }
        index += 1
      }
      guard index < bytes.count else { return nil }
      let axis = Int(bytes[index] | 32) - 120
      if (0...2).contains(axis) {
        row[axis] += Int32(sign)
        index += 1
        continue
      }
      let number = bytes[index...].prefix { $0 >= 46 && $0 <= 57 }
      guard !number.isEmpty, number.count < 16, let value = fraction(number) else { return nil }
      index += number.count
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
      let remainder = shift[axis] % Self.parts
      copy.shift[axis] = remainder < 0 ? remainder + Self.parts : remainder
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

/// The operators of space groups by name, multiplied out from generators.
///
/// The table has all 65 groups in which chiral molecules crystallize in their standard settings, monoclinic ones also
/// with the unique axis c and with I and A centering, rhombohedral ones on both axes; and the most common others: P -1,
/// P 21/c, P 21/n, C 2/c, P b c a, P n m a.
/// - Source: International Tables for Crystallography A, general positions.
enum SpaceGroupTable {
  /// Returns the operators of a group, identity first; nil for a name that is not in the table.
  ///
  /// - Parameters:
  ///   - name: Hermann-Mauguin symbol, short or full, with or without blanks, as in `P 21 21 21`.
  ///   - isRhombohedral: True if the cell has three equal edges and angles; distinguishes the two settings of R groups.
  static func operators(_ name: String, isRhombohedral: Bool = false) -> [SymmetryOperator]? {
    var key = String(decoding: name.utf8.filter { $0 > 32 }, as: UTF8.self).uppercased()
    for suffix in [":H", ":R", "(H)", "(R)"] where key.hasSuffix(suffix) { key.removeLast(suffix.count) }
    if key.hasPrefix("R"), !isRhombohedral { key = "H" + key.dropFirst() }
    guard let entry = entries[aliases[key] ?? key], let centering = key.first else { return nil }
    let generators = (centerings[centering] ?? []) + entry
    return closure(generators.compactMap(SymmetryOperator.init))
  }

  /// Returns all products of some operators; no space group has more than 192.
  private static func closure(_ generators: [SymmetryOperator]) -> [SymmetryOperator] {
    var found = [SymmetryOperator.identity]
    var known: Set<SymmetryOperator> = [.identity]
    var next = 0
    while next < found.count, found.count <= 192 {
      for generator in generators {
        let product = generator.after(found[next])
        if known.insert(product).inserted { found.append(product) }
      }
      next += 1
    }
    return found
  }

  private static let centerings: [Character: [String]] = [
    "A": ["x,y+1/2,z+1/2"], "B": ["x+1/2,y,z+1/2"], "C": ["x+1/2,y+1/2,z"], "I": ["x+1/2,y+1/2,z+1/2"],
    "F": ["x,y+1/2,z+1/2", "x+1/2,y,z+1/2"], "H": ["x+2/3,y+1/3,z+1/3"],
  ]

  /// Short and full symbols of one group.
  private static let aliases = [
    "P2": "P121", "P21": "P1211", "C2": "C121", "I2": "I121", "A2": "A121", "P21/C": "P121/C1", "P21/N": "P121/N1",
    "C2/C": "C12/C1",
  ]

  private static let entries: [String: [String]] = {
    var table: [String: [String]] = [:]
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      table[words[0]] = Array(words.dropFirst())
    }
    return table
  }()

  /// Names without blanks, followed by generators except centering.
  private static let lines = [
    "P1", "P-1 -x,-y,-z", "P121 -x,y,-z", "P1211 -x,y+1/2,-z", "C121 -x,y,-z", "I121 -x,y,-z", "A121 -x,y,-z",
    "P112 -x,-y,z", "P1121 -x,-y,z+1/2", "B112 -x,-y,z", "P121/C1 -x,y+1/2,-z+1/2 -x,-y,-z",
    "P121/N1 -x+1/2,y+1/2,-z+1/2 -x,-y,-z", "C12/C1 -x,y,-z+1/2 -x,-y,-z",
    // Orthorhombic.
    "P222 -x,-y,z -x,y,-z", "P2221 -x,-y,z+1/2 -x,y,-z+1/2", "P21212 -x,-y,z -x+1/2,y+1/2,-z",
    "P212121 -x+1/2,-y,z+1/2 -x,y+1/2,-z+1/2", "C2221 -x,-y,z+1/2 -x,y,-z+1/2", "C222 -x,-y,z -x,y,-z",
    "F222 -x,-y,z -x,y,-z", "I222 -x,-y,z -x,y,-z", "I212121 -x+1/2,-y,z+1/2 -x,y+1/2,-z+1/2",
    "PBCA -x+1/2,-y,z+1/2 -x,y+1/2,-z+1/2 -x,-y,-z", "PNMA -x+1/2,-y,z+1/2 -x,y+1/2,-z -x,-y,-z",
    // Tetragonal.
    "P4 -y,x,z", "P41 -y,x,z+1/4", "P42 -y,x,z+1/2", "P43 -y,x,z+3/4", "I4 -y,x,z", "I41 -y,x+1/2,z+1/4",
    "P422 -y,x,z -x,y,-z", "P4212 -y+1/2,x+1/2,z -x+1/2,y+1/2,-z", "P4122 -y,x,z+1/4 -x,y,-z",
    "P41212 -y+1/2,x+1/2,z+1/4 -x+1/2,y+1/2,-z+1/4", "P4222 -y,x,z+1/2 -x,y,-z",
    "P42212 -y+1/2,x+1/2,z+1/2 -x+1/2,y+1/2,-z+1/2", "P4322 -y,x,z+3/4 -x,y,-z",
    "P43212 -y+1/2,x+1/2,z+3/4 -x+1/2,y+1/2,-z+3/4", "I422 -y,x,z -x,y,-z",
    "I4122 -y,x+1/2,z+1/4 -x+1/2,y,-z+3/4",
    // Trigonal.
    "P3 -y,x-y,z", "P31 -y,x-y,z+1/3", "P32 -y,x-y,z+2/3", "H3 -y,x-y,z", "R3 z,x,y", "P312 -y,x-y,z -y,-x,-z",
    "P321 -y,x-y,z y,x,-z", "P3112 -y,x-y,z+1/3 -y,-x,-z+2/3", "P3121 -y,x-y,z+1/3 y,x,-z",
    "P3212 -y,x-y,z+2/3 -y,-x,-z+1/3", "P3221 -y,x-y,z+2/3 y,x,-z", "H32 -y,x-y,z y,x,-z", "R32 z,x,y -z,-y,-x",
    // Hexagonal.
    "P6 x-y,x,z", "P61 x-y,x,z+1/6", "P65 x-y,x,z+5/6", "P62 x-y,x,z+1/3", "P64 x-y,x,z+2/3", "P63 x-y,x,z+1/2",
    "P622 x-y,x,z y,x,-z", "P6122 x-y,x,z+1/6 y,x,-z+1/3", "P6522 x-y,x,z+5/6 y,x,-z+2/3",
    "P6222 x-y,x,z+1/3 y,x,-z+2/3", "P6422 x-y,x,z+2/3 y,x,-z+1/3", "P6322 x-y,x,z+1/2 y,x,-z",
    // Cubic.
    "P23 z,x,y -x,-y,z", "F23 z,x,y -x,-y,z", "I23 z,x,y -x,-y,z", "P213 z,x,y -x+1/2,-y,z+1/2",
    "I213 z,x,y -x+1/2,-y,z+1/2", "P432 z,x,y -x,-y,z y,x,-z", "P4232 z,x,y -x,-y,z y+1/2,x+1/2,-z+1/2",
    "F432 z,x,y -x,-y,z y,x,-z", "F4132 z,x,y -x,-y+1/2,z+1/2 y+3/4,x+1/4,-z+3/4", "I432 z,x,y -x,-y,z y,x,-z",
    "P4332 z,x,y -x+1/2,-y,z+1/2 y+1/4,x+3/4,-z+3/4", "P4132 z,x,y -x+1/2,-y,z+1/2 y+3/4,x+1/4,-z+1/4",
    "I4132 z,x,y -x+1/2,-y,z+1/2 y+3/4,x+1/4,-z+1/4",
  ]

  /// The names in the table, without blanks.
  static var names: [String] { entries.keys.sorted() }
}
