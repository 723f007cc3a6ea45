import PluginText
import Testing

@Suite struct HexadecimalTests {
  @Test func `a byte is written as two digits, lowercase or uppercase`() {
    #expect(Hexadecimal.text([0x00, 0x0F, 0xA0, 0xFF] as [UInt8]) == "000fa0ff")
    #expect(Hexadecimal.text([0x0F, 0xA0] as [UInt8], isUppercase: true) == "0FA0")
    #expect(Hexadecimal.text([] as [UInt8]) == "")
  }

  @Test func `every byte is restored from digits of either case`() {
    let bytes = Array(UInt8.min...UInt8.max)
    #expect(Hexadecimal.bytes(Hexadecimal.text(bytes)) == bytes)
    #expect(Hexadecimal.bytes(Hexadecimal.text(bytes, isUppercase: true)) == bytes)
    #expect(Hexadecimal.bytes("") == [])
  }

  @Test(arguments: ["0", "0g", "0x", " 00", "0 0", "００", "é"])
  func `text that is not hexadecimal is refused`(text: String) {
    #expect(Hexadecimal.bytes(text) == nil)
  }

  @Test func `numbers are padded with zeros to a length and never truncated`() {
    #expect(Hexadecimal.text(0x1F as UInt32, digits: 8) == "0000001f")
    #expect(Hexadecimal.text(0xABCDE as UInt32, digits: 4, isUppercase: true) == "ABCDE")
  }

  @Test func `every digit has its value, and other characters have none`() {
    for value in UInt8(0)..<16 {
      #expect(Hexadecimal.value(Hexadecimal.digit(value)) == value)
      #expect(Hexadecimal.value(Hexadecimal.digit(value, isUppercase: true)) == value)
    }
    for byte in ["g", "G", "/", ":", "@", "`"].map({ UInt8(ascii: $0) }) { #expect(Hexadecimal.value(byte) == nil) }
  }
}
