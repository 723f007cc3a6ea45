import PluginAPI

/// The screen with one picture over all of it, enlarged as one likes; leads through those of the same capture.
@MainActor final class LightboxController: TargetedController {
  nonisolated static let description = ScreenDescription(
    "lightbox", title: "Picture", summary: "One capture, full screen",
    actions: [
      ScreenAction(LightboxAction.next, "Next picture of the capture", keys: ["n", "page-down"]),
      ScreenAction(LightboxAction.previous, "Previous picture", keys: ["p", "page-up"]),
      ScreenAction(LightboxAction.larger, "Zoom in", keys: ["+", "="]),
      ScreenAction(LightboxAction.smaller, "Zoom out", keys: ["-"]),
      ScreenAction(LightboxAction.whole, "Show the whole picture", keys: ["0"]),
    ] + moves,
    topics: [WSABIScreens.recordsTopic])

  /// Arrows scroll a magnified picture; if all of it is visible, they move to the next or previous picture.
  private nonisolated static let moves = [
    ("left", "h", -1, 0), ("right", "l", 1, 0), ("up", "k", 0, -1), ("down", "j", 0, 1),
  ].map { name, letter, x, y in
    ScreenAction(LightboxAction.move, "Move \(name)", keys: [name, letter])
      .with(WSABIArgument.x, x).with(WSABIArgument.y, y)
  }

  /// The longest edge of a picture in memory, in pixels; beyond that, single pixels cannot be distinguished.
  private nonisolated static let longestEdge = 6000
  /// The distance that one arrow key scrolls, as a fraction of the visible part.
  private static let stride = 0.25

  private let station: ScreenStation
  private let itemID: Int
  /// The item; nil until it was read.
  private var item: BiometricItem?
  /// The picture that is shown, or about to be, by the number of its capture.
  private var shownCapture: Int?
  private var whole: Picture?
  /// The original size of the picture, before it was scaled down for memory.
  private var pixels = Size(width: 0, height: 0)
  private var shown: Picture?
  private var window = PictureWindow()
  private var note = "loading …"
  private var geometry = ScreenGeometry(size: Size(width: 0, height: 0))
  private var dragged: Point?

  init(_ request: ScreenRequest, _ station: ScreenStation) {
    self.station = station
    itemID = request.arguments[WSABIArgument.item] ?? 0
  }

  func target(of invocation: ActionInvocation) -> String { "item \(itemID)" }

  /// The pictures of the item's newest capture.
  private var pictures: [CaptureRecord] { item?.pictures ?? [] }
  private var index: Int? { pictures.firstIndex { $0.id == shownCapture } }
  private var capture: CaptureRecord? { index.map { pictures[$0] } }

  /// The subject of the picture, under the name it was captured with.
  var title: String {
    guard let item else { return "Picture" }
    return (capture.map(item.shown) ?? item.submodality).title
  }

  var view: any View {
    LightboxView(picture: shown, title: title, note: note, fields: fields, position: position)
  }

  private var fields: [Outline.Field] {
    guard let item, let capture else { return [] }
    return CaptureText.names(capture, of: item) + CaptureText.answer(item) + CaptureText.fields(capture)
      + CaptureText.metadata(capture, of: item)
  }

  var status: [StyledText.Run] { position.isEmpty ? [] : [.init(position, .secondary)] }

  /// The picture's position in the sequence, its size, the visible part, and warnings about it.
  private var position: String {
    guard let item, let index else { return "" }
    var parts = pictures.count > 1 ? ["\(index + 1) of \(pictures.count)"] : []
    if item.isRenamed(pictures[index]) { parts.append("the item is now '\(item.submodality.title)'") }
    if let words = item.lossWords { parts.append(words) }
    if shown != nil {
      parts.append("\(pixels.width)×\(pixels.height)")
      if !window.isWhole { parts.append("\(Int((100 * window.zoom).rounded())) %") }
    }
    return parts.joined(separator: " · ")
  }

  // MARK: Events

