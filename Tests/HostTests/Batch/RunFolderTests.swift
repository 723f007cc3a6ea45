import Foundation
import PluginAPI
import Synchronization
import TestSupport
import Testing

@testable import Host

struct RunFolderTests {
  @Test func `a picture's path is independent of shards, with a thousand pictures per folder`() {
    #expect(RunFolder.picture(of: 1) == "files/00000/1.png")
    #expect(RunFolder.picture(of: 999) == "files/00000/999.png")
    #expect(RunFolder.picture(of: 17_000) == "files/00017/17000.png")
    #expect(RunFolder.frame(12, of: RunFolder.picture(of: 17)) == "files/00000/17-12.png")
  }

  @Test func `a shared lock on a shard does not count as a worker`() throws {
    let run = try BatchFolder(itemCount: 1)
    let file = try HostFile.open(run.folder.shard(1), O_RDWR)
    defer { close(file) }
    #expect(flock(file, LOCK_SH | LOCK_NB) == 0)
    #expect(try !ShardClaims.isLocked(1, of: run.folder))
    #expect(flock(file, LOCK_EX | LOCK_NB) == 0)
    #expect(try ShardClaims.isLocked(1, of: run.folder))
  }

  @Test func `of ten threads that write one marker, the first wins and no draft is left`() throws {
    let run = try BatchFolder(itemCount: 1)
    let folder = run.folder
    let failures = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 10) { number in
      do { try folder.mark(1, ["number": .integer(number)]) } catch { failures.withLock { $0 += 1 } }
    }
    #expect(failures.withLock { $0 } == 0)
    #expect(HostFile.names(in: folder.done) == ["00001.json"])
    let winner = try HostFile.read(folder.marker(1))
    let number = try #require(try JSONReader.read(winner)["number"].integer)
    #expect((0..<10).contains(number))
    try folder.mark(1, ["number": 10])
    #expect(try HostFile.read(run.folder.marker(1)) == winner)
  }

  @Test func `ten notes added at once have ten numbers`() throws {
    let run = try BatchFolder(itemCount: 1)
    let folder = run.folder
    let numbers = Mutex<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 10) { index in
      var note = JobNote(executor: .slurm, shards: [index + 1], round: 1, options: JobOptions())
      // A note that was not added has the number 0.
      try? note.add(to: folder)
      numbers.withLock { $0.append(note.number) }
    }
    #expect(numbers.withLock { $0.sorted() } == Array(1...10))
    let notes = try JobNote.all(of: folder)
    #expect(notes.map(\.number) == Array(1...10))
    #expect(Set(notes.map(\.shards)) == Set((1...10).map { [$0] }))
    #expect(HostFile.names(in: run.folder.jobs).count == 10)
  }
}
