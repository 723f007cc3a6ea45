import Foundation
import Testing

@testable import Host

struct RunFolderTests {
  @Test func `a picture's path is independent of shards, with a thousand pictures per folder`() {
    #expect(RunFolder.picture(of: 1) == "files/00000/1.png")
    #expect(RunFolder.picture(of: 999) == "files/00000/999.png")
    #expect(RunFolder.picture(of: 17_000) == "files/00017/17000.png")
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
}
