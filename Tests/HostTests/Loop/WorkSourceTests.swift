import Glibc
import Synchronization
import Testing

@testable import Host

/// The delivery of signals to the host.
struct WorkSourceTests {
  @Test func `signals that arrive together are delivered one by one`() {
    let calls = Mutex(0)
    let twice = WorkSemaphore()
    let source = WorkSource(.signal(SIGUSR2), on: WorkQueue("test.signals"))
    var (signals, before) = (sigset_t(), sigset_t())
    sigemptyset(&signals)
    sigaddset(&signals, SIGUSR2)
    pthread_sigmask(SIG_UNBLOCK, &signals, &before)
    // Handled on this thread before raise returns.
    raise(SIGUSR2)
    raise(SIGUSR2)
    pthread_sigmask(SIG_SETMASK, &before, nil)
    source.start {
      let count = calls.withLock { calls in
        calls += 1
        return calls
      }
      if count == 2 { twice.signal() }
    }
    #expect(twice.wait(seconds: 60))
    source.cancel()
  }
}
