import Glibc
import PluginAPI
import PluginStore
import Testing

@testable import PathCase

struct SystemReasonTests {
  @Test(arguments: [
    (ENOENT, ErrorReport.Kind.notFound), (ENOTDIR, .notFound), (EACCES, .refused), (EPERM, .refused),
    (EROFS, .refused), (EIO, .failure),
  ])
  func `a system error keeps the kind of its error number`(_ number: Int32, _ kind: ErrorReport.Kind) {
    let reason = SystemReason(WholeFile.ReadFailure.system(number: number))
    #expect(reason.kind == kind && reason.text == String(cString: strerror(number)))
    #expect(SnapshotFolder.reason(number) == reason)
    #expect(NetworkFileError.unreadable("a", reason: reason).report.kind == kind)
    #expect(UpdateError.file(path: "a", reason: reason).report.kind == (kind == .failure ? .unusableInput : kind))
    let stored = SnapshotStoreError.unusable(path: "a", reason: reason).report.kind
    #expect(stored == (kind == .refused ? .refused : .failure))
  }

  @Test func `reading a folder as a file is refused`() {
    let reason = SystemReason(.notPlain)
    #expect(throws: NetworkFileError.unreadable("/", reason: reason)) { try NetworkFile.bytes("/") }
    #expect(
      NetworkFileError.unreadable("/", reason: reason).report.message == "'/' cannot be read: it is not a plain file")
    #expect(reason.kind == .unusableInput && SystemReason(.tooLarge(limitInBytes: 1)).kind == .unusableInput)
  }
}
