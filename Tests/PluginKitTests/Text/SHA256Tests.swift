import PluginText
import Testing

@Suite struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `digests match the standard's examples`(text: String, digest: String) {
    #expect(SHA256.hexadecimal(of: Array(text.utf8)) == digest)
  }

  @Test func `the digest does not depend on how the bytes are chunked`() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 3) }
    let whole = SHA256.hexadecimal(of: bytes)
    var different: [Int] = []
    for size in [1, 3, 55, 56, 63, 64, 65, 127, 128, 999, 1000] {
      var hash = SHA256()
      for start in stride(from: 0, to: bytes.count, by: size) {
        hash.update(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      if Hexadecimal.text(hash.finish()) != whole { different.append(size) }
    }
    #expect(different.isEmpty)
  }

  @Test func `the digest of a million letters matches the standard`() {
    var hash = SHA256()
    let piece = [UInt8](repeating: 0x61, count: 1000)
    for _ in 0..<1000 { hash.update(piece) }
    let digest = Hexadecimal.text(hash.finish())
    #expect(digest == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }
}
