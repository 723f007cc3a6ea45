import PluginAPI

/// The state of an item's capture card: its front with picture and button, its back with the annotations of the parts.
struct CardState: Sendable {
  /// The content of the front besides the facts.
  enum Shown: Sendable {
    /// A message in place of a picture: there is no capture yet, or it is not a picture.
    case words(String)
    case stored(Picture)
    case live(Picture)
  }

  /// The work at the sensor for this item.
  private enum Work: Sendable {
    case none
    /// It ended, and the user must decide before the item can be captured again.
    case undecided(CaptureQuestion)
    case capturing
    /// The sensor has captured, and the data is being downloaded, either of a capture begun here or of an earlier one.
    case fetching(isCapture: Bool)
  }

  /// The delay after which the text of the button changes.
  private enum Delay: Sendable {
    case pending
    case running
    case over
  }

  /// The lock of the sensor while another client has it.
  private struct Hold: Sendable {
    /// The time since which it was seen: services do not report it.
    let since: Instant
    /// The service's message about the holder; empty for none.
    var message = ""
  }

  private(set) var item: BiometricItem?
  private(set) var personName = ""
  /// The person's fingers with an item but no capture yet.
  private(set) var open: [String] = []
  /// The item to continue with once this one is captured.
  private var next: BiometricItem?
  private(set) var isBack = false
  var shown = Shown.words("")
  private(set) var button = CaptureButton.inactive
  private var delay = Delay.pending
  private var work = Work.none
  /// True if the user stopped it.
  private var isStopping = false
  private var hold: Hold?
  /// A description of a lock held by another client; empty for none.
  private(set) var heldWords = ""
  /// The time for which the service refuses to have its lock stolen, in milliseconds; nil if it does not say.
  private(set) var stealPrevention: Int?
  /// Incremented to advance animations.
  private(set) var phase = 0
  /// The index of the selected line on the back: the parts in order, then the notes.
  private(set) var selectedLine = 0
  /// Notices of problems that do not stop the work, the newest last.
  private(set) var notices: [String] = []

  var parts: [BodyPart] { item?.submodality.parts ?? [] }

  /// The conditions of the parts, one for each.
  var conditions: [PartCondition] {
    let known = item?.annotation.conditions ?? []
    return parts.indices.map { known.indices.contains($0) ? known[$0] : .present }
  }

  /// True if a capture of this item is in progress.
  var isCapturing: Bool {
    switch work {
    case .capturing, .fetching(isCapture: true): true
    case .none, .undecided, .fetching(isCapture: false): false
    }
  }

  /// True if the sensor has captured, and the data is being downloaded.
  var isFetching: Bool {
    switch work {
    case .fetching: true
    case .none, .undecided, .capturing: false
    }
  }

  /// The decision required before it can be captured again.
  var question: CaptureQuestion? {
    if case .undecided(let question) = work { question } else { nil }
  }

  /// The time since which another client was seen to have the sensor.
  var heldSince: Instant? { hold?.since }

  /// The current text of the button.
  var buttonText: String {
    if isStopping, button == .waiting { return "Stopping" }
    if isFetching { return "Downloading the capture" }
    return button.text(afterMilliseconds: delay == .over ? button.delayInMilliseconds : 0)
  }

  /// The item the button continues with; nil unless this one is captured and no operation is in progress.
  var offeredNext: BiometricItem? { button == .inactive && item?.capture != nil && !isCapturing ? next : nil }

  /// True if a live picture is shown.
  var isLive: Bool {
    if case .live = shown { return true }
    return false
  }

  /// True if a live preview is useful: there is no capture yet, and no other message in its place.
  var wantsPreview: Bool {
    guard item != nil, item?.capture == nil, !isFetching, !isBack else { return false }
    switch button {
    case .capture, .stop, .waiting, .waitingToRestart: return true
    case .inactive, .warning: return false
    }
  }

  /// Replaces the button.
  mutating func set(_ new: CaptureButton) {
    if new != button { (button, delay) = (new, .pending) }
  }

  /// Starts the delay after which the button's text changes, once for each state of the button.
  ///
  /// - Returns: The milliseconds of the timer to start; nil for none.
  mutating func startDelay() -> Int? {
    guard button.delayInMilliseconds > 0, delay == .pending else { return nil }
    delay = .running
    return button.delayInMilliseconds
  }

  /// Handles the end of the delay; the timer of an earlier button has no effect.
  mutating func endDelay() { if delay == .running { delay = .over } }

  /// Turns the card over.
  mutating func flip() { isBack.toggle() }

  /// Selects a line on the back.
  mutating func selectLine(_ line: Int) { selectedLine = min(max(0, line), parts.count) }

  /// Shows other annotations before they are stored.
  mutating func annotate(_ annotation: Annotation) { item?.annotation = annotation }

