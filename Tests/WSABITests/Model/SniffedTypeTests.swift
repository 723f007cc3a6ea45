import Testing

@testable import WSABI

struct SniffedTypeTests {
  @Test(
    arguments: [
      ([0x42, 0x4D, 0x36], "image/bmp"), ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"), ([0xFF, 0xA0, 0xFF, 0xA8], "image/x-wsq"),
      ([0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D], "image/jp2"), ([0xFF, 0x4F, 0xFF, 0x51], "image/jp2"),
      ([0x49, 0x49, 0x2A, 0], "image/tiff"), ([], nil), ([0x89, 0x50], nil), ([1, 2, 3, 4], nil),
    ] as [([UInt8], String?)])
  func `the type of data is detected from its first bytes`(_ start: [UInt8], _ type: String?) {
    #expect(SniffedType.of(start) == type)
  }
}
