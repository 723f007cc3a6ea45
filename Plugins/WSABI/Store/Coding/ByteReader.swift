/// A reader of bytes written by ``ByteWriter``; every length is checked against the remaining bytes.
struct ByteReader {
  /// An error for bytes that do not match the written form.
  struct Problem: Error {}

  private let bytes: [UInt8]
  private var position = 0
  /// The form that was written.
  private(set) var form: UInt8 = 0

  /// Starts reading; throws an error for an unknown form.
  init(_ bytes: [UInt8], forms: ClosedRange<UInt8> = 1...1) throws(Problem) {
    self.bytes = bytes
    form = try byte()
    guard forms.contains(form) else { throw Problem() }
  }

  mutating func byte() throws(Problem) -> UInt8 {
    guard position < bytes.count else { throw Problem() }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func flag() throws(Problem) -> Bool {
    switch try byte() {
    case 0: false
    case 1: true
    default: throw Problem()
    }
  }

  mutating func number() throws(Problem) -> Int {
    guard bytes.count - position >= 8 else { throw Problem() }
    var number: UInt64 = 0
    for index in (0..<8).reversed() { number = number << 8 | UInt64(bytes[position + index]) }
    position += 8
    return Int(truncatingIfNeeded: number)
  }

  /// Returns the number of elements that follow, each at least one byte long.
  mutating func count() throws(Problem) -> Int {
    let count = try number()
    guard count >= 0, count <= bytes.count - position else { throw Problem() }
    return count
  }

  mutating func content() throws(Problem) -> [UInt8] {
    let count = try count()
    defer { position += count }
    return Array(bytes[position..<(position + count)])
  }

  mutating func text() throws(Problem) -> String {
    let count = try count()
    defer { position += count }
    return String(decoding: bytes[position..<(position + count)], as: UTF8.self)
  }

  mutating func texts() throws(Problem) -> [String] {
    let count = try count()
    var texts: [String] = []
    for _ in 0..<count { texts.append(try text()) }
    return texts
  }

  mutating func optional<Value>(_ read: (inout ByteReader) throws(Problem) -> Value) throws(Problem) -> Value? {
    try flag() ? try read(&self) : nil
  }

  /// Throws an error unless all bytes were read.
  func checkEnd() throws(Problem) {
    if position != bytes.count { throw Problem() }
  }
}
