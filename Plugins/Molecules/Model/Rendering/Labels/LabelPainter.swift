import PluginAPI
import PluginText

/// Writes labels into pictures with the bitmap font: white with a dark rim, readable on every color.
struct LabelPainter {
  /// Pixels per dot of a letter.
  let scale: Int

  /// Chooses the size of the letters by the size of the picture: about a fiftieth of its shorter side.
  init(for size: Size) {
    scale = max(1, min(size.width, size.height) / 320)
  }

  /// Writes labels at their positions in a molecule.
  func paint(_ labels: [SceneLabel], from camera: Camera, into picture: inout Picture) {
    paint(place(labels, from: camera, onto: picture.size), [], into: &picture)
  }

  /// Returns the labels as an overlay to be drawn with a font, together with a legend.
  private func overlay(_ labels: [SceneLabel], _ legend: ColorLegend?, from camera: Camera, size: Size)
    -> PictureOverlay
  {
    var overlay = PictureOverlay(size: size, fontSize: Double(BitmapFont.height * scale) * 1.2)
    overlay.texts = place(labels, from: camera, onto: size).map { label in
      let width = BitmapFont.width(of: label.text) * scale
      return .init(
        text: label.text, x: Double(label.x * scale) + Double(width) / 2,
        y: Double(label.y * scale) + Double((BitmapFont.height + 2) * scale) / 2)
    }
    if let legend { overlay.add(legend) }
    return overlay
  }

  /// Returns a picture with labels and a legend over it: in the font of the drawing function, else in the bitmap font.
  func written(
    _ labels: [SceneLabel], _ legend: ColorLegend? = nil, over picture: Picture, from camera: Camera,
    by drawing: PictureOverlay.Drawing?
  ) -> Picture {
    let overlay = overlay(labels, legend, from: camera, size: picture.size)
    if overlay.isEmpty { return picture }
    var written = picture
    if let layer = drawing?(overlay), layer.size == picture.size {
      written.lay(layer)
    } else {
      paint(overlay, into: &written)
    }
    return written
  }

  /// Writes an overlay with the bitmap font, if no other is available.
  func paint(_ overlay: PictureOverlay, into picture: inout Picture) {
    let labels = overlay.texts.map { text in
      let width = text.anchor == .middle ? Double(BitmapFont.width(of: text.text) * scale) : 0
      return LabelLayout.Placed(
        text: text.text, x: Int(text.x - width / 2) / scale,
        y: Int(text.y) / scale - (BitmapFont.height + 2) / 2)
    }
    paint(labels, overlay.patches, into: &picture)
  }

  private func place(_ labels: [SceneLabel], from camera: Camera, onto size: Size) -> [LabelLayout.Placed] {
    if labels.isEmpty || size.width <= 0 || size.height <= 0 { return [] }
    let layout = LabelLayout(
      width: size.width / scale, height: size.height / scale, letter: (BitmapFont.advance, BitmapFont.height + 2))
    return layout.place(labels, from: camera, onto: Viewport(width: size.width, height: size.height))
  }

  private func paint(_ labels: [LabelLayout.Placed], _ patches: [PictureOverlay.Patch], into picture: inout Picture) {
    guard !labels.isEmpty || !patches.isEmpty, !picture.isEmpty else { return }
    var pixels = picture.pixels
    for patch in patches { fill(patch, &pixels, picture.size) }
    for label in labels { write(label, rim: true, into: &pixels, picture.size) }
    for label in labels { write(label, rim: false, into: &pixels, picture.size) }
    picture.pixels = pixels
  }

  private func fill(_ patch: PictureOverlay.Patch, _ pixels: inout [UInt8], _ size: Size) {
    let columns = max(0, Int(patch.x))..<max(0, min(size.width, Int(patch.x + patch.width)))
    for row in max(0, Int(patch.y))..<max(0, min(size.height, Int(patch.y + patch.height))) {
      for column in columns {
        let offset = 4 * (row * size.width + column)
        pixels.replaceSubrange(offset..<offset + 4, with: [patch.color.red, patch.color.green, patch.color.blue, 255])
      }
    }
  }

  private func write(_ label: LabelLayout.Placed, rim: Bool, into pixels: inout [UInt8], _ size: Size) {
    for (index, letter) in label.text.enumerated() {
      for (row, bits) in BitmapFont.rows(of: letter).enumerated() {
        for column in 0..<BitmapFont.width where bits >> (4 - column) & 1 == 1 {
          let x = (label.x + index * BitmapFont.advance + column) * scale
          let y = (label.y + 1 + row) * scale
          fill(x, y, grow: rim ? scale : 0, color: rim ? PictureOverlay.rimColor.red : 255, &pixels, size)
        }
      }
    }
  }

