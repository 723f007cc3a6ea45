import PluginImages
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Incomplete pictures are recognized by their structure.
struct PictureFlawTests {
  private static let image: SimulatedImage = {
    var image = SimulatedImage(width: 61, height: 40)
    for place in image.pixels.indices { image.pixels[place] = UInt8(truncatingIfNeeded: place &* 37) }
    return image
  }()

  private static let bitmap = image.bitmap
  private static let png = image.png
  private static let whole = [bitmap, png, JPEGCaptureTests.gray]

  @Test func `a complete picture has no flaw, even with trailing bytes`() {
    for bytes in Self.whole {
      #expect(PictureFlaw.of(bytes) == nil)
      #expect(PictureFlaw.of(bytes + [0, 0xFF, 1, 2]) == nil)
      #expect(CapturePicture.thumbnail(bytes) != nil)
    }
  }

  @Test func `a truncated picture has a flaw`() {
    for bytes in Self.whole {
      for count in 8..<bytes.count { #expect(PictureFlaw.of(Array(bytes.prefix(count))) != nil, "\(count) bytes") }
    }
    #expect(PictureFlaw.of([]) == "is empty")
  }

  @Test func `a header without data is a flaw, except for JPEG 2000`() {
    for (bytes, header) in PictureHeaderTests.all {
      #expect((PictureFlaw.of(bytes) != nil) == (header.format != .jpeg2000), "\(header.format)")
    }
  }

  @Test func `a header that claims more pixels than its data can hold is a flaw`() {
    var tall = Self.bitmap
    tall[22] += 1
    #expect(PictureFlaw.of(tall)?.hasPrefix("claims 61×41 pixels") == true)
    #expect(PictureFlaw.of(SimulatedImage.pngClaim(width: 50_000, height: 50_000)) != nil)
    // As large as a header can claim.
    tall.replaceSubrange(18..<30, with: [255, 255, 255, 127, 255, 255, 255, 127, 1, 0, 255, 255])
    #expect(PictureFlaw.of(tall) != nil)
    var huge = Self.png
    huge.replaceSubrange(16..<24, with: [127, 255, 255, 255, 127, 255, 255, 255])
    #expect(PictureFlaw.of(huge) != nil)
  }

  @Test func `a picture without pixels has a flaw`() {
    #expect(PictureFlaw.of(BitmapWriter.head(width: 0, height: 0, pixelsPerInch: 0)) == "has no pixels")
    var png = Self.png
    png.replaceSubrange(20..<24, with: [0, 0, 0, 0])
    #expect(PictureFlaw.of(png) == "has no pixels")
  }

  @Test func `data in an unknown format has no flaw`() {
    for bytes in [[1, 2, 3], Array("RIFF0000WAVE".utf8), Array("<?xml".utf8), [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20]] {
      #expect(PictureFlaw.of(bytes) == nil)
    }
  }

  @Test func `changed bytes never crash the flaw check`() {
    var chance = SeededChance(7, 1)
    for bytes in Self.whole {
      for _ in 0..<3000 {
        var changed = bytes
        for _ in 0...chance.below(6) { changed[chance.below(changed.count)] = UInt8(chance.below(256)) }
        _ = PictureFlaw.of(Array(changed.prefix(chance.below(changed.count) + 1)))
      }
    }
  }
}
