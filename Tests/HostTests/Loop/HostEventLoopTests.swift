import Glibc
import PluginAPI
import Synchronization
import Testing

@testable import Host

struct HostEventLoopTests {
  @MainActor @Test func `a timer canceled before its turn does not run`() async {
    let loop = HostEventLoop()
    let ran = Mutex(0)
    let (turns, turn) = AsyncStream.makeStream(of: Void.self)
    let timer = Mutex<(any Cancellable)?>(nil)
    let handle = loop.schedule(after: 0, every: 0.001) {
      ran.withLock { $0 += 1 }
      // The next turn of the timer may already be in the queue.
      timer.withLock { $0 }?.cancel()
      turn.yield()
    }
    timer.withLock { $0 = handle }
    for await _ in turns { break }
    _ = loop.schedule(after: 0.02, every: nil) { turn.yield() }
    for await _ in turns { break }
    #expect(ran.withLock { $0 } == 1)
  }

  @MainActor @Test(arguments: [Double.nan, .infinity, 1e300, -1])
  func `extreme intervals do not crash`(seconds: Double) async {
    let loop = HostEventLoop()
    let (turns, turn) = AsyncStream.makeStream(of: Void.self)
    let timer = loop.schedule(after: 0, every: seconds) { turn.yield() }
    var count = 0
    for await _ in turns {
      count += 1
      break
    }
    timer.cancel()
    #expect(count == 1)
  }

  @MainActor @Test func `a subscription canceled by another handler receives nothing more`() async {
    let loop = HostEventLoop()
    let hub = NotificationHub(loop: loop)
    let second = Mutex<(any Cancellable)?>(nil)
    let seen = Mutex<[String]>([])
    let (turns, turn) = AsyncStream.makeStream(of: Void.self)
    let first = hub.subscribe("tides.changed") { _ in
      seen.withLock { $0.append("first") }
      second.withLock { $0 }?.cancel()
      turn.yield()
    }
    let other = hub.subscribe("tides.changed") { _ in seen.withLock { $0.append("second") } }
    second.withLock { $0 = other }
    for _ in 0..<2 { hub.send(Notification(topic: "tides.changed", plugin: "tides")) }
    for await _ in turns { break }
    for await _ in turns { break }
    #expect(seen.withLock { $0 } == ["first", "first"])
    first.cancel()
  }

  @MainActor @Test func `work after each turn does not deepen the stack`() async {
    let loop = HostEventLoop()
    let places = Mutex<[pthread_t: [UInt]]>([:])
    loop.setAfterTurn {
      var here = 0
      let place = withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
      places.withLock { $0[pthread_self(), default: []].append(place) }
    }
    for _ in 0..<2000 {
      await withCheckedContinuation { continuation in loop.post { continuation.resume() } }
    }
    // The main queue is served by one thread after another; each has a stack of its own.
    let spreads = places.withLock { $0.values.map { ($0.max() ?? 0) - ($0.min() ?? 0) } }
    #expect(spreads.allSatisfy { $0 < 16_384 }, "bytes between the places: \(spreads)")
  }
}
