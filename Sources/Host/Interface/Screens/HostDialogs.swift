import PluginAPI

/// The pages of the host over the front screen: help, palette, and the way to a command.
@MainActor final class HostDialogs {
  private unowned let navigator: Navigator
  private let screens: ScreenStack
  private let recording: StepRecording

  init(navigator: Navigator, screens: ScreenStack, recording: StepRecording) {
    self.navigator = navigator
    self.screens = screens
    self.recording = recording
  }

  private var setup: Navigator.Setup { navigator.setup }

  /// Shows the help of the front screen.
  func showHelp() {
    guard let screen = screens.focused, screen.description.name != "help" || screen.plugin != nil else { return }
    let text = KeyHelp.text(KeyHelp.groups(for: screen, overrides: setup.keys, sequences: screen.sequences(setup)))
    navigator.push(host: PageController(title: "Help", text, wraps: false), named: "help", placement: .popover)
  }

  /// Shows the palette with everything that can be done from the front screen.
  func showPalette(pattern: String) {
    guard let screen = screens.focused else { return }
    let entries = paletteEntries(for: screen)
    let palette = PaletteController(entries, pattern: pattern)
    navigator.push(host: palette, named: "palette", placement: .popover, recording: .nothing) {
      [weak self, weak screen] value in
      guard let self, let index = value.integer, entries.indices.contains(index) else { return }
      self.perform(entries[index].target, for: screen)
    }
  }

  /// Returns the entries: the screen's actions, its plugin's commands, screens, the host's actions, other plugins'
  /// commands.
  private func paletteEntries(for screen: Screen) -> [PaletteEntry] {
    let own = screen.plugin
    let actions = screen.keys.bindings.map {
      PaletteEntry(
        $0.action.title, detail: screen.description.title, keys: KeyHelp.labels($0.keys),
        synonyms: $0.action.synonyms, .action($0.invocation))
    }
    let all = navigator.session.plugins.contributions
    let screens = all.flatMap { contributions in
      contributions.screens.prefix(1).map {
        PaletteEntry(
          "Open " + contributions.plugin.name, detail: $0.summary.isEmpty ? contributions.plugin.summary : $0.summary,
          .screen(ScreenRequest($0.name, plugin: contributions.plugin.id)))
      }
    }
    let host = HostKey.allCases.filter { isUseful($0) }.map {
      let keys = KeyHelp.labels($0.keys(setup.keys))
      let sequence = $0.sequences(setup.keys, setup.sequences).first?.label ?? ""
      return PaletteEntry($0.title, detail: "Workbench", keys: keys.isEmpty ? sequence : keys, .host($0))
    }
    let ownCommands = all.filter { $0.plugin.id == own }.flatMap { commandEntries($0) }
    let otherCommands = all.filter { $0.plugin.id != own }.flatMap { commandEntries($0, isForeign: own != nil) }
    return actions + ownCommands + screens + host + otherCommands
  }

  private func isUseful(_ key: HostKey) -> Bool {
    switch key {
    case .palette: false
    case .back: screens.count > 1
    case .focus: screens.split != nil
    default: true
    }
  }

  private func commandEntries(_ contributions: StoredContributions, isForeign: Bool = false) -> [PaletteEntry] {
    contributions.commands.map {
      var entry = PaletteEntry(
        contributions.plugin.id + " " + $0.name, detail: $0.summary, synonyms: $0.synonyms,
        .command(plugin: contributions.plugin.id, $0))
      entry.isForeign = isForeign
      return entry
    }
  }

  private func perform(_ target: PaletteEntry.Target, for screen: Screen?) {
    switch target {
    case .action(let invocation):
      if let screen, screen.isOpen { navigator.perform(invocation, on: screen) }
    case .command(let plugin, let declaration):
      recording.record(.command(plugin: plugin, name: declaration.name))
      start(declaration, of: plugin, arguments: Record())
    case .screen(let request):
      if let plugin = request.plugin { recording.record(.open(plugin: plugin, screen: request.screen)) }
      navigator.open(request, askedBy: nil, placement: .page)
    case .host(let key): navigator.perform(key)
    }
  }

  /// Shows the tour: over the front screen, or alone.
  ///
  /// The home screen no longer offers it.
  func showTour() {
    for screen in screens.all { (screen.controller as? HomeController)?.endOffer() }
    navigator.push(
      host: TourController(keys: setup.keys), named: Tour.screen, placement: screens.front == nil ? .page : .popover)
  }

  // MARK: Commands

  /// Runs a command on a page of its own, after asking for its arguments, one after the other.
  func start(_ declaration: CommandDescription, of plugin: String, arguments: Record) {
    let needed = (declaration.arguments + declaration.options).first {
      $0.isRequired && $0.defaultValue.isNull && arguments[$0.name] == nil
    }
    guard let parameter = needed else {
      let result = ResultController(navigator: navigator, plugin: plugin, declaration, arguments)
      navigator.push(host: result, named: "result", placement: .page, plugin: plugin)
      return
    }
    ask(for: parameter, of: declaration) { [weak self] value in
      var more = arguments
      more[parameter.name] = value
      self?.start(declaration, of: plugin, arguments: more)
    }
  }

  /// Returns the summary of a parameter and its expected form; a document's summary already contains both.
  private static func explanation(of parameter: Parameter) -> String {
    if case .document = parameter.kind, !parameter.summary.isEmpty { return parameter.summary }
    return [parameter.summary, parameter.expectation].filter { !$0.isEmpty }.joined(separator: ": ")
  }

  private func ask(
    for parameter: Parameter, of declaration: CommandDescription, _ answered: @escaping @MainActor (Value) -> Void
  ) {
    let take: @MainActor (Value) -> Void = { value in
      if let text = value.text, let parsed = try? parameter.value(parsing: text) { answered(parsed) }
    }
    let title = declaration.name + ": " + parameter.name
    let form = parameter.isPersonal ? Screen.Recording.hiddenAnswer : .answer
    if case .choice(let words) = parameter.kind {
      let request = ChoiceRequest(title, choices: words.map { .init(id: $0, title: $0) }, selected: words.first)
      navigator.push(
        host: ChoiceController(request), named: "choice", placement: .popover, recording: form, onReturn: take)
      return
    }
    let prompt = PromptController(
      PromptRequest(title), explanation: Self.explanation(of: parameter)
    ) { text in
      if text.isEmpty { return "'\(parameter.name)' is required: \(parameter.expectation)" }
      do throws(ParameterError) {
        _ = try parameter.value(parsing: text)
        return nil
      } catch {
        return error.description
      }
    }
    navigator.push(host: prompt, named: "prompt", placement: .popover, recording: form, onReturn: take)
  }
}
