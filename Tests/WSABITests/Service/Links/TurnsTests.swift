import TestSupport
import Testing

@testable import WSABI

/// The order in which tasks pass if only a few can.
@Suite(.timeLimit(.minutes(5)))
struct TurnsTests {
  private let turns = Turns(places: 2)

  /// Returns a clock whose waits end at once, or never.
  private func clock(ends: Bool) -> LinkClock {
    LinkClock(now: { StoreFolder.time }) { _ in if !ends { try await untilCanceled() } }
  }

  @Test func `turns are limited in number and granted in order`() async {
    for _ in 0..<2 { await turns.take() }
    #expect(!turns.takeIfFree())
    let order = Order()
    var tasks: [Task<Void, Never>] = []
    for number in 0..<4 {
      tasks.append(
        Task { [turns] in
          await turns.take()
          order.add(number)
          turns.pass()
        })
      await until { turns.waitingCount == number + 1 }
    }
    turns.pass()
    for task in tasks { await task.value }
    #expect(order.all == [0, 1, 2, 3])
    turns.pass()
    #expect(turns.takeIfFree() && turns.takeIfFree() && !turns.takeIfFree())
  }

  @Test func `a wait with a time limit continues without a turn, and no turn is lost`() async {
    let run = SequenceRun()
    #expect(await turns.take(unless: run, within: 500, clock(ends: true)))
    #expect(await turns.take(unless: run, within: 500, clock(ends: true)))
    #expect(await !turns.take(unless: run, within: 500, clock(ends: true)))
    #expect(turns.waitingCount == 0)
    let late = Task { [turns, clock = clock(ends: false)] in await turns.take(unless: run, within: 500, clock) }
    await until { turns.waitingCount == 1 }
    turns.pass()
    #expect(await late.value)
    for _ in 0..<2 { turns.pass() }
    #expect(turns.takeIfFree() && turns.takeIfFree() && !turns.takeIfFree())
  }

  @Test func `a canceled task stops waiting for a turn`() async {
    for _ in 0..<2 { await turns.take() }
    let run = SequenceRun()
    let waiter = Task { [turns, clock = clock(ends: false)] in await turns.take(unless: run, within: 500, clock) }
    await until { turns.waitingCount == 1 }
    run.cancel()
    #expect(await !waiter.value)
    let task = Task { [turns] in await turns.takeUnlessCancelled() }
    await until { turns.waitingCount == 1 }
    task.cancel()
    #expect(await !task.value)
    #expect(turns.waitingCount == 0)
  }
}
