import Dispatch
import Synchronization
import Testing

@testable import Host

struct WatchdogTests {
  @MainActor @Test func `a loop that does not come round is told, and that it came back too`() async {
    let watchdog = Watchdog(patienceInSeconds: 0.05)
    let blocked = DispatchSemaphore(value: 0)
    let (findings, found) = AsyncStream.makeStream(of: Watchdog.Finding.self)
    watchdog.setOnFinding { finding in
      found.yield(finding)
      if case .blocked = finding { blocked.signal() }
    }
    watchdog.start()
    watchdog.workBegan()
    // The loop is blocked until the watchdog has noticed it.
    let noticed = blocked.wait(timeout: .now() + 120)
    watchdog.workEnded()
    #expect(noticed == .success)
    var seen: [String] = []
    for await finding in findings {
      if case .recovered = finding { seen.append("recovered") } else { seen.append("blocked") }
      if seen.last == "recovered" { break }
    }
    #expect(seen.first == "blocked" && seen.last == "recovered")
  }
}
