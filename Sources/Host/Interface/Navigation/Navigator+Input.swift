import PluginAPI

extension Navigator {
  /// Handles an event of the display.
  func take(_ event: DisplayEvent) {
    guard exitStatus == nil else { return }
    clock.request()
    switch event {
    case .input(let event):
      step += 1
      slowCall = nil
      currentEvent = event
      take(event)
      currentEvent = nil
    case .resized:
      recorder?.resized(to: display.geometry.size)
      layOut()
    case .ended(let signal): end(status: 128 + signal)
    }
  }

  private func take(_ event: Event) {
    switch event {
    case .key(let key):
      take(key)
      if key != Self.interrupt { warnsBeforeInterrupt = true }
    case .mouse(let mouse):
      if case .press = mouse.action { pendingKeys = [] }
      take(mouse)
    case .paste:
      guard let front = focused else { return }
      if front.keepsEvents { front.waitingEvents.append(event) } else { give(event, to: front) }
    case .focus: for screen in stack where screen.isVisible { give(event, to: screen) }
    case .resize, .visible: layOut()
    @unknown default: break
    }
  }

  static let interrupt = Key(.character("c"), .control)
  static let suspend = Key(.character("z"), .control)

  /// The screen that keys go to.
  var focused: Screen? {
    guard let front = stack.last else { return nil }
    guard let split = splitScreens, front === split.detail else { return front }
    return focusIsOnDetail ? split.detail : split.list
  }

  /// Passes an event to a controller.
  ///
  /// - Returns: True if it was handled.
  @discardableResult
  func give(_ event: Event, to screen: Screen) -> Bool {
    let step = step(for: event, on: screen)
    guard let effects = handle(event, on: screen) else { return false }
    if let step { record(step, on: screen) }
    perform(effects, for: screen)
    return true
  }

  // MARK: Keys

  private func take(_ key: Key) {
    guard let screen = focused else { return }
    if takeReserved(key, front: screen) {
      pendingKeys = []
      return
    }
    if !screen.keepsEvents, takeSequence(key, front: screen) { return }
    if key == Key(.escape), overlay(of: screen) != nil, cancelAll(of: screen) {
      record(.cancel)
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
      perform(invocation, on: screen)
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
    guard let screen = focused, !screen.waitingEvents.isEmpty, !screen.isLoading else { return }
    let events = screen.waitingEvents
    screen.waitingEvents = []
    for event in events { take(.input(event)) }
  }

  private func takeReserved(_ key: Key, front screen: Screen) -> Bool {
    if key == Self.interrupt {
      interrupt()
    } else if key == Self.suspend {
      display.suspend()
    } else if key.typedCharacter == nil, HostKey.palette.keys(setup.keys).contains(key) {
      if screen.description.name == "palette", screen.plugin == nil { pop(screen, .null) } else { showPalette() }
    } else {
      return false
    }
    return true
  }

  /// Handles Ctrl-C: cancels running work, or else closes a popover, or else ends the program when pressed twice.
  private func interrupt() {
    var cancelled = false
    for screen in stack where cancelAll(of: screen) { cancelled = true }
    if cancelled {
      record(.cancel)
      show(Diagnostic(.note, code: "host.cancelled", "canceled"))
    } else if let front = stack.last, front.placement == .popover {
      dismiss(front)
    } else if warnsBeforeInterrupt {
      warnsBeforeInterrupt = false
      show(Diagnostic(.note, code: "host.interrupt", "press ctrl-c again to quit"))
    } else {
      end(status: 130)
    }
  }

  private func takeHostKey(_ key: Key, front screen: Screen) {
    // On other screens Escape goes back, which also cancels the work.
    if key == Key(.escape), stack.count == 1, cancelAll(of: screen) {
      record(.cancel)
      return
    }
    let own = HostKey.allCases.filter { $0.keys(setup.keys).contains(key) }
    if own.contains(.back), stack.count > 1 || (own.contains(.quit) && stack.count == 1) {
      back()
    } else if let other = own.first(where: { $0 != .back }) {
      perform(other)
    }
  }

  /// Performs the function of one of the host's own keys or palette entries.
  func perform(_ hostKey: HostKey) {
    record(hostKey)
    switch hostKey {
    case .help: showHelp()
    case .palette: showPalette()
    case .back: back()
    case .quit: quit()
    case .focus: if splitScreens != nil { focusIsOnDetail.toggle() }
    case .redraw: layOut()
    case .home:
      removeScreens(from: 0)
      push(host: HomeController(navigator: self), named: "home", placement: .page)
    case .tour: showTour()
    }
  }

  /// Closes the front screen; at the last one asks whether to quit if work is running.
  func back() {
    guard let front = stack.last else { return }
    if stack.count == 1 { quit() } else { dismiss(front) }
  }

  /// Closes a screen that is not the last one.
  private func dismiss(_ screen: Screen) {
    if case .events = screen.recording { record(.action(HostKey.back.actionName)) }
    pop(screen, .null)
  }

  /// Ends the program; asks first if the user is waiting for running work.
  ///
  /// Work that has only just begun, such as a screen's picture, is repeated at the next start and no reason to ask.
  func quit() {
    let worthAsking = Duration.seconds(setup.overlayDelayInSeconds * 10)
    let began = stack.flatMap { $0.running.map(\.startedAt) } + notified.values.map(\.startedAt)
    guard began.contains(where: { ContinuousClock.now - $0 >= worthAsking }) else {
      end(status: 0)
      return
    }
    let request = ChoiceRequest(
      "Quit and cancel running work?",
      choices: [.init(id: "stay", title: "Stay"), .init(id: "quit", title: "Cancel work and quit")],
      selected: "stay")
    push(host: ChoiceController(request), named: "choice", placement: .popover, recording: .nothing) {
      [weak self] value in
      if value.text == "quit" { self?.end(status: 0) }
    }
  }

  // MARK: Mouse

  func take(_ mouse: Mouse) {
    if let owner = mouseOwner, mouse.action == .drag || mouse.action == .release {
      give(mouse, to: owner)
      if mouse.action == .release { mouseOwner = nil }
      return
    }
    if case .press = mouse.action, let hint = hintRects.first(where: { $0.rect.contains(mouse.position) }) {
      take(hint.key)
      return
    }
    guard let target = screen(at: mouse.position) else {
      if case .press = mouse.action, let front = stack.last, front.placement == .popover { dismiss(front) }
      return
    }
    if case .press = mouse.action {
      mouseOwner = target
      if let split = splitScreens { focusIsOnDetail = target === split.detail }
    }
    give(mouse, to: target)
  }

  private func give(_ mouse: Mouse, to screen: Screen) {
    record(.mouse(mouse), on: screen)
    var own = mouse
    own.position = Point(x: mouse.position.x - screen.rect.x, y: mouse.position.y - screen.rect.y)
    give(.mouse(own), to: screen)
  }

  /// Returns the screen drawn at a position; if there is a popover, only that one.
  private func screen(at point: Point) -> Screen? {
    if let front = stack.last, front.placement == .popover { return front.rect.contains(point) ? front : nil }
    return stack.last { $0.isVisible && $0.rect.contains(point) }
  }
}
