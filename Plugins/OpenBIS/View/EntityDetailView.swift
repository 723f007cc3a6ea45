import PluginAPI
import PluginText

/// The content of an entity's details.
struct EntityDetails: Sendable, Equatable {
  /// An image: the picture once it is fetched, else the reason for its absence.
  struct Shown: Sendable, Equatable {
    var role: EntityImage.Role
    var picture: Picture?
    /// The text shown while there is no picture.
    var note: String
    /// A Boolean value indicating whether it can be fetched.
    var isFetched: Bool
  }

  /// A property: its label and text.
  struct Row: Sendable, Equatable {
    var label: String
    var value: ShownValue
    /// The id of the entity that the property names; nil if it names no cached one.
    var link: String?
  }

  var entity: Entity
  var rows: [Row] = []
  var images: [Shown] = []
  /// The entities that list it, as far as they are known.
  var parents: [EntitySummary] = []

  /// The text shown for an image that was not requested yet.
  static let waitingNote = "image not loaded yet"

  /// The largest number of images shown; the others are only counted.
  static let mostImages = 200

  /// Creates the texts of an entity; expensive for large values, so not for the event loop.
  ///
  /// - Parameter linked: The cached entities that its properties name; they are shown by their titles.
  init(_ entity: Entity, parents: [EntitySummary] = [], linked: [EntitySummary] = []) {
    self.entity = entity
    self.parents = parents
    rows = (entity.properties ?? []).map { property in
      let link = property.linkedID.flatMap { id in linked.first { $0.permID == id } }
      return Row(
        label: SanitizedText.line(property.label.isEmpty ? property.key : property.label),
        value: ShownValue(link.map(EntityTitle.line) ?? property.value), link: link?.permID)
    }
    images = (entity.images ?? []).inOrder.prefix(Self.mostImages).map { image in
      if case .unusable(let reason) = image.source {
        return Shown(role: image.role, note: "no image: " + SanitizedText.line(reason), isFetched: false)
      }
      return Shown(role: image.role, note: Self.waitingNote, isFetched: true)
    }
  }

  /// The items that can be selected, from top to bottom.
  var items: [Item] {
    var items: [Item] = []
    if let marquee = images.firstIndex(where: { $0.role == .marquee }) { items.append(.image(marquee)) }
    items += rows.indices.map(Item.property)
    items += images.indices.filter { images[$0].role == .tiled }.map(Item.image)
    if (entity.childCount ?? 0) > 0 { items.append(.children) }
    items += parents.indices.map(Item.parent)
    return items
  }

  /// An item of an entity that can be selected.
  enum Item: Sendable, Hashable {
    /// An image by its index.
    case image(Int)
    /// A property by its index.
    case property(Int)
    case children
    /// A parent by its index.
    case parent(Int)

    /// The id of the item in outlines and actions.
    var id: String {
      switch self {
      case .image(let index): "image \(index)"
      case .property(let index): "property \(index)"
      case .children: "children"
      case .parent(let index): "parent \(index)"
      }
    }
  }
}

/// The details of an entity: heading, summary, identifier, image, properties, tiled images, children and parents.
struct EntityDetailView: View {
  var state: DetailState
  /// The text shown while there are no details.
  var message: String

  func draw(into frame: inout TextFrame) {
    let (width, height) = (frame.size.width, frame.size.height)
    guard width > 0, height > 0 else { return }
    guard let details = state.details else {
      frame.putMessage(message)
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
        if state.item == .image(index) { mark(Rect(x: rect.x - 2, y: y, width: 1, height: rect.height), &frame) }
      }
      return
    }
    if let item = block.item, item == state.item {
      frame.markSelected(Rect(x: 0, y: y, width: width + 2, height: 1))
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
      items: details.items.map { item in
        Outline.Item(
          id: item.id, text: Self.spoken(item, details),
          action: ActionInvocation(DetailAction.choose.rawValue, [OpenBISArgument.id.name: .text(item.id)]))
      })
  }

  private static func spoken(_ item: EntityDetails.Item, _ details: EntityDetails) -> String {
    switch item {
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

/// One image in the middle of the screen, or the reason for its absence.
struct WholeImageView: View {
  var picture: Picture?
  /// The description of the image.
  var description: String
  /// The text shown while there is no picture.
  var note: String

  func draw(into frame: inout TextFrame) {
    guard let picture, !picture.isEmpty else {
      for (y, line) in TextWidth.wrapped(SanitizedText.block(note), to: max(1, frame.size.width - 4)).enumerated() {
        frame.put(line, x: 2, y: y, .secondary)
      }
      return
    }
    let rect = PictureFit.rect(of: picture, in: frame)
    frame.place(
      picture,
      in: Rect(
        x: (frame.size.width - rect.width) / 2, y: (frame.size.height - rect.height) / 2, width: rect.width,
        height: rect.height))
  }

  var outline: Outline {
    let size = picture.map { "\($0.width)×\($0.height) pixels" }
    return Outline(title: description, text: [size ?? SanitizedText.line(note)])
  }
}

/// The rectangle in which a picture keeps its proportions.
enum PictureFit {
  /// Returns the largest rectangle with the picture's proportions at the upper left of a frame.
  static func rect(of picture: Picture, in frame: TextFrame) -> Rect {
    let size = frame.size
    guard picture.width > 0, picture.height > 0, size.width > 0, size.height > 0 else {
      return Rect(x: 0, y: 0, width: 0, height: 0)
    }
    // A cell is twice as high as wide; its pixels may have other proportions.
    let (shownWidth, shownHeight) = (Double(size.width), Double(size.height) * 2)
    let scale = min(shownWidth / Double(picture.width), shownHeight / Double(picture.height))
    let width = max(1, min(size.width, Int((Double(picture.width) * scale).rounded())))
    let height = max(1, min(size.height, Int((Double(picture.height) * scale / 2).rounded())))
    return Rect(x: 0, y: 0, width: width, height: height)
  }
}
