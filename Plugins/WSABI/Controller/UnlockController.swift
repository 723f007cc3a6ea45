import PluginAPI

/// The screen before the store: opens it, or creates one at the first run.
///
/// If there is a store, the keyboard belongs to the passphrase: it can be typed at once, and none of its letters is a
/// command.
@MainActor final class UnlockController: KeyedController {
  nonisolated static let description = ScreenDescription(
    "unlock", title: "WSABI", summary: "Unlock or create the store",
    actions: [
      ScreenAction(UnlockAction.passphrase, "Use a passphrase", keys: ["enter"]),
      ScreenAction(UnlockAction.keyFile, "Use a key file", keys: ["ctrl-o"]),
    ],
    topics: [WSABIScreens.recordsTopic])

  private let station: ScreenStation
  private var state = UnlockState()
  private var size = Size(width: 0, height: 0)
  /// True while the key that the kernel keeps is tried.
  private var isTrying = false

  init(_ station: ScreenStation) { self.station = station }

  var title: String { state.exists ? "Unlock" : "New store" }
  var view: any View { UnlockView(state: state) }
  var wantsText: Bool { state.exists }
  /// True while the store is being opened.
  ///
  /// Keys typed meanwhile belong to the list of people, or to the passphrase after all.
  var isLoading: Bool { isTrying || !state.work.isEmpty }

  /// Tries the key that the kernel keeps for commands.
  func start() -> [Effect] {
    guard state.exists else { return [] }
    isTrying = true
    let trying = load("trying", "opening the store") { [station] _ in
      try await station.unlockKept()
    } then: { controller, isOpen -> [Effect] in
      controller.isTrying = false
      return isOpen ? Self.opened : []
    } failed: { controller, _ in
      controller.isTrying = false
      return []
    }
    return [trying]
  }

  private static let opened: [Effect] = [.replace(ScreenRequest(PeopleController.description.name))]

  func action(of key: Key) -> ActionInvocation? {
    guard state.exists, state.work.isEmpty else { return nil }
    return switch key {
    case Key(.enter): ActionInvocation(UnlockAction.passphrase)
    case Key(.character("o"), .control): ActionInvocation(UnlockAction.keyFile)
    default: nil
    }
  }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .mouse(let mouse):
      guard case .press = mouse.action, mouse.button == .left else { return nil }
      return UnlockView(state: state).hit(mouse.position, in: size).map { perform(ActionInvocation($0)) } ?? []
    case .key, .paste: return state.exists ? type(event) : nil
    case .resize(let geometry):
      (size, state.exists) = (geometry.size, station.exists)
      return []
    default: return nil
    }
  }

  /// Handles typing of a passphrase; ignored while a store is being opened.
  private func type(_ event: Event) -> [Effect]? {
    guard state.work.isEmpty else { return [] }
    if case .key(Key(.escape)) = event, !state.passphrase.text.isEmpty {
      state.passphrase = InputLine()
      return []
    }
    return state.passphrase.handle(event) ? [] : nil
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard state.work.isEmpty else { return [] }
    state.problem = ""
    // An unknown name means the screen's main action.
    let usesFile =
      switch UnlockAction(rawValue: invocation.action) ?? .passphrase {
      case .passphrase: false
      case .keyFile: true
      }
    if !state.exists { return askName(usesFile: usesFile) }
    if usesFile {
      // Suggested, but not used automatically: a user who locked the store wants it locked.
      let request = PromptRequest("Path of the key file", text: station.namedKeyFile() ?? "")
      return [ask(request) { $1.isEmpty ? [] : $0.open(.keyFile(path: $1)) }]
    }
    if !state.passphrase.text.isEmpty { return open(.passphrase(state.passphrase.text)) }
    let request = PromptRequest("Passphrase of the store", isSecret: true)
    return [ask(request) { $1.isEmpty ? [] : $0.open(.passphrase($1)) }]
  }

  func receive(_ message: Message) -> [Effect] {
    guard case .notification = message, !station.isLocked else { return [] }
    // The notification that the store was opened arrives before the attempt ends.
    isTrying = false
    return state.work.isEmpty ? Self.opened : []
  }

  private func open(_ key: ScreenKey) -> [Effect] {
    (state.passphrase, state.work) = (InputLine(), "Opening the store …")
    let opening = load("opening", "opening the store") { [station] _ in
      try await station.unlock(key)
    } then: { _, _ in
      Self.opened
    } failed: {
      $0.failed($1)
    }
    return [opening]
  }

  private func failed(_ failure: Load.Failure) -> [Effect] {
    state.work = ""
    if case .failed(let report) = failure { (state.problem, state.exists) = (report.description, station.exists) }
    return []
  }

  // MARK: A new store

  private func askName(usesFile: Bool) -> [Effect] {
    let request = PromptRequest("Your name, for the audit log", text: station.loginName())
    let asking = ask(request) { controller, text in
      let name = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      if !name.isEmpty { return usesFile ? controller.askNewFile(name) : controller.askNewPassphrase(name) }
      controller.state.problem = "Enter a name: the audit log records who did what."
      return []
    }
    return [asking]
  }

  private func askNewFile(_ user: String) -> [Effect] {
    let request = PromptRequest("Path of the new key file, such as ~/station.key")
    return [ask(request) { $1.isEmpty ? [] : $0.create(keyFile: $1, user) }]
  }

  private func askNewPassphrase(_ user: String) -> [Effect] {
    let asking = ask(PromptRequest("New passphrase of the store", isSecret: true)) { controller, text in
      if text.isEmpty { return [] }
      return controller.station.isShort(text) ? controller.askShort(text, user) : controller.askAgain(text, user)
    }
    return [asking]
  }

  private func askShort(_ passphrase: String, _ user: String) -> [Effect] {
    let choices = [
      ChoiceRequest.Choice(id: "other", title: "Choose another", detail: "a sentence of several words"),
      ChoiceRequest.Choice(id: "use", title: "Use it anyway"),
    ]
    let title = "A passphrase of \(passphrase.count) characters is easily guessed"
    let asking = choose(ChoiceRequest(title, choices: choices, selected: "other")) { controller, choice in
      choice == "use" ? controller.askAgain(passphrase, user) : controller.askNewPassphrase(user)
    }
    return [asking]
  }

  private func askAgain(_ passphrase: String, _ user: String) -> [Effect] {
    let asking = ask(PromptRequest("Repeat the passphrase", isSecret: true)) { controller, text in
      if text.utf8.elementsEqual(passphrase.utf8) { return controller.create(passphrase: passphrase, user) }
      controller.state.problem = "The two passphrases differ; try again."
      return []
    }
    return [asking]
  }

  private func create(passphrase: String, _ user: String) -> [Effect] {
    state.work = "Creating the store …"
    let making = load("opening", "creating the store") { [station] _ in
      try await station.create(passphrase: passphrase, user: user)
    } then: { _, _ in
      Self.opened
    } failed: {
      $0.failed($1)
    }
    return [making]
  }

  private func create(keyFile path: String, _ user: String) -> [Effect] {
    state.work = "Creating the store …"
    let making = load("opening", "creating the store") { [station] _ in
      try await station.create(newKeyFile: path, user: user)
    } then: { _, path -> [Effect] in
      let words = "created the key file '\(path)'; keep a copy of it elsewhere"
      return [.status(Diagnostic(.note, code: "wsabi.key-file-made", words))] + Self.opened
    } failed: {
      $0.failed($1)
    }
    return [making]
  }
}
