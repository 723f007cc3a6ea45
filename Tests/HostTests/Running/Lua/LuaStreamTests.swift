import PluginAPI
import Synchronization
import Testing

@testable import Host

/// A command whose results are taken one by one.
@MainActor struct LuaStreamTests {
  /// Counts what a command did.
  private final class Count: Sendable {
    private let state = Mutex(0)
    var value: Int { state.withLock { $0 } }
    func increase() { state.withLock { $0 += 1 } }
  }

  @Test func `a command waits while many of its results are unread`() async throws {
    let (stream, count) = (LuaStream(), Count())
    stream.start {
      for number in 0..<10_000 {
        count.increase()
        try await stream.emit([.integer(number)])
      }
    }
    let first = try await stream.next()
    #expect(first.first == 0 && first.count <= 256)
    #expect(count.value <= 1_000)
    var taken = first.count
    while case let rows = try await stream.next(), !rows.isEmpty { taken += rows.count }
    #expect(taken == 10_000 && count.value == 10_000 && stream.hasEnded)
    #expect(try await stream.next().isEmpty)
  }

  @Test func `many elements are read in batches, in order`() async throws {
    let stream = LuaStream()
    stream.start { try await stream.emit((0..<1_000).map { .integer($0) }) }
    var all: [Value] = []
    while case let rows = try await stream.next(), !rows.isEmpty {
      #expect(rows.count <= 256)
      all += rows
    }
    #expect(all == (0..<1_000).map { .integer($0) })
  }

  @Test func `a closed stream cancels its command and reports nothing`() async throws {
    let stream = LuaStream()
    stream.start { while true { try await stream.emit(["x"]) } }
    #expect(try await !stream.next().isEmpty)
    await stream.finish()
    #expect(try await stream.next().isEmpty && stream.hasEnded)
  }

  @Test func `a command's error follows its elements`() async throws {
    let stream = LuaStream()
    stream.start {
      try await stream.emit(["x"])
      throw SampleFault.broken
    }
    #expect(try await stream.next() == ["x"])
    await #expect(throws: SampleFault.self) { try await stream.next() }
  }
}
