import PluginAPI

/// A screen whose keys do one thing now and another then: they stand in no list of hints, which never changes.
@MainActor protocol KeyedController: Controller {
  /// What a key does now; nil if that is not known here. Not asked while text is typed.
  func action(of key: Key) -> ActionInvocation?
}

/// A screen whose use is noted: the store is locked when nobody uses any, and the log tells what was done, never with
/// which values.
@MainActor final class WatchedController: Controller {
  let watched: any Controller
  private let name: String
  private let target: String
  private let station: ScreenStation
  /// Actions that only move what is seen or selected.
  private static let moves: Set = ["item", "move", "page", "select"]
  private var hasText = false
  /// What is asked for as text in a popover of the host, by its effect.
  private var asked: Set<EffectID> = []

  init(_ controller: any Controller, _ request: ScreenRequest, _ station: ScreenStation) {
    watched = controller
    name = request.screen
    self.station = station
    target =
      ["item", "person"].lazy.compactMap { field in
        request.arguments[field]?.integer.map { "\(field) \($0)" }
      }.first ?? ""
  }

  var title: String { watched.title }
  var view: any View { watched.view }
  var status: [StyledText.Run] { watched.status }
  var wantsText: Bool { watched.wantsText }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .visible(let isVisible): note(isVisible ? .presenting : .dismissing, isVisible ? "presented" : "dismissed")
    case .mouse(let mouse):
      station.onUse()
      if case .scroll = mouse.action { note(.scrolling, "scroll") }
    case .key(let key):
      if !watched.wantsText, let invocation = (watched as? any KeyedController)?.action(of: key) {
        return perform(invocation)
      }
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
    note(Self.moves.contains(invocation.action) ? .scrolling : .command, invocation.action)
    defer { noteText() }
    return noted(watched.perform(invocation))
  }

  func receive(_ message: Message) -> [Effect] {
    if case .answered(let id, _) = message {
      station.onUse()
      if asked.remove(id) != nil { note(.textEntry, "end") }
    }
    if case .failed(let id, let report) = message { note(.command, id.name, outcome: report.code) }
    defer { noteText() }
    return noted(watched.receive(message))
  }

  func saveState() -> [UInt8] { watched.saveState() }
  func restore(_ state: [UInt8]) { watched.restore(state) }

  /// Notes what effects ask for as text; it is entered where this controller does not see it.
  private func noted(_ effects: [Effect]) -> [Effect] {
    for case .ask(let id, _) in effects where asked.insert(id).inserted { note(.textEntry, "begin") }
    return effects
  }

  private func noted(_ effects: [Effect]?) -> [Effect]? { effects.map { noted($0) } }

  private func noteText() {
    guard watched.wantsText != hasText else { return }
    hasText.toggle()
    note(.textEntry, hasText ? "begin" : "end")
  }

  private func note(_ kind: ScreenEvent.Kind, _ event: String, outcome: String = "") {
    station.onEvent(ScreenEvent(kind: kind, view: name, event: event, target: target, outcome: outcome))
  }
}
