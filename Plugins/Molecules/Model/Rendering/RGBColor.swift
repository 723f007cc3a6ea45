/// A color of eight bits per channel, without transparency.
struct RGBColor: Hashable, Sendable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8

  init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Creates a color from a number of the form 0xRRGGBB; higher bits are ignored.
  init(_ hex: UInt32) {
    red = UInt8(truncatingIfNeeded: hex >> 16)
    green = UInt8(truncatingIfNeeded: hex >> 8)
    blue = UInt8(truncatingIfNeeded: hex)
  }

  static let black = RGBColor(0x000000)
  static let white = RGBColor(0xFFFFFF)

  /// The channels as numbers from 0 to 255, the fourth being 0.
  var channels: SIMD4<Float> {
    SIMD4(Float(red), Float(green), Float(blue), 0)
  }
}
