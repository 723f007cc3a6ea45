import PluginAPI

/// Returns a screen where some keys are commands even while text is typed, such as Enter to submit the text.
@MainActor protocol KeyedController: Controller {
  /// Returns the action of a key; nil if the key is text or has no meaning.
  func action(of key: Key) -> ActionInvocation?
}

/// Returns a screen whose actions concern the records selected on it.
@MainActor protocol TargetedController: Controller {
  /// Returns the record that an action concerns now, such as `item 7`; empty for none. Never a name.
  func target(of invocation: ActionInvocation) -> String
}

/// A screen whose use is tracked: the store is locked after a time without use, and the log records each action, its
/// record and its outcome, never values.
@MainActor final class WatchedController: Controller {
  /// A command whose outcome is not known yet.
  private struct Begun {
    var event: String
    var target: String
  }

  let watched: any Controller
  private let name: String
  private let target: String
  private let station: ScreenStation
  /// Actions that only scroll or change the selection.
  private static let moves: Set = ["item", "line", "move", "page", "select"]
  private var hasText = false
  /// True if the screen asked to be closed; its later requests are ignored.
  private var isLeaving = false
  /// The effects that request text in a popover of the host.
  private var asked: Set<EffectID> = []
  /// Commands with work or a dialog in progress, by the effect.
  private var begun: [EffectID: Begun] = [:]

  init(_ controller: any Controller, _ request: ScreenRequest, _ station: ScreenStation) {
    watched = controller
    name = request.screen
    self.station = station
    target =
      ["item", "person"].lazy.compactMap { field in
        request.arguments[field]?.integer.map { "\(field) \($0)" }
      }.first ?? ""
  }

  func start() -> [Effect] { noted(watched.start()) }

  func end() {
    // The screen was left before they ended; the audit log has their results.
    for command in begun.values { note(command, "") }
    watched.end()
  }

  var title: String { watched.title }
  var view: any View { watched.view }
  var status: [StyledText.Run] { watched.status }
  var wantsText: Bool { watched.wantsText }
  var isLoading: Bool { watched.isLoading }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .visible(let isVisible):
      if !isVisible { endText() }
      note(isVisible ? .presenting : .dismissing, isVisible ? "presented" : "dismissed")
      let effects = noted(watched.handle(event))
      if isVisible { noteText() }
      return effects
    case .mouse(let mouse):
      station.onUse()
      if case .scroll = mouse.action { note(.scrolling, "scroll") }
    case .key(let key):
      if let invocation = (watched as? any KeyedController)?.action(of: key) { return perform(invocation) }
      station.onUse()
      if [.pageUp, .pageDown, .home, .end].contains(key.code), !watched.wantsText { note(.scrolling, key.description) }
    case .paste: station.onUse()
    default: break
    }
    defer { noteText() }
    return noted(watched.handle(event))
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    station.onUse()
    let command = Begun(
      event: invocation.action, target: (watched as? any TargetedController)?.target(of: invocation) ?? target)
    defer { noteText() }
    guard !Self.moves.contains(invocation.action) else {
      note(.scrolling, command.event, target: command.target)
      return noted(watched.perform(invocation))
    }
    let effects = watched.perform(invocation)
    follow(command, effects)
    return noted(effects)
  }

  func receive(_ message: Message) -> [Effect] {
    defer { noteText() }
    switch message {
    case .answered(let id, let answer):
      station.onUse()
      let isText = asked.remove(id) != nil
      if isText { note(.textEntry, "end") }
      let effects = watched.receive(message)
      if let command = begun.removeValue(forKey: id) {
        if answer == nil { note(command, "cancelled") } else { follow(command, effects, isText ? "ok" : "left") }
      }
      return noted(effects)
    case .finished(let id, _):
      if let command = begun.removeValue(forKey: id) { note(command, "ok") }
    case .cancelled(let id):
      if let command = begun.removeValue(forKey: id) { note(command, "cancelled") }
    case .failed(let id, let report):
      note(begun.removeValue(forKey: id) ?? Begun(event: id.name, target: target), report.code)
    default: break
    }
    return noted(watched.receive(message))
  }

  func complete(_ completion: Load.Completion) -> [Effect] {
    defer { noteText() }
    return noted(watched.complete(completion))
  }

  func saveState() -> [UInt8] { watched.saveState() }
  func restore(_ state: [UInt8]) { watched.restore(state) }

  // MARK: Commands

  /// Logs the outcome of a command, or waits for its effects to end.
  ///
  /// - Parameter nothing: The outcome if there are no effects.
  private func follow(_ command: Begun, _ effects: [Effect], _ nothing: String = "ok") {
    for effect in effects {
      switch effect {
      case .run(let id, _, _), .compute(let id, _, _), .choose(let id, _), .ask(let id, _):
        // An earlier command with the same id is finished.
        if let before = begun.updateValue(command, forKey: id) { note(before, "cancelled") }
        return
      default: break
      }
    }
    let told = effects.lazy.compactMap { if case .status(let diagnostic) = $0 { diagnostic.code } else { nil } }.first
    note(command, told ?? (effects.isEmpty ? nothing : "ok"))
  }

  private func note(_ command: Begun, _ outcome: String) {
    note(.command, command.event, target: command.target, outcome: outcome)
  }

  // MARK: Text

  /// Logs text requests of effects, whose text is entered outside this controller, and the end of text entry with the
  /// screen.
  private func noted(_ effects: [Effect]) -> [Effect] {
    for effect in effects {
      switch effect {
      case .ask(let id, _) where asked.insert(id).inserted: note(.textEntry, "begin")
      case .pop, .replace:
        isLeaving = true
        endText()
      default: break
      }
    }
    return effects
  }

  private func noted(_ effects: [Effect]?) -> [Effect]? { effects.map { noted($0) } }

  private func noteText() {
    guard !isLeaving, watched.wantsText != hasText else { return }
    hasText.toggle()
    note(.textEntry, hasText ? "begin" : "end")
  }

  private func endText() {
    if hasText { note(.textEntry, "end") }
    hasText = false
  }

  private func note(
    _ kind: ScreenEvent.Kind, _ event: String, target: String? = nil, outcome: String = ""
  ) {
    station.onEvent(
      ScreenEvent(kind: kind, view: name, event: event, target: target ?? self.target, outcome: outcome))
  }
}
