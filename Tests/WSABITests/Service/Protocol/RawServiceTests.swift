import Glibc
import Testing

@testable import WSABI

/// The service that sends exactly a test's bytes does not disturb other tests.
struct RawServiceTests {
  @Test func `a service that stopped listening does not close a descriptor that was reused`() async throws {
    for _ in 0..<100 {
      var service: RawService? = try RawService { _, _ in .close }
      let number = try #require(service?.listener)
      service?.stopListening()
      var ends: [Int32] = [-1, -1]
      #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
      var taken = ends[0] == number ? number : Int32(-1)
      for _ in 0..<200 where taken != number {
        if taken >= 0 { close(taken) }
        taken = fcntl(ends[0], F_DUPFD_CLOEXEC, number)
        await Task.yield()
      }
      service = nil
      defer { for descriptor in Set(ends + [taken]) { close(descriptor) } }
      // Another test may have been quicker to take it.
      guard taken == number else { continue }
      #expect(send(taken, "x", 1, Int32(MSG_NOSIGNAL)) == 1)
      return
    }
    Issue.record("no descriptor was had whose number a service had before")
  }
}
