import PluginAPI

/// The molecule's picture, the way to the library in its corner, and a message where there is no picture.
struct ViewerView: View {
  /// The picture; nil as long as there is none.
  var picture: Picture?
  /// What is said where there is no picture.
  var message: String
  /// Code and title, for linear reading.
  var title: String
  /// What is shown, for linear reading.
  var fields: [Outline.Field]

  /// The corner that leads to the library: generous, since a small target is missed.
  static func infoCorner(of size: Size) -> Rect {
    let (width, height) = (min(10, size.width / 3), min(3, size.height / 3))
    return Rect(x: size.width - width, y: size.height - height, width: width, height: height)
  }

  func draw(into frame: inout TextFrame) {
    let size = frame.size
    if let picture {
      frame.place(picture, in: frame.bounds)
    } else if !message.isEmpty {
      let lines = TextWidth.wrapped(message, to: max(1, size.width - 2))
      for (index, line) in lines.enumerated() {
        let x = max(0, (size.width - TextWidth.columns(line)) / 2)
        frame.put(line, x: x, y: max(0, (size.height - lines.count) / 2) + index, .secondary)
      }
    }
    drawInfo(into: &frame)
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
