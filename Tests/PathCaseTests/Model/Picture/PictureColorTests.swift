import Testing

@testable import PathCase

struct PictureColorTests {
  @Test func `six digits are a color, and eight a color with opacity`() {
    #expect(PictureColor(hexadecimal: "#1E90ff") == PictureColor(0x1E, 0x90, 0xFF))
    #expect(PictureColor(hexadecimal: "1e90FF") == PictureColor(0x1E, 0x90, 0xFF))
    #expect(PictureColor(hexadecimal: "#1e90ff00") == PictureColor(0x1E, 0x90, 0xFF, cover: 0))
    #expect(PictureColor(hexadecimal: "#1e90ffff") == PictureColor(0x1E, 0x90, 0xFF))
  }

  @Test(arguments: ["-00000", "#-00000", "+12345", "#+1234567", "", "#", "12345", "1234567", "12345g", " 12345", "０００"])
  func `a text with other characters is not a color`(_ text: String) {
    #expect(PictureColor(hexadecimal: text) == nil)
  }
}
