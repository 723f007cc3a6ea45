import PluginAPI

/// The button of the card, and the live preview beside it.
extension CardController {
  /// Configures the sensor ahead of the capture, once for each card without one.
  func configureOnce() -> [Effect] {
    guard !hasConfigured, state.question == nil, let item = state.item, item.capture == nil else { return [] }
    hasConfigured = true
    // An operation already in progress continues, and its result is reported.
    let underWay = station.sensors.operations().filter { $0.item == item.id }
    if let capture = underWay.first(where: \.isCapture) {
      if case .downloading = capture.stage { return heard(.captured(item: item.id)) }
      return heard(.capturing(item: item.id))
    }
    guard station.sensors.isAllowed() else { return follow() }
    if underWay.isEmpty { return configure(isAnew: false) }
    state.prepare(isAnew: false)
    return follow()
  }

  private func heard(_ news: SensorNews) -> [Effect] {
    _ = state.take(news, address: address, now: station.now())
    return follow()
  }

  func configure(isAnew: Bool) -> [Effect] {
    guard let item = state.item else { return [] }
    guard let order = station.order(item) else { return refuse() }
    wantsCapture = false
    state.prepare(isAnew: isAnew)
    station.sensors.configure(order)
    return follow()
  }

  private func refuse() -> [Effect] {
    state.set(.warning("its address is none"))
    return follow()
  }

  func press() -> [Effect] {
    if let next = state.offeredNext { return goOn(with: next) }
    guard let item = state.item, state.button != .inactive else { return [] }
    guard station.sensors.isAllowed() else { return refuseUse() }
    switch state.button {
    case .inactive: return []
    case .capture: return capture()
    case .warning: return state.question.map(decide) ?? configure(isAnew: true)
    case .stop, .waiting, .waitingToRestart:
      station.sensors.cancelItem(item.id)
      state.stopping()
    }
    return follow()
  }

  /// Captures a captured item again, as its quality or its part is not right; the earlier capture stays.
  func captureAgain() -> [Effect] {
    guard state.item?.capture != nil, state.button == .inactive, !state.isCapturing else { return [] }
    return station.sensors.isAllowed() ? capture() : refuseUse()
  }

  /// Has the store report who may use sensors.
  private func refuseUse() -> [Effect] {
    let station = station
    return [.compute(Self.refusing, label: "asking") { _ in try station.checkAndWait(.useSensors) }]
  }

  /// Captures the item; the result arrives as events.
  func capture() -> [Effect] {
    guard let item = state.item else { return [] }
    guard station.order(item) != nil else { return refuse() }
    wantsCapture = true
    state.began()
    if item.capture == nil, !state.isLive { state.shown = .words(Self.capturingWords) }
    station.sensors.capture([item])
    return follow()
  }

  static let capturingWords = "the sensor captures …"

  // MARK: Decisions

  /// Asks the user for a decision.
  func decide(_ question: CaptureQuestion) -> [Effect] {
    // If no holder of the lock is known, there is nothing to retry.
    let isHeld = question != .held || state.question == .held || state.heldSince != nil
    let answers = question.answers.filter { isHeld || $0.answer != .again }
    let choices = answers.map { answer in
      ChoiceRequest.Choice(
        id: answer.answer.rawValue, title: answer.title, detail: detail(answer.answer, answer.detail))
    }
    let takes = question == .held
    return [.choose(Self.deciding, ChoiceRequest(title(question), choices: choices, isDestructive: takes))]
  }

  private func title(_ question: CaptureQuestion) -> String {
    guard question == .held else { return question.title }
    guard let since = state.heldSince else {
      return state.question == .held ? question.title : "Take the lock of the sensor from its holder?"
    }
    let who = state.heldMessage.isEmpty ? "who is not told" : "it says: \(state.heldMessage)"
    return "\(question.title), seen since \(PersonText.clock(since)); \(who)"
  }

  private func detail(_ answer: CaptureQuestion.Answer, _ words: String) -> String {
    answer == .steal ? stealWords ?? words : words
  }

  /// A description of when the service allows its lock to be stolen; nil if it does not say.
  private var stealWords: String? {
    guard let stealPrevention else { return nil }
    guard let since = state.heldSince else {
      return "given \((stealPrevention + 999) / 1000) s after the sensor worked last"
    }
    let left = Int((Double(stealPrevention) / 1000 - station.now().seconds(since: since)).rounded(.up))
    return left > 0 ? "given in \(left) s, unless its holder goes on" : "given now, unless its holder goes on"
  }

