extension PDBLine {
  /// The column of the first tab; nil if there is none.
  var tabColumn: Int? { (0..<count).first { base[$0] == 9 }.map { $0 + 1 } }

  /// Calls `body` with the line in which every tab is replaced by blanks up to the next eighth column.
  func withTabsExpanded<Result>(_ body: (PDBLine) -> Result) -> Result {
    var bytes: [UInt8] = []
    for place in 0..<count {
      guard base[place] == 9 else {
        bytes.append(base[place])
        continue
      }
      repeat { bytes.append(32) } while bytes.count % 8 != 0
    }
    return Self.with(bytes, body)
  }

  /// The residue number of five digits in columns 23-27 of an atom line whose coordinates end in columns 39, 47 and 55; nil
  /// in other lines.
  ///
  /// Molecular dynamics programs write such numbers into a field of four columns and shift the rest of the line.
  var wideResidueNumber: Int? {
    guard count >= 55, let number = integer(23, 27), number > 9999 else { return nil }
    let areNumbers = [32, 40, 48].allSatisfy { NumberText.coordinate(base + ($0 - 1), 8) != nil }
    return areNumbers ? number : nil
  }

  /// Calls `body` with the line in which a number of five digits in columns 23-27 becomes hybrid-36 in columns 23-26,
  /// and the rest is shifted back.
  func withResidueNumber<Result>(_ number: Int, _ body: (PDBLine) -> Result) -> Result {
    let bytes = UnsafeBufferPointer(start: base, count: count)
    return Self.with(
      bytes.prefix(22) + Array((Hybrid36.text(number, width: 4) ?? "****").utf8) + bytes.dropFirst(27), body)
  }

  private static func with<Result>(_ bytes: [UInt8], _ body: (PDBLine) -> Result) -> Result {
    // Readers access whole words of eight bytes.
    let padded = bytes + repeatElement(32, count: 8)
    return padded.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("a padded line has bytes") }
      return body(PDBLine(base: base, count: bytes.count))
    }
  }
}
