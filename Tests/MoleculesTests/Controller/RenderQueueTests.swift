import Testing

@testable import Molecules

struct RenderQueueTests {
  @Test func `one runs, one waits, the newest of those that wait wins`() {
    var queue = RenderQueue<String>()
    #expect(queue.submit("a") == "a")
    #expect(queue.submit("b") == nil)
    #expect(queue.submit("c") == nil)
    #expect(queue.pending == "c")
    let end = queue.end(generation: 1)
    #expect(end.counts && end.next == "c")
    #expect(queue.generation == 2)
    #expect(queue.end(generation: 2).next == nil)
    #expect(queue.isIdle)
  }

  @Test func `an end that comes late or twice counts for nothing`() {
    var queue = RenderQueue<String>()
    _ = queue.submit("a")
    _ = queue.end(generation: 1)
    _ = queue.submit("b")
    #expect(queue.end(generation: 1).counts == false)
    #expect(queue.running == "b")
    #expect(queue.end(generation: 2).counts)
    #expect(queue.end(generation: 2).counts == false)
  }
}
