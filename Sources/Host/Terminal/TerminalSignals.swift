internal import Glibc

/// Brings signals to the event loop while a terminal is used.
@MainActor final class TerminalSignals {
  private var sources: [WorkSource] = []
  private var previous: [(signal: Int32, action: sigaction)] = []

  /// Takes signals; one for which somebody else has set a handler is left to them.
  ///
  /// They are not ignored but get a handler that does nothing, so that child processes start with the usual action.
  init(_ signals: [Int32], _ handler: @escaping @MainActor (Int32) -> Void) {
    for number in signals {
      var found = sigaction()
      guard sigaction(number, nil, &found) == 0, Self.isUsual(found) else { continue }
      var nothing = sigaction()
      nothing.__sigaction_handler.sa_handler = { _ in }
      nothing.sa_flags = SA_RESTART
      sigaction(number, &nothing, nil)
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
      sigaction(entry.signal, &action, nil)
    }
    (sources, previous) = ([], [])
  }

  private static func isUsual(_ action: sigaction) -> Bool {
    let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    return handler == 0 || handler == 1
  }
}
