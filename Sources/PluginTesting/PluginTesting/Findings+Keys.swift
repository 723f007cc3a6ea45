internal import PluginAPI

// Findings from the keys of all screens together.
extension Findings {
  /// Finds keys with several meanings.
  mutating func checkKeys(of screens: [ScreenDescription], except reasons: [String: String]) {
    var uses: [String: [(screen: String, action: ScreenAction)]] = [:]
    for screen in screens {
      for action in screen.actions {
        for key in action.keys { uses[key, default: []].append((screen.name, action)) }
      }
    }
    for (key, all) in uses.sorted(by: { $0.key < $1.key }) {
      guard let first = all.first, let other = all.first(where: { !Self.isSame($0.action, first.action) }) else {
        continue
      }
      if reasons[key] != nil { continue }
      add(
        "key-meanings",
        "key '\(key)' means '\(first.action.title)' on screen '\(first.screen)' and '\(other.action.title)' on "
          + "screen '\(other.screen)'; choose another key for one of them, or say why it may")
    }
    for key in reasons.keys.sorted() where uses[key].map(Self.hasOneMeaning) ?? true {
      add("key-meanings", "key '\(key)' has one meaning only and needs no reason")
    }
  }

  private static func hasOneMeaning(_ uses: [(screen: String, action: ScreenAction)]) -> Bool {
    uses.allSatisfy { use in uses.first.map { isSame($0.action, use.action) } ?? true }
  }

  private static func isSame(_ left: ScreenAction, _ right: ScreenAction) -> Bool {
    left.id == right.id || left.title == right.title
  }
}
