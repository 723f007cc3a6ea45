import PluginAPI

/// The capture card of an item.
///
/// Opening it configures the sensor ahead of the capture, and registers and initializes first if needed. The live
/// preview runs until the sensor has captured, to guide the person.
@MainActor final class CardController: Controller {
  nonisolated static let description = ScreenDescription(
    "card", title: "Capture", summary: "One item: capture, picture and annotations",
    actions: [
      ScreenAction(CardAction.flip, "Turn the card over", keys: ["b", "tab"]),
      ScreenAction(CardAction.sensor, "Set up the sensor", keys: ["w"]),
      ScreenAction(CardAction.submodality, "Change the submodality", keys: ["W"]),
      ScreenAction(CardAction.delete, "Delete the item", keys: ["x", "delete"]),
      ScreenAction(CardAction.lightbox, "Show the capture full screen", keys: ["v"]),
      ScreenAction(CardAction.again, "Capture again and keep the stored capture", keys: ["R"]),
      ScreenAction(CardAction.clear, "Clear the capture", keys: ["c"]),
      ScreenAction(CardAction.steal, "Steal the lock of the sensor", keys: ["S"]),
      // Listed last, beyond the room of the hint line. The status line describes its current effect; with a capture it
      // has none.
      ScreenAction(
        CardAction.press, "Press the button: capture, stop, try again or next item", keys: ["enter", "space"]),
      ScreenAction(CardAction.chooseLine, "Annotate a part, or write notes"),
    ],
    topics: [WSABIScreens.recordsTopic, WSABIScreens.sensorTopic])

  private static let frameInSeconds = 1.0 / 15
  private static let phaseInSeconds = 0.5
  private static let capturingWords = "capturing …"

  private let station: ScreenStation
  private var itemID: Int
  private var state = CardState()
  private var geometry = ScreenGeometry(size: Size(width: 0, height: 0))
  private var isVisible = true
  private var isMoving = false
  private var hasConfigured = false
  /// The stored capture that is shown, or about to be.
  private var shownCapture: Int?
  /// True if the lock is wanted for a capture.
  private var wantsCapture = false
  private var preview: ScreenPreview?
  private var isDecodingFrame = false

  init(_ request: ScreenRequest, _ station: ScreenStation) {
    self.station = station
    itemID = request.arguments[WSABIArgument.item] ?? 0
  }

  var title: String { state.item?.submodality.title ?? "Capture" }
  var view: any View { CardView(state: state) }

  var status: [StyledText.Run] { [.init(state.hint(width: geometry.size.width), .secondary)] }

  private var address: SensorAddress? { state.item.flatMap(station.address) }

  // MARK: Events

  func start() -> [Effect] { [read()] }

