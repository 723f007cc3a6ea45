import PluginAPI

/// The capture card of an item.
///
/// Opening it configures the sensor ahead of the capture, and registers and initializes first if needed. The live
/// preview runs until the sensor has captured, to guide the person.
@MainActor final class CardController: Controller {
  static let reading: EffectID = "item"
  static let decoding: EffectID = "picture"
  static let waiting: EffectID = "button"
  static let moving: EffectID = "phase"
  static let previewing: EffectID = "frame"
  static let nextFrame: EffectID = "next-frame"
  static let annotating: EffectID = "annotate"
  static let choosingPart: EffectID = "part"
  static let askingClear: EffectID = "ask-clear"
  static let askingDelete: EffectID = "ask-delete"
  static let askingKey: EffectID = "ask-key"
  static let clearing: EffectID = "clear"
  static let deleting: EffectID = "delete"
  static let deciding: EffectID = "decide"
  static let measuring: EffectID = "steal-time"
  static let stealing: EffectID = "steal"
  static let interrupting: EffectID = "interrupt"
  static let refusing: EffectID = "refuse"

  static let frameInSeconds = 1.0 / 15
  static let phaseInSeconds = 0.5

  nonisolated static let actions: [ScreenAction] = [
    ScreenAction("flip", "Turn the card over", keys: ["b", "tab"]),
    ScreenAction("sensor", "Set up the sensor", keys: ["w"]),
    ScreenAction("submodality", "Change what is captured", keys: ["W"]),
    ScreenAction("delete", "Delete the item", keys: ["x", "delete"]),
    ScreenAction("lightbox", "Show the capture over the whole screen", keys: ["v"]),
    ScreenAction("again", "Capture again, beside what is stored", keys: ["R"]),
    ScreenAction("clear", "Clear the capture", keys: ["c"]),
    ScreenAction("steal", "Take the lock of the sensor from its holder", keys: ["S"]),
    // Listed last, beyond the room of the hint line. The status line describes its current effect; with a capture it
    // has none.
    ScreenAction(
      "press", "Press the button: capture, stop, try again, or go on with the next item", keys: ["enter", "space"]),
    ScreenAction("choose-line", "Say how a part is, or write notes"),
  ]

  /// The action for which the key is requested.
  enum Wish: Sendable, Equatable {
    case clear
    case delete
  }

  let station: ScreenStation
  private(set) var itemID: Int
  var state = CardState()
  var wish: Wish?
  private var size = Size(width: 0, height: 0)
  private var pixelsPerCell = Size(width: 1, height: 2)
  private var hasStarted = false
  private var pictureGeneration = 0
  private var shownCapture: Int?
  var hasConfigured = false
  var isVisible = true
  var isMoving = false
  /// The state of the button for whose text a timer runs.
  var timedButton = -1
  var preview: ScreenPreview?
  var isDecodingFrame = false
  /// True if the lock is wanted for a capture.
  var wantsCapture = false
  /// The time for which the service refuses to have its lock stolen, in milliseconds; nil if it does not say.
  var stealPrevention: Int?
  /// True if the dialog about the lock is shown once that period is known.
  var asksWhenMeasured = false

  init(_ request: ScreenRequest, _ station: ScreenStation) {
    self.station = station
    itemID = request.arguments["item"]?.integer ?? 0
  }

  func end() {
    preview?.stop()
    if state.isCapturing, station.cancelsOnDismiss() { station.sensors.cancelItem(itemID) }
  }

  var title: String { state.item?.submodality.title ?? "Capture" }
  var view: any View { CardView(state: state) }