  /// Fills the square of one dot, enlarged on all sides by some pixels.
  private func fill(_ x: Int, _ y: Int, grow: Int, color: UInt8, _ pixels: inout [UInt8], _ size: Size) {
    for row in max(0, y - grow)..<max(0, min(size.height, y + scale + grow)) {
      for column in max(0, x - grow)..<max(0, min(size.width, x + scale + grow)) {
        let offset = 4 * (row * size.width + column)
        for channel in 0..<3 { pixels[offset + channel] = color }
        pixels[offset + 3] = 255
      }
    }
  }
}

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
  var fontSize: Double
  var texts: [Text] = []
  var patches: [Patch] = []

  var isEmpty: Bool { texts.isEmpty && patches.isEmpty }

  /// The overlay as SVG: white letters with a dark rim, readable on every color.
  ///
  /// - Source: Scalable Vector Graphics 1.1, and `paint-order` of SVG 2.
  var svg: String {
    let head = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(size.width)\" height=\"\(size.height)\">"
    // Half of a stroke is outside of the letter.
    let (color, width) = (Self.rimColor.hexadecimal, 2 * fontSize * Self.rimWidth)
    let rim = "stroke=\"\(color)\" stroke-width=\"\(width)\" stroke-linejoin=\"round\" paint-order=\"stroke\""
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

  // MARK: Legend

  /// Adds the legend in the lower left corner: a line per color, or a ramp with its ends.
  ///
  /// The last line counts the lines that do not fit.
  mutating func add(_ legend: ColorLegend) {
    let line = fontSize * 1.35
    let room = max(1, Int((Double(size.height) - fontSize) / line))
    var entries = legend.entries.map { (title: $0.title, colors: [$0.color]) }
    if let ramp = legend.ramp {
      let colors = (0..<Self.rampSteps).map { ramp.color(at: Float($0) / Float(Self.rampSteps - 1)) }
      entries = [(legend.low + " – " + legend.high, colors)]
    }
    var lines = [(title: legend.scheme.title, colors: [RGBColor]())] + entries
    if lines.count > room {
      let count = lines.count - room + 1
      lines = lines.prefix(room - 1) + [(title: "and \(count) more", colors: [])]
    }
    for (index, entry) in lines.enumerated() {
      add(entry.title, entry.colors, y: Double(size.height) - fontSize / 2 - line * (Double(lines.count - index) - 0.5))
    }
  }

  private static let rampSteps = 48
  /// The color of the rim that separates colors and letters from the picture and from a white page.
  static let rimColor = RGBColor(0x101010)
  /// The width of the rim around a letter or a color, in font sizes.
  private static let rimWidth = 0.1

  /// Adds a line of the legend: its colors side by side in a rim, then its title.
  private mutating func add(_ title: String, _ colors: [RGBColor], y: Double) {
    var x = fontSize * 0.6
    let (width, height) = (colors.count > 1 ? fontSize / 6 : fontSize, fontSize * 0.8)
    if !colors.isEmpty {
      // Less than a pixel would vanish on some sides in the bitmap font.
      let rim = max(1, fontSize * Self.rimWidth)
      patches.append(
        Patch(
          x: x - rim, y: y - height / 2 - rim, width: width * Double(colors.count) + 0.5 + 2 * rim,
          height: height + 2 * rim, color: Self.rimColor))
    }
    for color in colors {
      patches.append(Patch(x: x, y: y - height / 2, width: width + 0.5, height: height, color: color))
      x += width
    }
    if !colors.isEmpty { x += fontSize * 0.4 }
    texts.append(Text(text: title, x: x, y: y, anchor: .start))
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
    for offset in stride(from: 0, to: pixels.count, by: 4) {
      let over = Int(layer.pixels[offset + 3])
      if over == 0 { continue }
      let under = Int(pixels[offset + 3]) * (255 - over) / 255
      let alpha = over + under
      for channel in offset..<offset + 3 {
        pixels[channel] = UInt8((Int(layer.pixels[channel]) * over + Int(pixels[channel]) * under) / alpha)
      }
      pixels[offset + 3] = UInt8(alpha)
    }
    self.pixels = pixels
  }
}

