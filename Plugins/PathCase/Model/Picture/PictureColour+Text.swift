import PluginText

extension PictureColour {
  /// Creates a color from six hexadecimal digits, or eight with the opacity last; nil if the text is not a color.
  ///
  /// - Parameter text: The digits, with or without a leading `#`.
  init?(hexadecimal text: String) {
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    let count = digits.utf8.count
    guard count == 6 || count == 8, digits.first != "+", let number = UInt32(digits, radix: 16) else { return nil }
    let (rgb, cover) = count == 8 ? (number >> 8, number & 0xFF) : (number, 0xFF)
    self.init(
      UInt8(rgb >> 16 & 0xFF), UInt8(rgb >> 8 & 0xFF), UInt8(rgb & 0xFF), cover: Double(cover) / 255)
  }

  /// The color as `#RRGGBB`, or `#RRGGBBAA` if it is not opaque.
  var hexadecimal: String {
    let parts = [red, green, blue] + (cover < 1 ? [UInt8((cover * 255).rounded())] : [])
    return "#" + Hexadecimal.text(parts)
  }
}
