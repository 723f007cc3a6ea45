import PluginAPI
import PluginText

/// The details of an entity: heading, summary, identifier, image, properties, tiled images, children and parents.
struct EntityDetailView: View {
  var state: DetailState
  /// The text shown while there are no details.
  var message: String

  func draw(into frame: inout TextFrame) {
    let (width, height) = (frame.size.width, frame.size.height)
    guard width > 0, height > 0 else { return }
    guard let details = state.details else {
      for (y, line) in TextWidth.wrapped(message, to: max(1, width - 4)).prefix(height).enumerated() {
        frame.put(line, x: 2, y: y, .secondary)
      }
      return
    }
    let layout = DetailLayout(details, in: frame.size)
    let top = min(state.top, max(0, layout.height - height))
    var y = -top
    for block in layout.blocks {
      defer { y += block.height }
      if y >= height { break }
      if y + block.height > 0 { draw(block, details, y: y, into: &frame) }
    }
    frame.scrollBar(x: width - 1, rows: 0..<height, top: top, count: layout.height)
  }

  private func draw(_ block: DetailLayout.Block, _ details: EntityDetails, y: Int, into frame: inout TextFrame) {
    let width = frame.size.width - 3
    switch block.content {
    case .runs(let runs):
      frame.inside(Rect(x: 2, y: y, width: width, height: 1)) { $0.put(runs, x: 0, y: 0) }
    case .images(let indices):
      for (number, index) in indices.enumerated() {
        let isTile = details.images[index].role == .tiled
        let tile = DetailLayout.tile
        let rect =
          isTile
          ? Rect(x: 2 + number * tile.width, y: y, width: min(tile.width, width) - 1, height: tile.height - 1)
          : Rect(x: 2, y: y, width: width, height: block.height)
        frame.inside(rect) { Self.draw(details.images[index], isTile: isTile, into: &$0) }
        if state.place == .image(index) { mark(Rect(x: rect.x - 2, y: y, width: 1, height: rect.height), &frame) }
      }
      return
    }
    if let place = block.place, place == state.place {
      frame.restyle(Rect(x: 1, y: y, width: width + 1, height: 1)) {
        Style(attributes: $0.attributes.union(.reverse).subtracting(.dim))
      }
      mark(Rect(x: 0, y: y, width: 1, height: 1), &frame)
    }
  }

  private func mark(_ rect: Rect, _ frame: inout TextFrame) {
    for y in rect.y..<rect.y + rect.height { frame.put("▌", x: max(0, rect.x), y: y, .accent) }
  }

  private static func draw(_ image: EntityDetails.Shown, isTile: Bool, into frame: inout TextFrame) {
    guard let picture = image.picture else {
      let lines = TextWidth.wrapped(image.note, to: max(1, frame.size.width))
      for (y, line) in lines.prefix(max(1, frame.size.height)).enumerated() { frame.put(line, x: 0, y: y, .secondary) }
      return
    }
    frame.place(picture, in: PictureFit.rect(of: picture, in: frame))
  }

  /// The heading, the texts, and every item that can be chosen.
  var outline: Outline {
    guard let details = state.details else { return Outline(title: "Details", text: [message]) }
    let entity = details.entity
    let texts = [SanitizedText.line(entity.category), EntityTitle.mark(entity.flags), ShownValue(entity.summary).noted]
    let names = [("Identifier", entity.identifier ?? ""), ("permId", entity.permID)].filter { !$0.1.isEmpty }
    return Outline(
      title: EntityTitle.heading(entity), text: texts.filter { !$0.isEmpty },
      fields: names.map { Outline.Field($0.0, SanitizedText.line($0.1)) },
      items: details.places.map { place in
        Outline.Item(
          id: place.id, text: Self.spoken(place, details), action: ActionInvocation("choose", ["id": .text(place.id)]))
      })
  }

  private static func spoken(_ place: EntityDetails.Place, _ details: EntityDetails) -> String {
    switch place {
    case .image(let index):
      let image = details.images[index]
      let size = image.picture.map { "\($0.width)×\($0.height) pixels" } ?? image.note
      return (image.role == .marquee ? "image: " : "small image: ") + size
    case .property(let index): return "\(details.rows[index].label): \(details.rows[index].value.firstLine)"
    case .children: return "\(details.entity.childCount ?? 0) children"
    case .parent(let index): return "parent \(EntityTitle.line(details.parents[index]))"
    }
  }
}
