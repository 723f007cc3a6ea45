/// A writer of a record's content as bytes: numbers in 8 bytes, little-endian; texts and lists after their length.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  /// Starts with the number of the form, so that later forms can be distinguished.
  init(form: UInt8) { bytes.append(form) }

  mutating func put(_ number: Int) {
    for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  mutating func put(_ byte: UInt8) { bytes.append(byte) }

  mutating func put(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  mutating func put(_ text: String) {
    var text = text
    text.withUTF8 {
      put($0.count)
      bytes.append(contentsOf: $0)
    }
  }

  mutating func put(_ content: [UInt8]) {
    put(content.count)
    bytes.append(contentsOf: content)
  }

  mutating func put(_ texts: [String]) {
    put(texts.count)
    for text in texts { put(text) }
  }

  /// Writes a flag for the presence of a value, then the value.
  mutating func put<Value>(optional value: Value?, _ put: (inout ByteWriter, Value) -> Void) {
    self.put(value != nil)
    if let value { put(&self, value) }
  }
}
