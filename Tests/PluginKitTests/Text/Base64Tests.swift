import PluginText
import Testing

@Suite struct Base64Tests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func `the examples of the standard are written and read`(plain: String, text: String) {
    // RFC 4648, section 10.
    #expect(Base64.text(Array(plain.utf8)) == text && Base64.encoded(Array(plain.utf8)) == Array(text.utf8))
    #expect(Base64.bytes(text) == Array(plain.utf8))
    var encoder = Base64Encoder()
    let pieces = plain.utf8.flatMap { encoder.encode([$0]) } + encoder.finish()
    #expect(String(decoding: pieces, as: UTF8.self) == text)
  }

  @Test func `white space is ignored, and everything else that is not base64 refused`() {
    #expect(Base64.bytes(" Zm9v\r\n\tYg= = ") == Array("foob".utf8))
    for text in ["Z", "Zg===", "Zg=a", "Zm9vé", "Zm9-", "Zm9_", "="] {
      #expect(Base64.bytes(text) == nil && Base64.bytes(text, requiresPadding: false) == nil, "\(text)")
    }
  }

  @Test func `padding may be missing only where that is accepted, as for images of openBIS`() {
    for (text, plain) in [("Zg", "f"), ("Zg=", "f"), ("Zm8", "fo")] {
      #expect(Base64.bytes(text) == nil, "\(text)")
      #expect(Base64.bytes(text, requiresPadding: false) == Array(plain.utf8), "\(text)")
    }
  }

  @Test func `padding of three characters is one sign, where OpenBIS accepted two`() {
    #expect(Base64.bytes("Zm8==", requiresPadding: false) == nil)
  }
}
