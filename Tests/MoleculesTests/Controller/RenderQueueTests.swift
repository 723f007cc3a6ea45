import Testing

@testable import Molecules

struct RenderQueueTests {
  @Test func `one job runs, and the newest replaces the waiting one`() {
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

  @Test func `a repeated end is ignored, and a submission after a cancellation starts at once`() {
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
