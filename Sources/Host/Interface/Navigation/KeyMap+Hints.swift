import PluginAPI

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
