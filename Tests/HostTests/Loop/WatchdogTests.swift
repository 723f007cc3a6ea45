import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Host

struct WatchdogTests {
  @MainActor @Test func `a blocked loop is reported, and its recovery too`() async {
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

  @MainActor @Test func `only a slow call of a screen is reported, with its plugin`() {
    let loop = HostEventLoop()
    let findings = Mutex<[Watchdog.Finding]>([])
    loop.watchdog.setOnFinding { finding in findings.withLock { $0.append(finding) } }
    let entrance = PluginEntrance(id: "tides", loop: loop)
    // Time for which other threads have the processor does not count.
    func processorSeconds() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    func call(_ phase: PluginPhase, seconds: Double) {
      let end = processorSeconds() + seconds
      entrance.noting(phase, "ports") { while processorSeconds() < end {} }
    }
    call(.screen, seconds: 0)
    call(.command, seconds: 2 * Watchdog.slowCallInSeconds)
    #expect(findings.withLock { $0.isEmpty })
    call(.screen, seconds: 2 * Watchdog.slowCallInSeconds)
    let told = findings.withLock { $0 }
    guard case .slow(plugin: "tides", seconds: let seconds)? = told.last, told.count == 1 else {
      Issue.record("\(told)")
      return
    }
    // The system counts processor time in steps of a few milliseconds.
    #expect(seconds > Watchdog.slowCallInSeconds)
  }
}
