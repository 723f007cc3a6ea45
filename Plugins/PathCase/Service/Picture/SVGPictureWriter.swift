import PluginText

/// Writes pictures as SVG: text remains text, and each item is a group with its name.
///
/// - Source: Scalable Vector Graphics (SVG) 1.1, second edition.
struct SVGPictureWriter {
  private var text = ""
  private let picture: VectorPicture
  /// The fonts whose metrics are assumed, and compatible ones.
  private static let faces = "Helvetica, Arial, 'Liberation Sans', 'Nimbus Sans', sans-serif"

  /// Returns the file.
  ///
  /// - Parameter width: The default display width in pixels; nil for the picture's own width.
  static func bytes(_ picture: VectorPicture, width: Double? = nil) -> [UInt8] {
    var writer = SVGPictureWriter(picture: picture)
    writer.write(width: width ?? picture.width)
    return Array(writer.text.utf8)
  }

  private init(picture: VectorPicture) { self.picture = picture }

  private mutating func write(width: Double) {
    let height = picture.width > 0 ? picture.height * width / picture.width : 0
    let box = [picture.left, picture.top, picture.width, picture.height].map(Self.number).joined(separator: " ")
    text += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" role=\"img\" width=\"\(Self.number(width))\""
    text += " height=\"\(Self.number(height))\" viewBox=\"\(box)\" font-family=\"\(Self.faces)\""
    text += " stroke-linejoin=\"round\" fill=\"none\">\n"
    text += "<title>\(XMLEscape.content(picture.title))</title>\n"
    text += "<rect x=\"\(Self.number(picture.left))\" y=\"\(Self.number(picture.top))\""
    text += " width=\"\(Self.number(picture.width))\" height=\"\(Self.number(picture.height))\""
    text += "\(Self.paint("fill", picture.background))/>\n"
    for item in picture.items { write(item) }
    text += "</svg>\n"
  }

  private mutating func write(_ item: PictureItem) {
    text += "<g class=\"\(item.kind.rawValue)\">"
    if !item.title.isEmpty { text += "<title>\(XMLEscape.content(item.title))</title>" }
    for shape in item.shapes {
      switch shape {
      case .path(let path, let style): write(path, style)
      case .text(let line): write(line)
      }
    }
    text += "</g>\n"
  }

  private mutating func write(_ path: PicturePath, _ style: PictureStyle) {
    text += "<path d=\"\(Self.data(path))\""
    if let fill = style.fill { text += Self.paint("fill", fill) }
    if let stroke = style.stroke {
      text += Self.paint("stroke", stroke) + " stroke-width=\"\(Self.number(style.strokeWidth))\""
      if !style.dashes.isEmpty {
        text += " stroke-dasharray=\"\(style.dashes.map(Self.number).joined(separator: " "))\""
      }
    }
    text += "/>"
  }

  private mutating func write(_ line: PictureText) {
    var attributes = " x=\"\(Self.number(line.position.x))\" y=\"\(Self.number(line.position.y))\""
    attributes += " font-size=\"\(Self.number(line.size))\""
    if line.anchor != .start { attributes += " text-anchor=\"\(line.anchor.rawValue)\"" }
    if line.isBold { attributes += " font-weight=\"bold\"" }
    if line.isItalic { attributes += " font-style=\"italic\"" }
    attributes += Self.paint("fill", line.color)
    let content = XMLEscape.content(line.text)
    if let halo = line.halo {
      // The letters are drawn once more underneath with a wide stroke, which all SVG programs support.
      let width = " stroke-width=\"\(Self.number(line.size * 0.28))\""
      text += "<text\(attributes)\(Self.paint("stroke", halo))\(width) aria-hidden=\"true\">\(content)</text>"
    }
    text += "<text\(attributes)>\(content)</text>"
  }

  private static func data(_ path: PicturePath) -> String {
    var data = ""
    for step in path.steps {
      switch step {
      case .move(let point): data += "M" + pair(point)
      case .line(let point): data += "L" + pair(point)
      case .curve(let first, let second, let end): data += "C\(pair(first)) \(pair(second)) \(pair(end))"
      case .close: data += "Z"
      }
    }
    return data
  }

  private static func pair(_ point: FrozenPath.Point) -> String { number(point.x) + "," + number(point.y) }

  private static func paint(_ attribute: String, _ color: PictureColor) -> String {
    let text = "#" + Hexadecimal.text([color.red, color.green, color.blue])
    let cover = color.cover < 1 ? " \(attribute)-opacity=\"\(number(color.cover))\"" : ""
    return " \(attribute)=\"\(text)\"\(cover)"
  }

  /// Returns a length with at most two decimals.
  static func number(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "0" }
    let hundredths = Int((value * 100).rounded())
    let (whole, remainder) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
    var text = hundredths < 0 ? "-\(whole)" : "\(whole)"
    if remainder > 0 {
      text += remainder < 10 ? ".0\(remainder)" : ".\(remainder)"
      if remainder % 10 == 0 { text.removeLast() }
    }
    return text
  }
}
