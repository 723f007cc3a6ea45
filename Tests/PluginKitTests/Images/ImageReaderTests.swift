import Foundation
import PluginAPI
import PluginImages
import PluginText
import TestSupport
import Testing

struct ImageReaderTests {
  @Test func `PNG of every color type and depth is read`() throws {
    // Each file is 2×1: the darkest and the lightest sample, so that the result is known.
    let palette: (String, [UInt8]) = ("PLTE", [0, 0, 0, 255, 255, 255])
    let black: [UInt8] = [0, 0, 0, 255]
    let white: [UInt8] = [255, 255, 255, 255]
    var wrong: [String] = []
    func check(
      _ name: String, depth: UInt8, type: UInt8, chunks: [(String, [UInt8])] = [], _ row: [UInt8]
    ) throws {
      let file = ImageFixtures.png(width: 2, height: 1, depth: depth, colorType: type, chunks: chunks, rows: [row])
      if try ImageReader.picture(from: file).pixels != black + white { wrong.append(name) }
    }
    try check("grey 1", depth: 1, type: 0, [0b0100_0000])
    try check("grey 2", depth: 2, type: 0, [0b0011_0000])
    try check("grey 4", depth: 4, type: 0, [0x0F])
    try check("grey 8", depth: 8, type: 0, [0, 255])
    try check("grey 16", depth: 16, type: 0, [0, 0, 255, 255])
    try check("RGB 8", depth: 8, type: 2, [0, 0, 0, 255, 255, 255])
    try check("RGB 16", depth: 16, type: 2, [UInt8](repeating: 0, count: 6) + [UInt8](repeating: 255, count: 6))
    try check("palette 1", depth: 1, type: 3, chunks: [palette], [0b0100_0000])
    try check("palette 2", depth: 2, type: 3, chunks: [palette], [0b0001_0000])
    try check("palette 4", depth: 4, type: 3, chunks: [palette], [0x01])
    try check("palette 8", depth: 8, type: 3, chunks: [palette], [0, 1])
    try check("grey alpha 8", depth: 8, type: 4, [0, 255, 255, 255])
    try check("grey alpha 16", depth: 16, type: 4, [0, 0, 255, 255, 255, 255, 255, 255])
    try check("RGBA 8", depth: 8, type: 6, black + white)
    try check("RGBA 16", depth: 16, type: 6, (black + white).flatMap { [$0, $0] })
    #expect(wrong.isEmpty)
  }

  @Test func `16-bit samples are taken as sRGB and transparent palette entries as alpha`() throws {
    let deep = ImageFixtures.png(width: 1, height: 1, depth: 16, colorType: 0, rows: [[0x80, 0x80]])
    #expect(try ImageReader.picture(from: deep).pixels == [128, 128, 128, 255])
    let clear = ImageFixtures.png(
      width: 1, height: 1, depth: 8, colorType: 3, chunks: [("PLTE", [10, 20, 30]), ("tRNS", [77])], rows: [[0]])
    #expect(try ImageReader.picture(from: clear).pixels == [10, 20, 30, 77])
  }

  @Test func `JPEG is read, also progressive, grayscale and CMYK`() throws {
    let picture = try ImageReader.picture(from: ImageFixtures.jpeg)
    #expect(picture.size == Size(width: 16, height: 12))
    // Quality 90 moves a sample by less than 12.
    var worst = 0
    for y in 0..<12 {
      for x in 0..<16 {
        let wanted = [16 * x, 20 * y, 128, 255]
        for channel in 0..<4 {
          worst = max(worst, abs(Int(picture.pixels[4 * (16 * y + x) + channel]) - wanted[channel]))
        }
      }
    }
    #expect(worst < 12)
    let gray = try ImageReader.picture(from: ImageFixtures.grayJPEG)
    #expect(gray.pixels[0] == gray.pixels[1] && gray.pixels[3] == 255)
    // 255·200/255, 0·200/255, 128·200/255; quality 95 moves it by at most 3.
    let ink = try ImageReader.picture(from: ImageFixtures.inkJPEG).pixels.prefix(4).map { Int($0) }
    #expect(zip(ink, [200, 0, 100, 255]).allSatisfy { abs($0 - $1) <= 3 })
  }

