import PluginAPI
import Synchronization
import Testing

@testable import Host

struct InterruptionTests {
  @Test func `the first interrupt cancels, and the process ends after the grace period`() async {
    let causes = Mutex<[Interruption.Cause]>([])
    let cancelled = Mutex(0)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let interruption = Interruption(graceInSeconds: 0.01) { cause in
        causes.withLock { $0.append(cause) }
        continuation.resume()
      }
      interruption.watch { cancelled.withLock { $0 += 1 } }
      interruption.interrupt(.timeout(seconds: 2))
      #expect(interruption.cause == .timeout(seconds: 2))
    }
    #expect(causes.withLock { $0 } == [.timeout(seconds: 2)] && cancelled.withLock { $0 } == 1)
  }

  @Test func `a screen takes Ctrl-C itself, and the second one ends the process only while the loop is blocked`() {
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
    // The loop came back and the screen took the key; the next block begins anew.
    interruption.screenAnswered()
    interruption.takeSignal()
    #expect(ends.withLock { $0 } == 0)
    interruption.takeSignal()
    #expect(ends.withLock { $0 } == 1 && cancelled.withLock { $0 } == 0)
  }

  @Test func `causes have their codes and statuses`() {
    #expect(Interruption.Cause.interrupt.report.exitStatus == 130)
    let timeout = Interruption.Cause.timeout(seconds: 1.5).report
    #expect(timeout.exitStatus == 124 && timeout.message == "not done after 1.5 seconds" && timeout.isRetryable)
  }
}
