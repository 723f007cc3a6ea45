import PluginAPI
import Synchronization
import Testing

@testable import Host

struct InterruptionTests {
  @Test func `the first interrupt cancels, and the process ends after the grace period`() async {
    let causes = Mutex<[Interruption.Cause]>([])
    let cancelled = Mutex(0)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let interruption = Interruption(grace: .init(usual: 0.01)) { cause in
        causes.withLock { $0.append(cause) }
        continuation.resume()
      }
      interruption.watch { cancelled.withLock { $0 += 1 } }
      interruption.interrupt(.timeout(seconds: 2))
      #expect(interruption.cause == .timeout(seconds: 2))
    }
    #expect(causes.withLock { $0 } == [.timeout(seconds: 2)] && cancelled.withLock { $0 } == 1)
  }

  @Test func `a finishing command gets a notice and continues until a second interrupt`() throws {
    let told = Mutex<[Diagnostic]>([])
    let ends = Mutex<[Interruption.Cause]>([])
    let cancelled = Mutex(0)
    let interruption = Interruption(grace: .init(usual: 0, finishing: 3600)) { diagnostic in
      #expect(cancelled.withLock { $0 } == 0)
      told.withLock { $0.append(diagnostic) }
    } end: { cause in
      ends.withLock { $0.append(cause) }
    }
    interruption.watch { cancelled.withLock { $0 += 1 } }
    try interruption.beginFinishing()
    interruption.takeSignal()
    #expect(cancelled.withLock { $0 } == 1 && interruption.mayFinish)
    #expect(told.withLock { $0.map(\.code) } == ["host.ending"])
    #expect(told.withLock { $0.first?.advice } == "press Ctrl-C again to end it now")
    #expect(ends.withLock { $0 }.isEmpty)
    interruption.endFinishing()
    interruption.takeSignal()
    #expect(ends.withLock { $0 } == [.interrupt])
    #expect(throws: CancellationError.self) { try interruption.beginFinishing() }
  }

  @Test func `a finishing command is ended after its grace period`() async throws {
    let cause = await withCheckedContinuation { (continuation: CheckedContinuation<Interruption.Cause, Never>) in
      let interruption = Interruption(grace: .init(usual: 3600, finishing: 0.01)) { cause in
        continuation.resume(returning: cause)
      }
      interruption.watch {}
      try? interruption.beginFinishing()
      interruption.interrupt(.timeout(seconds: 2))
    }
    #expect(cause == .timeout(seconds: 2))
  }

  @Test func `a screen handles Ctrl-C, and a second one ends the process only if the loop is blocked`() {
    let ends = Mutex(0)
    let cancelled = Mutex(0)
    let isBlocked = Mutex(false)
    let interruption = Interruption { _ in ends.withLock { $0 += 1 } }
    interruption.watch { cancelled.withLock { $0 += 1 } }
    let taken = Mutex<[Bool]>([])
    interruption.handOver(
      to: Interruption.Screen(isBlocked: { isBlocked.withLock { $0 } }) { isKey in taken.withLock { $0.append(isKey) } }
    )
    for _ in 0..<3 { interruption.takeSignal() }
    isBlocked.withLock { $0 = true }
    interruption.takeSignal()
    #expect(taken.withLock { $0 } == [false, false, false, true])
    // The loop recovered and the screen handled the key; the next block starts from zero.
    interruption.screenAnswered()
    interruption.takeSignal()
    #expect(ends.withLock { $0 } == 0)
    interruption.takeSignal()
    #expect(ends.withLock { $0 } == 1 && cancelled.withLock { $0 } == 0)
  }

  @Test func `causes have their own codes and exit statuses`() {
    #expect(Interruption.Cause.interrupt.report.exitStatus == 130)
    let timeout = Interruption.Cause.timeout(seconds: 1.5).report
    #expect(timeout.exitStatus == 124 && timeout.message == "not finished after 1.5 seconds" && timeout.isRetryable)
  }
}