  @Test func `JPEG 2000 is read, in gray and in colors, as a file and as a bare codestream`() throws {
    var gray: [UInt8] = []
    for y in 0..<12 {
      for x in 0..<16 {
        let sample = UInt8((16 * x) ^ (5 * y))
        gray += [sample, sample, sample, 255]
      }
    }
    let file = ImageFixtures.jpeg2000
    let mark = try #require(ByteSearch.firstIndex(of: [0xFF, 0x4F, 0xFF, 0x51], in: file))
    for bytes in [file, Array(file[mark...])] {
      #expect(try ImageReader.size(of: bytes) == Size(width: 16, height: 12))
      #expect(try ImageReader.picture(from: bytes).pixels == gray)
    }
    var colors: [UInt8] = []
    for y in 0..<8 {
      for x in 0..<8 {
        let blue = 255 - 8 * (x + y)
        colors += [UInt8(32 * x), UInt8(32 * y), UInt8(blue), 255]
      }
    }
    #expect(try ImageReader.picture(from: ImageFixtures.coloredJPEG2000).pixels == colors)
    #expect(throws: ImageError.tooLarge(width: 16, height: 12, maximumPixels: 191)) {
      try ImageReader.picture(from: file, maximumPixels: 191)
    }
  }

  @Test func `bitmaps of 8, 24 and 32 bits are read in either order of rows`() throws {
    let red: [UInt8] = [255, 0, 0, 255]
    let blue: [UInt8] = [0, 0, 255, 255]
    let (redBits, blueBits): ([UInt8], [UInt8]) = ([0, 0, 255], [255, 0, 0])
    for (height, expected) in [(2, blue + red), (-2, red + blue)] {
      let deep = ImageFixtures.bmp(width: 1, height: height, bits: 24, rows: [redBits, blueBits])
      #expect(try ImageReader.picture(from: deep).pixels == expected)
      let wide = ImageFixtures.bmp(width: 1, height: height, bits: 32, rows: [redBits + [9], blueBits + [9]])
      #expect(try ImageReader.picture(from: wide).pixels == expected)
      let indexed = ImageFixtures.bmp(
        width: 1, height: height, bits: 8, palette: redBits + [0] + blueBits + [0], rows: [[0], [1]])
      #expect(try ImageReader.picture(from: indexed).pixels == expected)
    }
    let outside = ImageFixtures.bmp(width: 1, height: 1, bits: 8, palette: [1, 2, 3, 0], rows: [[200]])
    #expect(try ImageReader.picture(from: outside).pixels == [0, 0, 0, 255])
  }

  @Test func `an SVG is rendered at the requested size, with its aspect ratio`() throws {
    let svg = [UInt8](
      """
      <?xml version="1.0"?><!-- a comment with <tags> -->
      <svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="10" height="10" fill="#ff0000"/>
      <rect x="10" width="10" height="10" fill="#0000ff" fill-opacity="0.5"/></svg>
      """.utf8)
    #expect(try ImageReader.size(of: svg) == Size(width: 20, height: 10))
    let picture = try ImageReader.picture(from: svg, drawingSize: Size(width: 100, height: 100))
    #expect(picture.size == Size(width: 100, height: 50))
    #expect(Array(picture.pixels.prefix(4)) == [255, 0, 0, 255])
    #expect(Array(picture.pixels.suffix(4)) == [0, 0, 255, 128])
  }

  @Test func `an SVG loads no other file, and expanding entities are an error`() throws {
    let outside = [UInt8](
      """
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="4" height="4">
      <image xlink:href="file:///usr/share/pixmaps/debian-logo.png" width="4" height="4"/></svg>
      """.utf8)
    #expect(try ImageReader.picture(from: outside).pixels.allSatisfy { $0 == 0 })
    let entities = (1..<12).map { "<!ENTITY e\($0) \"" + String(repeating: "&e\($0 - 1);", count: 10) + "\">" }
    let growing =
      "<!DOCTYPE svg [<!ENTITY e0 \"ha\">" + entities.joined() + "]><svg xmlns=\"http://www.w3.org/2000/svg\" "
      + "width=\"4\" height=\"4\"><text>&e11;</text></svg>"
    #expect(throws: ImageError.self) { try ImageReader.picture(from: [UInt8](growing.utf8)) }
  }

  @Test func `the format is recognized from the content`() {
    #expect(ImageFormat(recognizing: [0x42, 0x4D]) == .bmp)
    #expect(ImageFormat(recognizing: [UInt8]("\u{FEFF} <!DOCTYPE svg><svg/>".utf8)) == .svg)
    #expect(ImageFormat(recognizing: [UInt8]("<s:svg xmlns:s='x'/>".utf8)) == .svg)
    for text in ["", "GIF89a", "<html><svg/></html>", "no < svg", "<!-- <svg>", "<?xml"] {
      #expect(ImageFormat(recognizing: [UInt8](text.utf8)) == nil)
      #expect(throws: ImageError.unknownFormat) { try ImageReader.picture(from: [UInt8](text.utf8)) }
    }
  }

  @Test func `huge sizes are refused before anything is allocated`() {
    let header = ImageFixtures.chunk(
      "IHDR", ImageFixtures.word(900_000) + ImageFixtures.word(900_000) + [8, 6, 0, 0, 0])
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + header + ImageFixtures.chunk("IDAT", [])
    let bmp = ImageFixtures.bmp(width: 0x7FFF_FFFF, height: -0x7FFF_FFFF, bits: 32, rows: [])
    let svg = [UInt8]("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"900000\" height=\"900000\"/>".utf8)
    for file in [png, bmp, svg] {
      let error = #expect(throws: ImageError.self) { try ImageReader.picture(from: file) }
      #expect(error?.report.code == "image.too-large")
    }
    #expect(throws: ImageError.tooLarge(width: 16, height: 12, maximumPixels: 191)) {
      try ImageReader.picture(from: ImageFixtures.jpeg, maximumPixels: 191)
    }
  }

  @Test func `data that inflates far beyond the picture does not use memory`() throws {
    // 64 MB of zeros for a picture of one pixel, deflated to 64 kB by PNGWriter's own means.
    let zeros = Picture(width: 4096, height: 4096)
    let big = ImageFixtures.chunks(of: try PNGWriter.bytes(of: zeros, compressionLevel: 9))
    let data = big.first { $0.name == "IDAT" }?.data ?? []
    let header = ImageFixtures.chunk("IHDR", ImageFixtures.word(1) + ImageFixtures.word(1) + [8, 6, 0, 0, 0])
    let bomb =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + header + ImageFixtures.chunk("zTXt", [65, 0, 0] + data)
      + ImageFixtures.chunk("iCCP", [65, 0, 0] + data) + ImageFixtures.chunk("IDAT", data)
      + ImageFixtures.chunk("IEND", [])
    let before = peakMemory()
    _ = try? ImageReader.picture(from: bomb)
    #expect(peakMemory() - before < 32_000)
  }

  @Test func `a chunk longer than its file is refused before memory is allocated for it`() {
    var file = ImageFixtures.png(
      width: 1, height: 1, depth: 8, colorType: 0, chunks: [("iTXt", Array("Software".utf8))], rows: [[7]])
    file.replaceSubrange(33..<37, with: [0x7F, 0xFF, 0xFF, 0x00])
    let refusal = ImageError.truncated(.png, reason: "a chunk is longer than the rest of the file")
    #expect(throws: refusal) { try ImageReader.picture(from: file) }
    #expect(throws: refusal) { try ImageReader.size(of: file) }
  }

  @Test(arguments: ["png", "jpeg", "jpeg2000", "bmp", "svg"])
  func `a file truncated anywhere gives an error or the whole picture`(format: String) throws {
    let whole = try file(format)
    let picture = try ImageReader.picture(from: whole)
    var wrong: [Int] = []
    var errors = 0
    for count in 0..<whole.count {
      do {
        if try ImageReader.picture(from: Array(whole.prefix(count))) != picture { wrong.append(count) }
      } catch { errors += 1 }
    }
    #expect(wrong.isEmpty)
    #expect(errors > whole.count * 9 / 10)
  }

  @Test(arguments: ["png", "jpeg", "jpeg2000", "bmp", "svg"])
  func `changed bytes give a picture or an ImageError`(format: String) throws {
    let whole = try file(format)
    var random = SplitMix64(seed: 42)
    var outcomes = (pictures: 0, errors: 0)
    for _ in 0..<400 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      do {
        _ = try ImageReader.picture(from: bytes, maximumPixels: 1_000_000)
        outcomes.pictures += 1
      } catch { outcomes.errors += 1 }
    }
    #expect(outcomes.pictures + outcomes.errors == 400)
    #expect(outcomes.errors > 0)
  }

  private func file(_ format: String) throws -> [UInt8] {
    switch format {
    case "png": return try PNGWriter.bytes(of: ImageFixtures.gradient(9, 7, isOpaque: false))
    case "jpeg": return ImageFixtures.jpeg
    case "jpeg2000": return ImageFixtures.jpeg2000
    case "bmp":
      return ImageFixtures.bmp(width: 2, height: 2, bits: 24, rows: [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]])
    default:
      return [UInt8](
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"8\" height=\"8\"><circle cx=\"4\" cy=\"4\" r=\"3\"/></svg>"
          .utf8)
    }
  }

  @Test func `the library does not link to any decoder`() throws {
    let library = BuiltProgram.folder.appendingPathComponent("libPluginImages.so")
    let text = try run("readelf", ["-d", library.path]).output
    let needed = text.split(separator: "\n").filter { $0.contains("NEEDED") }
    #expect(needed.contains { $0.contains("libPluginAPI.so") })
    #expect(
      !needed.contains { line in
        ["png", "jpeg", "openjp2", "rsvg", "cairo", "libz", "glib"].contains { line.contains($0) }
      })
  }

  /// Returns the peak memory of the process so far, in kB.
  private func peakMemory() -> Int {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return usage.ru_maxrss
  }
}
