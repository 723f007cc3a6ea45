import Testing

@testable import Host

struct KeyStreamTests {
  /// Returns the keys of pieces that arrive one after the other, and then nothing more.
  private func keys(_ pieces: [UInt8]...) -> [KeyStream.Key] {
    var stream = KeyStream()
    var keys: [KeyStream.Key] = []
    for piece in pieces {
      stream.append(piece)
      while let key = stream.next() { keys.append(key) }
    }
    while let key = stream.next(isPaused: true) { keys.append(key) }
    return keys
  }

  private func keys(_ text: String) -> [KeyStream.Key] { keys(Array(text.utf8)) }

  private func scalars(_ text: String) -> [KeyStream.Key] { text.unicodeScalars.map(KeyStream.Key.scalar) }

  private func paste(_ text: String) -> KeyStream.Key { .paste(Array(text.unicodeScalars)) }

  @Test func `characters are single keys, even if their bytes arrive separately`() {
    #expect(keys("aä中\r\u{1B}[A") == scalars("aä中\r\u{1B}[A"))
    #expect(keys([0xE4, 0xB8], [0xAD]) == scalars("中"))
  }

  @Test func `invalid UTF-8 and Unicode control characters are replaced`() {
    #expect(keys([0xFF, 0x61, 0xE2, 0x28, 0xC2, 0x85]) == scalars("\u{FFFD}a\u{FFFD}(\u{FFFD}"))
    #expect(keys([0xC3]) == scalars("\u{FFFD}"))
    #expect(keys([0, 0x61, 0]) == scalars("a"))
  }

  @Test func `a key that begins like a paste is complete after a pause`() {
    var stream = KeyStream()
    stream.append([0x1B])
    #expect(stream.next() == nil && stream.next(isPaused: true) == .scalar("\u{1B}"))
    stream.append(Array("\u{1B}[2".utf8))
    #expect(stream.next() == nil && !stream.isEmpty)
    #expect(stream.next(isPaused: true) == .scalar("\u{1B}"))
    #expect(stream.next() == .scalar("[") && stream.next() == .scalar("2") && stream.isEmpty)
  }

  @Test func `a bracketed paste is one text, wherever its bytes are split`() {
    let bytes = Array("x\u{1B}[200~one\r\ntwo\tä\u{1B}[31m\u{7F}\r\n\u{1B}[201~y".utf8)
    let expected = scalars("x") + [paste("one\ntwo\tä\u{FFFD}[31m\u{FFFD}")] + scalars("y")
    for cut in 0...bytes.count {
      #expect(keys(Array(bytes[..<cut]), Array(bytes[cut...])) == expected, "cut at \(cut)")
    }
  }

  @Test func `a long run of characters is a paste, and a final Return is a key`() {
    let run = String(repeating: "q", count: 100)
    #expect(keys(run + "\r") == [paste(run)] + scalars("\r"))
    #expect(keys("short\r") == scalars("short\r"))
    let cut = Array((run + "中").utf8)
    #expect(keys(Array(cut.dropLast()), [0xAD]) == [paste(run)] + scalars("中"))
  }

  @Test func `Ctrl-C interrupts, even within an unfinished paste`() {
    #expect(keys("a\u{3}") == scalars("a") + [.interrupt])
    #expect(keys("\u{1B}[200~never ends", "\u{3}b") == [.interrupt] + scalars("b"))
    #expect(keys("\u{1B}[200~a\u{1B}[201~\u{3}") == [paste("a"), .interrupt])
  }

  private func keys(_ first: String, _ second: String) -> [KeyStream.Key] {
    keys(Array(first.utf8), Array(second.utf8))
  }

  @Test func `a long paste is truncated at a limit, and keys after it are not lost`() {
    let text = String(repeating: "abcdefghijklmnop", count: 1 << 16)
    let found = keys(Array("\u{1B}[200~".utf8), Array(text.utf8), Array("\u{1B}[201~z".utf8))
    #expect(found.count == 2 && found.last == .scalar("z"))
    #expect(found.first == paste(String(text.prefix(KeyStream.pasteLimit))))
  }
}
