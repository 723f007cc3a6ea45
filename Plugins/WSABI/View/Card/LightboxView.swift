import PluginAPI

/// One capture over the whole screen.
struct LightboxView: View {
  var picture: Picture?
  var title: String
  /// The reason there is no picture.
  var note: String
  var fields: [Outline.Field] = []
  /// The picture's position in the sequence, and the visible part.
  var place = ""

  func draw(into frame: inout TextFrame) {
    guard let picture else {
      frame.put(TextWidth.truncated(note, to: frame.size.width - 2), x: 2, y: frame.size.height / 2, .secondary)
      var y = frame.size.height / 2 + 2
      for field in fields where y < frame.size.height {
        frame.put(TextWidth.truncated("\(field.label): \(field.value)", to: frame.size.width - 4), x: 4, y: y)
        y += 1
      }
      return
    }
    let size = picture.size.cells(in: frame.size, pixelsPerCell: frame.pixelsPerCell)
    frame.place(picture, in: frame.bounds.centered(size))
  }

  var outline: Outline { Outline(title: title, text: [place, note].filter { !$0.isEmpty }, fields: fields) }
}
