import PluginAPI

/// Performs the steps of a recording on the front screen.
@MainActor struct StepReplay {
  private let navigator: Navigator
  private let screens: ScreenStack
  private let input: ScreenInput
  private let effects: ScreenEffects
  private let recording: StepRecording

  init(
    navigator: Navigator, screens: ScreenStack, input: ScreenInput, effects: ScreenEffects, recording: StepRecording
  ) {
    self.navigator = navigator
    self.screens = screens
    self.input = input
    self.effects = effects
    self.recording = recording
  }

  /// Performs a step.
  ///
  /// Call it while the screens are idle, in a turn of the loop.
  /// - Throws: ``ScreenStepError`` if the front screen cannot do it.
  func perform(_ step: ScreenStep) throws(ErrorReport) {
    guard navigator.exitStatus == nil else { throw ScreenStepError.ended }
    // The palette is not recorded, only what was chosen in it.
    while let front = screens.front, case .nothing = front.recording { navigator.pop(front, .null) }
    guard navigator.exitStatus == nil, let screen = screens.focused else { throw ScreenStepError.ended }
    navigator.beginInput()
    input.setCurrentEvent(Self.event(of: step))
    defer { input.setCurrentEvent(nil) }
    switch step {
    case .action(let name): try performAction(name, on: screen)
    case .open(let plugin, let name):
      recording.record(step)
      navigator.open(ScreenRequest(name, plugin: plugin), askedBy: nil, placement: .page)
    case .command(let plugin, let name): try startCommand(name, of: plugin, on: screen)
    case .answer(let text): try answer(text ?? "", on: screen)
    case .choose(let id): try choose(id ?? "", on: screen)
    case .key(let key): try give(.key(key), "the key '\(key)'", to: screen)
    case .type(let text):
      for character in text ?? "" {
        guard let screen = screens.focused else { throw ScreenStepError.ended }
        try give(.key(Key(.character(character))), "the character '\(character)'", to: screen)
      }
    case .paste(let text): try give(.paste(text ?? ""), "pasted text", to: screen)
    case .mouse(let mouse): input.take(mouse)
    case .cancel:
      for screen in screens.all { effects.cancelAll(of: screen) }
      recording.record(.cancel)
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
    if !input.give(event, to: screen) { throw impossible("\(name) does nothing", screen) }
  }

  private func performAction(_ name: String, on screen: Screen) throws(ErrorReport) {
    if let hostKey = HostKey.allCases.first(where: { $0.actionName == name }) {
      if hostKey == .back, screens.count == 1 { throw impossible("'\(name)' does nothing", screen) }
      return input.perform(hostKey)
    }
    let actions = screen.keys.bindings.map(\.action)
    let names = actions.map { KeyMap.name(of: $0, among: actions) }
    guard case .events = screen.recording, let index = names.firstIndex(of: name) else {
      throw impossible("there is no action '\(name)'", screen, advice: Suggestion.advice(for: name, in: names))
    }
    // Keys that move a selection leave the focus where it is.
    if let key = screen.keys.bindings[index].keys.first { input.setCurrentEvent(.key(key)) }
    navigator.perform(screen.keys.bindings[index].invocation, on: screen)
  }

  private func startCommand(_ name: String, of plugin: String, on screen: Screen) throws(ErrorReport) {
    guard let command = navigator.session.plugins.contributions(of: plugin)?.command(name) else {
      throw impossible("there is no command '\(plugin) \(name)'", screen)
    }
    recording.record(.command(plugin: plugin, name: name))
    navigator.start(command, of: plugin)
  }

  private func answer(_ text: String, on screen: Screen) throws(ErrorReport) {
    guard let prompt = screen.controller as? PromptController else {
      throw impossible("there is no question to answer", screen)
    }
    navigator.perform(prompt.answer(text), for: screen)
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
    navigator.perform(sheet.choose(item: id), for: screen)
  }

  private func impossible(_ problem: String, _ screen: Screen, advice: String? = nil) -> ErrorReport {
    ScreenStepError.impossible(problem, screen: screen.controller.title, advice: advice)
  }
}

extension HostKey {
  /// The name of the action in key maps and recordings: `host.back`.
  var actionName: String { "host." + rawValue }
}
