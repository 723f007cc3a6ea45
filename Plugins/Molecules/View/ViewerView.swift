import PluginAPI

/// The view of the molecule's picture with a button for the library in its corner, or of a message if there is no
/// picture.
struct ViewerView: View {
  /// The picture; nil if there is none.
  var picture: Picture?
  /// The texts over the picture, positioned by cells.
  var labels: [LabelLayout.Placed] = []
  /// The legend of the colors, shown in the last line; nil for none.
  var legend: ColorLegend?
  /// The message shown if there is no picture.
  var message: String
  /// Code and title, for linear reading.
  var title: String
  /// The fields for linear reading.
  var fields: [Outline.Field]

  /// Returns the corner that leads to the library: large, since a small target is easily missed.
  static func infoCorner(of size: Size) -> Rect {
    let (width, height) = (min(10, size.width / 3), min(3, size.height / 3))
    return Rect(x: size.width - width, y: size.height - height, width: width, height: height)
  }

  func draw(into frame: inout TextFrame) {
    let size = frame.size
    if let picture {
      frame.place(picture, in: frame.bounds)
      for label in labels { frame.put(label.text, x: label.x, y: label.y, .heading) }
      legend.map { drawLegend($0, into: &frame) }
    } else if !message.isEmpty {
      let lines = TextWidth.wrapped(message, to: max(1, size.width - 2))
      for (index, line) in lines.enumerated() {
        let x = max(0, (size.width - TextWidth.columns(line)) / 2)
        frame.put(line, x: x, y: max(0, (size.height - lines.count) / 2) + index, .secondary)
      }
    }
    drawInfo(into: &frame)
  }

  /// Draws the legend in the room beside the button for the library.
  private func drawLegend(_ legend: ColorLegend, into frame: inout TextFrame) {
    let y = frame.size.height - 1
    let end = frame.size.width - Self.infoCorner(of: frame.size).width - 1
    guard y > 2 else { return }
    var x = 0
    func put(_ text: String, _ style: Style) -> Bool {
      guard x + TextWidth.columns(text) <= end else { return false }
      x = frame.put(text, x: x, y: y, style)
      return true
    }
    if let ramp = legend.ramp {
      guard x + TextWidth.columns(legend.low + legend.high) + 14 <= end else { return }
      _ = put(legend.low + " ", .plain)
      for step in 0..<12 { _ = put("█", Style(foreground: ramp.color(at: Float(step) / 11).terminal)) }
      _ = put(" " + legend.high, .plain)
      return
    }
    for (index, entry) in legend.entries.enumerated() {
      let rest = legend.entries.count - index
      let width = TextWidth.columns(entry.title) + 3
      guard x + width + (rest > 1 ? 4 : 0) <= end else {
        _ = put("+\(rest)", .secondary)
        return
      }
      _ = put("█ ", Style(foreground: entry.color.terminal))
      _ = put(entry.title + " ", .plain)
    }
  }

  private func drawInfo(into frame: inout TextFrame) {
    let corner = Self.infoCorner(of: frame.size)
    let text = corner.width >= 10 ? " i Library" : " i "
    guard corner.width >= 3, corner.height >= 1 else { return }
    frame.put(
      text, x: frame.size.width - text.count, y: frame.size.height - 1, Style.accent.adding(.reverse))
  }

  var outline: Outline {
    Outline(
      title: title, text: picture == nil && !message.isEmpty ? [message] : [], fields: fields,
      items: [Outline.Item(id: "library", text: "Library of molecules", action: ActionInvocation("library"))])
  }
}

extension RGBColor {
  /// The color in the terminal's form.
  fileprivate var terminal: Color { .rgb(red, green, blue) }
}
