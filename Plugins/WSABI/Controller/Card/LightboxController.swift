import PluginAPI

/// The screen with one capture over all of it, enlarged as one likes; leads through those of the person.
@MainActor final class LightboxController: TargetedController {
  static let reading: EffectID = "items"
  static let decoding: EffectID = "picture"
  static let cutting: EffectID = "part"

  nonisolated static let actions: [ScreenAction] =
    [
      ScreenAction("next", "Next capture", keys: ["n", "space", "page-down"]),
      ScreenAction("previous", "Capture before", keys: ["p", "page-up"]),
      ScreenAction("larger", "Zoom in", keys: ["+", "="]),
      ScreenAction("smaller", "Zoom out", keys: ["-"]),
      ScreenAction("whole", "Show all of it", keys: ["0"]),
    ] + moves

  /// Arrows move what is seen; where all of it is, they lead to the captures beside it.
  private nonisolated static let moves = [
    ("left", "h", -1, 0), ("right", "l", 1, 0), ("up", "k", 0, -1), ("down", "j", 0, 1),
  ].map { name, letter, x, y in
    ScreenAction("move", "Move \(name)", keys: [name, letter], arguments: ["x": .integer(x), "y": .integer(y)])
  }

  /// The longest edge of what is held of a picture, in pixels: beyond, its own pixels are not told apart any more.
  private static let longestEdge = 6000
  /// What one arrow moves by, as a share of what is seen.
  private static let stride = 0.25

  /// A picture, and what of it is shown.
  private struct Decoded: Sendable {
    var whole: Picture
    var size: Size
    var shown: Picture
  }

  private let station: ScreenStation
  private var itemID: Int
  private var items: [BiometricItem] = []
  /// Whose captures they are; nil until they were read.
  private var person: Int?
  /// The capture that is shown, or about to be.
  private var shownCapture: Int?
  private var whole: Picture?
  /// What the picture had before it was made smaller to be held.
  private var pixels = Size(width: 0, height: 0)
  private var shown: Picture?
  private var window = PictureWindow()
  private var note = "reading …"
  private var generation = 0
  private var hasStarted = false
  private var geometry = ScreenGeometry(size: Size(width: 0, height: 0))
  private var dragged: Point?

  init(_ request: ScreenRequest, _ station: ScreenStation) {
    self.station = station
    itemID = request.arguments["item"]?.integer ?? 0
  }

  /// The item that is looked at now, which need not be the first one.
  func target(of invocation: ActionInvocation) -> String { "item \(itemID)" }

  private var index: Int? { items.firstIndex { $0.id == itemID } }
  private var item: BiometricItem? { index.map { items[$0] } }

  var title: String { item?.submodality.title ?? "Picture" }

  var view: any View {
    LightboxView(
      picture: shown, title: title, note: note,
      fields: item.flatMap { item in
        item.capture.map { CaptureText.fields($0) + CaptureText.metadata($0, of: item) }
      } ?? [], place: place)
  }

  var status: [StyledText.Run] { place.isEmpty ? [] : [.init(place, .secondary)] }

  /// Which capture it is, how large, and how much of it is seen.
  private var place: String {
    guard let index else { return "" }
    var parts = items.count > 1 ? ["\(index + 1) of \(items.count)"] : []
    if shown != nil {
      parts.append("\(pixels.width)×\(pixels.height)")
      if !window.isWhole { parts.append("\(Int((100 * window.zoom).rounded())) %") }
    }
    return parts.joined(separator: " · ")
  }

