import PluginAPI

/// Routes keys and the mouse to screens, and to the functions of the host.
@MainActor final class ScreenInput {
  private unowned let navigator: Navigator
  private let screens: ScreenStack
  private let effects: ScreenEffects
  private let progress: ProgressOverlay
  private let recording: StepRecording
  private let display: any Display
  /// The event that is handled now.
  private var currentEvent: Event?
  /// The keys of a sequence pressed so far.
  private(set) var pendingKeys: [Key] = []
  /// The screen that gets drags until the button goes up.
  private var mouseOwner: Screen?
  /// The rectangles of the hints in the status line, for clicks.
  private var hints: [StatusLine.ShownHint] = []
  private var warnsBeforeInterrupt = true

  static let interrupt = Key(.character("c"), .control)
  static let suspend = Key(.character("z"), .control)

  init(
    navigator: Navigator, screens: ScreenStack, effects: ScreenEffects, progress: ProgressOverlay,
    recording: StepRecording, display: any Display
  ) {
    self.navigator = navigator
    self.screens = screens
    self.effects = effects
    self.progress = progress
    self.recording = recording
    self.display = display
  }

  private var setup: Navigator.Setup { navigator.setup }

  /// Handles an event of the display.
  func take(_ event: Event) {
    currentEvent = event
    switch event {
    case .key(let key):
      take(key)
      if key != Self.interrupt { warnsBeforeInterrupt = true }
    case .mouse(let mouse):
      if case .press = mouse.action { pendingKeys = [] }
      take(mouse)
    case .paste:
      if let front = screens.focused {
        if front.keepsEvents { front.waitingEvents.append(event) } else { give(event, to: front) }
      }
    case .focus: for screen in screens.all where screen.isVisible { give(event, to: screen) }
    case .resize, .visible: navigator.layOut()
    @unknown default: break
    }
    currentEvent = nil
  }

  /// Sets the event that effects follow from, or nil after them, where it comes from a recording.
  func setCurrentEvent(_ event: Event?) { currentEvent = event }

  /// True if the current event only moves a selection.
  var onlyMoves: Bool {
    switch currentEvent {
    case .key(let key):
      [.up, .down, .pageUp, .pageDown, .home, .end].contains(key.code) || "jkgG".contains(key.typedCharacter ?? " ")
    case .mouse(let mouse): mouse.action != .press(clicks: 2)
    default: true
    }
  }

  /// Passes an event to a controller.
  ///
  /// - Returns: True if it was handled.
  @discardableResult
  func give(_ event: Event, to screen: Screen) -> Bool {
    let step = recording.step(for: event, on: screen)
    guard let effects = recording.handle(event, on: screen) else { return false }
    if let step { recording.record(step, on: screen) }
    navigator.perform(effects, for: screen)
    return true
  }

  /// Sets the hints that the status line shows.
  func setHints(_ hints: [StatusLine.ShownHint]) { self.hints = hints }

  /// Releases the mouse if the screen that owns it was closed.
  func screensClosed() {
    if mouseOwner.map({ !$0.isOpen }) ?? false { mouseOwner = nil }
  }

  // MARK: Keys

  private func take(_ key: Key) {
    guard let screen = screens.focused else { return }
    if takeReserved(key, front: screen) {
      pendingKeys = []
      return
    }
    if !screen.keepsEvents, takeSequence(key, front: screen) { return }
    if key == Key(.escape), progress.view(of: screen) != nil, effects.cancelAll(of: screen) {
      recording.record(.cancel)
      return
    }
    if screen.keepsEvents {
      takeWhileLoading(key, front: screen)
      return
    }
    if screen.controller.wantsText {
      if give(.key(key), to: screen) { return }
      // Keys that type no character remain the host's, so that users cannot get stuck in a text field.
      if key.typedCharacter == nil, key.code != .backspace { takeHostKey(key, front: screen) }
      return
    }
    if let invocation = screen.keys.action(for: key) {
      navigator.perform(invocation, on: screen)
      return
    }
    if give(.key(key), to: screen) { return }
    takeHostKey(key, front: screen)
  }

  /// Queues a key for a screen that is loading; keys of the host act at once unless others are already waiting.
  private func takeWhileLoading(_ key: Key, front screen: Screen) {
    let isHostKey = HostKey.allCases.contains { $0.keys(setup.keys).contains(key) }
    if screen.waitingEvents.isEmpty, isHostKey, screen.keys.action(for: key) == nil {
      takeHostKey(key, front: screen)
    } else {
      screen.waitingEvents.append(.key(key))
    }
  }

  /// Handles the events queued for the front screen, once it is loaded; each goes to the screen in front at that time,
  /// and is queued again if that one is loading.
  func takeWaitingEvents() {
    guard let screen = screens.focused, !screen.waitingEvents.isEmpty, !screen.isLoading else { return }
    let events = screen.waitingEvents
    screen.waitingEvents = []
    for event in events { navigator.take(.input(event)) }
  }

  private func takeReserved(_ key: Key, front screen: Screen) -> Bool {
    if key == Self.interrupt {
      interrupt()
    } else if key == Self.suspend {
      display.suspend()
    } else if key.typedCharacter == nil, HostKey.palette.keys(setup.keys).contains(key) {
      if screen.description.name == "palette", screen.plugin == nil {
        navigator.pop(screen, .null)
      } else {
        navigator.showPalette()
      }
    } else {
      return false
    }
    return true
  }

