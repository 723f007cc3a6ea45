import PluginText
import TestSupport
import Testing

@testable import PathCase

struct BigUnsignedTests {
  private func number(_ source: inout SplitMix64) -> BigUnsigned {
    BigUnsigned(words: (0..<Int.random(in: 0...4, using: &source)).map { _ in source.next() })
  }

  @Test func `text consists of decimal digits, and is parsed back`() throws {
    #expect(BigUnsigned.zero.description == "0" && BigUnsigned(7).description == "7")
    #expect(BigUnsigned(words: [0, 1]).description == "18446744073709551616")
    #expect(BigUnsigned(UInt64.max).description == "18446744073709551615")
    #expect(BigUnsigned("340282366920938463463374607431768211456") == BigUnsigned(words: [0, 0, 1]))
    #expect(BigUnsigned("1000000000000000000")?.description == "1000000000000000000")
    for text in ["", "-1", "+1", "1e3", " 1", "0x1"] { #expect(BigUnsigned(text) == nil) }
  }

  @Test func `sums, differences and products are consistent`() {
    var source = SplitMix64(seed: 1)
    for _ in 0..<200 {
      let (a, b, c) = (number(&source), number(&source), number(&source))
      #expect((a + b) - b == a)
      #expect(a * (b + c) == a * b + a * c)
      #expect(a * b == b * a)
      #expect(BigUnsigned(a.description) == a)
      #expect((a + b) >= a && (a < b) == !(b <= a))
    }
  }

  @Test func `division by a word gives quotient and remainder`() {
    var source = SplitMix64(seed: 2)
    for _ in 0..<100 {
      let whole = number(&source)
      let divisor = source.next() | 1
      var quotient = whole
      let remainder = quotient.divide(by: divisor)
      quotient.multiply(by: divisor)
      #expect(remainder < divisor && quotient + BigUnsigned(remainder) == whole)
    }
    var none = BigUnsigned(9)
    none.multiply(by: 0)
    #expect(none.isZero)
  }

  @Test func `shares are correct beyond the range of floating-point numbers`() throws {
    let huge = (0..<40).reduce(BigUnsigned(3)) { number, _ in number * BigUnsigned(words: [0, 1]) }
    #expect(huge.approximate == .infinity)
    #expect(huge.share(of: huge + huge) == 0.5)
    #expect(BigUnsigned(1).share(of: 4) == 0.25 && BigUnsigned.zero.share(of: .zero) == 0)
    #expect(BigUnsigned("1000000000000000000000")?.approximate == 1e21)
    #expect(huge.small == nil && BigUnsigned(12).small == 12 && huge.bitCount == 40 * 64 + 2)
  }

  @Test func `random numbers are below the bound and cover the whole range`() {
    var source = SplitMix64(seed: 3)
    var seen: Set<BigUnsigned> = []
    for _ in 0..<200 { seen.insert(.random(below: 5, using: &source)) }
    #expect(seen == [0, 1, 2, 3, 4])
    let bound = BigUnsigned(words: [1, 1])
    let isBelow = (0..<200).allSatisfy { _ in BigUnsigned.random(below: bound, using: &source) < bound }
    #expect(isBelow)
  }
}
