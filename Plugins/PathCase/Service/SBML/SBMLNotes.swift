/// The lines of notes that tell something for programs: `FORMULA: C6H12O6`.
struct SBMLNotes {
  private var line: [UInt8] = []

  /// Names and values, both without blanks at their ends; what is empty is left out.
  private(set) var entries: [(key: String, value: String)] = []

  mutating func begin() { finishLine() }

  mutating func end() { finishLine() }

  mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) {
    // What programs read is short; the rest is for people.
    if line.count < 1 << 16 { line.append(contentsOf: bytes) }
  }

  private mutating func finishLine() {
    defer { line.removeAll(keepingCapacity: true) }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    let key = SBMLNumber.trimmed(String(decoding: line[..<colon], as: UTF8.self)).uppercased()
    let value = SBMLNumber.trimmed(String(decoding: line[(colon + 1)...], as: UTF8.self))
    if !key.isEmpty, !value.isEmpty { entries.append((key, value)) }
  }
}
