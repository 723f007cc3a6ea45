import PluginAPI
import Testing

@testable import Host

struct MinisignTests {
  /// The key of minisign's author, and a signature of the four bytes `test` with it.
  ///
  /// From the tests of https://github.com/jedisct1/rust-minisign-verify (MIT).
  private static let authorsKey = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"
  private static let authorsSignature = """
    untrusted comment: signature from minisign secret key
    RUQf6LRCGA9i559r3g7V1qNyJDApGip8MfqcadIgT9CuhV3EMhHoN1mGTkUidF/z7SrlQgXdy8ofjb7bNJJylDOocrCo8KLzZwo=
    trusted comment: timestamp:1556193335\tfile:test
    y/rUw2y8/hOUYjZU71eHp/Wo1KZ40fGy2VJEDl34XMJM+TX48Ss/17u3IvIfbVR1FkZZSNCisQbuQY+bHwhEBg==

    """
  /// The same, without hashing the file first.
  private static let olderSignature = """
    untrusted comment: signature from minisign secret key
    RWQf6LRCGA9i59SLOFxz6NxvASXDJeRtuZykwQepbDEGt87ig1BNpWaVWuNrm73YiIiJbq71Wi+dP9eKL8OC351vwIasSSbXxwA=
    trusted comment: timestamp:1555779966\tfile:test
    QtKMXWyYcwdpZAlPF7tE2ENJkRd1ujvKjlj1m9RtHTBnZPa5WKU5uWRs5GoP5M/VqE81QFuMKI5k/SfNQUaOAA==

    """
  private let content = Array("test".utf8)

  private func key(_ text: String = Self.authorsKey) throws -> MinisignKey { try #require(MinisignKey(text)) }

  /// Returns the code of the error of checking a signature; nil if it is good.
  private func code(_ signature: [UInt8], of bytes: [UInt8], key: MinisignKey) -> String? {
    do {
      try MinisignSignature(signature).check(bytes, key: key)
      return nil
    } catch {
      return ErrorReport(error).code
    }
  }

  @Test func `a signature made by minisign is accepted`() throws {
    let signature = try MinisignSignature(Array(Self.authorsSignature.utf8))
    #expect(signature.comment == "timestamp:1556193335\tfile:test")
    #expect(signature.isMade(with: try key()))
    try signature.check(content, key: try key())
  }

  @Test func `a signature without prehashing is refused`() throws {
    #expect(throws: PackageError.self) { try MinisignSignature(Array(Self.olderSignature.utf8)) }
    #expect(code(Array(Self.olderSignature.utf8), of: content, key: try key()) == "host.bad-signature")
  }

  @Test func `every changed bit of a file, its signature or its trusted comment is detected`() throws {
    let (good, key) = (Array(Self.authorsSignature.utf8), try key())
    let untrusted = try #require(good.firstIndex(of: 0x0A))
    var accepted: [String] = []
    for bit in 0..<8 {
      for offset in content.indices {
        var bytes = content
        bytes[offset] ^= 1 << UInt8(bit)
        if code(good, of: bytes, key: key) != "host.bad-signature" { accepted.append("content \(offset)") }
      }
      for offset in untrusted..<good.count {
        var signature = good
        signature[offset] ^= 1 << UInt8(bit)
        if code(signature, of: content, key: key) != "host.bad-signature" { accepted.append("signature \(offset)") }
      }
    }
    #expect(accepted == [])
    #expect(code(good, of: content + [0], key: key) == "host.bad-signature")
    #expect(code(good, of: [], key: key) == "host.bad-signature")
  }

  @Test func `our own signatures are deterministic, and only our key accepts them`() throws {
    let made = try SamplePackage.signature(of: content, comment: "file:tides")
    #expect(try SamplePackage.signature(of: content, comment: "file:tides") == made)
    #expect(code(made, of: content, key: try key(SamplePackage.key)) == nil)
    #expect(code(made, of: content, key: try key()) == "host.bad-signature")
    #expect(try MinisignSignature(made).isMade(with: try key()) == false)
    // The identifier is only a hint: a signature that claims another key is not made with it.
    let claimed = try #require(MinisignKey("RWR3b3JrYm5jaHmlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"))
    #expect(code(made, of: content, key: claimed) == "host.bad-signature")
  }

  @Test(arguments: [
    ("RUQf", "RUQ "), ("Zwo=", "Zwp="), ("\n", "\r\n"), ("trusted comment: timestamp", "comment: timestamp"),
    ("untrusted ", ""), ("EBg==\n", "EBg=="), ("EBg==\n", "EBg==\nmore\n"),
  ])
  func `a signature file in another form is refused`(part: String, other: String) throws {
    let text = Self.authorsSignature.replacing(part, with: other)
    #expect(text != Self.authorsSignature)
    #expect(code(Array(text.utf8), of: content, key: try key()) == "host.bad-signature")
  }

  @Test(arguments: ["", "RWQ", "test", "RUQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"])
  func `text that is not a public key is refused`(text: String) {
    #expect(MinisignKey(text) == nil)
  }

  /// Returns the code of the error of reading a secret key; nil if it is good.
  private func code(ofSecret text: String) -> String? {
    do {
      _ = try MinisignSecret(Array(text.utf8), path: "test.key")
      return nil
    } catch {
      return ErrorReport(error).code
    }
  }

  @Test func `a damaged secret key or one with a passphrase is refused`() {
    let good = SamplePackage.secretFile
    #expect(code(ofSecret: good) == nil)
    #expect(code(ofSecret: good.replacing("RWQAAEIy", with: "RWRTY0Iy")) == "host.bad-key")
    #expect(code(ofSecret: good.replacing("d29ya2JuY2g", with: "d29ya2JuY2c")) == "host.bad-key")
    #expect(code(ofSecret: good.replacing("\n", with: "")) == "host.bad-key")
    #expect(code(ofSecret: "") == "host.bad-key")
  }

  @Test func `a secret key with zeros as its checksum, as minisign 0.11 writes it, signs like any other`() throws {
    let lines = SamplePackage.secretFile.split(separator: "\n")
    // Without the last 32 of 158 bytes.
    let text = "\(lines[0])\n\(lines[1].prefix(168))" + String(repeating: "A", count: 43) + "=\n"
    let secret = try MinisignSecret(Array(text.utf8), path: "test.key")
    let made = try MinisignSignature.file(signing: content, comment: "file:tides", with: secret)
    #expect(try SamplePackage.signature(of: content, comment: "file:tides") == made)
    // Other bytes in the seed, and in the public half.
    for (part, other) in [("BAUGBwgJ", "BAUGBwgK"), ("HXDdGOdL", "HXDdGOdM")] {
      #expect(text.contains(part) && code(ofSecret: text.replacing(part, with: other)) == "host.bad-key")
    }
  }
}
