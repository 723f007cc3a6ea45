import PluginAPI

/// The search for people.
extension PeopleController {
  func search(_ event: Event, _ key: Key?) -> [Effect]? {
    switch key {
    case Key(.escape): return endSearch()
    case Key(.enter):
      state.isSearching = false
      return []
    case Key(.up): return select(state.selected - 1)
    case Key(.down): return select(state.selected + 1)
    case Key(.backspace) where state.search.text.isEmpty: return endSearch()
    default: break
    }
    let before = state.search.text
    guard state.search.handle(event) else { return nil }
    if state.search.text == before { return [] }
    state.restart()
    return reload()
  }

  func endSearch() -> [Effect] {
    state.isSearching = false
    let wasEmpty = state.search.text.isEmpty
    sought = state.selectedRow?.person.id
    state.search = InputLine()
    return wasEmpty ? [] : seek()
  }

  /// Searches for a text, as if it were typed.
  func find(_ words: String) -> [Effect] {
    state.search = InputLine(words)
    state.restart()
    return reload()
  }
}
