import Synchronization
import TestSupport
import Testing

@testable import WSABI

/// However many captures come at once, few are judged at a time.
@Suite(.timeLimit(.minutes(5)))
struct ReviewGateTests {
  private let gate = ReviewGate(places: 2)

  private func subject(_ capture: Int) -> ReviewGate.Subject { .init(folder: "/store", capture: capture) }

  /// Starts a review of a capture, which lasts until a door's task ends.
  private func look(_ capture: Int, _ door: Door, _ order: Order) -> Task<Void, any Error> {
    let (gate, subject) = (gate, subject(capture))
    return Task {
      try await gate.pass(subject) {
        order.add(capture)
        await door.wait()
      }
    }
  }

  @Test func `two reviews run at once, and the others in order`() async throws {
    let (doors, order) = ((0..<6).map { _ in Door() }, Order())
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<6 {
      tasks.append(look(number, doors[number], order))
      if number < 2 {
        await until { order.all.count == number + 1 }
      } else {
        await until { gate.waitingCount == number - 1 }
      }
    }
    #expect(order.all == [0, 1])
    for number in 0..<6 {
      doors[number].open()
      try await tasks[number].value
      await until { order.all.count == min(6, number + 3) }
      #expect(order.all == Array(0..<min(6, number + 3)))
    }
    #expect(gate.waitingCount == 0)
  }

  @Test func `a running or queued review is awaited until its end`() async throws {
    let (door, order) = (Door(), Order())
    let tasks = (1...3).map { look($0, door, order) }
    await until { gate.waitingCount == 1 }
    #expect((1...3).allSatisfy { gate.isAwaited(subject($0)) } && !gate.isAwaited(subject(4)))
    #expect(!gate.isAwaited(ReviewGate.Subject(folder: "/another", capture: 1)))
    door.open()
    for task in tasks { try await task.value }
    #expect(!(1...3).contains { gate.isAwaited(subject($0)) })
  }

  @Test func `a canceled review is never started, and frees its turn`() async throws {
    let (door, order) = (Door(), Order())
    let tasks = (0..<2).map { look($0, door, order) }
    await until { order.all.count == 2 }
    let (cancelled, last) = (look(2, door, order), look(3, door, order))
    await until { gate.waitingCount == 2 }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(!gate.isAwaited(subject(2)) && gate.waitingCount == 1)
    door.open()
    for task in tasks + [last] { try await task.value }
    #expect(Set(order.all) == [0, 1, 3])
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await gate.pass(subject(9)) {}
    }
    _ = await early.result
    // Both places are free again.
    let (shut, after) = (Door(), Order())
    let further = (0..<2).map { look($0, shut, after) }
    await until { after.all.count == 2 }
    shut.open()
    for task in further { try await task.value }
  }

  @Test func `a failed review frees its turn`() async throws {
    for _ in 0..<5 {
      await #expect(throws: PictureError.noPicture) { try await gate.pass(subject(1)) { throw PictureError.noPicture } }
    }
    #expect(try await gate.pass(subject(1)) { 7 } == 7)
  }
}

final class Order: Sendable {
  private let numbers = Mutex<[Int]>([])
  var all: [Int] { numbers.withLock { $0 } }
  func add(_ number: Int) { numbers.withLock { $0.append(number) } }
}
