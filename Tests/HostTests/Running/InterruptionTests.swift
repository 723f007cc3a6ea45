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
      interruption.handOver {}
    }
    #expect(causes.withLock { $0 } == [.timeout(seconds: 2)] && cancelled.withLock { $0 } == 1)
  }

  @Test func `causes have their codes and statuses`() {
    #expect(Interruption.Cause.interrupt.report.exitStatus == 130)
    let timeout = Interruption.Cause.timeout(seconds: 1.5).report
    #expect(timeout.exitStatus == 124 && timeout.message == "not done after 1.5 seconds" && timeout.isRetryable)
  }
}
