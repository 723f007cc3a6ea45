import Foundation
import PluginStore
import Testing

struct WholeFileTests {
  @Test func `a file is replaced as a whole and nothing else is left in its folder`() throws {
    let folder = StoreFolder()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    let path = folder.path + "/whole.txt"
    let large = [UInt8](repeating: 7, count: 3_000_000)
    #expect(WholeFile.replace(path, with: [1, 2, 3], mode: 0o640) == 0)
    #expect(WholeFile.replace(path, with: large) == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(large))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["whole.txt"])
  }

  @Test func `what cannot be written tells the system's error and leaves what was there`() throws {
    let folder = StoreFolder()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    #expect(WholeFile.write([1], to: folder.path + "/missing/x") == ENOENT)
    let taken = folder.path + "/taken"
    try FileManager.default.createDirectory(atPath: taken + "/inner", withIntermediateDirectories: true)
    #expect(WholeFile.replace(taken, with: [1]) == EISDIR)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["taken"])
  }

  @Test func `a new file takes no name that is taken`() throws {
    let folder = StoreFolder()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    let path = folder.path + "/new.txt"
    #expect(WholeFile.write([1], to: path, isDurable: false) == 0)
    #expect(WholeFile.write([2], to: path) == EEXIST)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1]))
  }
}
