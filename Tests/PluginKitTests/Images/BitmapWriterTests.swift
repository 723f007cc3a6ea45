import PluginAPI
import PluginImages
import Testing

/// Gray images as Windows bitmaps.
struct BitmapWriterTests {
  @Test func `a bitmap stores its resolution, and its rows can be read back`() throws {
    let grays: [UInt8] = [0, 50, 100, 150, 200, 250]
    let bytes = BitmapWriter.bytes(ofGrays: grays, width: 3, height: 2, pixelsPerInch: 500)
    // 500 per inch are 19685 per meter.
    #expect(Array(bytes[38..<46]) == [0xE5, 0x4C, 0, 0, 0xE5, 0x4C, 0, 0])
    #expect(bytes.count == 1078 + 8)
    let picture = try ImageReader.picture(from: bytes)
    #expect(picture.width == 3 && picture.height == 2)
    #expect(picture.pixels == grays.flatMap { [$0, $0, $0, 255] })
  }

  @Test func `the header of an image without pixels is complete`() {
    #expect(BitmapWriter.head(width: 0, height: 0, pixelsPerInch: 1000).count == 1078)
  }
}