  // MARK: Events

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      self.geometry = geometry
      if hasStarted { return cut() }
      hasStarted = true
      return station.leaving ?? read()
    case .mouse(let mouse): return handle(mouse)
    default: return nil
    }
  }

  private func move(_ x: Int, _ y: Int) -> [Effect] {
    if window.isWhole { return x == 0 ? [] : lead(x) }
    window.move(Double(x) * Self.stride, Double(y) * Self.stride)
    return cut()
  }

  private func handle(_ mouse: Mouse) -> [Effect]? {
    let (width, height) = (Double(max(1, geometry.size.width)), Double(max(1, geometry.size.height)))
    switch mouse.action {
    case .scroll(let rows):
      let focus = SIMD2((Double(mouse.position.x) + 0.5) / width, (Double(mouse.position.y) + 0.5) / height)
      window.enlarge(steps: -rows.signum(), at: focus)
      return cut()
    case .press(let clicks) where mouse.button == .left:
      dragged = mouse.position
      if clicks >= 2 { return perform(ActionInvocation(window.isWhole ? "larger" : "whole")) }
      return []
    case .drag:
      guard let from = dragged else { return [] }
      dragged = mouse.position
      window.move(Double(from.x - mouse.position.x) / width, Double(from.y - mouse.position.y) / height)
      return cut()
    case .release:
      dragged = nil
      return []
    default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    switch invocation.action {
    case "next": return lead(1)
    case "previous": return lead(-1)
    case "move": return move(invocation.arguments["x"]?.integer ?? 0, invocation.arguments["y"]?.integer ?? 0)
    case "larger": window.enlarge(steps: 1)
    case "smaller": window.enlarge(steps: -1)
    case "whole": window = PictureWindow()
    default: return []
    }
    return cut()
  }

  private func lead(_ step: Int) -> [Effect] {
    guard let index, items.indices.contains(index + step) else { return [] }
    itemID = items[index + step].id
    (whole, shown, window) = (nil, nil, PictureWindow())
    return decode()
  }

  // MARK: Messages

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .finished(Self.reading, let items as [BiometricItem]): return took(items)
    case .finished(EffectID(Self.decoding.name, generation: generation), let decoded as Decoded):
      (whole, pixels, shown, note) = (decoded.whole, decoded.size, decoded.shown, "")
    case .finished(EffectID(Self.cutting.name, generation: generation), let part as Picture): shown = part
    case .failed(EffectID(Self.decoding.name, generation: generation), let report):
      note = "not shown as a picture: \(report.message)"
    case .failed(Self.reading, let report):
      if let leaving = station.leaving { return leaving }
      if person != nil { return gone() }
      note = report.description
    case .notification(let notification):
      return station.leaving ?? (WSABIScreens.isOf(person, notification) ? read() : [])
    default: break
    }
    return []
  }

  private func read() -> [Effect] {
    let (station, id, person) = (station, itemID, person)
    return [
      .compute(Self.reading, label: "reading") { _ in
        let person = try person ?? station.itemAndWait(id).person
        return try station.itemsAndWait(of: person).filter { $0.capture != nil }
      }
    ]
  }

  /// Takes the captures as the store has them; what is shown stays as long as it is there.
  ///
  /// Where it was deleted meanwhile, its neighbour is shown.
  private func took(_ new: [BiometricItem]) -> [Effect] {
    let isFirst = person == nil
    let place = index ?? 0
    items = new
    person = new.first?.person ?? person
    if !isFirst, item == nil {
      guard let next = items.indices.contains(place) ? items[place] : items.last else { return gone() }
      itemID = next.id
    }
    guard isFirst || item?.capture?.id != shownCapture else { return [] }
    (whole, shown, window) = (nil, nil, PictureWindow())
    return decode()
  }

  /// Leaves, as there is nothing to be shown any more.
  private func gone() -> [Effect] {
    [.status(Diagnostic(.note, code: "wsabi.gone", "the capture was deleted meanwhile")), .pop(.null)]
  }

  /// The room there is, in pixels of the screen.
  private var room: Size {
    Size(
      width: geometry.size.width * geometry.pixelsPerCell.width,
      height: geometry.size.height * geometry.pixelsPerCell.height)
  }

  private func decode() -> [Effect] {
    guard let capture = item?.capture else {
      note = "nothing is captured"
      return []
    }
    generation += 1
    shownCapture = capture.id
    note = "reading the picture …"
    let (station, window, room) = (station, window, room)
    let edge = Size(width: Self.longestEdge, height: Self.longestEdge)
    return [
      .compute(EffectID(Self.decoding.name, generation: generation), label: "reading the picture") { _ in
        let picture = try station.pictureAndWait(of: capture)
        let whole = picture.fitted(into: edge)
        return Decoded(whole: whole, size: picture.size, shown: Self.part(of: whole, window, room))
      }
    ]
  }

  /// Makes what is seen anew, from what is held.
  private func cut() -> [Effect] {
    guard let whole else { return [] }
    generation += 1
    let (window, room) = (window, room)
    return [
      .compute(EffectID(Self.cutting.name, generation: generation), label: "showing the picture") { _ in
        Self.part(of: whole, window, room)
      }
    ]
  }

  /// What is seen of a picture, with no more pixels than can be told apart.
  private nonisolated static func part(of whole: Picture, _ window: PictureWindow, _ room: Size) -> Picture {
    let sharp = Size(width: max(1, 2 * room.width), height: max(1, 2 * room.height))
    return whole.cropped(to: window.seen(of: whole.size, in: room)).fitted(into: sharp)
  }
}
