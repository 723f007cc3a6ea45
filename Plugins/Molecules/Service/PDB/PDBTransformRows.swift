/// Collects operators whose three rows are on three lines (ORIGXn, MTRIXn, BIOMTn).
struct PDBTransformRows {
  /// An operator with the rows read so far.
  struct Operator {
    var serial: Int
    var transform = Transform()
    var isGiven = false
    var rows: UInt8 = 0
  }

  /// The columns of a record's fields.
  struct Layout {
    /// The column of the row's number, 1 to 3.
    var row: Int
    /// The columns of the operator's serial number; nil where the record has one operator.
    var serial: ClosedRange<Int>?
    /// The first column of the matrix, three fields of ten columns.
    var matrix: Int
    var shift: ClosedRange<Int>
    /// The column that is `1` if the coordinates already contain the copy.
    var given: Int?

    static let origin = Layout(row: 6, matrix: 11, shift: 46...55)
    static let matrix = Layout(row: 6, serial: 8...10, matrix: 11, shift: 46...55, given: 60)
    static let assembly = Layout(row: 19, serial: 20...23, matrix: 24, shift: 54...68)
  }

  private var operators: [Operator] = []

  /// Adds one row; a line without its numbers is skipped.
  mutating func read(_ line: PDBLine, _ layout: Layout) {
    let row = Int(line.byte(layout.row)) - 48
    guard (1...3).contains(row), let (serial, vector, shift) = Self.fields(line, layout) else { return }
    if row == 1 || operators.isEmpty { operators.append(Operator(serial: serial)) }
    var last = operators[operators.count - 1]
    guard last.serial == serial else { return }
    switch row {
    case 1: last.transform.row0 = vector
    case 2: last.transform.row1 = vector
    default: last.transform.row2 = vector
    }
    last.transform.translation[row - 1] = shift
    last.isGiven = layout.given.map { line.byte($0) == 49 } ?? false
    last.rows |= 1 << (row - 1)
    operators[operators.count - 1] = last
  }

  /// Returns serial number, row of the matrix and shift; splits at blanks if a serial number above 999 shifts the
  /// columns.
  private static func fields(_ line: PDBLine, _ layout: Layout) -> (serial: Int, row: SIMD3<Double>, shift: Double)? {
    if let columns = layout.serial, layout.given == nil, line.byte(columns.upperBound + 1) > 32 {
      let words = line.text(columns.lowerBound, 80).pieces(separatedBy: 32)
      if words.count == 5, let serial = Int(words[0]), let x = Double(words[1]), let y = Double(words[2]),
        let z = Double(words[3]), let t = Double(words[4])
      {
        return (serial, SIMD3(x, y, z), t)
      }
    }
    let start = layout.matrix
    guard let serial = layout.serial.map({ line.integer($0.lowerBound, $0.upperBound) }) ?? 0,
      let x = line.number(start, start + 9), let y = line.number(start + 10, start + 19),
      let z = line.number(start + 20, start + 29)
    else { return nil }
    return (serial, SIMD3(x, y, z), line.number(layout.shift.lowerBound, layout.shift.upperBound) ?? 0)
  }

  /// Returns the operators with all three rows.
  func finished() -> [Operator] { operators.filter { $0.rows == 7 } }
}
