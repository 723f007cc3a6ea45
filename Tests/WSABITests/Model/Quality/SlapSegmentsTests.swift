import Testing

@testable import WSABI

@Suite struct SlapSegmentsTests {
  /// Returns ovals of stripes on white, each of a different size.
  private func picture(_ middles: [(x: Int, y: Int)]) -> GrayImage {
    var image = GrayImage(width: 900, height: 500)
    for row in 0..<500 {
      for column in 0..<900 {
        let isFinger = middles.contains { middle in
          let (x, y) = (Float(column - middle.x) / 90, Float(row - middle.y) / 140)
          return x * x + y * y < 1
        }
        if isFinger { image.pixels[row * 900 + column] = row / 5 % 2 == 0 ? 40 : 220 }
      }
    }
    return image
  }

  @Test func `fingers are segmented from left to right, at any height`() throws {
    let fingers = try #require(SlapSegments.fingers(picture([(700, 200), (150, 300), (420, 160)]), count: 3))
    #expect(fingers.count == 3)
    for finger in fingers {
      #expect((170...220).contains(finger.width) && (270...320).contains(finger.height))
      #expect(finger.pixelsPerInch == 500)
    }
  }

  @Test func `a slap with fewer fingers than expected is not segmented`() {
    let two = picture([(200, 250), (600, 250)])
    #expect(SlapSegments.fingers(two, count: 2)?.count == 2)
    #expect(SlapSegments.fingers(two, count: 3) == nil)
    #expect(SlapSegments.fingers(GrayImage(width: 5, height: 5), count: 1) == nil)
    #expect(SlapSegments.fingers(GrayImage(width: 500, height: 500), count: 1) == nil)
  }

  @Test func `an empty image matches nothing, and a face has no prints`() {
    let same = SameFinger(mostTurn: 0)
    let glass = same.prepared(RidgeField(GrayImage(width: 400, height: 500)))
    #expect(same.likeness(glass, glass) == 0)
    #expect(OrderCheck().prints(item: 1, Submodality(wire: "Face2d"), GrayImage(width: 400, height: 500)).isEmpty)
  }
}
