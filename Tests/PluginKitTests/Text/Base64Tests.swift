import PluginText
import Testing

@Suite struct Base64Tests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func `the standard's examples are encoded and decoded`(plain: String, text: String) {
    // RFC 4648, section 10.
    #expect(Base64.text(Array(plain.utf8)) == text && Base64.encoded(Array(plain.utf8)) == Array(text.utf8))
    #expect(Base64.bytes(text) == Array(plain.utf8))
    var encoder = Base64Encoder()
    let pieces = plain.utf8.flatMap { encoder.encode([$0]) } + encoder.finish()
    #expect(String(decoding: pieces, as: UTF8.self) == text)
  }

  @Test func `white space is ignored, and other characters outside base64 are refused`() {
    #expect(Base64.bytes(" Zm9v\r\n\tYg= = ") == Array("foob".utf8))
    for text in ["Z", "Zg===", "Zg=a", "Zm9vé", "Zm9-", "Zm9_", "="] {
      #expect(Base64.bytes(text) == nil && Base64.bytes(text, requiresPadding: false) == nil, "\(text)")
    }
  }

  @Test func `missing padding is accepted only if the option is set, as for images of openBIS`() {
    for (text, plain) in [("Zg", "f"), ("Zg=", "f"), ("Zm8", "fo")] {
      #expect(Base64.bytes(text) == nil, "\(text)")
      #expect(Base64.bytes(text, requiresPadding: false) == Array(plain.utf8), "\(text)")
    }
  }

  @Test func `a group of three characters has one padding sign, where OpenBIS accepted two`() {
    #expect(Base64.bytes("Zm8==", requiresPadding: false) == nil)
  }
}