  func end() {
    preview?.stop()
    if state.isCapturing, station.cancelsOnDismiss() { station.sensors.cancelItem(itemID) }
  }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      self.geometry = geometry
      return state.item == nil ? [] : redecode()
    case .visible(let isVisible):
      self.isVisible = isVisible
      return follow()
    case .key(let key) where state.isBack: return move(key)
    case .mouse(let mouse): return handle(mouse)
    default: return nil
    }
  }

  private func move(_ key: Key) -> [Effect]? {
    guard key.modifiers.isEmpty else { return nil }
    switch key.code {
    case .up, .character("k"): state.selectLine(state.selectedLine - 1)
    case .down, .character("j"): state.selectLine(state.selectedLine + 1)
    default: return nil
    }
    return []
  }

  private func handle(_ mouse: Mouse) -> [Effect]? {
    guard case .press(let clicks) = mouse.action, mouse.button == .left else { return nil }
    let body = Rect(geometry.size).split(top: 1).rest
    if state.isBack {
      let line = mouse.position.y - body.y - 1
      let isNotes = line == state.parts.count + 1
      guard state.parts.indices.contains(line) || isNotes else { return [] }
      state.selectLine(isNotes ? state.parts.count : line)
      return clicks >= 2 ? chooseLine() : []
    }
    return CardFrontView.button(in: body).contains(mouse.position) ? press() : []
  }

  /// Actions that would take the item, or its sensor, away from a capture.
  private static let notMeanwhile: Set<CardAction> = [.sensor, .submodality, .clear, .delete]

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard let action = CardAction(rawValue: invocation.action) else { return [] }
    if Self.notMeanwhile.contains(action), state.isCapturing || state.isFetching {
      return [.status(Diagnostic(.note, code: "wsabi.capturing-now", "a capture is under way: stop it first"))]
    }
    let hasCapture = state.item?.capture != nil
    switch action {
    case .press: return state.isBack ? chooseLine() : press()
    case .flip:
      state.flip()
      return follow()
    case .sensor: return setUp(from: .device)
    case .submodality: return setUp(from: .submodality)
    case .lightbox: return hasCapture ? [.push(ScreenRequest("lightbox").with(WSABIArgument.item, itemID))] : []
    case .again: return captureAgain()
    case .clear: return hasCapture ? [confirmClear()] : []
    case .delete: return [confirmDelete()]
    case .steal: return askSteal()
    case .chooseLine:
      state.selectLine(invocation.arguments[WSABIArgument.part] ?? state.selectedLine)
      return chooseLine()
    }
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .timer("next-frame"): return takeFrame()
    case .timer("phase"): state.advance(to: station.now())
    case .timer("button"): state.endDelay()
    case .returned("notes", let value): return value.text.map { text in annotate { $0.notes = text } } ?? []
    case .notification(let notification): return receive(notification)
    default: break
    }
    return []
  }

  private func receive(_ notification: Notification) -> [Effect] {
    switch notification.topic {
    case WSABIScreens.recordsTopic:
      return WSABIScreens.isOf(state.item?.person, notification) ? [read()] : []
    case WSABIScreens.sensorTopic: return SensorNews(notification.payload).map(receive) ?? []
    default: return []
    }
  }

  private func receive(_ news: SensorNews) -> [Effect] {
    // A preview that gave up before the sensor was ready restarts.
    if case .connected(address?.text, true) = news, preview?.hasEnded ?? false { stopPreview() }
    let wasHeld = state.heldSince != nil
    let seen = address.flatMap { station.heldByAnother($0) }
    let isChanged = state.take(news, address: address?.text, heldByAnother: seen, now: station.now())
    // That the sensor captures is not said while it is only waited for.
    if case .words = state.shown, state.isCapturing, state.item?.capture == nil {
      state.shown = .words(state.button == .stop ? Self.capturingWords : "")
    }
    let isHeldNow = state.heldSince != nil && !wasHeld
    return (isChanged ? [read()] : []) + (isHeldNow ? measure(isAsking: false) : []) + follow()
  }

  // MARK: Reading

  private func read() -> Effect {
    load("item", "reading") { [station, itemID] _ in
      try await station.card(itemID)
    } then: {
      $0.show($1)
    } failed: { _, failure in
      if case .failed = failure { [.pop(.null)] } else { [] }
    }
  }

  private func show(_ content: CardContent) -> [Effect] {
    let isFirst = state.item == nil
    state.take(content.item, of: PersonText.name(content.person), open: content.open, next: content.next)
    let isUnderWay = station.sensors.operations().contains { $0.item == itemID }
    if isFirst, !isUnderWay, let question = content.question { state.ask(question) }
    return configureOnce() + redecode() + follow()
  }

  /// Continues with another item of the person.
  private func advance(to item: BiometricItem) -> [Effect] {
    stopPreview()
    itemID = item.id
    state = CardState()
    (hasConfigured, shownCapture, wantsCapture) = (false, nil, false)
    return [.cancel("next-frame"), .cancel("picture"), .cancel("steal-time"), read()]
  }

  /// Shows the stored picture in the size there is now.
  private func redecode() -> [Effect] {
    guard let capture = state.item?.capture else {
      if shownCapture != nil || preview == nil { state.shown = .words("no capture yet") }
      shownCapture = nil
      return []
    }
    if shownCapture != capture.id { state.shown = .words("loading the picture …") }
    shownCapture = capture.id
    let reading = load("picture", "loading the picture") { [station, pixels] _ in
      try await station.picture(of: capture) { $0.shown(in: pixels) }
    } then: {
      $0.state.shown = .stored($1)
    } failed: { controller, failure in
      guard case .failed(let report) = failure else { return [] }
      controller.state.shown = .words("cannot show the picture: \(report.message)")
      return []
    }
    return [reading]
  }

  /// The most pixels that can be seen of a picture.
  private var pixels: Size {
    let rect = CardFrontView.picture(in: Rect(geometry.size).split(top: 1).rest)
    let cell = geometry.pixelsPerCell
    return Size(width: max(1, rect.width * cell.width * 2), height: max(1, rect.height * cell.height * 2))
  }

  // MARK: The back

  /// Asks for the condition of the selected part, or for notes.
  private func chooseLine() -> [Effect] {
    guard state.item != nil, station.may(.annotate) else { return [] }
    if state.selectedLine >= state.parts.count {
      return [.push(ScreenRequest("notes").with(WSABIArgument.item, itemID))]
    }
    let choices = PartCondition.allCases.map { ChoiceRequest.Choice(id: $0.rawValue, title: $0.shownText) }
    let request = ChoiceRequest(
      state.parts[state.selectedLine].title, choices: choices, selected: state.conditions[state.selectedLine].rawValue)
    let asking = choose(request) { controller, answer in
      guard let condition = PartCondition(rawValue: answer) else { return [] }
      let line = controller.state.selectedLine
      return controller.annotate { if $0.conditions.indices.contains(line) { $0.conditions[line] = condition } }
    }
    return [asking]
  }

  private func annotate(_ change: (inout Annotation) -> Void) -> [Effect] {
    guard let item = state.item else { return [] }
    var annotation = Annotation(conditions: state.conditions, notes: item.annotation.notes)
    change(&annotation)
    guard annotation != item.annotation else { return [] }
    state.annotate(annotation)
    let keeping = load("annotate", "keeping") { [station, itemID, annotation] _ in
      try await station.records().annotate(itemID, annotation, at: station.now())
    } then: {
      $0.state.take($1)
    } failed: { controller, failure in
      // The card must not show a value that was not stored.
      if case .failed = failure { [controller.read()] } else { [] }
    }
    return [keeping]
  }

  // MARK: Set-up and deletion

  /// Leaves the card for the walkthrough; the screen below cleans up and opens it.
  private func setUp(from step: SetupStart) -> [Effect] {
    var payload = Record()
    payload[WSABIArgument.item] = itemID
    payload[WSABIArgument.from] = step
    return [.notify(topic: WSABIScreens.walkthroughTopic, .record(payload)), .pop(.null)]
  }

  private static let keyQuestion = "Passphrase or key file again"

  private func confirmClear() -> Effect {
    let choice = ChoiceRequest.Choice(id: "do", title: "Clear it", detail: "this cannot be undone")
    return confirm("Clear the capture and its data?", choice, key: Self.keyQuestion) { [$0.clear($1)] }
  }

  private func clear(_ key: ScreenKey) -> Effect {
    load("clear", "clearing") { [station, itemID] _ in
      try await station.clear(itemID, key)
    } then: { controller, item -> [Effect] in
      controller.state.take(item)
      return [.status(Diagnostic(.note, code: "wsabi.item-cleared", "capture cleared")), controller.read()]
    }
  }

  private func confirmDelete() -> Effect {
    let choice = ChoiceRequest.Choice(id: "do", title: "Delete it permanently", detail: "this cannot be undone")
    let question = "Delete \(state.item?.submodality.title ?? "the item") and its captures?"
    return confirm(question, choice, key: Self.keyQuestion) { [$0.delete($1)] }
  }

  private func delete(_ key: ScreenKey) -> Effect {
    load("delete", "deleting") { [station, itemID] _ in
      try await station.delete(item: itemID, key)
    } then: { _, _ in
      [.status(Diagnostic(.note, code: "wsabi.deleted", "item deleted")), .pop(.null)]
    }
  }

  // MARK: The button

  /// Configures the sensor ahead of the capture, once for each card without one.
  private func configureOnce() -> [Effect] {
    guard !hasConfigured, state.question == nil, let item = state.item, item.capture == nil else { return [] }
    hasConfigured = true
    // An operation already in progress continues, and its result is reported.
    let underWay = station.sensors.operations().filter { $0.item == item.id }
    if let capture = underWay.first(where: \.isCapture) {
      let isFetching = if case .downloading = capture.stage { true } else { false }
      let news = isFetching ? SensorNews.captured(item: item.id) : .capturing(item: item.id)
      let seen = address.flatMap { station.heldByAnother($0) }
      _ = state.take(news, address: address?.text, heldByAnother: seen, now: station.now())
      return follow()
    }
    guard station.sensors.isAllowed() else { return follow() }
    if underWay.isEmpty { return configure(isAnew: false) }
    state.prepare(isAnew: false)
    return follow()
  }

  private func configure(isAnew: Bool) -> [Effect] {
    guard let item = state.item else { return [] }
    guard let order = station.order(item) else { return refuseAddress() }
    wantsCapture = false
    state.prepare(isAnew: isAnew)
    station.sensors.configure(order)
    return follow()
  }

  private func refuseAddress() -> [Effect] {
    state.set(.warning("its address is wrong"))
    return follow()
  }

  private func press() -> [Effect] {
    if let next = state.offeredNext { return advance(to: next) }
    guard let item = state.item, state.button != .inactive else { return [] }
    guard station.sensors.isAllowed() else { return [refuse(.useSensors, station)] }
    switch state.button {
    case .inactive: return []
    case .capture: return capture()
    case .warning: return state.question.map { [decide($0)] } ?? configure(isAnew: true)
    case .stop, .waiting, .waitingToRestart:
      station.sensors.cancelItem(item.id)
      state.stopping()
    }
    return follow()
  }

  /// Captures a captured item again, as its quality or its part is not right; the earlier capture stays.
  private func captureAgain() -> [Effect] {
    guard state.item?.capture != nil, state.button == .inactive, !state.isCapturing else { return [] }
    return station.sensors.isAllowed() ? capture() : [refuse(.useSensors, station)]
  }

  /// Captures the item; the result arrives as events.
  private func capture() -> [Effect] {
    guard let item = state.item else { return [] }
    guard station.order(item) != nil else { return refuseAddress() }
    wantsCapture = true
    state.began()
    if item.capture == nil, !state.isLive { state.shown = .words(Self.capturingWords) }
    station.sensors.capture([item])
    return follow()
  }

  // MARK: Decisions

  /// Asks the user for a decision.
  private func decide(_ question: CaptureQuestion) -> Effect {
    choose(state.sheet(for: question, now: station.now())) { controller, answer in
      CaptureQuestion.Answer(rawValue: answer).map(controller.decided) ?? []
    }
  }

  private func decided(_ answer: CaptureQuestion.Answer) -> [Effect] {
    switch answer {
    case .leave: return []
    case .again:
      // An operation that only waits for the lock has not captured anything.
      let isCapture = ![.held, .busy].contains(state.question) || wantsCapture
      state.answered()
      return isCapture ? capture() : configure(isAnew: true)
    case .fetch:
      state.answered()
      state.set(.waiting)
      station.sensors.resume(true)
      return follow()
    case .steal: return steal(cancels: false)
    case .stealAndCancel: return steal(cancels: true)
    case .interrupt: return address.map { [interrupt($0)] } ?? []
    }
  }

  private func interrupt(_ address: SensorAddress) -> Effect {
    load("interrupt", "cancelling") { [station] _ in
      try await station.interrupt(address)
    } then: { controller, _ in
      controller.decided(.again)
    }
  }

  // MARK: The lock

  /// Asks the user whether to steal the lock.
  private func askSteal() -> [Effect] {
    guard state.item?.capture == nil, !state.isFetching else { return [] }
    return state.stealPrevention == nil ? measure(isAsking: true) : [decide(.held)]
  }

  /// Requests the time for which the service refuses to have its lock stolen.
  ///
  /// - Parameter isAsking: True to ask the user about the lock once it is known.
  private func measure(isAsking: Bool) -> [Effect] {
    guard let address else { return [] }
    let measuring = load("steal-time", "checking the sensor") { [station] _ in
      (try? await station.sensors.information(address))?.lockStealingPreventionPeriodInMilliseconds
    } then: { controller, period -> [Effect] in
      controller.state.take(stealPrevention: period, now: controller.station.now())
      return isAsking ? [controller.decide(.held)] : []
    }
    return [measuring]
  }

  private func steal(cancels: Bool) -> [Effect] {
    guard let item = state.item, let address else { return [] }
    if state.isCapturing || state.question == nil {
      // A waiting operation of this item would request the lock first, and be refused.
      station.sensors.cancelItem(item.id)
      state.stopping()
    }
    state.answered()
    let stealing = load("steal", "stealing the lock") { [station] _ in
      try await station.sensors.steal(address, cancels)
    } then: {
      $0.finishSteal(isTaken: $1 == .success)
    } failed: { controller, failure in
      guard case .failed = failure else { return [] }
      controller.state.ask(.held)
      return controller.follow()
    }
    return [stealing]
  }

  /// Resumes the operation for which the lock was wanted.
  private func finishSteal(isTaken: Bool) -> [Effect] {
    if isTaken {
      state.gaveUp()
      let effects = wantsCapture ? capture() : configure(isAnew: true)
      state.note("stole the lock of the sensor")
      return effects
    }
    let words = "the sensor does not allow stealing its lock yet"
    state.ask(.held)
    state.note(words)
    return follow() + [.status(Diagnostic(.warning, code: "wsabi.lock-taken", words))]
  }

  // MARK: Timers and the live preview

  /// Starts the timers and the preview that the current state needs, and ends others.
  private func follow() -> [Effect] {
    var effects: [Effect] = []
    // Once for each state of the button: news that leave it as it is must not restart the delay.
    if let delay = state.startDelay() {
      effects.append(.timer("button", seconds: Double(delay) / 1000, repeats: false))
    }
    let moves = isVisible && state.button != .inactive
    if moves != isMoving {
      isMoving = moves
      effects.append(moves ? .timer("phase", seconds: Self.phaseInSeconds, repeats: true) : .cancel("phase"))
    }
    return effects + followPreview()
  }

  private func followPreview() -> [Effect] {
    let isShown = isVisible && state.wantsPreview && station.sensors.isAllowed()
    if isShown, preview == nil, let address {
      preview = station.sensors.preview(address)
      return preview == nil ? [] : [.timer("next-frame", seconds: Self.frameInSeconds, repeats: true)]
    }
    guard !isShown, preview != nil else { return [] }
    stopPreview()
    return [.cancel("next-frame")]
  }

  private func stopPreview() {
    preview?.stop()
    preview = nil
    guard state.item?.capture == nil else { return }
    state.shown = .words(state.isCapturing ? "" : "no capture yet")
  }

  /// Makes a picture of the newest frame, if there is one and none is in progress.
  private func takeFrame() -> [Effect] {
    guard let preview, !isDecodingFrame else { return [] }
    if preview.hasEnded { return [.cancel("next-frame")] }
    guard preview.hasNews else { return [] }
    isDecodingFrame = true
    let decoding = compute("frame", "live preview") { [pixels] _ in
      preview.news(fitting: pixels)
    } then: {
      $0.show($1)
    } failed: { controller, _ in
      controller.isDecodingFrame = false
      return []
    }
    return [decoding]
  }

  private func show(_ news: ScreenPreview.News?) {
    isDecodingFrame = false
    guard preview != nil else { return }
    switch news {
    case .picture(let picture): state.shown = .live(picture)
    case .trouble(let words): showNoPreview("no live preview: \(ProblemText.short(words))")
    case .missing: showNoPreview("no capture yet")
    case nil: break
    }
  }

  /// Shows words in place of a preview; many sensors send none during a capture, and then the last picture stays.
  private func showNoPreview(_ words: String) {
    if !state.isCapturing {
      state.shown = .words(words)
    } else if !state.isLive {
      state.shown = .words(Self.capturingWords)
    }
  }
}
