import Testing

@testable import Molecules

struct RenderQueueTests {
  @Test func `one runs, one waits, the newest of those that wait wins`() {
    var queue = RenderQueue<String>()
    #expect(queue.submit("a") == "a")
    #expect(queue.submit("b") == nil)
    #expect(queue.submit("c") == nil)
    #expect(queue.waiting == "c")
    #expect(queue.end() == "c")
    #expect(queue.running == "c")
    #expect(queue.end() == nil)
    #expect(queue.running == nil)
  }

  @Test func `an end that comes twice counts for nothing, and the next one starts at once after all were dropped`() {
    var queue = RenderQueue<String>()
    _ = queue.submit("a")
    _ = queue.submit("b")
    queue.cancel()
    #expect(queue.running == nil && queue.waiting == nil)
    #expect(queue.submit("c") == "c")
    #expect(queue.end() == nil)
    #expect(queue.end() == nil)
  }
}
