import PluginText
import Testing

@Suite struct Base64DecoderTests {
  /// Decodes a text in pieces of so many characters.
  private func decoded(_ text: String, piece: Int) throws -> [UInt8] {
    var decoder = Base64Decoder()
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let next = Array(rest.prefix(piece))
      rest = rest.dropFirst(next.count)
      var room = [UInt8](repeating: 0, count: Base64Decoder.room(for: next.count))
      let count = try next.withUnsafeBufferPointer { text in
        try room.withUnsafeMutableBufferPointer { room -> Int in
          guard let base = room.baseAddress else { return 0 }
          return try decoder.decode(text, into: base)
        }
      }
      bytes += room[..<count]
    }
    try decoder.finish()
    return bytes
  }

  /// Returns a text in lines of so many characters; one line for 0.
  private func lines(of text: String, length: Int) -> [Substring] {
    if length == 0 || text.isEmpty { return [text[...]] }
    return stride(from: 0, to: text.count, by: length).map { text.dropFirst($0).prefix(length) }
  }

  private func fault(_ text: String, piece: Int = .max) -> Base64Decoder.Fault? {
    do {
      _ = try decoded(text, piece: piece)
      return nil
    } catch {
      return error as? Base64Decoder.Fault
    }
  }

  @Test(arguments: [
    ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmE=", "fooba"),
    ("Zm9vYmFy", "foobar"),
  ])
  func `the examples of the standard are decoded`(text: String, plain: String) throws {
    #expect(try decoded(text, piece: .max) == Array(plain.utf8))
    #expect(try decoded(text, piece: 1) == Array(plain.utf8))
  }

  @Test func `bytes of any length are restored from chunks and lines of any length`() throws {
    var wrong: [String] = []
    for count in 0..<70 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 37 &* $0 &+ $0 >> 3) }
      for line in [0, 4, 20, 76] {
        for piece in [1, 2, 3, 5, 64, Int.max] {
          let text = lines(of: Base64.text(bytes), length: line).joined(separator: "\r\n")
          if try decoded(text, piece: piece) != bytes { wrong.append("\(count) \(line) \(piece)") }
        }
      }
    }
    #expect(wrong == [])
  }

  @Test func `every byte outside the alphabet of base64 is junk, at any offset`() {
    let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/= \t\r\n".utf8)
    for byte in UInt8.min...UInt8.max where !alphabet.contains(byte) && byte < 0x80 {
      let character = String(UnicodeScalar(byte))
      #expect(fault(character + "QUJD") == .junk(at: 0))
      #expect(fault("QUJDQU" + character) == .junk(at: 6))
    }
  }

  @Test func `padding is accepted only where a group needs it`() {
    #expect(fault("QQ==QUJD") == .padding(at: 4))
    #expect(fault("QQ==QUJD", piece: 1) == .padding(at: 4))
    #expect(fault("=") == .padding(at: 0))
    #expect(fault("Q===") == .padding(at: 1))
    #expect(fault("QUI==") == .padding(at: 4))
    #expect(fault("QUJD=") == .padding(at: 4))
    #expect(fault("QQ=") == .cut)
    #expect(fault("QQ=Q") == .padding(at: 3))
    #expect(fault("QQ") == .cut)
    #expect(fault("QUJDR") == .cut)
    #expect(fault("Q Q = =") == nil)
  }
}
