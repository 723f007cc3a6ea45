import Synchronization
import Testing

@testable import PathCase

struct ProgressGateTests {
  @Test func `at most about thirty progress reports a second are delivered, and always the last`() {
    let start = ContinuousClock.now
    let milliseconds = Mutex(0)
    let passed = Mutex<[Int]>([])
    let gate = ProgressGate(now: { start + .milliseconds(milliseconds.withLock { $0 }) }) { progress in
      passed.withLock { $0.append(progress.documents) }
    }
    for document in 1...2_000 {
      milliseconds.withLock { $0 = document / 2 }
      gate.pass(UpdateProgress(documents: document, totalDocuments: 2_000, bytes: 0, totalBytes: 0))
    }
    let all = passed.withLock { $0 }
    #expect(all.count <= 31 && all.count >= 29 && all.first == 1 && all.last == 2_000)
  }
}
