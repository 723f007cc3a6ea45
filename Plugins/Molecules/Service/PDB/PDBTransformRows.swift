/// Gathers operators whose three rows stand on three lines (MTRIXn, BIOMTn).
struct PDBTransformRows {
  /// An operator as far as its rows were met.
  struct Operator {
    var serial: Int
    var transform = Transform()
    var isGiven = false
    var rows: UInt8 = 0
  }

  private var operators: [Operator] = []

  /// Adds one row: its number is in column 6 (MTRIX) or 19 (BIOMT), the matrix in 11-40 or 24-53, the shift in 46-55 or 54-68.
  mutating func read(_ line: PDBLine, serialColumns: ClosedRange<Int>, isGiven: Bool) {
    let row = Int(line.byte(serialColumns.lowerBound == 8 ? 6 : 19)) - 48
    guard (1...3).contains(row), let (serial, vector, shift) = Self.fields(line, serialColumns) else { return }
    if row == 1 || operators.isEmpty { operators.append(Operator(serial: serial)) }
    var last = operators[operators.count - 1]
    guard last.serial == serial else { return }
    switch row {
    case 1: last.transform.row0 = vector
    case 2: last.transform.row1 = vector
    default: last.transform.row2 = vector
    }
    last.transform.translation[row - 1] = shift
    last.isGiven = isGiven
    last.rows |= 1 << (row - 1)
    operators[operators.count - 1] = last
  }

  /// Serial number, row of the matrix and shift; cut at blanks where a serial number above 999 moves the columns.
  private static func fields(
    _ line: PDBLine, _ serialColumns: ClosedRange<Int>
  ) -> (serial: Int, row: SIMD3<Double>, shift: Double)? {
    let isMatrix = serialColumns.lowerBound == 8
    let start = isMatrix ? 11 : 24
    let shift = isMatrix ? 46...55 : 54...68
    let serialEnd = line.byte(serialColumns.upperBound + 1)
    let words = isMatrix || serialEnd <= 32 ? [] : line.text(serialColumns.lowerBound, 80).pieces(separatedBy: 32)
    if words.count == 5, let serial = Int(words[0]), let x = Double(words[1]), let y = Double(words[2]),
      let z = Double(words[3]), let t = Double(words[4])
    {
      return (serial, SIMD3(x, y, z), t)
    }
    guard let serial = line.integer(serialColumns.lowerBound, serialColumns.upperBound),
      let x = line.number(start, start + 9), let y = line.number(start + 10, start + 19),
      let z = line.number(start + 20, start + 29)
    else { return nil }
    return (serial, SIMD3(x, y, z), line.number(shift.lowerBound, shift.upperBound) ?? 0)
  }

  /// The operators of which all three rows were met.
  func finished() -> [Operator] { operators.filter { $0.rows == 7 } }
}
