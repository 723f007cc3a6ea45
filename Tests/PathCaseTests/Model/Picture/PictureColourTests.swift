import Testing

@testable import PathCase

struct PictureColourTests {
  @Test func `six digits are a color, eight one with its opacity last`() {
    #expect(PictureColour(hexadecimal: "#1E90ff") == PictureColour(0x1E, 0x90, 0xFF))
    #expect(PictureColour(hexadecimal: "1e90FF") == PictureColour(0x1E, 0x90, 0xFF))
    #expect(PictureColour(hexadecimal: "#1e90ff00") == PictureColour(0x1E, 0x90, 0xFF, cover: 0))
    #expect(PictureColour(hexadecimal: "#1e90ffff") == PictureColour(0x1E, 0x90, 0xFF))
  }

  @Test(arguments: ["-00000", "#-00000", "+12345", "#+1234567", "", "#", "12345", "1234567", "12345g", " 12345", "０００"])
  func `text of anything but digits is not a color`(_ text: String) {
    #expect(PictureColour(hexadecimal: text) == nil)
  }
}
