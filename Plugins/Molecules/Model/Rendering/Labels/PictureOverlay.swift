import PluginAPI
import PluginText

/// Texts and color patches to draw over a picture, in pixels from the upper left corner.
struct PictureOverlay: Equatable, Sendable {
  /// A line of text, vertically centered on a height.
  struct Text: Equatable, Sendable {
    enum Anchor: String, Sendable {
      /// The text begins at the position.
      case start
      case middle
    }

    var text: String
    var x: Double
    var y: Double
    var anchor = Anchor.middle
  }

  /// A rectangle of one color.
  struct Patch: Equatable, Sendable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
    var color: RGBColor
  }

  /// A function that draws an overlay; it returns nil if no font is available.
  typealias Drawing = @Sendable (PictureOverlay) -> Picture?

  var size: Size
  /// The size of the font.
  var fontSize: Double
  var texts: [Text] = []
  var patches: [Patch] = []

  var isEmpty: Bool { texts.isEmpty && patches.isEmpty }

  /// The overlay as SVG: white letters with a dark rim, readable on every color.
  ///
  /// - Source: Scalable Vector Graphics 1.1, and `paint-order` of SVG 2.
  var svg: String {
    let head = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(size.width)\" height=\"\(size.height)\">"
    let rim = "stroke=\"#101010\" stroke-width=\"\(fontSize * 0.2)\" stroke-linejoin=\"round\" paint-order=\"stroke\""
    let font = "font-family=\"DejaVu Sans, Liberation Sans, Arial, sans-serif\" font-size=\"\(fontSize)\""
    let rectangles = patches.map { patch in
      "<rect x=\"\(patch.x)\" y=\"\(patch.y)\" width=\"\(patch.width)\" height=\"\(patch.height)\" "
        + "fill=\"\(patch.color.hexadecimal)\"/>"
    }
    let lines = texts.map { text in
      // Capitals reach 0.72 of the size above the baseline.
      "<text x=\"\(text.x)\" y=\"\(text.y + fontSize * 0.36)\" text-anchor=\"\(text.anchor.rawValue)\">"
        + XMLEscape.content(text.text) + "</text>"
    }
    return head + rectangles.joined() + "<g \(font) fill=\"#FFFFFF\" \(rim)>" + lines.joined() + "</g></svg>"
  }
}

extension RGBColor {
  /// The color as `#RRGGBB`.
  var hexadecimal: String {
    "#" + Hexadecimal.text([red, green, blue], isUppercase: true)
  }
}

extension Picture {
  /// Composites a picture of the same size over this one; alpha is not premultiplied.
  ///
  /// - Source: T. Porter and T. Duff, "Compositing digital images", 1984, operator *over*.
  mutating func lay(_ layer: Picture) {
    precondition(layer.size == size, "a layer has the size of its picture")
    var pixels = self.pixels
    for place in stride(from: 0, to: pixels.count, by: 4) {
      let over = Int(layer.pixels[place + 3])
      if over == 0 { continue }
      let under = Int(pixels[place + 3]) * (255 - over) / 255
      let alpha = over + under
      for channel in place..<place + 3 {
        pixels[channel] = UInt8((Int(layer.pixels[channel]) * over + Int(pixels[channel]) * under) / alpha)
      }
      pixels[place + 3] = UInt8(alpha)
    }
    self.pixels = pixels
  }
}
