import PluginAPI

/// The capture card of one item.
///
/// Opening it sets the sensor ahead of the capture, through registering and initializing where that is missing. The live
/// preview runs while nothing is captured and nothing is under way.
@MainActor final class CardController: Controller {
  static let reading: EffectID = "item"
  static let decoding: EffectID = "picture"
  static let waiting: EffectID = "button"
  static let moving: EffectID = "phase"
  static let previewing: EffectID = "frame"
  static let nextFrame: EffectID = "next-frame"
  static let annotating: EffectID = "annotate"
  static let choosingPart: EffectID = "part"
  static let askingNotes: EffectID = "notes"
  static let askingClear: EffectID = "ask-clear"
  static let askingDelete: EffectID = "ask-delete"
  static let askingKey: EffectID = "ask-key"
  static let clearing: EffectID = "clear"
  static let deleting: EffectID = "delete"
  static let askingSteal: EffectID = "ask-steal"
  static let stealing: EffectID = "steal"

  static let frameInSeconds = 1.0 / 15
  static let phaseInSeconds = 0.5

  nonisolated static let actions: [ScreenAction] = [
    ScreenAction("press", "Press the button: capture, stop, or try again", keys: ["enter", "space"]),
    ScreenAction("flip", "Turn the card over", keys: ["b", "tab"]),
    ScreenAction("sensor", "Set up the sensor", keys: ["w"]),
    ScreenAction("submodality", "Change what is captured", keys: ["W"]),
    ScreenAction("lightbox", "Show the capture over the whole screen", keys: ["v"]),
    ScreenAction("clear", "Clear the capture", keys: ["c"]),
    ScreenAction("delete", "Delete the item", keys: ["x"]),
    ScreenAction("steal", "Take the lock of the sensor from its holder", keys: ["S"]),
    ScreenAction("choose-line", "Say how a part is, or write notes"),
  ]

  /// What the key is asked for.
  enum Wish: Sendable, Equatable {
    case clear
    case delete
  }

  let station: ScreenStation
  let itemID: Int
  var state = CardState()
  var wish: Wish?
  private var size = Size(width: 0, height: 0)
  private var pixelsPerCell = Size(width: 1, height: 2)
  private var hasStarted = false
  private var hasConfigured = false
  private var isVisible = true
  private var isMoving = false
  private var pictureGeneration = 0
  private var shownCapture: Int?
  private var preview: ScreenPreview?
  private var isDecodingFrame = false

  init(_ request: ScreenRequest, _ station: ScreenStation) {
    self.station = station
    itemID = request.arguments["item"]?.integer ?? 0
  }

  isolated deinit { preview?.stop() }

  var title: String { state.item?.submodality.title ?? "Capture" }
  var view: any View { CardView(state: state) }

  var status: [StyledText.Run] {
    let text =
      state.isBack
      ? "enter says how a part is · b turns the card"
      : "enter \(state.button == .inactive ? "does nothing" : "presses the button") · b turns the card · w sensor"
    return [.init(text, .secondary)]
  }

  var address: String? { state.item.flatMap { station.address(of: $0)?.text } }

