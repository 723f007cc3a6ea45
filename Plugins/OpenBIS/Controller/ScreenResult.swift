import PluginAPI

/// The result that a screen returns to the one below it.
enum ScreenResult: Equatable {
  /// An entity to open, and the arguments of the search to which going back leads; nil for none.
  case open(String, search: Record? = nil)
  /// Another account is current, or the current one was logged in.
  case changedAccount

  /// Creates a result from the value that a screen returned; nil if the value is not a result.
  init?(_ value: Value) {
    if value["changed"].bool == true {
      self = .changedAccount
    } else if let id = value["open"].text {
      self = .open(id, search: value["search"].record)
    } else {
      return nil
    }
  }

  /// The effect that returns the result to the screen below.
  var pop: Effect {
    switch self {
    case .open(let id, nil): .pop(["open": .text(id)])
    case .open(let id, let search?): .pop(["open": .text(id), "search": .record(search)])
    case .changedAccount: .pop(["changed": true])
    }
  }
}