  func decided(_ answer: CaptureQuestion.Answer) -> [Effect] {
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
    case .interrupt:
      guard let item = state.item, let address = station.address(of: item) else { return [] }
      let station = station
      return [.compute(Self.interrupting, label: "cancelling") { _ in try station.interruptAndWait(address) }]
    }
  }

  // MARK: The lock

  /// Asks the user whether to steal the lock.
  func askSteal() -> [Effect] {
    guard state.item?.capture == nil, !state.isFetching else { return [] }
    return stealPrevention == nil ? measure(isAsking: true) : decide(.held)
  }

  /// Requests the time for which the service refuses to have its lock stolen.
  func measure(isAsking: Bool = false) -> [Effect] {
    guard let item = state.item, let address = station.address(of: item) else { return [] }
    asksWhenMeasured = isAsking
    let station = station
    return [
      .compute(Self.measuring, label: "asking the sensor") { _ in
        (try? station.stealPreventionAndWait(address)) ?? nil
      }
    ]
  }

  func measured(_ period: Int?) -> [Effect] {
    stealPrevention = period
    moved()
    guard asksWhenMeasured else { return [] }
    asksWhenMeasured = false
    return decide(.held)
  }

  private func steal(cancels: Bool) -> [Effect] {
    guard let item = state.item, let address = station.address(of: item) else { return [] }
    let station = station
    if state.isCapturing || state.question == nil {
      // A waiting operation of this item would request the lock first, and be refused.
      station.sensors.cancelItem(item.id)
      state.stopping()
    }
    state.answered()
    return [
      .compute(Self.stealing, label: "taking the lock") { _ in try station.stealAndWait(address, cancels: cancels) }
    ]
  }

  /// Resumes the operation for which the lock was wanted.
  func stole(_ isTaken: Bool) -> [Effect] {
    let words =
      isTaken ? "the lock of the sensor was taken from its holder" : "the sensor does not give its lock yet"
    if isTaken {
      state.gaveUp()
      let effects = wantsCapture ? capture() : configure(isAnew: true)
      state.note(words)
      return effects
    }
    state.ask(.held)
    state.note(words)
    return follow() + [.status(Diagnostic(.warning, code: "wsabi.lock-taken", words))]
  }

  // MARK: Animation

  /// Advances animations and countdowns.
  func moved() {
    state.phase += 1
    guard let since = state.heldSince else {
      state.heldWords = ""
      return
    }
    let when = stealWords.map { ", \($0)" } ?? ""
    let who = state.heldMessage.isEmpty ? "" : " (it says: \(state.heldMessage))"
    state.heldWords = "busy with somebody else\(who), seen since \(PersonText.clock(since)); S takes it\(when)"
  }

  /// Starts the timers and the preview that the current state needs, and ends others.
  func follow() -> [Effect] {
    var effects: [Effect] = []
    // Once for each state: news that leave it as it is must not make it wait from the beginning.
    if let delay = state.delay, timedButton != state.buttonGeneration {
      timedButton = state.buttonGeneration
      let id = EffectID(Self.waiting.name, generation: state.buttonGeneration)
      effects.append(.timer(id, seconds: Double(delay) / 1000, repeats: false))
    }
    let moves = isVisible && state.button != .inactive
    if moves != isMoving {
      isMoving = moves
      effects.append(moves ? .timer(Self.moving, seconds: Self.phaseInSeconds, repeats: true) : .cancel(Self.moving))
    }
    return effects + followPreview()
  }

  // MARK: The live preview

  private func followPreview() -> [Effect] {
    let isShown = isVisible && state.wantsPreview && station.sensors.isAllowed()
    if isShown, preview == nil, let item = state.item, let address = station.address(of: item) {
      preview = station.sensors.preview(address)
      return preview == nil ? [] : [.timer(Self.nextFrame, seconds: Self.frameInSeconds, repeats: true)]
    }
    guard !isShown, preview != nil else { return [] }
    stopPreview()
    return [.cancel(Self.nextFrame)]
  }

  func stopPreview() {
    preview?.stop()
    preview = nil
    guard state.item?.capture == nil else { return }
    state.shown = .words(state.isCapturing ? "" : "nothing is captured yet")
  }

  /// Makes a picture of the newest frame, if there is one and none is in progress.
  func takeFrame() -> [Effect] {
    guard let preview, !isDecodingFrame else { return [] }
    if preview.hasEnded { return [.cancel(Self.nextFrame)] }
    guard preview.hasNews else { return [] }
    isDecodingFrame = true
    let pixels = pixels
    return [
      .compute(Self.previewing, label: "live preview") { _ in
        PreviewPicture(news: preview.newsAndWait(fitting: pixels))
      }
    ]
  }

  func took(_ frame: PreviewPicture) {
    isDecodingFrame = false
    guard preview != nil else { return }
    switch frame.news {
    case .picture(let picture): state.shown = .live(picture)
    // Many sensors send no preview during a capture: the last picture stays.
    case .trouble, .missing:
      if state.isCapturing {
        if !state.isLive { state.shown = .words(Self.capturingWords) }
      } else if let words = frame.words {
        state.shown = .words(words)
      }
    case nil: break
    }
  }
}

/// The latest state of a live preview.
struct PreviewPicture: Sendable {
  var news: ScreenPreview.News?

  /// The text in place of a picture; nil for a picture, or without news.
  var words: String? {
    switch news {
    case .trouble(let words): "no live preview: \(ProblemText.short(words))"
    case .missing: "nothing is captured yet"
    case .picture, nil: nil
    }
  }
}
