import PluginAPI
import Testing

@testable import WSABI

@Suite struct PictureWindowTests {
  let size = Size(width: 800, height: 600)
  let room = Size(width: 80, height: 60)

  @Test func `the whole picture is visible at first`() {
    let window = PictureWindow()
    #expect(window.isWhole && window.seen(of: size, in: room) == Rect(size))
    #expect(window.seen(of: Size(width: 0, height: 0), in: room) == Rect(Size(width: 0, height: 0)))
  }

  @Test func `zooming in keeps the center, and zooming out as far shows the whole picture`() {
    var window = PictureWindow()
    window.enlarge(steps: 2)
    #expect(window.zoom == 2.25)
    let seen = window.seen(of: size, in: room)
    #expect(seen.width == 356 && seen.height == 267 && abs(seen.x - 222) <= 1 && abs(seen.y - 167) <= 1)
    window.enlarge(steps: -2)
    #expect(window.isWhole && window == PictureWindow())
    window.enlarge(steps: 1000)
    #expect(window.zoom == PictureWindow.greatestZoom)
    #expect(window.seen(of: size, in: room).width == 25)
  }

  @Test func `zooming keeps the point under the pointer in place`() {
    var window = PictureWindow()
    window.enlarge(steps: 3, at: SIMD2(0.25, 0.75))
    let seen = window.seen(of: size, in: room)
    #expect(abs(Double(seen.x) + 0.25 * Double(seen.width) - 200) <= 1)
    #expect(abs(Double(seen.y) + 0.75 * Double(seen.height) - 450) <= 1)
  }

  @Test func `moving stops at the edges of the picture`() {
    var window = PictureWindow()
    window.enlarge(steps: 2)
    for _ in 0..<50 { window.move(-0.25, 0.25) }
    let seen = window.seen(of: size, in: room)
    #expect(seen.x == 0 && seen.y + seen.height == 600)
    window.move(1, 0)
    // 356, as the part of 355.56 pixels begins at the end of the last one; rounded once for its offset and once for its
    // width.
    #expect(abs(window.seen(of: size, in: room).x - 356) <= 1)
  }

  @Test func `a zoomed tall picture uses the full width of a wide view`() {
    var window = PictureWindow()
    window.enlarge(steps: 2)
    let seen = window.seen(of: Size(width: 300, height: 600), in: Size(width: 200, height: 60))
    #expect(seen.width == 300 && seen.height == 267)
  }

  @Test func `cropping a picture keeps the pixels of that part`() {
    let pixels = (0..<4 * 3 * 2).map { UInt8($0) }
    let picture = Picture(width: 3, height: 2, pixels: pixels)
    let part = picture.cropped(to: Rect(x: 1, y: 1, width: 5, height: 1))
    #expect(part == Picture(width: 2, height: 1, pixels: Array(16..<24)))
    #expect(picture.cropped(to: Rect(picture.size)) == picture)
  }
}