  /// Handles Ctrl-C: cancels running work, or else closes a popover, or else ends the program when pressed twice.
  private func interrupt() {
    var cancelled = false
    for screen in screens.all where effects.cancelAll(of: screen) { cancelled = true }
    if cancelled {
      recording.record(.cancel)
      navigator.show(Diagnostic(.note, code: "host.cancelled", "canceled"))
    } else if let popover = screens.frontPopover {
      dismiss(popover)
    } else if warnsBeforeInterrupt {
      warnsBeforeInterrupt = false
      navigator.show(Diagnostic(.note, code: "host.interrupt", "press ctrl-c again to quit"))
    } else {
      navigator.end(status: 130)
    }
  }

  private func takeHostKey(_ key: Key, front screen: Screen) {
    // On other screens Escape goes back, which also cancels the work.
    if key == Key(.escape), screens.count == 1, effects.cancelAll(of: screen) {
      recording.record(.cancel)
      return
    }
    let own = HostKey.allCases.filter { $0.keys(setup.keys).contains(key) }
    if own.contains(.back), screens.count > 1 || (own.contains(.quit) && screens.count == 1) {
      back()
    } else if let other = own.first(where: { $0 != .back }) {
      perform(other)
    }
  }

  /// Performs the function of one of the host's own keys or palette entries.
  func perform(_ hostKey: HostKey) {
    recording.record(hostKey, isSplit: screens.split != nil)
    switch hostKey {
    case .help: navigator.showHelp()
    case .palette: navigator.showPalette()
    case .back: back()
    case .quit: quit()
    case .focus: screens.toggleFocus()
    case .redraw: navigator.layOut()
    case .home:
      navigator.removeScreens(from: 0)
      navigator.showHome()
    case .tour: navigator.showTour()
    }
  }

  /// Closes the front screen; at the last one asks whether to quit if work is running.
  func back() {
    guard let front = screens.front else { return }
    if screens.count == 1 { quit() } else { dismiss(front) }
  }

  /// Closes a screen that is not the last one.
  private func dismiss(_ screen: Screen) {
    if case .events = screen.recording { recording.record(.action(HostKey.back.actionName)) }
    navigator.pop(screen, .null)
  }

  /// Ends the program; asks first if the user is waiting for running work.
  ///
  /// Work that has only just begun, such as a screen's picture, is repeated at the next start, so there is no reason to
  /// ask.
  private func quit() {
    let worthAsking = Duration.seconds(setup.overlayDelayInSeconds * 10)
    let began = screens.all.flatMap { $0.running.map(\.startedAt) } + progress.notifiedStarts
    guard began.contains(where: { ContinuousClock.now - $0 >= worthAsking }) else {
      navigator.end(status: 0)
      return
    }
    let request = ChoiceRequest(
      "Quit and cancel running work?",
      choices: [.init(id: "stay", title: "Stay"), .init(id: "quit", title: "Cancel work and quit")],
      selected: "stay")
    navigator.push(host: ChoiceController(request), named: "choice", placement: .popover, recording: .nothing) {
      [weak self] value in
      if value.text == "quit" { self?.navigator.end(status: 0) }
    }
  }

  // MARK: Sequences

  /// Handles a key that begins or continues a sequence.
  ///
  /// - Returns: True if it does, or if it ends an unknown sequence.
  private func takeSequence(_ key: Key, front screen: Screen) -> Bool {
    if pendingKeys.isEmpty {
      // Text fields get keys that type or edit.
      if screen.controller.wantsText, key.modifiers.isEmpty { return false }
      guard screen.sequences(setup).contains(where: { $0.sequence.keys.first == key }) else { return false }
      pendingKeys = [key]
      return true
    }
    let typed = pendingKeys + [key]
    pendingKeys = []
    if key == Key(.escape) || key == Key(.backspace) { return true }
    let following = screen.sequences(setup).filter { $0.sequence.keys.starts(with: typed) }
    if let whole = following.first(where: { $0.sequence.keys.count == typed.count }) {
      switch whole.target {
      case .action(let invocation): navigator.perform(invocation, on: screen)
      case .host(let key): perform(key)
      }
    } else if following.isEmpty {
      navigator.show(
        Diagnostic(.note, code: "host.no-sequence", "no action has the keys \(KeyHelp.labels(typed))"))
    } else {
      pendingKeys = typed
    }
    return true
  }

  /// The keys that may follow those pressed so far, with their titles.
  var followingKeys: [KeyHint] {
    guard !pendingKeys.isEmpty, let screen = screens.focused else { return [] }
    var hints: [KeyHint] = []
    for binding in screen.sequences(setup) where binding.sequence.keys.starts(with: pendingKeys) {
      let remaining = binding.sequence.keys.dropFirst(pendingKeys.count)
      guard let next = remaining.first else { continue }
      let hint = KeyHint(next.label, remaining.count == 1 ? binding.title : "…")
      if !hints.contains(where: { $0.key == hint.key }) { hints.append(hint) }
    }
    return hints + [KeyHint(Key(.escape).label, "Cancel")]
  }

  // MARK: Mouse

  func take(_ mouse: Mouse) {
    if let owner = mouseOwner, mouse.action == .drag || mouse.action == .release {
      give(mouse, to: owner)
      if mouse.action == .release { mouseOwner = nil }
      return
    }
    if case .press = mouse.action, let hint = hints.first(where: { $0.rect.contains(mouse.position) }) {
      take(hint.key)
      return
    }
    guard let target = screens.screen(at: mouse.position) else {
      if case .press = mouse.action, let popover = screens.frontPopover { dismiss(popover) }
      return
    }
    if case .press = mouse.action {
      mouseOwner = target
      if let split = screens.split { screens.focusDetail(target === split.detail) }
    }
    give(mouse, to: target)
  }

  private func give(_ mouse: Mouse, to screen: Screen) {
    recording.record(.mouse(mouse), on: screen)
    var own = mouse
    own.position = Point(x: mouse.position.x - screen.rect.x, y: mouse.position.y - screen.rect.y)
    give(.mouse(own), to: screen)
  }
}
