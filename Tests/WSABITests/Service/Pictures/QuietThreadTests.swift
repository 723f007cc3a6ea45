import Glibc
import PluginStore
import Testing

@testable import WSABI

@Suite struct QuietThreadTests {
  private static func niceness() -> Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

  @Test func `a quiet thread has low priority, and other threads keep theirs`() async throws {
    let before = try await OwnThread.value { _ in Self.niceness() }
    #expect(before < QuietThread.niceness)
    #expect(try await QuietThread.value { Self.niceness() } == QuietThread.niceness)
    #expect(Self.niceness() == before)
    #expect(try await OwnThread.value { _ in Self.niceness() } == before)
  }

  @Test func `an error on a quiet thread is thrown to its caller`() async {
    await #expect(throws: PictureError.noPicture) { try await QuietThread.value { throw PictureError.noPicture } }
  }
}
