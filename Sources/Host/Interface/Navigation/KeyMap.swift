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

  /// Makes the key map of a screen; if two actions have the same key, the first one gets it.
  ///
  /// - Parameters:
  ///   - actions: The screen's actions.
  ///   - scope: `plugin.screen`, in front of the action's name in the user's key map.
  ///   - overrides: The user's keys by `plugin.screen.action`, `screen.action` or `action`; the longest name decides.
  ///     An action with arguments is named `action(value,…)` where several share its id.
  init(actions: [ScreenAction], scope: String, overrides: [String: [Key]]) {
    bindings = actions.map { action in
      let own = Self.names(of: action, among: actions, scope: scope).compactMap { overrides[$0] }.first
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

  /// Returns the names of an action in key maps, the longest first.
  static func names(of action: ScreenAction, among actions: [ScreenAction], scope: String) -> [String] {
    let screen = scope.split(separator: ".", maxSplits: 1).last.map(String.init) ?? scope
    let name = name(of: action, among: actions)
    return [scope + "." + name, screen + "." + name, name]
  }

  /// Returns the name of an action in key maps: its id, with its arguments where several actions share the id.
  static func name(of action: ScreenAction, among actions: [ScreenAction]) -> String {
    guard actions.count(where: { $0.id == action.id }) > 1, !action.arguments.isEmpty else { return action.id }
    return action.id + "(" + action.arguments.fields.map(\.value.shortText).joined(separator: ",") + ")"
  }
}

extension KeyMap {
  /// Reads keys by action: an object such as `{"host.help": ["f1"], "viewer.turn": "x"}`.
  ///
  /// An action has a key, a list of keys, or an empty list for none. Sequences of keys, which ``sequences(_:)`` reads,
  /// are left out. Actions of plugins are not checked: the plugin may be
  /// installed later.
  static func overrides(_ file: (fields: Record, path: String)) throws(InterfaceFileError) -> [String: [Key]] {
    var overrides: [String: [Key]] = [:]
    for field in file.fields.fields {
      let parts = field.name.split(separator: ".", omittingEmptySubsequences: false)
      if parts.count == 2, parts[0] == "host", HostKey(rawValue: String(parts[1])) == nil {
        let names = HostKey.allCases.map { "host." + $0.rawValue }
        throw .broken(
          .keyMap, path: file.path,
          "'\(field.name)' is not an action; those of the host are \(names.joined(separator: ", "))")
      }
      var keys: [Key] = []
      for value in field.value.list ?? [field.value] {
        if value.text.flatMap(KeySequence.init) != nil { continue }
        guard let key = value.text.flatMap({ Key($0) }) else {
          let shown = JSONWriter.text(of: value)
          throw .broken(
            .keyMap, path: file.path,
            "'\(field.name)' has \(shown), which is not a key such as \"x\", \"f2\" or \"ctrl-p\", nor several such as \"ctrl-x p\""
          )
        }
        keys.append(key)
      }
      overrides[field.name] = keys
    }
    return overrides
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

extension KeyMap {
  /// Returns hints on keys; neighboring actions in several directions are combined into one hint, `←→↑↓ turn`.
  static func hints(of bindings: [Binding]) -> [(hint: KeyHint, key: Key?)] {
    var groups: [[Binding]] = []
    for binding in bindings where !binding.keys.isEmpty {
      if let last = groups.last, last[0].action.id == binding.action.id, shared(last + [binding]) != nil {
        groups[groups.count - 1].append(binding)
      } else {
        groups.append([binding])
      }
    }
    return groups.map { group in
      if group.count > 1, let shared = shared(group) { return (shared, nil) }
      return (KeyHint(group[0].keys[0].label, lowered(group[0].action.title)), group[0].keys[0])
    }
  }

  /// Returns the hint of several bindings; nil if their titles or their keys have too little in common.
  private static func shared(_ group: [Binding]) -> KeyHint? {
    let words = group.map { $0.action.title.split(separator: " ").map(String.init) }
    let leading = words.dropFirst().reduce(words[0]) { zip($0, $1).prefix { $0 == $1 }.map(\.0) }
    let keys = group.compactMap { $0.keys.first }
    guard let first = keys.first, !leading.isEmpty, keys.allSatisfy({ $0.modifiers == first.modifiers }) else {
      return nil
    }
    let ends = keys.map { Key($0.code).label }
    guard ends.allSatisfy({ $0.count == 1 }) else { return nil }
    return KeyHint(String(first.label.dropLast()) + ends.joined(), lowered(leading.joined(separator: " ")))
  }

  /// Returns a title inside a line: its first letter small, unless it is an acronym.
  private static func lowered(_ title: String) -> String {
    let isAcronym = title.dropFirst().first?.isUppercase ?? false
    return isAcronym ? title : title.prefix(1).lowercased() + title.dropFirst()
  }
}

/// A function of the host with a key of its own, for keys that the screen has not handled.
enum HostKey: String, CaseIterable {
  case help
  case palette
  case back
  case focus
  case quit
  case redraw
  case home
  case tour

  /// The keys unless the user's key map has others under `host.` and the name.
  var standardKeys: [Key] {
    switch self {
    case .help: [Key(.character("?")), Key(.function(1))]
    case .palette: [Key(.character("p"), .control), Key(.character(":"))]
    case .back: [Key(.escape), Key(.backspace), Key(.character("q"))]
    case .focus: [Key(.tab), Key(.tab, .shift)]
    case .quit: [Key(.character("q"))]
    case .redraw: [Key(.character("l"), .control)]
    case .home, .tour: []
    }
  }

  /// The printable keys of the host, which no screen may take: help, status line and palette name them everywhere.
  static let reserved: Set<Key> = Set(allCases.flatMap(\.standardKeys).filter { $0.typedCharacter != nil })

  /// The title in help and palette.
  var title: String {
    switch self {
    case .help: "Help: keys of this screen"
    case .palette: "Find a command by name"
    case .back: "Go back"
    case .focus: "Switch to the other pane"
    case .quit: "Quit, on the first screen"
    case .redraw: "Redraw the screen"
    case .home: "Go to the home screen"
    case .tour: "Take the tour"
    }
  }

  func keys(_ overrides: [String: [Key]]) -> [Key] { overrides["host." + rawValue] ?? standardKeys }
}
