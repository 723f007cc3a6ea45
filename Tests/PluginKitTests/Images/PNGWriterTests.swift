import PluginAPI
import PluginImages
import Testing

struct PNGWriterTests {
  @Test(arguments: [0, 1, 6, 9]) func `reading a written picture restores it`(level: Int) throws {
    for size in [(1, 1), (3, 5), (257, 63)] {
      for isOpaque in [true, false] {
        let picture = ImageFixtures.gradient(size.0, size.1, isOpaque: isOpaque)
        let bytes = try PNGWriter.bytes(of: picture, compressionLevel: level)
        #expect(try ImageReader.picture(from: bytes) == picture)
      }
    }
  }

  @Test func `opaque pictures have no alpha, and the same picture gives the same bytes`() throws {
    let picture = ImageFixtures.gradient(64, 64, isOpaque: true)
    let file = try PNGWriter.bytes(of: picture, annotations: [PNGWriter.Annotation("Software", "Workbench β")])
    let chunks = ImageFixtures.chunks(of: file)
    #expect(chunks.map(\.name) == ["IHDR", "sRGB", "iTXt", "IDAT", "IEND"])
    #expect(chunks.allSatisfy { $0.isWhole })
    #expect(chunks[0].data == ImageFixtures.word(64) + ImageFixtures.word(64) + [8, 2, 0, 0, 0])
    #expect(chunks[2].data == [UInt8]("Software".utf8) + [0, 0, 0, 0, 0] + [UInt8]("Workbench β".utf8))
    #expect(try PNGWriter.bytes(of: picture, annotations: [PNGWriter.Annotation("Software", "Workbench β")]) == file)
    let plain = try PNGWriter.bytes(of: picture, compressionLevel: 0)
    #expect(file.count < plain.count / 4)
  }

  @Test func `an animation stores its frames in the order of the standard`() throws {
    let frames = (0..<3).map { number in
      PNGWriter.Frame(ImageFixtures.gradient(8 + 0 * number, 4, isOpaque: number != 1), milliseconds: 40 * number)
    }
    let file = try PNGWriter.animation(frames, plays: 2)
    let chunks = ImageFixtures.chunks(of: file)
    #expect(
      chunks.map(\.name) == ["IHDR", "sRGB", "acTL", "fcTL", "IDAT", "fcTL", "fdAT", "fcTL", "fdAT", "IEND"])
    #expect(chunks.allSatisfy { $0.isWhole })
    #expect(chunks[2].data == ImageFixtures.word(3) + ImageFixtures.word(2))
    // Sequence numbers run through fcTL and fdAT together.
    let sequence = chunks.filter { ["fcTL", "fdAT"].contains($0.name) }.map { Int($0.data[3]) }
    #expect(sequence == [0, 1, 2, 3, 4])
    #expect(Array(chunks[5].data[20...]) == [0, 40, 3, 232, 0, 0])
    #expect(try ImageReader.picture(from: file) == frames[0].picture)
    // A frame's data is that of a still picture of its own.
    let header = ImageFixtures.chunk("IHDR", chunks[0].data)
    let second =
      Array(file.prefix(8)) + header + ImageFixtures.chunk("IDAT", Array(chunks[6].data.dropFirst(4)))
      + ImageFixtures.chunk("IEND", [])
    #expect(try ImageReader.picture(from: second) == frames[1].picture)
  }

  @Test func `pictures that cannot be written are errors`() {
    #expect(throws: ImageError.unwritable(reason: "it has no pixels")) {
      try PNGWriter.bytes(of: Picture(width: 0, height: 5))
    }
    #expect(throws: ImageError.self) { try PNGWriter.animation([]) }
    #expect(throws: ImageError.self) {
      try PNGWriter.animation([
        PNGWriter.Frame(Picture(width: 1, height: 1), milliseconds: 1),
        PNGWriter.Frame(Picture(width: 2, height: 1), milliseconds: 1),
      ])
    }
  }
}
