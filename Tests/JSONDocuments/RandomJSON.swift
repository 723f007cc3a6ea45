/// Makes documents of random shape; about half of them have something wrong in one or several places.
public struct RandomJSON<Random: RandomNumberGenerator> {
  private var random: Random
  private var bytes: [UInt8] = []

  /// Creates a source of documents.
  public init(_ random: Random) {
    self.random = random
  }

  /// Makes the next document.
  public mutating func next() -> [UInt8] {
    bytes = []
    if chance(40) { add("\u{FEFF}") }
    blanks()
    value(depth: 0)
    blanks()
    if chance(2) { for _ in 0...below(3) { damage() } }
    return bytes
  }

  private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
  private mutating func chance(_ one: Int) -> Bool { below(one) == 0 }
  private mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }
  private mutating func one(of texts: [String]) -> String { texts[below(texts.count)] }

  private mutating func blanks() {
    while chance(4) { add(one(of: [" ", "\t", "\n", "\r", "\r\n", "  "])) }
  }

  private mutating func value(depth: Int) {
    switch below(depth > 10 ? 5 : 9) {
    case 0: add(one(of: ["true", "false", "null"]))
    case 1, 2: number()
    case 3, 4: text()
    case 5, 6: list(depth: depth)
    default: object(depth: depth)
    }
  }

  private mutating func list(depth: Int) {
    add("[")
    blanks()
    for index in 0..<below(5) {
      if index > 0 { add(",") }
      blanks()
      value(depth: depth + 1)
      blanks()
    }
    add("]")
  }

  private mutating func object(depth: Int) {
    add("{")
    blanks()
    for index in 0..<below(5) {
      if index > 0 { add(",") }
      blanks()
      text()
      blanks()
      add(":")
      blanks()
      value(depth: depth + 1)
      blanks()
    }
    add("}")
  }

  private mutating func number() {
    if chance(3) { add("-") }
    if chance(6) { add("0") } else { add(String(1 + below(9)) + digits(below(chance(8) ? 40 : 6))) }
    if chance(3) { add("." + digits(1 + below(9))) }
    if chance(4) { add(one(of: ["e", "E"]) + one(of: ["", "+", "-"]) + digits(1 + below(3))) }
  }

  private mutating func digits(_ count: Int) -> String {
    var text = ""
    for _ in 0..<count { text += String(below(10)) }
    return text
  }

  private mutating func text() {
    add("\"")
    for _ in 0..<below(chance(10) ? 60 : 9) { character() }
    add("\"")
  }

  private mutating func character() {
    switch below(12) {
    case 0: add(one(of: ["\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t"]))
    case 1: add("\\u" + hex(below(0x10000)))
    case 2: add("\\u" + hex(0xD800 + below(0x800)))
    case 3: add("\\u" + hex(0xD800 + below(0x400)) + "\\u" + hex(0xDC00 + below(0x400)))
    case 4: add(one(of: ["ü", "€", "😀", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10FFFF}"]))
    case 5: add(one(of: ["[", "]", "{", "}", ",", ":", " ", "u", "'"]))
    default: bytes.append(UInt8(0x61 + below(26)))
    }
  }

  private mutating func hex(_ code: Int) -> String {
    let text = String(code, radix: 16, uppercase: chance(2))
    return String(repeating: "0", count: 4 - text.count) + text
  }

  /// Changes something.
  private mutating func damage() {
    let place = below(bytes.count + 1)
    let tokens = [
      "\"", "\\", "\\u", "\\ud800", "[", "]", "{", "}", ",", ":", "0", "-", ".", "e", "tru", "nul", "NaN", "\u{1}",
      "\u{0}",
      "/", "'", "+1", "01", " ", "\u{FEFF}",
    ]
    switch below(6) {
    case 0: bytes.insert(contentsOf: tokens[below(tokens.count)].utf8, at: place)
    case 1: bytes.removeLast(bytes.count - place)
    case 2 where place < bytes.count: bytes.remove(at: place)
    case 3 where place < bytes.count: bytes[place] = UInt8(below(256))
    case 4 where place < bytes.count: bytes[place] ^= 1 << UInt8(below(8))
    default: bytes.insert(UInt8(below(256)), at: place)
    }
  }
}
