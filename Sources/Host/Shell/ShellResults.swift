import PluginAPI

/// The results of the latest commands, which later lines use as variables.
struct ShellResults {
  /// The number of results that are kept.
  static let count = 9

  private var newestFirst: [Value] = []

  /// Adds the result of a command; one without a value changes nothing.
  mutating func add(_ value: Value) {
    if value.isNull { return }
    newestFirst.insert(value, at: 0)
    if newestFirst.count > Self.count { newestFirst.removeLast() }
  }

  /// The variables without `$`: `_` and `_1` for the last result, `_2` for the one before it, up to `_9`.
  var variables: [(name: String, value: Value)] {
    newestFirst.prefix(1).map { ("_", $0) } + newestFirst.enumerated().map { ("_\($0.offset + 1)", $0.element) }
  }
}
