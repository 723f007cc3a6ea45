import PluginAPI

/// The keys of a screen's actions: their default keys, or the user's.
struct KeyMap: Sendable {
  /// An action and the keys that perform it.
  struct Binding: Sendable, Hashable {
    var action: ScreenAction
    var keys: [Key]

    var invocation: ActionInvocation { ActionInvocation(action.id, action.arguments) }
  }

  let bindings: [Binding]
  /// Short hints on the keys, shown on every frame.
  let hints: [(hint: KeyHint, key: Key?)]
  private let table: [Key: Int]

  /// Makes the key map of a screen; of two actions with the same key the first one gets it.
  ///
  /// - Parameters:
  ///   - actions: The screen's actions.
  ///   - scope: `plugin.screen`, in front of the action's name in the user's key map.
  ///   - overrides: The user's keys by `plugin.screen.action`, `screen.action` or `action`; the longest name decides.
  ///     An action with arguments is named `action(value,…)` where several share its id.
  init(actions: [ScreenAction], scope: String, overrides: [String: [Key]]) {
    let screen = scope.split(separator: ".", maxSplits: 1).last.map(String.init) ?? scope
    bindings = actions.map { action in
      let name = Self.name(of: action, among: actions)
      let own = [scope + "." + name, screen + "." + name, name].compactMap { overrides[$0] }.first
      return Binding(action: action, keys: own ?? action.keys.compactMap { Key($0) })
    }
    hints = Self.hints(of: bindings)
    var table: [Key: Int] = [:]
    for (index, binding) in bindings.enumerated() {
      for key in binding.keys where table[key] == nil { table[key] = index }
    }
    self.table = table
  }

  /// Returns the action a key performs.
  func action(for key: Key) -> ActionInvocation? { table[key].map { bindings[$0].invocation } }

  /// Returns the name of an action in key maps: its id, with its arguments where several actions share the id.
  static func name(of action: ScreenAction, among actions: [ScreenAction]) -> String {
    guard actions.count(where: { $0.id == action.id }) > 1, !action.arguments.isEmpty else { return action.id }
    return action.id + "(" + action.arguments.fields.map(\.value.shortText).joined(separator: ",") + ")"
  }
}

extension Key {
  /// The key as people read it in hints: arrows as arrows, the rest short.
  var label: String {
    let prefix =
      (modifiers.contains(.control) ? "ctrl-" : "") + (modifiers.contains(.alt) ? "alt-" : "")
      + (modifiers.contains(.shift) ? "shift-" : "")
    let short: String? =
      switch code {
      case .up: "↑"
      case .down: "↓"
      case .left: "←"
      case .right: "→"
      case .escape: "esc"
      case .pageUp: "pgup"
      case .pageDown: "pgdn"
      default: nil
      }
    return short.map { prefix + $0 } ?? description
  }
}

/// A key and a short title, as shown in the status line and at the edges of popovers.
struct KeyHint: Sendable, Hashable {
  var key: String
  var text: String

  init(_ key: String, _ text: String) {
    self.key = key
    self.text = text
  }
}