  /// Adds a notice that does not stop the work.
  mutating func note(_ words: String) {
    notices.removeAll { $0 == words }
    notices.append(words)
  }

  /// Updates the card from the store.
  mutating func take(_ new: BiometricItem, of personName: String, open: [String], next: BiometricItem?) {
    (self.personName, self.open, self.next) = (personName, open, next)
    take(new)
  }

  /// Updates the item from the store.
  mutating func take(_ new: BiometricItem) {
    item = new
    selectedLine = min(selectedLine, new.submodality.parts.count)
    // While it is captured again, an earlier stored capture is not the end.
    if isCapturing { return }
    if new.capture != nil {
      answered()
      set(.inactive)
    } else if button == .inactive {
      set(.capture)
    }
  }

  /// Handles the preparation of the link; until it is ready, the button waits.
  mutating func prepare(isAnew: Bool) { if item?.capture == nil { set(isAnew ? .waitingToRestart : .waiting) } }

  /// Handles the start of a capture.
  mutating func began() {
    (work, isStopping) = (.capturing, false)
    notices = []
    set(.stop)
  }

  /// Handles a cancel by the user; its result is reported later.
  mutating func stopping() {
    isStopping = true
    set(.waiting)
  }

  /// Ends the operation in progress after it was given up.
  mutating func gaveUp() {
    endWork()
    set(item?.capture == nil ? .capture : .inactive)
  }

  /// Shows a decision that the user must make.
  mutating func ask(_ new: CaptureQuestion) {
    isStopping = false
    if new != .held { hold = nil }
    guard item?.capture == nil else {
      work = .none
      note(new.text)
      set(.inactive)
      return
    }
    work = .undecided(new)
    set(.warning(new.text))
  }

  /// Handles the user's decision.
  mutating func answered() { if question != nil { work = .none } }

  /// Ends the work; a decision stays open.
  private mutating func endWork() {
    (isStopping, hold) = (false, nil)
    if question == nil { work = .none }
  }
}

// MARK: - Hints

extension CardState {
  /// The columns of the status line reserved for the hints that every screen has.
  private static let hintsOfHost = 34

  /// Returns the effects of keys now, for the status line of a screen.
  func hint(width: Int) -> String {
    // Only a wide line has room for the keys of actions, which are then not repeated here.
    let isWide = width >= 100
    if isBack {
      let press = selectedLine < parts.count ? "enter annotates the part" : "enter writes notes"
      return isWide ? press : "\(press) · b turns the card"
    }
    let rest = isWide ? [] : item?.capture == nil ? ["b turns the card", "w sensor"] : ["b turns the card"]
    var hints = [pressHint].compactMap { $0 } + rest
    // A missing hint is better than a truncated one.
    while hints.count > 1, TextWidth.columns(hints.joined(separator: " · ")) > width - Self.hintsOfHost {
      hints.removeLast()
    }
    return hints.joined(separator: " · ")
  }

  private var pressHint: String? {
    switch button {
    case .inactive where item?.capture == nil: nil
    case .inactive:
      offeredNext.map { "enter: \($0.submodality.title) · R captures again" } ?? "R captures again · v shows it"
    case .capture: "enter captures"
    case .stop: "enter stops"
    case .warning: question == nil ? "enter tries again" : "enter shows choices"
    case .waiting where isFetching: "enter leaves the data at the sensor"
    case .waiting, .waitingToRestart: hold == nil ? "enter cancels" : "enter cancels · S steals the lock"
    }
  }
}

// MARK: - The lock of another client

extension CardState {
  /// Advances animations and countdowns.
  mutating func advance(to now: Instant) {
    phase += 1
    guard let hold else {
      heldWords = ""
      return
    }
    let when = stealWords(now).map { ", \($0)" } ?? ""
    let who = hold.message.isEmpty ? "" : " (it says: \(hold.message))"
    heldWords = "locked by another client\(who) since \(PersonText.clock(hold.since)); S steals it\(when)"
  }

  /// Applies the time for which the service refuses to have its lock stolen, in milliseconds.
  mutating func take(stealPrevention period: Int?, now: Instant) {
    stealPrevention = period
    advance(to: now)
  }

  /// Returns the sheet with a decision that the user must make.
  func sheet(for question: CaptureQuestion, now: Instant) -> ChoiceRequest {
    // If no holder of the lock is known, there is nothing to retry.
    let isHeld = question != .held || self.question == .held || hold != nil
    let choices = question.answers.filter { isHeld || $0.answer != .again }.map { answer, title, detail in
      ChoiceRequest.Choice(
        id: answer.rawValue, title: title, detail: answer == .steal ? stealWords(now) ?? detail : detail)
    }
    return ChoiceRequest(title(of: question), choices: choices, isDestructive: question == .held)
  }

