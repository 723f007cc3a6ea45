import PluginAPI

extension Navigator {
  /// Records a step, unless it follows from an event that is recorded.
  func record(_ step: ScreenStep) {
    if !isHandlingRecorded { recorder?.add(step) }
  }

  /// Records a step on a screen whose events are recorded.
  func record(_ step: ScreenStep, on screen: Screen) {
    if case .events = screen.recording { record(step) }
  }

  /// Records an action of the host, unless its outcome is recorded in its place.
  func record(_ hostKey: HostKey) {
    switch hostKey {
    case .help, .home, .tour: record(.action(hostKey.actionName))
    case .focus: if splitScreens != nil { record(.action(hostKey.actionName)) }
    case .palette, .back, .quit, .redraw: break
    }
  }

  /// Records and performs an action of a screen.
  func perform(_ invocation: ActionInvocation, on screen: Screen) {
    let actions = screen.keys.bindings.map(\.action)
    if let action = actions.first(where: { $0.id == invocation.action && $0.arguments == invocation.arguments }) {
      record(.action(KeyMap.name(of: action, among: actions)), on: screen)
    }
    perform(screen.controller.perform(invocation), for: screen)
  }

  /// Passes an event to a controller; what it calls meanwhile is not recorded if the event is.
  func handle(_ event: Event, on screen: Screen) -> [Effect]? {
    guard recorder != nil, case .events = screen.recording else { return screen.controller.handle(event) }
    let outer = isHandlingRecorded
    isHandlingRecorded = true
    defer { isHandlingRecorded = outer }
    return screen.controller.handle(event)
  }

  /// Returns the step for a key or text that a screen handles itself; nil for other events.
  func step(for event: Event, on screen: Screen) -> ScreenStep? {
    guard recorder != nil, case .events = screen.recording else { return nil }
    let isPersonal = holdsPersonalData(screen.plugin)
    switch event {
    case .key(let key):
      guard let character = key.typedCharacter, isPersonal || screen.controller.wantsText else { return .key(key) }
      return .type(isPersonal ? nil : String(character))
    case .paste(let text): return .paste(isPersonal ? nil : text)
    case .mouse, .resize, .focus, .visible: return nil
    @unknown default: return nil
    }
  }

  /// Returns the form in which the answer to a question of a screen is recorded.
  func recording(of asking: Screen, isSecret: Bool = false) -> Screen.Recording {
    isSecret || holdsPersonalData(asking.plugin) ? .hiddenAnswer : .answer
  }

  /// Records the answer of a question that is closed.
  func recordOutcome(of screen: Screen, _ value: Value) {
    let isHidden: Bool
    switch screen.recording {
    case .events, .nothing: return
    case .answer: isHidden = false
    case .hiddenAnswer: isHidden = true
    }
    guard let text = value.text else { return record(.action(HostKey.back.actionName)) }
    record(screen.controller is ChoiceController ? .choose(isHidden ? nil : text) : .answer(isHidden ? nil : text))
  }

  private func holdsPersonalData(_ plugin: String?) -> Bool {
    plugin.flatMap { session.plugins.contributions(of: $0)?.hasPersonalData } ?? false
  }
}

extension Navigator {
  /// Begins a recording of the screens, if a file is named.
  ///
  /// - Throws: ``HostFileError`` if the file cannot be written.
  func startRecording(_ launch: ScreenLaunch, to file: String?) throws {
    guard let file else { return }
    let isPersonal = launch.plugin.map { holdsPersonalData($0) } ?? false
    let recorder = try ScreenRecorder(file, launch, size: display.geometry.size, isPersonal: isPersonal)
    recorder.onFailure = { [weak self] report in
      self?.show(Diagnostic(.error, code: report.code, report.message, advice: report.advice))
    }
    self.recorder = recorder
  }
}