  var status: [StyledText.Run] {
    if state.isBack {
      let press = state.selectedLine < state.parts.count ? "enter says how the part is" : "enter writes notes"
      return [.init(hasRoom ? press : "\(press) · b turns the card", .secondary)]
    }
    let press: String? =
      switch state.button {
      case .inactive:
        state.item?.capture == nil
          ? nil
          : state.offeredNext.map { "enter: \($0.submodality.title) · R again" }
            ?? "R again · v shows it"
      case .capture: "enter captures"
      case .stop: "enter stops it"
      case .warning: state.question == nil ? "enter tries again" : "enter asks what to do"
      case .waiting where state.isFetching: "enter leaves the data at the sensor"
      case .waiting, .waitingToRestart: state.heldSince == nil ? "enter gives up" : "enter gives up · S takes the lock"
      }
    let rest = hasRoom ? [] : state.item?.capture == nil ? ["b turns the card", "w sensor"] : ["b turns the card"]
    var hints = [press].compactMap { $0 } + rest
    // A missing hint is better than a truncated one.
    while hints.count > 1, TextWidth.columns(hints.joined(separator: " · ")) > size.width - Self.hintsOfHost {
      hints.removeLast()
    }
    return [.init(hints.joined(separator: " · "), .secondary)]
  }

  /// The columns reserved for the hints that every screen has.
  private static let hintsOfHost = 34

  /// True if the line of hints has room for the keys of actions, which are then not repeated elsewhere.
  private var hasRoom: Bool { size.width >= 100 }

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
    return [.compute(Self.reading, label: "reading") { _ in try station.cardAndWait(id) }]
  }

  private func took(_ content: CardContent) -> [Effect] {
    state.personName = PersonText.name(content.person)
    (state.open, state.next) = (content.open, content.next)
    let isFirst = state.item == nil
    state.take(content.item)
    let isUnderWay = station.sensors.operations().contains { $0.item == itemID }
    if isFirst, !isUnderWay, let question = content.question { state.ask(question) }
    return configureOnce() + redecode() + follow()
  }

  /// Continues with another item of the person.
  func goOn(with item: BiometricItem) -> [Effect] {
    stopPreview()
    itemID = item.id
    state = CardState()
    (hasConfigured, shownCapture, timedButton) = (false, nil, -1)
    (wantsCapture, stealPrevention, asksWhenMeasured) = (false, nil, false)
    pictureGeneration += 1
    return [.cancel(Self.nextFrame)] + read()
  }

  /// Shows the stored picture in the size there is now.
  private func redecode() -> [Effect] {
    guard let capture = state.item?.capture else {
      if shownCapture != nil || preview == nil { state.shown = .words("nothing is captured yet") }
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
  var pixels: Size {
    let rect = CardFrontView.picture(in: Rect(size).split(top: 1).rest)
    return Size(
      width: max(1, rect.width * pixelsPerCell.width * 2), height: max(1, rect.height * pixelsPerCell.height * 2))
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
    case .finished(Self.previewing, let frame as PreviewPicture): took(frame)
    case .cancelled(Self.previewing), .failed(Self.previewing, _): isDecodingFrame = false
    case .timer(Self.nextFrame): return takeFrame()
    case .timer(Self.moving): moved()
    case .finished(Self.measuring, let period as Int?): return measured(period)
    case .timer(EffectID(Self.waiting.name, generation: state.buttonGeneration)):
      state.waited(state.buttonGeneration)
    case .notification(let notification): return heard(notification)
    default: return receiveAnswer(message)
    }
    return []
  }

  /// Shows that the sensor captures, unless it is only waited for.
  private func tellWork() {
    guard case .words = state.shown, state.isCapturing, state.item?.capture == nil else { return }
    state.shown = .words(state.button == .stop ? Self.capturingWords : "")
  }

  private func heard(_ notification: Notification) -> [Effect] {
    if let leaving = station.leaving { return leaving }
    switch notification.topic {
    case WSABIScreens.recordsTopic:
      return WSABIScreens.isOf(state.item?.person, notification) ? read() : []
    case WSABIScreens.sensorTopic:
      guard let news = SensorNews(notification.payload) else { return [] }
      // A preview that gave up before the sensor was ready restarts.
      if case .connected(address, true) = news, preview?.hasEnded ?? false { stopPreview() }
      let wasHeld = state.heldSince != nil
      let seen = state.item.flatMap { station.address(of: $0) }.flatMap { station.heldByAnother($0) }
      let isChanged = state.take(news, address: address, now: seen?.first ?? station.now())
      state.heldMessage = seen?.message ?? ""
      tellWork()
      let isHeldNow = state.heldSince != nil && !wasHeld
      return (isChanged ? read() : []) + (isHeldNow ? measure() : []) + follow()
    default: return []
    }
  }
}
