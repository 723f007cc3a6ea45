import PluginText
import TestSupport
import Testing

@testable import Molecules

struct DecimalWordTests {
  private func word(_ text: String) -> UInt64 {
    let bytes = Array((String(repeating: " ", count: 8 - text.utf8.count) + text).utf8)
    return bytes.withUnsafeBufferPointer { DecimalWord.load($0.baseAddress.unsafelyUnwrapped) }
  }

  @Test(arguments: [
    ("0", 0), ("-0.000", -0.0), ("12.345", 12.345), ("-12.345", -12.345), ("1.00", 1), ("  .5", 0.5),
    ("-999.999", -999.999),
    ("12345678", 12_345_678), ("0.000001", 0.000001), ("-1", -1),
  ])
  func `a number of up to eight characters is parsed exactly`(text: String, value: Double) {
    for found in [
      DecimalWord.number(word(text)), DecimalWord.number(word(text), likely: 2),
      DecimalWord.number(word(text), likely: 3),
    ] {
      #expect(found == value)
      #expect(found?.sign == value.sign)
    }
  }

  @Test(arguments: [
    "", ".", "-", "- 1.0", "1 2", "1.2.3", "--1.0", "1-2", "+1.0", "1.0e3", "1.", "1,5", "*****", "nan", "1.0 ",
    "\t1.0",
    "!.00", "(1)", "1.0-", "\u{1}1", "1.-00", ".-123", "1.5 0", "1. 50", "1.500 ", "1:.00", "1.0:0", "0-.00", "--.00",
  ])
  func `text that is not a plain number is left to the slower parser`(text: String) {
    #expect(DecimalWord.number(word(text)) == nil)
    #expect(DecimalWord.number(word(text), likely: 2) == nil)
    #expect(DecimalWord.number(word(text), likely: 3) == nil)
    #expect(DecimalWord.integer(word(text)) == nil)
  }

  @Test func `an integer has no decimal point`() {
    #expect(DecimalWord.integer(word("-123")) == -123)
    #expect(DecimalWord.integer(word("99999")) == 99_999)
    #expect(DecimalWord.integer(word("1.0")) == nil)
  }

  @Test func `any eight bytes are parsed like the slower parser does, or not at all`() {
    var random = SplitMix64(seed: 7)
    let letters = Array("0123456789 -. 5".utf8)
    var differences: [String] = []
    var read = 0
    for round in 0..<200_000 {
      var bytes = (0..<8).map { _ in letters[Int(random.next() % UInt64(letters.count))] }
      if round % 2 == 0 { bytes[round % 4 == 0 ? 4 : 5] = UInt8(ascii: ".") }
      bytes.withUnsafeBufferPointer { buffer in
        let base = buffer.baseAddress.unsafelyUnwrapped
        let (slow, whole) = (NumberText.number(base, 8), NumberText.integer(base, 8))
        let (fast, fastWhole) = (
          DecimalWord.number(DecimalWord.load(base)), DecimalWord.integer(DecimalWord.load(base))
        )
        for fast in [
          fast, DecimalWord.number(DecimalWord.load(base), likely: 2),
          DecimalWord.number(DecimalWord.load(base), likely: 3),
        ] {
          guard let fast else { continue }
          read += 1
          if fast.bitPattern != slow?.bitPattern { differences.append(String(decoding: bytes, as: UTF8.self)) }
        }
        if let fastWhole, fastWhole != whole { differences.append(String(decoding: bytes, as: UTF8.self)) }
      }
    }
    #expect(differences == [])
    #expect(read > 1000)
  }

  @Test func `the last bytes of a word are preceded by blanks`() {
    #expect(DecimalWord.last(3, of: word("ABCDE123")) == word("123"))
    #expect(DecimalWord.last(8, of: word("ABCDE123")) == word("ABCDE123"))
  }
}
