internal import CHost
import Glibc
import Synchronization

/// A flag that asks workers to stop after the current item, set by SIGTERM.
final class StopFlag: Sendable {
  private let value = Atomic(false)
  private let watched = Mutex<(source: WorkSource, previous: sigaction)?>(nil)

  var isSet: Bool { value.load(ordering: .relaxed) }

  /// Begins to listen for SIGTERM, which does not end the process until ``end()``.
  func watch() {
    watched.withLock { watched in
      var previous = sigaction()
      sigaction(SIGTERM, nil, &previous)
      let source = WorkSource(.signal(SIGTERM), on: WorkQueue("workbench.batch-stop"))
      source.start { [weak self] in self?.value.store(true, ordering: .relaxed) }
      watched = (source, previous)
    }
  }

  /// Leaves SIGTERM as it was.
  func end() {
    watched.withLock { watched in
      guard let (source, previous) = watched else { return }
      source.cancel()
      var action = previous
      _ = chost_signal_set(SIGTERM, &action)
      watched = nil
    }
  }
}
