extension PDBLine {
  /// The column of the first tab; nil if there is none.
  var tabColumn: Int? { (0..<count).first { base[$0] == 9 }.map { $0 + 1 } }

  /// Gives the line with blanks up to the next eighth column in place of every tab.
  func withTabsExpanded<Result>(_ body: (PDBLine) -> Result) -> Result {
    var bytes: [UInt8] = []
    for place in 0..<count {
      guard base[place] == 9 else {
        bytes.append(base[place])
        continue
      }
      repeat { bytes.append(32) } while bytes.count % 8 != 0
    }
    // Readers look at whole words of eight bytes.
    let length = bytes.count
    bytes.append(contentsOf: repeatElement(32, count: 8))
    return bytes.withUnsafeBufferPointer { buffer in
      body(PDBLine(base: buffer.baseAddress ?? base, count: length))
    }
  }
}
