import Synchronization
import Testing

@testable import WSABI

/// With many downloads at once, the first is safe soon.
// Two thousand rounds take a minute on a machine busy with all other tests.
@Suite(.timeLimit(.minutes(10)))
struct WritingPoolTests {
  @Test func `the task that began first runs first, however many are ready`() async {
    let threads = (0..<64).map { _ in WritingThread() }
    let (steps, order) = (8, Order())
    await withTaskGroup(of: Void.self) { group in
      for (number, thread) in threads.enumerated() {
        group.addTask(executorPreference: thread) {
          for _ in 0..<steps {
            // Long enough for the others to be ready meanwhile.
            var sum = 0
            for value in 0..<20_000 { sum &+= value }
            withExtendedLifetime(sum) {}
            await Task.yield()
          }
          order.end(number)
        }
      }
    }
    // If they took turns, all would end together, in random order.
    let ended = order.ended
    #expect(ended.count == threads.count)
    let early = Set(ended.prefix(threads.count / 2))
    #expect(early.count { $0 < threads.count / 2 } >= threads.count / 2 - 8, "ended as \(ended)")
  }

  @Test func `threads that rest or end lose no work`() async {
    for round in 0..<2000 {
      let value = await withTaskGroup(of: Int.self) { group in
        for number in 0..<3 { group.addTask(executorPreference: WritingThread()) { number } }
        return await group.reduce(0, +)
      }
      #expect(value == 3, "round \(round)")
    }
  }

  private final class Order: Sendable {
    private let state = Mutex<[Int]>([])
    var ended: [Int] { state.withLock { $0 } }
    func end(_ number: Int) { state.withLock { $0.append(number) } }
  }
}
