import PluginAPI

/// A cell of the grid: the thumbnail of an item, or its activity, above its title.
struct ItemCellView: View {
  var item: BiometricItem
  var activity: ItemActivity?
  var thumbnail: Picture?
  var isSelected: Bool

  func draw(into frame: inout TextFrame) {
    let inner = frame.box(frame.bounds, isSelected ? .accent : .secondary)
    guard inner.height >= 2 else { return }
    let signs = ItemSign.all(item, activity)
    let body = Rect(x: inner.x, y: inner.y, width: inner.width, height: inner.height - 1)
    if let thumbnail {
      let size = thumbnail.size.cells(in: body.size, pixelsPerCell: frame.pixelsPerCell)
      frame.place(thumbnail, in: body.centered(size))
    } else {
      draw(words: words(signs), signs, in: body, into: &frame)
    }
    let corner = signs.map(\.glyph).joined()
    frame.put(corner, x: frame.size.width - 2 - TextWidth.columns(corner), y: 0, signs[0].style)
    let y = inner.y + inner.height - 1
    let title = TextWidth.padded(TextWidth.truncated(item.submodality.title, to: inner.width), to: inner.width)
    frame.put(title, x: inner.x, y: y, isSelected ? .selection : .plain)
  }

  private func draw(words: String, _ signs: [ItemSign], in rect: Rect, into frame: inout TextFrame) {
    let lines = TextWidth.wrapped(words, to: rect.width).prefix(rect.height)
    let top = rect.y + (rect.height - lines.count) / 2
    for (index, line) in lines.enumerated() {
      frame.put(line, x: rect.x + (rect.width - TextWidth.columns(line)) / 2, y: top + index, signs[0].style)
    }
  }

  private func words(_ signs: [ItemSign]) -> String {
    switch activity {
    case .problem(let words), .undecided(let words): words
    case .busy, .preparing: "waiting …"
    case nil where !item.losses.isEmpty:
      "\(item.losses.count) of \(item.losses.count + item.pictures.count) pictures lost"
    case nil: item.capture.map { CaptureText.type($0) } ?? (signs.contains(.annotated) ? "no capture" : "empty")
    }
  }

  var outline: Outline {
    Outline(title: item.submodality.title, text: ItemSign.all(item, activity).map(\.word))
  }
}
