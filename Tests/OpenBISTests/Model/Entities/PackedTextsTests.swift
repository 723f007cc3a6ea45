import Testing

@testable import OpenBIS

@Suite struct PackedTextsTests {
  @Test func `Texts are unpacked unchanged and in order`() {
    let texts = ["", "a", "ü\u{0}b", String(repeating: "x", count: 20_000), "👩🏽‍🔬"]
    let packed = PackedTexts(texts)
    #expect(Array(packed) == texts)
    #expect(PackedTexts(encoded: packed.encoded) == packed)
  }

  @Test func `Damaged bytes are refused`() {
    let bytes = PackedTexts(["abc", "def"]).encoded
    for count in [1, 2, 3, 5, 6, 7] { #expect(PackedTexts(encoded: Array(bytes.prefix(count))) == nil) }
    #expect(PackedTexts(encoded: Array(repeating: 255, count: 12)) == nil)
  }
}
