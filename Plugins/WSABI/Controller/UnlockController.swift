import PluginAPI

/// The screen before the store: opens it, or creates one at the first run.
///
/// If there is a store, the keyboard belongs to the passphrase: it can be typed at once, and none of its letters is a
/// command.
@MainActor final class UnlockController: KeyedController {
  static let nameAsked: EffectID = "name"
  static let passphraseAsked: EffectID = "passphrase"
  static let passphraseAgain: EffectID = "passphrase-again"
  static let keyFileAsked: EffectID = "key-file"
  static let shortAsked: EffectID = "short"
  static let opening: EffectID = "opening"
  /// Tries the key that the kernel keeps for commands.
  static let trying: EffectID = "trying"

  nonisolated static let actions: [ScreenAction] = [
    ScreenAction("passphrase", "Use a passphrase", keys: ["enter"]),
    ScreenAction("key-file", "Use a key file", keys: ["ctrl-o"]),
  ]

  private let station: ScreenStation
  private var state = UnlockState()
  private var size = Size(width: 0, height: 0)
  private var hasStarted = false
  /// True while the key that the kernel keeps is tried.
  private var isTrying = false
  /// The action chosen to protect a new store, kept until its administrator's name is known.
  private var wanted = ""
  /// The name of a new store's administrator.
  private var name = ""
  /// The passphrase of a new store until it was typed twice.
  private var firstPassphrase: String?

  init(_ station: ScreenStation) { self.station = station }

  var title: String { state.exists ? "Unlock" : "New store" }
  var view: any View { UnlockView(state: state) }
  var wantsText: Bool { state.exists }
  /// True while the store is being opened.
  ///
  /// Keys typed meanwhile belong to the list of people, or to the passphrase after all.
  var isLoading: Bool { isTrying || !state.work.isEmpty }

  func action(of key: Key) -> ActionInvocation? {
    guard state.exists, state.work.isEmpty else { return nil }
    return switch key {
    case Key(.enter): ActionInvocation("passphrase")
    case Key(.character("o"), .control): ActionInvocation("key-file")
    default: nil
    }
  }

  func handle(_ event: Event) -> [Effect]? {
    if case .mouse(let mouse) = event, case .press = mouse.action, mouse.button == .left {
      return UnlockView(state: state).hit(mouse.position, in: size).map { perform(ActionInvocation($0)) } ?? []
    }
    switch event {
    case .key, .paste: return state.exists ? type(event) : nil
    case .resize(let geometry): size = geometry.size
    default: return nil
    }
    state.exists = station.exists
    if hasStarted || !state.exists { return [] }
    (hasStarted, isTrying) = (true, true)
    let station = station
    return [.compute(Self.trying, label: "opening the store") { _ in try station.unlockKeptAndWait() }]
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
    if state.exists { return askKey(invocation.action) }
    wanted = invocation.action
    return [.ask(Self.nameAsked, PromptRequest("Your name, for the log of who did what", text: station.loginName()))]
  }

  private func askKey(_ action: String) -> [Effect] {
    switch action {
    case "passphrase" where !state.passphrase.text.isEmpty: return took(state.passphrase.text)
    case "passphrase":
      let question = state.exists ? "Passphrase of the store" : "New passphrase of the store"
      return [.ask(Self.passphraseAsked, PromptRequest(question, isSecret: true))]
    case "key-file":
      let question = state.exists ? "Path of the key file" : "Path of the new key file, such as ~/station.key"
      // Suggested, but not used automatically: a user who locked the store wants it locked.
      let named = state.exists ? station.namedKeyFile() : nil
      return [.ask(Self.keyFileAsked, PromptRequest(question, text: named ?? ""))]
    default: return []
    }
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .finished(Self.trying, _), .failed(Self.trying, _), .cancelled(Self.trying): isTrying = false
    // The notification that the store was opened arrives before the attempt ends.
    case .notification where !station.isLocked: isTrying = false
    default: break
    }
    switch message {
    case .answered(Self.nameAsked, let text?): return took(name: text)
    case .answered(Self.passphraseAsked, let text?) where !text.isEmpty: return took(text)
    case .answered(Self.passphraseAgain, let text): return took(again: text)
    case .answered(Self.shortAsked, let choice): return took(short: choice)
    case .answered(Self.keyFileAsked, let path?) where !path.isEmpty: return took(keyFile: path)
    case .finished(Self.opening, let keyFile as String):
      let words = "the key file is '\(keyFile)': keep a copy of it elsewhere"
      return [.status(Diagnostic(.note, code: "wsabi.key-file-made", words)), .replace(ScreenRequest("people"))]
    case .finished(Self.opening, _): return [.replace(ScreenRequest("people"))]
    case .finished(Self.trying, true as Bool): return [.replace(ScreenRequest("people"))]
    case .failed(Self.opening, let report):
      state.work = ""
      state.problem = report.description
      state.exists = station.exists
    case .cancelled(Self.opening): state.work = ""
    case .notification where !station.isLocked && state.work.isEmpty: return [.replace(ScreenRequest("people"))]
    default: break
    }
    return []
  }

  private func took(name text: String) -> [Effect] {
    name = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if !name.isEmpty { return askKey(wanted) }
    state.problem = "A name is needed: the log of the store tells who did what."
    return []
  }

  private func took(_ passphrase: String) -> [Effect] {
    if state.exists { return open(.passphrase(passphrase)) }
    firstPassphrase = passphrase
    return ShortPassphrase.isShort(passphrase) ? askShort(passphrase.count) : askAgain()
  }

  private func askShort(_ count: Int) -> [Effect] {
    let choices = [
      ChoiceRequest.Choice(id: "other", title: "Choose another", detail: "a sentence of several words"),
      ChoiceRequest.Choice(id: "use", title: "Use it all the same"),
    ]
    let title = "A passphrase of \(count) characters is easily guessed"
    return [.choose(Self.shortAsked, ChoiceRequest(title, choices: choices, selected: "other"))]
  }

  private func took(short choice: String?) -> [Effect] {
    if choice == "use" { return askAgain() }
    firstPassphrase = nil
    return choice == "other" ? askKey(wanted) : []
  }

  private func askAgain() -> [Effect] {
    [.ask(Self.passphraseAgain, PromptRequest("The same passphrase again", isSecret: true))]
  }

  private func took(again text: String?) -> [Effect] {
    defer { firstPassphrase = nil }
    guard let text, let first = firstPassphrase else { return [] }
    guard text.utf8.elementsEqual(first.utf8) else {
      state.problem = "The two passphrases are not the same; try again."
      return []
    }
    state.work = "Making the store …"
    let (station, name) = (station, name)
    return [
      .compute(Self.opening, label: "making the store") { _ in
        try station.createAndWait(passphrase: text, user: name)
      }
    ]
  }

  private func took(keyFile path: String) -> [Effect] {
    if state.exists { return open(.keyFile(path: path)) }
    state.work = "Making the store …"
    let (station, name) = (station, name)
    return [
      .compute(Self.opening, label: "making the store") { _ in
        try station.createAndWait(newKeyFile: path, user: name)
      }
    ]
  }

  private func open(_ key: ScreenKey) -> [Effect] {
    state.passphrase = InputLine()
    state.work = "Opening the store …"
    let station = station
    return [.compute(Self.opening, label: "opening the store") { _ in try station.unlockAndWait(key) }]
  }
}