  func start() -> [Effect] { [read()] }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      self.geometry = geometry
      return cut()
    case .mouse(let mouse): return handle(mouse)
    default: return nil
    }
  }

  private func move(_ x: Int, _ y: Int) -> [Effect] {
    if window.isWhole { return x == 0 ? [] : showPicture(x) }
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
      if clicks >= 2 { return perform(ActionInvocation(window.isWhole ? LightboxAction.larger : .whole)) }
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
    guard let action = LightboxAction(rawValue: invocation.action) else { return [] }
    switch action {
    case .next: return showPicture(1)
    case .previous: return showPicture(-1)
    case .move: return move(invocation.arguments[WSABIArgument.x] ?? 0, invocation.arguments[WSABIArgument.y] ?? 0)
    case .larger: window.enlarge(steps: 1)
    case .smaller: window.enlarge(steps: -1)
    case .whole: window = PictureWindow()
    }
    return cut()
  }

  /// Shows the picture a number of places after this one, if there is one.
  private func showPicture(_ step: Int) -> [Effect] {
    guard let index, pictures.indices.contains(index + step) else { return [] }
    return show(pictures[index + step].id)
  }

  // MARK: Reading

  func receive(_ message: Message) -> [Effect] {
    guard case .notification(let notification) = message else { return [] }
    return WSABIScreens.isOf(item?.person, notification) ? [read()] : []
  }

  private func read() -> Effect {
    load("items", "reading") { [station, itemID] _ in
      try await station.records().item(itemID)
    } then: {
      $0.update($1)
    } failed: { controller, failure in
      guard case .failed(let report) = failure else { return [] }
      if controller.item != nil { return controller.leave() }
      controller.note = report.description
      return []
    }
  }

  /// Updates the item from the store.
  ///
  /// The picture shown stays while it exists. If it was deleted meanwhile, its neighbor is shown; if the item was
  /// captured again, the new capture is shown.
  private func update(_ new: BiometricItem) -> [Effect] {
    let isFirst = item == nil
    let before = index ?? 0
    let isSameAct = new.capture?.act == item?.capture?.act
    item = new
    if !isFirst, pictures.isEmpty { return leave() }
    guard index == nil else { return [] }
    let next =
      isSameAct && pictures.indices.contains(before) ? pictures[before] : isSameAct ? pictures.last : new.capture
    return show(next?.id)
  }

  /// Leaves the screen, as there is nothing left to show.
  private func leave() -> [Effect] {
    [.status(Diagnostic(.note, code: "wsabi.gone", "the capture was deleted")), .pop(.null)]
  }

  /// The room there is, in pixels of the screen.
  private var room: Size {
    Size(
      width: geometry.size.width * geometry.pixelsPerCell.width,
      height: geometry.size.height * geometry.pixelsPerCell.height)
  }

  /// Shows a picture of the item, by the number of its capture; nil if there is none.
  private func show(_ number: Int?) -> [Effect] {
    (shownCapture, whole, shown, window) = (number, nil, nil, PictureWindow())
    guard let capture else {
      note = "no capture"
      return []
    }
    note = "loading the picture …"
    let reading = load("picture", "loading the picture") { [station, window, room] _ in
      try await station.picture(of: capture) { picture -> (whole: Picture, size: Size, part: Picture) in
        let whole = picture.shown(in: Size(width: Self.longestEdge, height: Self.longestEdge))
        return (whole, picture.size, Self.part(of: whole, window, room))
      }
    } then: { controller, found -> Void in
      (controller.whole, controller.pixels) = (found.whole, found.size)
      (controller.shown, controller.note) = (found.part, "")
    } failed: { controller, failure in
      if case .failed(let report) = failure { controller.note = "cannot show the picture: \(report.message)" }
      return []
    }
    // A part of the picture before must not be shown as one of this.
    return [.cancel("part"), reading]
  }

  /// Renders the visible part again from memory.
  private func cut() -> [Effect] {
    guard let whole else { return [] }
    let cutting = compute("part", "showing the picture") { [window, room] _ in
      Self.part(of: whole, window, room)
    } then: {
      $0.shown = $1
    }
    return [cutting]
  }

  /// Returns the visible part of a picture, with no more pixels than the screen can show.
  private nonisolated static func part(of whole: Picture, _ window: PictureWindow, _ room: Size) -> Picture {
    let sharp = Size(width: max(1, 2 * room.width), height: max(1, 2 * room.height))
    return whole.cropped(to: window.seen(of: whole.size, in: room)).shown(in: sharp)
  }
}
