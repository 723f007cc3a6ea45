import Glibc
import Synchronization

/// A flag that asks workers to stop after the current item, set by SIGTERM.
final class StopFlag: Sendable {
  private let value = Atomic(false)
  private let source = Mutex<WorkSource?>(nil)

  var isSet: Bool { value.load(ordering: .relaxed) }

  /// Begins to listen for SIGTERM, which no longer ends the process.
  func watch() {
    let source = WorkSource(.signal(SIGTERM), on: WorkQueue("workbench.batch-stop"))
    source.start { [weak self] in self?.value.store(true, ordering: .relaxed) }
    self.source.withLock { $0 = source }
  }
}