/// A font of five by seven dots in the style of dot-matrix displays, drawn for this program.
enum BitmapFont {
  /// The size of a letter in dots; one more column and two more rows separate letters and lines.
  static let width = 5
  static let height = 7
  static let advance = 6

  /// Returns the rows of a letter from the top, the leftmost dot in bit 4; a box for a missing letter.
  static func rows(of letter: Character) -> [UInt8] { glyphs[letter] ?? unknown }

  /// Returns the width of a text in dots.
  static func width(of text: String) -> Int { max(0, text.count * advance - 1) }

  private static let unknown: [UInt8] = [0x1F, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1F]

  private static let glyphs: [Character: [UInt8]] = {
    var glyphs: [Character: [UInt8]] = [:]
    for line in table {
      let words = line.split(separator: " ", maxSplits: 1)
      guard let letter = words.first?.first, words.count == 2 else { continue }
      glyphs[letter] = words[1].split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }
    glyphs[" "] = [0, 0, 0, 0, 0, 0, 0]
    return glyphs
  }()

  private static let table = [
    "0 0E 11 13 15 19 11 0E", "1 04 0C 04 04 04 04 0E", "2 0E 11 01 02 04 08 1F", "3 1F 02 04 02 01 11 0E",
    "4 02 06 0A 12 1F 02 02", "5 1F 10 1E 01 01 11 0E", "6 06 08 10 1E 11 11 0E", "7 1F 01 02 04 08 08 08",
    "8 0E 11 11 0E 11 11 0E", "9 0E 11 11 0F 01 02 0C", "A 0E 11 11 11 1F 11 11", "B 1E 11 11 1E 11 11 1E",
    "C 0E 11 10 10 10 11 0E", "D 1C 12 11 11 11 12 1C", "E 1F 10 10 1E 10 10 1F", "F 1F 10 10 1E 10 10 10",
    "G 0E 11 10 17 11 11 0F", "H 11 11 11 1F 11 11 11", "I 0E 04 04 04 04 04 0E", "J 07 02 02 02 02 12 0C",
    "K 11 12 14 18 14 12 11", "L 10 10 10 10 10 10 1F", "M 11 1B 15 15 11 11 11", "N 11 11 19 15 13 11 11",
    "O 0E 11 11 11 11 11 0E", "P 1E 11 11 1E 10 10 10", "Q 0E 11 11 11 15 12 0D", "R 1E 11 11 1E 14 12 11",
    "S 0F 10 10 0E 01 01 1E", "T 1F 04 04 04 04 04 04", "U 11 11 11 11 11 11 0E", "V 11 11 11 11 11 0A 04",
    "W 11 11 11 15 15 15 0A", "X 11 11 0A 04 0A 11 11", "Y 11 11 11 0A 04 04 04", "Z 1F 01 02 04 08 10 1F",
    "a 00 00 0E 01 0F 11 0F", "b 10 10 16 19 11 11 1E", "c 00 00 0E 10 10 11 0E", "d 01 01 0D 13 11 11 0F",
    "e 00 00 0E 11 1F 10 0E", "f 06 09 08 1C 08 08 08", "g 00 0F 11 11 0F 01 0E", "h 10 10 16 19 11 11 11",
    "i 04 00 0C 04 04 04 0E", "j 02 00 06 02 02 12 0C", "k 10 10 12 14 18 14 12", "l 0C 04 04 04 04 04 0E",
    "m 00 00 1A 15 15 11 11", "n 00 00 16 19 11 11 11", "o 00 00 0E 11 11 11 0E", "p 00 00 1E 11 1E 10 10",
    "q 00 00 0D 13 0F 01 01", "r 00 00 16 19 10 10 10", "s 00 00 0E 10 0E 01 1E", "t 08 08 1C 08 08 09 06",
    "u 00 00 11 11 11 13 0D", "v 00 00 11 11 11 0A 04", "w 00 00 11 11 15 15 0A", "x 00 00 11 0A 04 0A 11",
    "y 00 00 11 11 0F 01 0E", "z 00 00 1F 02 04 08 1F", "' 0C 04 08 00 00 00 00", "* 00 04 15 0E 15 04 00",
    "- 00 00 00 1F 00 00 00", "+ 00 04 04 1F 04 04 00", ". 00 00 00 00 00 0C 0C", ": 00 0C 0C 00 0C 0C 00",
    "/ 00 01 02 04 08 10 00", "( 02 04 08 08 08 04 02", ") 08 04 02 02 02 04 08", ", 00 00 00 00 0C 04 08",
  ]
}
