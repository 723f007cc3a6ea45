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
  func `the system's words are of the kind of their number`(_ number: Int32, _ kind: ErrorReport.Kind) {
    let reason = WholeFile.ReadFailure.system(number: number).reason
    #expect(SystemReason.kind(reason) == kind)
    #expect(NetworkFileError.unreadable("a", reason: reason).report.kind == kind)
    #expect(UpdateError.file(path: "a", reason: reason).report.kind == (kind == .failure ? .unusableInput : kind))
    let stored = SnapshotStoreError.unusable(path: "a", reason: reason).report.kind
    #expect(stored == (kind == .refused ? .refused : .failure))
  }

  @Test func `a folder is no file to be read`() {
    #expect(throws: NetworkFileError.unreadable("/", reason: "it is no plain file")) { try NetworkFile.bytes("/") }
    #expect(NetworkFileError.unreadable("/", reason: "it is no plain file").report.kind == .unusableInput)
  }
}