  // MARK: Events

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      (size, pixelsPerCell) = (geometry.size, geometry.pixelsPerCell)
      if hasStarted { return redecode() }
      hasStarted = true
      return station.leaving ?? read()
    case .visible(let visible):
      isVisible = visible
      return hasStarted ? follow() : []
    case .key(let key) where state.isBack: return move(key)
    case .mouse(let mouse): return handle(mouse)
    default: return nil
    }
  }

  private func move(_ key: Key) -> [Effect]? {
    guard key.modifiers.isEmpty else { return nil }
    switch key.code {
    case .up, .character("k"): state.selectedLine = max(0, state.selectedLine - 1)
    case .down, .character("j"): state.selectedLine = min(state.parts.count, state.selectedLine + 1)
    default: return nil
    }
    return []
  }

  private func handle(_ mouse: Mouse) -> [Effect]? {
    guard case .press(let clicks) = mouse.action, mouse.button == .left else { return nil }
    let body = Rect(size).split(top: 1).rest
    if state.isBack {
      let line = mouse.position.y - body.y - 1
      let isNotes = line == state.parts.count + 1
      guard state.parts.indices.contains(line) || isNotes else { return [] }
      state.selectedLine = isNotes ? state.parts.count : line
      return clicks >= 2 ? chooseLine() : []
    }
    return CardFrontView.button(in: body).contains(mouse.position) ? press() : []
  }

  // MARK: Reading

  func read() -> [Effect] {
    let (station, id) = (station, itemID)
    return [
      .compute(Self.reading, label: "reading") { _ in
        let item = try station.itemAndWait(id)
        return CardContent(item: item, person: try station.personAndWait(item.person))
      }
    ]
  }

  private func took(_ content: CardContent) -> [Effect] {
    state.personName = PersonText.name(content.person)
    state.take(content.item)
    return configureOnce() + redecode() + follow()
  }

  /// Sets the sensor ahead of the capture when the card was opened.
  private func configureOnce() -> [Effect] {
    guard !hasConfigured, let item = state.item else { return [] }
    hasConfigured = true
    guard item.capture == nil else { return [] }
    return configure(isAnew: false)
  }

  private func configure(isAnew: Bool) -> [Effect] {
    guard let item = state.item else { return [] }
    guard let order = station.order(item) else {
      state.set(.warning("its address is none"))
      return []
    }
    state.prepare(isAnew: isAnew)
    station.sensors.configure(order)
    return follow()
  }

  /// Shows the stored picture in the size there is now.
  private func redecode() -> [Effect] {
    guard let capture = state.item?.capture else {
      if shownCapture != nil || state.item != nil, preview == nil { state.shown = .words("nothing is captured yet") }
      shownCapture = nil
      return []
    }
    if shownCapture != capture.id { state.shown = .words("reading the picture …") }
    shownCapture = capture.id
    pictureGeneration += 1
    let (station, pixels) = (station, pixels)
    return [
      .compute(EffectID(Self.decoding.name, generation: pictureGeneration), label: "reading the picture") { _ in
        try station.pictureAndWait(of: capture, fitting: pixels)
      }
    ]
  }

  /// The most pixels that can be seen of a picture.
  private var pixels: Size {
    let rect = CardFrontView.picture(in: Rect(size).split(top: 1).rest)
    return Size(
      width: max(1, rect.width * pixelsPerCell.width * 2), height: max(1, rect.height * pixelsPerCell.height * 2))
  }

  // MARK: The button

  func press() -> [Effect] {
    guard let item = state.item else { return [] }
    switch state.button {
    case .inactive: return []
    case .capture:
      guard let order = station.order(item) else {
        state.set(.warning("its address is none"))
        return follow()
      }
      // The sensor shows nothing else while it captures.
      stopPreview()
      state.began()
      station.sensors.capture(order)
    case .stop:
      station.sensors.cancelItem(item.id)
      state.set(.waiting)
    case .warning: return configure(isAnew: true)
    case .waiting, .waitingToRestart:
      station.sensors.cancelItem(item.id)
      state.gaveUp()
    }
    return follow()
  }

  /// Begins the timers and the preview that go with what is shown, and ends others.
  func follow() -> [Effect] {
    var effects: [Effect] = []
    if let delay = state.delay {
      let id = EffectID(Self.waiting.name, generation: state.buttonGeneration)
      effects.append(.timer(id, seconds: Double(delay) / 1000, repeats: false))
    }
    let moves = isVisible && state.button != .inactive
    if moves != isMoving {
      isMoving = moves
      effects.append(moves ? .timer(Self.moving, seconds: Self.phaseInSeconds, repeats: true) : .cancel(Self.moving))
    }
    let isShown = isVisible && state.button == .capture && !state.isBack
    if isShown, preview == nil, let item = state.item, let address = station.address(of: item) {
      preview = station.sensors.preview(address)
      if preview != nil { effects.append(.timer(Self.nextFrame, seconds: Self.frameInSeconds, repeats: true)) }
    } else if !isShown, preview != nil {
      stopPreview()
      effects.append(.cancel(Self.nextFrame))
    }
    return effects
  }

  private func stopPreview() {
    preview?.stop()
    preview = nil
    if state.item?.capture == nil { state.shown = .words("") }
  }

  private func takeFrame() -> [Effect] {
    guard let preview, !isDecodingFrame else { return [] }
    if preview.hasEnded { return [.cancel(Self.nextFrame)] }
    isDecodingFrame = true
    let pixels = pixels
    return [
      .compute(Self.previewing, label: "live preview") { _ in
        PreviewPicture(picture: preview.pictureAndWait(fitting: pixels))
      }
    ]
  }

  // MARK: Messages

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .finished(Self.reading, let content as CardContent): return took(content)
    case .finished(EffectID(Self.decoding.name, generation: pictureGeneration), let picture as Picture):
      state.shown = .stored(picture)
    case .failed(EffectID(Self.decoding.name, generation: pictureGeneration), let report):
      state.shown = .words("not shown as a picture: \(report.message)")
    case .failed(Self.reading, let report):
      return station.leaving ?? [.status(Diagnostic(report, .error)), .pop(.null)]
    case .finished(Self.previewing, let frame as PreviewPicture):
      isDecodingFrame = false
      if preview != nil, let picture = frame.picture { state.shown = .live(picture) }
    case .cancelled(Self.previewing), .failed(Self.previewing, _): isDecodingFrame = false
    case .timer(Self.nextFrame): return takeFrame()
    case .timer(Self.moving): state.phase += 1
    case .timer(EffectID(Self.waiting.name, generation: state.buttonGeneration)):
      state.waited(state.buttonGeneration)
    case .notification(let notification): return heard(notification)
    default: return receiveAnswer(message)
    }
    return []
  }

  private func heard(_ notification: Notification) -> [Effect] {
    if let leaving = station.leaving { return leaving }
    switch notification.topic {
    case WSABIScreens.recordsTopic:
      return notification.payload.integer == state.item?.person && state.item != nil ? read() : []
    case WSABIScreens.sensorTopic:
      guard let news = SensorNews(notification.payload) else { return [] }
      let isChanged = state.take(news, address: address)
      return (isChanged ? read() : []) + follow()
    default: return []
    }
  }
}

/// What a card is made of.
struct CardContent: Sendable {
  var item: BiometricItem
  var person: Person
}

/// What there was of a live preview.
struct PreviewPicture: Sendable {
  var picture: Picture?
}
