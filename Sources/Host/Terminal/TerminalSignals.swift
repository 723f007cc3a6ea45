internal import CHost
internal import Glibc

/// Brings signals to the event loop while a terminal is used.
@MainActor final class TerminalSignals {
  private var sources: [WorkSource] = []
  private var previous: [(signal: Int32, action: sigaction)] = []

  /// Handles signals, except those for which another handler is set.
  ///
  /// They get a handler, so that child processes start with the usual action.
  init(_ signals: [Int32], _ handler: @escaping @MainActor (Int32) -> Void) {
    for number in signals {
      var found = sigaction()
      guard sigaction(number, nil, &found) == 0, Self.isUsual(found) else { continue }
      previous.append((number, found))
      let source = WorkSource(.signal(number), on: nil)
      source.start { MainActor.assumeIsolated { handler(number) } }
      sources.append(source)
    }
  }

  /// Leaves the signals as they were.
  func end() {
    for source in sources { source.cancel() }
    for entry in previous {
      var action = entry.action
      _ = chost_signal_set(entry.signal, &action)
    }
    (sources, previous) = ([], [])
  }

  private static func isUsual(_ action: sigaction) -> Bool {
    let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    return handler == 0 || handler == 1
  }
}