extension Navigator {
  /// Performs a step of a recording.
  ///
  /// Call it while the screens are idle, in a turn of the loop.
  /// - Throws: ``ScreenStepError`` if the front screen cannot do it.
  func replay(_ step: ScreenStep) throws(ErrorReport) {
    guard exitStatus == nil else { throw ScreenStepError.ended }
    // The palette is not recorded, only what was chosen in it.
    while let front = stack.last, case .nothing = front.recording { pop(front, .null) }
    guard exitStatus == nil, let screen = focused else { throw ScreenStepError.ended }
    self.step += 1
    slowCall = nil
    currentEvent = Self.event(of: step)
    defer { currentEvent = nil }
    switch step {
    case .action(let name): try performAction(name, on: screen)
    case .open(let plugin, let name):
      record(step)
      open(ScreenRequest(name, plugin: plugin), askedBy: nil, placement: .page)
    case .command(let plugin, let name): try startCommand(name, of: plugin, on: screen)
    case .answer(let text): try answer(text ?? "", on: screen)
    case .choose(let id): try choose(id ?? "", on: screen)
    case .key(let key): try give(.key(key), "the key '\(key)'", to: screen)
    case .type(let text):
      for character in text ?? "" {
        guard let screen = focused else { throw ScreenStepError.ended }
        try give(.key(Key(.character(character))), "the character '\(character)'", to: screen)
      }
    case .paste(let text): try give(.paste(text ?? ""), "pasted text", to: screen)
    case .mouse(let mouse): take(mouse)
    case .cancel:
      for screen in stack { cancelAll(of: screen) }
      record(.cancel)
    case .resize, .end: break
    }
  }

  /// Returns the event that the effects of a step see; answers do not only move a selection.
  private static func event(of step: ScreenStep) -> Event? {
    switch step {
    case .action, .open, .command, .answer, .choose: .key(Key(.enter))
    case .key(let key): .key(key)
    case .type(let text): text?.last.map { .key(Key(.character($0))) }
    case .paste(let text): .paste(text ?? "")
    case .mouse(let mouse): .mouse(mouse)
    case .resize, .cancel, .end: nil
    }
  }

  private func give(_ event: Event, _ name: String, to screen: Screen) throws(ErrorReport) {
    if !give(event, to: screen) { throw impossible("\(name) does nothing", screen) }
  }

  private func performAction(_ name: String, on screen: Screen) throws(ErrorReport) {
    if let hostKey = HostKey.allCases.first(where: { $0.actionName == name }) {
      if hostKey == .back, stack.count == 1 { throw impossible("'\(name)' does nothing", screen) }
      return perform(hostKey)
    }
    let actions = screen.keys.bindings.map(\.action)
    let names = actions.map { KeyMap.name(of: $0, among: actions) }
    guard case .events = screen.recording, let index = names.firstIndex(of: name) else {
      throw impossible("there is no action '\(name)'", screen, advice: Suggestion.advice(for: name, in: names))
    }
    // Keys that move a selection leave the focus where it is.
    if let key = screen.keys.bindings[index].keys.first { currentEvent = .key(key) }
    perform(screen.keys.bindings[index].invocation, on: screen)
  }

  private func startCommand(_ name: String, of plugin: String, on screen: Screen) throws(ErrorReport) {
    guard let command = session.plugins.contributions(of: plugin)?.command(name) else {
      throw impossible("there is no command '\(plugin) \(name)'", screen)
    }
    record(.command(plugin: plugin, name: name))
    start(command, of: plugin)
  }

  private func answer(_ text: String, on screen: Screen) throws(ErrorReport) {
    guard let prompt = screen.controller as? PromptController else {
      throw impossible("there is no question to answer", screen)
    }
    perform(prompt.answer(text), for: screen)
    // A wrong answer leaves the question open; the screen says why.
    if screen.isOpen {
      throw impossible("the answer is refused", screen, advice: prompt.view.outline.text.first)
    }
  }

  private func choose(_ id: String, on screen: Screen) throws(ErrorReport) {
    guard let sheet = screen.controller as? ChoiceController else {
      throw impossible("there is nothing to choose", screen)
    }
    let ids = sheet.view.outline.items.map(\.id)
    guard ids.contains(id) else {
      throw impossible("there is no choice '\(id)'", screen, advice: Suggestion.advice(for: id, in: ids))
    }
    perform(sheet.choose(item: id), for: screen)
  }

  private func impossible(_ problem: String, _ screen: Screen, advice: String? = nil) -> ErrorReport {
    ScreenStepError.impossible(problem, screen: screen.controller.title, advice: advice)
  }
}

extension HostKey {
  /// The name of the action in key maps and recordings: `host.back`.
  var actionName: String { "host." + rawValue }
}
