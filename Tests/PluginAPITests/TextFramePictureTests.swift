import PluginAPI
import Testing

struct TextFramePictureTests {
  @Test func `a picture is clipped to its region`() throws {
    let pixels = (0..<4 * 4 * 4).map { UInt8($0) }
    var frame = TextFrame(size: Size(width: 10, height: 5))
    frame.inside(Rect(x: 2, y: 1, width: 3, height: 2)) { part in
      part.place(Picture(width: 4, height: 4, pixels: pixels), in: Rect(x: 1, y: -1, width: 4, height: 4))
      part.place(Picture(width: 1, height: 1), in: Rect(x: 3, y: 0, width: 9, height: 9))
    }
    let shown = try #require(frame.pictures.first)
    #expect(frame.pictures.count == 1)
    #expect(shown.rect == Rect(x: 3, y: 1, width: 2, height: 2))
    #expect(shown.picture.size == Size(width: 2, height: 2))
    #expect(shown.picture.pixels == Array(16..<24) + Array(32..<40))
  }
}
