import PluginCompression
import Testing

struct GzipTests {
  private static let text = Array(String(repeating: "forty-two is the answer; ", count: 4000).utf8)

  @Test(arguments: [0, 1, 17, 100_000])
  func `uncompressing compressed data restores it`(count: Int) throws {
    let content = Array(Self.text.prefix(count))
    #expect(try Gzip.uncompress(Gzip.compress(content)) == content)
  }

  @Test func `compressing the same data twice gives the same bytes`() throws {
    #expect(try Gzip.compress(Self.text) == Gzip.compress(Self.text))
  }

  @Test func `several members give one content, and zero padding after them is ignored`() throws {
    let one = try Gzip.compress([1, 2, 3])
    let two = try Gzip.compress(Self.text)
    #expect(try Gzip.uncompress(one + two + one) == [1, 2, 3] + Self.text + [1, 2, 3])
    #expect(try Gzip.uncompress(two + [0, 0, 0, 0]) == Self.text)
  }

  @Test func `data in another format is not gzip`() {
    #expect(throws: CompressionError.notGzip) { try Gzip.uncompress(Array("ATOM".utf8)) }
    #expect(!Gzip.isGzip([0x1F]))
  }

  @Test func `a file truncated at any byte is rejected`() throws {
    let packed = try Gzip.compress(Self.text)
    let wrong = (2..<packed.count).filter { count in
      do throws(CompressionError) {
        _ = try Gzip.uncompress(Array(packed.prefix(count)))
        return true
      } catch {
        return error != .truncated
      }
    }
    #expect(wrong == [])
  }

  @Test func `a wrong checksum and trailing garbage are reported as damage`() throws {
    var packed = try Gzip.compress(Self.text)
    packed[packed.count - 6] ^= 1
    #expect(throws: CompressionError.damaged) { try Gzip.uncompress(packed) }
    let garbage = try Gzip.compress([1, 2, 3]) + [1, 2, 3]
    #expect(throws: CompressionError.damaged) { try Gzip.uncompress(garbage) }
  }

  @Test func `a decompression bomb stops at the limit, whatever size it claims`() throws {
    let bomb = try Gzip.compress([UInt8](repeating: 0, count: 30_000_000))
    #expect(throws: CompressionError.tooLarge(limit: 1_000_000)) { try Gzip.uncompress(bomb, limit: 1_000_000) }
    var liar = bomb
    liar.replaceSubrange(liar.count - 4..<liar.count, with: [16, 0, 0, 0])
    #expect(throws: CompressionError.tooLarge(limit: 1_000_000)) { try Gzip.uncompress(liar, limit: 1_000_000) }
  }

  @Test func `content larger than the cap for whole buffers is uncompressed`() throws {
    let big = [UInt8](repeating: 7, count: Gzip.wholeBufferCap + 5)
    #expect(try Gzip.uncompress(Gzip.compress(big, level: 1)) == big)
  }

  @Test(arguments: [1, 7, 1000])
  func `a gzip stream accepts chunks of any size`(size: Int) throws {
    let packed = try Gzip.compress(Self.text) + Gzip.compress([9])
    let stream = try GzipStream()
    var content: [UInt8] = []
    for start in stride(from: 0, to: packed.count, by: size) {
      try packed[start..<min(start + size, packed.count)].withUnsafeBytes { piece in
        try stream.push(piece) { content.append(contentsOf: $0) }
      }
    }
    try stream.finish()
    #expect(content == Self.text + [9])
  }
}
