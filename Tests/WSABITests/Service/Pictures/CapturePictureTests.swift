import Foundation
import PluginAPI
import PluginImages
import PluginText
import Testing

@testable import WSABI

@Suite struct CapturePictureTests {
  /// Stripes, one edge odd so that rows are padded.
  private let gray = Self.ramp()

  private static func ramp() -> GrayImage {
    var image = GrayImage(width: 301, height: 120, pixelsPerInch: 500)
    for place in image.pixels.indices { image.pixels[place] = UInt8(place % 301 * 255 / 300) }
    return image
  }

  @Test func `a bitmap is shown, measured and reduced to a thumbnail`() throws {
    let bytes = gray.bitmap
    #expect(try CapturePicture.gray(bytes) == gray)
    let small = try #require(CapturePicture.thumbnail(bytes))
    #expect(PictureHeader(small)?.width == 228 && PictureHeader(small)?.height == 91)
    let shown = try CapturePicture.picture(small)
    #expect(shown.pixels[0] < 3 && shown.pixels[4 * 227] > 252)
  }

  @Test func `thumbnails are compressed with the fastest algorithm`() throws {
    let small = try #require(CapturePicture.thumbnail(gray.bitmap))
    let name = Array("IDAT".utf8)
    let start = try #require(ByteSearch.firstIndex(of: name, in: small))
    // RFC 1950, section 2.2: FLEVEL 0 is the fastest algorithm.
    #expect(small[start + 4] & 15 == 8 && small[start + 5] >> 6 == 0)
  }

  @Test func `a bitmap is converted to raw rows and back`() throws {
    let bytes = gray.bitmap
    let image = try CapturePicture.exchanged(bytes)
    #expect(image.compression == .none && image.bitsPerPixel == 8 && image.pixelsPerInch == 500)
    #expect(image.bytes == gray.pixels && image.width == 301 && image.height == 120)
    #expect(try CapturePicture.file(image).bytes == bytes)
  }

  @Test func `a color picture is converted to raw rows of three samples, and back to a PNG`() throws {
    var picture = Picture(width: 3, height: 2, pixels: [UInt8](repeating: 255, count: 24))
    for place in 0..<6 { picture.pixels.replaceSubrange(4 * place..<4 * place + 3, with: [UInt8(place), 20, 30]) }
    var bytes: [UInt8] = Array("BM".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 3, 0, 0, 0]
    // Height -2: from the top.
    bytes += [254, 255, 255, 255, 1, 0, 24, 0] + [UInt8](repeating: 0, count: 24)
    for row in 0..<2 {
      for column in 0..<3 { bytes += [30, 20, UInt8(3 * row + column)] }
      bytes += [0, 0, 0]
    }
    let image = try CapturePicture.exchanged(bytes)
    #expect(image.bitsPerPixel == 24 && image.bytes.count == 18 && Array(image.bytes[3..<6]) == [1, 20, 30])
    let file = try CapturePicture.file(image)
    #expect(file.type == "image/png")
    #expect(try CapturePicture.picture(file.bytes) == picture)
  }

  @Test func `compressed pictures are passed unchanged, with their size`() throws {
    for (bytes, header) in PictureHeaderTests.all where header.format != .bmp {
      let image = try CapturePicture.exchanged(bytes)
      #expect(image.bytes == bytes && image.width == header.width && image.height == header.height)
      #expect(try CapturePicture.file(image).bytes == bytes)
    }
  }

  @Test func `a picture that is too large is rejected by its header, before memory is allocated`() {
    var bytes = gray.bitmap
    // A width and a height of 900 000.
    bytes.replaceSubrange(18..<26, with: [0xA0, 0xBB, 0x0D, 0, 0xA0, 0xBB, 0x0D, 0])
    #expect(throws: PictureError.tooLarge(width: 900_000, height: 900_000, mostPixels: CapturePicture.mostPixels)) {
      try CapturePicture.picture(bytes)
    }
    #expect(CapturePicture.thumbnail(bytes) == nil)
  }

  /// A JP2 file of 16×12 pixels, gray 16·x ^ 5·y; made with OpenJPEG 2.5.4 without loss from that formula.
  private static let jpeg2000 =
    "AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAADAAAABAAAQcHAAAAAAAPY29scgEAAAAAABEAAAEP"
    + "anAyY/9P/1EAKQAAAAAAEAAAAAwAAAAAAAAAAAAAABAAAAAMAAAAAAAAAAAAAQcBAf9SAAwAAAABAAMEBAAB/1wADUBASEhQSEhQSEhQ/2QA"
    + "JQABQ3JlYXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS40/5AACgAAAAAAlAAB/5PPtBQJFS3nv8faCQHwhQD4Qg0Bzk0KjwLvx9oXA+QP"
    + "B9QSDnWviotCWGQr6j4E5K7NVxh/C4ZWBGDP/k4Sw+ofg+cnB9QcGn7ii3cQ9i9XaNJN9Aru65NAqDdG+QTH9DyRBTvdXwL4Ndwq4LChUJU+"
    + "JMXbWqLB0N8DiIgGjY/5g3FkKCAqZ//Z"

  @Test func `JPEG 2000 is shown and reduced to a thumbnail, with the scale that the service states`() throws {
    let bytes = Array(try #require(Data(base64Encoded: Self.jpeg2000)))
    let image = try CapturePicture.gray(bytes, statedPixelsPerInch: 1000)
    var expected: [UInt8] = []
    for y in 0..<12 { for x in 0..<16 { expected.append(UInt8((16 * x) ^ (5 * y))) } }
    #expect(image.pixels == expected)
    #expect(image.pixelsPerInch == 1000)
    #expect(CapturePicture.thumbnail(bytes) != nil)
    let cut = #expect(throws: PictureError.self) { try CapturePicture.picture(Array(bytes.dropLast(60))) }
    #expect(cut?.flaw?.hasPrefix("ends too early") == true)
  }

  @Test func `data that is not a picture is reported as such`() {
    #expect(throws: PictureError.noPicture) { try CapturePicture.picture([1, 2, 3]) }
    #expect(CapturePicture.thumbnail(Array("RIFF0000WAVE".utf8)) == nil)
  }

  @Test func `rows that are too short are refused`() {
    let image = ExchangedImage(bytes: [1, 2, 3], compression: .none, width: 2, height: 2, bitsPerPixel: 8)
    #expect(throws: PictureError.otherSize(expected: 4, found: 3)) { try CapturePicture.file(image) }
    let huge = ExchangedImage(bytes: [], compression: .none, width: .max, height: 2, bitsPerPixel: 8)
    #expect(throws: PictureError.self) { try CapturePicture.file(huge) }
  }

  @Test func `colors become gray by their luminance, and transparent pixels become white`() {
    let picture = Picture(width: 3, height: 1, pixels: [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 0, 0])
    #expect(picture.gray(pixelsPerInch: 500).pixels == [76, 150, 255])
    #expect(!picture.isGray && Picture(width: 1, height: 1, pixels: [7, 7, 7, 255]).isGray)
  }
}