  private func title(of question: CaptureQuestion) -> String {
    guard question == .held else { return question.title }
    guard let hold else {
      return self.question == .held ? question.title : "Steal the lock of the sensor?"
    }
    let who = hold.message.isEmpty ? "client unknown" : "it says: \(hold.message)"
    return "\(question.title) since \(PersonText.clock(hold.since)); \(who)"
  }

  /// Returns a description of when the service allows its lock to be stolen; nil if it does not say.
  private func stealWords(_ now: Instant) -> String? {
    guard let stealPrevention else { return nil }
    guard let hold else {
      return "possible \((stealPrevention + 999) / 1000) s after the last use of the sensor"
    }
    let left = Int((Double(stealPrevention) / 1000 - now.seconds(since: hold.since)).rounded(.up))
    return left > 0 ? "possible in \(left) s, unless its holder continues" : "possible now, unless its holder continues"
  }
}

// MARK: - News of sensors

extension CardState {
  /// Handles an event of the sensors.
  ///
  /// - Parameters:
  ///   - address: The address of the item's sensor.
  ///   - sighting: The sighting of another client that has the sensor; nil if none was seen.
  /// - Returns: True if the item should be read again.
  mutating func take(
    _ news: SensorNews, address: String?, heldByAnother sighting: LockSightings.Sighting? = nil, now: Instant
  ) -> Bool {
    defer { hold?.message = sighting?.message ?? "" }
    guard let item else { return false }
    if let other = news.item {
      guard other == item.id else { return false }
      return takeOwn(news, since: sighting?.first ?? now)
    }
    switch news {
    case .connected(address, let isReady) where !isCapturing && !isFetching && question == nil:
      if isReady { ready() }
    case .step(address, let operation, nil) where isCapturing:
      if operation == SensorOperation.register.rawValue { set(.waitingToRestart) }
      if operation == SensorOperation.capture.rawValue {
        hold = nil
        set(.stop)
      }
    case .stolen(address): note("stole the lock of the sensor")
    case .lockKept(address):
      note("cannot release the lock of the sensor; try 'workbench wsabi sensor unlock \(address ?? "")' later")
    case .connected, .step, .stolen, .lockKept, .capturing, .waiting, .captured, .stored, .prepared, .lost, .ended,
      .finished,
      .trouble:
      break
    }
    return false
  }

  /// - Parameter since: The time since which another client has the sensor, if one has it.
  private mutating func takeOwn(_ news: SensorNews, since: Instant) -> Bool {
    switch news {
    case .capturing: began()
    case .waiting(_, let status):
      if status == OperationStatus.lockHeldByAnother.word { hold = hold ?? Hold(since: since) }
      set(.waiting)
    case .captured:
      (work, hold) = (.fetching(isCapture: isCapturing), nil)
      set(.waiting)
    case .stored:
      if question == nil { work = .none }
      return true
    case .prepared where isCapturing || isFetching: break
    case .prepared(_, "done", _, _): ready()
    case .prepared(_, let ending, let reason, let status): ended(ending, ProblemText.short(reason), status, since)
    case .lost(_, let reason): ask(.lost(reason: reason))
    case .trouble(_, let reason): note(ProblemText.short(reason))
    case .ended(_, let ending, let reason, let status): ended(ending, ProblemText.short(reason), status, since)
    case .finished(_, let outcome, let reason): return finished(outcome, ProblemText.short(reason))
    case .connected, .step, .stolen, .lockKept: break
    }
    return false
  }

  /// Handles a sensor that is free and idle.
  private mutating func ready() {
    (isStopping, hold) = (false, nil)
    if item?.capture == nil, question == nil { set(.capture) }
  }

  private mutating func ended(_ ending: String, _ reason: String, _ status: String?, _ since: Instant) {
    switch (ending, status) {
    case ("given-up", _), ("done", _): gaveUp()
    case ("unknown", _): ask(.unknown(reason: reason))
    case (_, OperationStatus.canceled.word):
      if !isStopping { note("canceled at the sensor") }
      gaveUp()
    case (_, OperationStatus.sensorTimeout.word):
      // The sensor has no problem: the next press captures.
      gaveUp()
      note(reason)
    case (_, OperationStatus.lockHeldByAnother.word):
      hold = hold ?? Hold(since: since)
      ask(.held)
    case (_, OperationStatus.sensorBusy.word): ask(.busy)
    default: end(reason)
    }
  }

  /// - Returns: True if the item should be read again.
  private mutating func finished(_ outcome: String, _ reason: String) -> Bool {
    switch outcome {
    case "waiting": ask(.waiting(reason: reason))
    case "unknown": ask(.unknown(reason: reason))
    case "not-captured" where question == nil && (isCapturing || isFetching): end(reason)
    default:
      if isCapturing || isFetching { gaveUp() }
    }
    return true
  }

  private mutating func end(_ reason: String) {
    endWork()
    if item?.capture == nil {
      set(.warning(reason))
    } else {
      note(reason)
      set(.inactive)
    }
  }
}
