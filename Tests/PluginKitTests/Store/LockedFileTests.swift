import Glibc
import PluginStore
import Synchronization
import TestSupport
import Testing

@Suite struct LockedFileTests {
  private final class Tally: Sendable {
    let inside = Atomic(0)
    let faults = Atomic(0)
    let written = Atomic(0)
  }

  private let folder = StoreFolder()

  private func path() throws -> String {
    try #require(mkdir(folder.path, 0o700) == 0)
    return folder.file("part")
  }

  @Test func `a locked file cannot be locked again until it is closed`() throws {
    let path = try path()
    let file = try LockedFile(path)
    #expect(throws: LockedFile.Failure.held) { try LockedFile(path) }
    #expect(throws: LockedFile.Failure.held) { try LockedFile(existing: path) }
    file.close()
    file.close()
    try LockedFile(existing: path).close()
    #expect(file.withDescriptor { write($0, "a", 1) } == -1)
  }

  @Test func `closing a file releases its lock, even if a child process has a copy of the descriptor`() throws {
    let path = try path()
    for _ in 0..<100 {
      let file = try LockedFile(path)
      // As between fork and exec.
      let copies = OpenDescriptors.copies(of: path)
      defer { for copy in copies { close(copy) } }
      #expect(copies.count == 1)
      file.close()
      try LockedFile(path).close()
    }
  }

  @Test func `a file renamed or removed by its last holder is replaced by a new one`() throws {
    let path = try path()
    for ends in [{ rename(path, path + ".done") }, { unlink(path) }] {
      let first = try LockedFile(path)
      #expect(ends() == 0)
      let second = try LockedFile(path)
      first.close()
      #expect(second.withDescriptor { write($0, "new", 3) } == 3)
      second.close()
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_size == 3)
    }
    var done = stat()
    #expect(stat(path + ".done", &done) == 0 && done.st_size == 0)
  }

  @Test func `concurrent tasks never hold the same file, and never get a renamed one`() async throws {
    let path = try path()
    let seen = Tally()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<500 {
            guard let file = try? LockedFile(path) else { continue }
            if seen.inside.add(1, ordering: .relaxed).newValue != 1 { seen.faults.add(1, ordering: .relaxed) }
            var status = stat()
            let isNew = file.withDescriptor { fstat($0, &status) == 0 && status.st_size == 0 && write($0, "a", 1) == 1 }
            if isNew { seen.written.add(1, ordering: .relaxed) } else { seen.faults.add(1, ordering: .relaxed) }
            seen.inside.subtract(1, ordering: .relaxed)
            // As a download does when it is whole.
            rename(path, path + ".done")
            file.close()
          }
        }
      }
    }
    #expect(seen.faults.load(ordering: .relaxed) == 0)
    #expect(seen.written.load(ordering: .relaxed) > 0)
  }

  @Test func `files that are missing, links or folders fail to open with the system's error number`() throws {
    let path = try path()
    #expect(throws: LockedFile.Failure.system(number: ENOENT)) { try LockedFile(existing: path) }
    #expect(throws: LockedFile.Failure.system(number: ENOENT)) { try LockedFile(path + "/no/folder") }
    #expect(symlink("elsewhere", path) == 0)
    #expect(throws: LockedFile.Failure.system(number: ELOOP)) { try LockedFile(path) }
    #expect(throws: LockedFile.Failure.system(number: EISDIR)) { try LockedFile(folder.path) }
  }

  @Test func `a folder is locked like a file`() throws {
    _ = try path()
    let held = try LockedFile(existing: folder.path)
    #expect(throws: LockedFile.Failure.held) { try LockedFile(existing: folder.path) }
    held.close()
    try LockedFile(existing: folder.path).close()
  }
}
