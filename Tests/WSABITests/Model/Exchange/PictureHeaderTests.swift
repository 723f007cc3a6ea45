import Testing

@testable import WSABI
@testable import WSABISimulator

@Suite struct PictureHeaderTests {
  private static func half(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 255), UInt8(number & 255)] }
  private static func word(_ number: Int) -> [UInt8] { half(number >> 16) + half(number) }
  private static func little(_ number: Int) -> [UInt8] { word(number).reversed() }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    word(data.count) + Array(name.utf8) + data + [0, 0, 0, 0]
  }

  private static func box(_ name: String, _ data: [UInt8]) -> [UInt8] {
    word(data.count + 8) + Array(name.utf8) + data
  }

  private static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
    [0xFF, marker] + half(data.count + 2) + data
  }

  private static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", word(400) + word(500) + [8, 0, 0, 0, 0])
    + chunk("tEXt", Array("Title".utf8)) + chunk("pHYs", word(19_685) + word(19_685) + [1]) + chunk("IDAT", [1, 2, 3])

  private static let bitmap: [UInt8] =
    Array("BM".utf8) + little(0) + little(0) + little(54) + little(40) + little(640) + little(-480) + [1, 0, 24, 0]
    + little(0) + little(0) + little(39_370) + little(39_370) + little(0) + little(0)

  private static let jpeg: [UInt8] =
    [0xFF, 0xD8] + segment(0xE0, Array("JFIF".utf8) + [0, 1, 2, 1] + half(500) + half(500) + [0, 0])
    + segment(0xC4, [1, 2, 3]) + [0xFF] + segment(0xC2, [8] + half(1500) + half(1600) + [3, 1, 2, 3])

  private static let wsq: [UInt8] =
    [0xFF, 0xA0] + segment(0xA8, Array("NIST_COM 3\nPIX_WIDTH 388\nPPI 500\nLOSSY 1".utf8)) + segment(0xA4, [0, 1])
    + segment(0xA2, [0, 255] + half(500) + half(388) + [0, 0, 0, 0, 0, 0, 0])

  private static let jpeg2000: [UInt8] =
    word(12) + Array("jP  ".utf8) + word(0x0D0A_870A) + box("ftyp", Array("jp2 ".utf8))
    + box(
      "jp2h",
      box("ihdr", word(480) + word(640) + half(3) + [7, 7, 0, 0])
        + box("res ", box("resc", half(19_685) + half(1) + half(19_685) + half(1) + [0, 0]))) + box("jp2c", [1])

  private static let codestream: [UInt8] =
    [0xFF, 0x4F, 0xFF, 0x51] + half(41) + half(0) + word(700) + word(500) + word(60) + word(20) + word(0) + word(0)
    + word(0) + word(0) + half(1) + [7, 1, 1]

  static let all: [([UInt8], PictureHeader)] = [
    (png, PictureHeader(.png, width: 400, height: 500, bitsPerPixel: 8, pixelsPerInch: 500)),
    (bitmap, PictureHeader(.bmp, width: 640, height: 480, bitsPerPixel: 24, pixelsPerInch: 1000)),
    (jpeg, PictureHeader(.jpeg, width: 1600, height: 1500, bitsPerPixel: 24, pixelsPerInch: 500)),
    (wsq, PictureHeader(.wsq, width: 388, height: 500, bitsPerPixel: 8, pixelsPerInch: 500)),
    (jpeg2000, PictureHeader(.jpeg2000, width: 640, height: 480, bitsPerPixel: 24, pixelsPerInch: 500)),
    (codestream, PictureHeader(.jpeg2000, width: 640, height: 480, bitsPerPixel: 8)),
  ]

  @Test(arguments: all)
  func `the size of a picture is read from its first bytes in each format`(_ bytes: [UInt8], _ expected: PictureHeader)
  {
    #expect(PictureHeader(bytes) == expected)
  }

  @Test(arguments: all.map(\.0))
  func `a truncated picture has the same size or none`(_ bytes: [UInt8]) {
    let whole = PictureHeader(bytes)
    for count in 0..<bytes.count {
      guard let cut = PictureHeader(Array(bytes.prefix(count))) else { continue }
      #expect(cut.width == whole?.width && cut.height == whole?.height)
    }
  }

  @Test func `changed bytes never crash the header reader, and sizes stay plausible`() {
    var chance = SeededChance(5)
    for (bytes, _) in Self.all {
      for _ in 0..<3000 {
        var changed = bytes
        for _ in 0..<(1 + chance.below(4)) {
          changed[chance.below(changed.count)] = UInt8(truncatingIfNeeded: chance.next())
        }
        guard let header = PictureHeader(changed) else { continue }
        #expect((1...1_000_000).contains(header.width) && (1...1_000_000).contains(header.height))
        #expect(header.pixelsPerInch.map { (1...999_999).contains($0) } ?? true)
      }
    }
  }

  @Test func `lossless compression is detected from the header`() {
    let lossless =
      [0xFF, 0xD8] + Self.segment(0xC3, [8] + Self.half(10) + Self.half(20) + [1, 1])
    #expect(PictureHeader(lossless)?.isLossless == true && PictureHeader(Self.jpeg)?.isLossless == false)
    for (filter, isLossless) in [(UInt8(1), true), (0, false)] {
      let style = Self.segment(0x52, [0, 0, 0, 1, 0, 5, 4, 4, 0, filter])
      let stream = Self.codestream + style + [0xFF, 0x90, 0, 10, 0, 0, 0, 0, 0, 0, 0, 1]
      #expect(PictureHeader(stream)?.isLossless == isLossless)
      let file = Array(Self.jpeg2000.dropLast(9)) + Self.box("jp2c", stream)
      #expect(PictureHeader(file)?.isLossless == isLossless)
      #expect(PictureHeader(file)?.width == 640)
    }
    #expect(PictureHeader(Self.codestream)?.isLossless == false && PictureHeader(Self.jpeg2000)?.isLossless == false)
  }

  @Test(arguments: [(8, 0, 8), (16, 0, 16), (8, 4, 8), (16, 4, 16), (8, 2, 24), (8, 6, 24), (4, 3, 24)])
  func `the bit depth of a PNG excludes its alpha channel`(
    _ depth: UInt8, _ color: UInt8, _ bits: Int
  ) {
    var png = Self.png
    (png[24], png[25]) = (depth, color)
    #expect(PictureHeader(png)?.bitsPerPixel == bits)
  }

  @Test func `a density without a unit is ignored`() {
    let unitless =
      [0xFF, 0xD8] + Self.segment(0xE0, Array("JFIF".utf8) + [0, 1, 2, 0] + Self.half(1) + Self.half(1) + [0, 0])
      + Self.segment(0xC0, [8] + Self.half(10) + Self.half(20) + [1, 1])
    #expect(PictureHeader(unitless) == PictureHeader(.jpeg, width: 20, height: 10, bitsPerPixel: 8))
    #expect(PictureHeader(Array("RIFF....WAVE".utf8)) == nil && PictureHeader([]) == nil)
  }
}
