import PluginAPI

/// Keys that perform a function when pressed one after the other, such as `ctrl-x h`.
struct KeySequence: Sendable, Hashable {
  /// The keys, at least two.
  let keys: [Key]

  /// Reads keys separated by spaces.
  ///
  /// - Returns: Nil if there are fewer than two, or one of the words is not a key.
  init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    let keys = words.compactMap { Key($0) }
    guard keys.count >= 2, keys.count == words.count, keys.count <= Self.most else { return nil }
    self.keys = keys
  }

  private static let most = 4

  /// The keys as people read them in hints.
  var label: String { KeyHelp.labels(keys) }
}

/// A function that a sequence of keys performs on the front screen.
struct SequenceBinding: Sendable, Hashable {
  /// The function.
  enum Target: Sendable, Hashable {
    case action(ActionInvocation)
    case host(HostKey)
  }

  var sequence: KeySequence
  var title: String
  var target: Target
}

extension KeyMap {
  /// Reads the sequences of a file with keys by action, whose form `overrides` checks.
  static func sequences(_ file: Record) -> [String: [KeySequence]] {
    var found: [String: [KeySequence]] = [:]
    for field in file.fields {
      let sequences = (field.value.list ?? [field.value]).compactMap { $0.text.flatMap(KeySequence.init) }
      if !sequences.isEmpty { found[field.name] = sequences }
    }
    return found
  }

  /// Returns the sequences of a screen: those of its actions, which only users assign, then those of the host.
  static func sequences(
    of actions: [ScreenAction], scope: String, keys: [String: [Key]], sequences: [String: [KeySequence]]
  ) -> [SequenceBinding] {
    let own = actions.flatMap { action -> [SequenceBinding] in
      let found = names(of: action, among: actions, scope: scope).compactMap { sequences[$0] }.first ?? []
      return found.map {
        SequenceBinding(
          sequence: $0, title: action.title, target: .action(ActionInvocation(action.id, action.arguments)))
      }
    }
    let host = HostKey.allCases.flatMap { key in
      key.sequences(keys, sequences).map { SequenceBinding(sequence: $0, title: key.title, target: .host(key)) }
    }
    return own + host
  }
}

extension HostKey {
  /// The sequences unless the user's key map has others under `host.` and the name.
  private var standardSequences: [KeySequence] {
    let text: String? =
      switch self {
      case .help: "ctrl-x ?"
      case .palette: "ctrl-x :"
      case .redraw: "ctrl-x l"
      case .home: "ctrl-x h"
      case .tour: "ctrl-x t"
      case .back, .focus, .quit: nil
      }
    return [text.flatMap(KeySequence.init)].compactMap { $0 }
  }

  /// The standard keys and sequences as key maps write them.
  var standardKeyTexts: [String] {
    standardKeys.map(\.description) + standardSequences.map { $0.keys.map(\.description).joined(separator: " ") }
  }

  /// Returns the sequences: the user's, or the standard ones if the user assigns no keys.
  func sequences(_ keys: [String: [Key]], _ sequences: [String: [KeySequence]]) -> [KeySequence] {
    let name = "host." + rawValue
    return sequences[name] ?? (keys[name] == nil ? standardSequences : [])
  }
}

extension Screen {
  /// Returns the sequences that the screen understands.
  func sequences(_ setup: Navigator.Setup) -> [SequenceBinding] {
    KeyMap.sequences(
      of: description.actions, scope: (plugin ?? "host") + "." + description.name, keys: setup.keys,
      sequences: setup.sequences)
  }
}
