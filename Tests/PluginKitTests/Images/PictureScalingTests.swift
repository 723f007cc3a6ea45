import PluginAPI
import PluginImages
import Testing

@Suite struct PictureScalingTests {
  @Test func `a scaled pixel is the mean of the pixels it covers, weighted by opacity`() {
    let white: [UInt8] = [255, 255, 255, 255]
    let clear: [UInt8] = [0, 0, 0, 0]
    let picture = Picture(width: 4, height: 2, pixels: white + clear + white + white + white + clear + white + white)
    let small = picture.scaled(toFit: Size(width: 2, height: 9))
    #expect(small.size == Size(width: 2, height: 1))
    #expect(small.pixels == [255, 255, 255, 127, 255, 255, 255, 255])
  }

  @Test func `scaling changes nothing if the picture fits or a size is empty`() {
    let picture = Picture(width: 4, height: 2)
    for size in [Size(width: 4, height: 2), Size(width: 9, height: 9), Size(width: 0, height: 5)] {
      #expect(picture.scaled(toFit: size) == picture)
    }
    let empty = Picture(width: 0, height: 9)
    #expect(empty.scaled(toFit: Size(width: 4, height: 4)) == empty)
  }

  @Test func `sides are rounded, where OpenBIS truncated them`() {
    // 2/3 of 4 is 2.67.
    #expect(Picture(width: 6, height: 4).scaled(toFit: Size(width: 4, height: 9)).size == Size(width: 4, height: 3))
    #expect(
      Picture(width: 1000, height: 1).scaled(toFit: Size(width: 10, height: 10)).size == Size(width: 10, height: 1))
  }

  @Test func `a size is enlarged to fit as well`() {
    #expect(Size(width: 3, height: 2).scaled(toFit: Size(width: 9, height: 9)) == Size(width: 9, height: 6))
    #expect(Size(width: 1000, height: 1).scaled(toFit: Size(width: 10, height: 10)) == Size(width: 10, height: 1))
  }
}
