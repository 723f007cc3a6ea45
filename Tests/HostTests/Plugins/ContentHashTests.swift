import PluginText
import Testing

@testable import Host

struct ContentHashTests {
  @Test func `hashes of all sizes around a block equal those of the kit`() {
    var differing: [Int] = []
    for count in Array(0...300) + [4095, 4096, 100_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }
      if ContentHash.of(bytes) != SHA256.hexadecimal(of: bytes) { differing.append(count) }
    }
    #expect(differing == [])
  }

  @Test func `the examples of the standard have its hashes`() {
    // FIPS 180-4, examples of NIST.
    #expect(
      ContentHash.of(Array("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      ContentHash.of(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8))
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
  }
}
