import Glibc
import PluginStore
import Testing

struct PartialFileTests {
  private func newFolder() -> StoreFolder {
    let folder = StoreFolder()
    mkdir(folder.path, 0o700)
    return folder
  }

  private func append(_ bytes: [UInt8], to part: PartialFile) throws {
    try bytes.withUnsafeBytes { try part.append($0) }
  }

  private func content(_ part: PartialFile) throws -> [UInt8] {
    var all: [UInt8] = []
    try part.read { all += $0 }
    return all
  }

  @Test func `a partial file is locked, resumed at its end and renamed to the final file`() throws {
    let folder = newFolder()
    let path = folder.path + "/a.part"
    let first = try PartialFile(path)
    try append([1, 2, 3], to: first)
    #expect(throws: LockedFile.Failure.held) { try PartialFile(path) }
    first.close()
    let second = try PartialFile(path)
    defer { second.close() }
    #expect(second.count == 3)
    try append([4, 5], to: second)
    #expect(try content(second) == [1, 2, 3, 4, 5])
    try second.keepFirst(2)
    try append([9], to: second)
    #expect(try second.count == 3 && content(second) == [1, 2, 9])
    try second.rename(to: folder.path + "/a")
    #expect(access(path, F_OK) != 0 && access(folder.path + "/a", F_OK) == 0)
  }

  @Test func `a partial file larger than one chunk is read whole`() throws {
    let folder = newFolder()
    let part = try PartialFile(folder.path + "/large.part")
    defer { part.close() }
    let bytes = (0..<(1 << 20) + 17).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try append(bytes, to: part)
    #expect(try content(part) == bytes)
    part.remove()
    #expect(access(part.path, F_OK) != 0)
  }

  @Test func `a closed partial file cannot be written`() throws {
    let folder = newFolder()
    let part = try PartialFile(folder.path + "/a.part")
    part.close()
    #expect(throws: WholeFileFailure(number: EBADF)) { try append([1], to: part) }
    #expect(throws: WholeFileFailure(number: EBADF)) { try part.keepFirst(0) }
  }
}
