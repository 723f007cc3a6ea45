import Foundation
import TestSupport
import Testing

@testable import Host

struct FolderWatchTests {
  private let folder: TemporaryFolder
  private let watch: FolderWatch

  init() throws {
    folder = try TemporaryFolder()
    try folder.write([], "Sources/a.swift")
    try folder.write([], ".build/x.o")
    watch = try FolderWatch(folder.path.path)
  }

  @Test func `a change of a file is told, in folders below too`() throws {
    try folder.write([1], "Sources/a.swift")
    #expect(watch.next())
    try folder.write([1], "main.py")
    #expect(watch.next())
    try FileManager.default.removeItem(at: folder.url("main.py"))
    #expect(watch.next())
  }

  @Test func `folders made later are watched too`() throws {
    try FileManager.default.createDirectory(at: folder.url("later"), withIntermediateDirectories: true)
    #expect(watch.next())
    try folder.write([1], "later/b.swift")
    #expect(watch.next())
  }

  @Test func `hidden folders are not watched`() throws {
    try FileManager.default.createDirectory(at: folder.url("__pycache__"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(at: folder.url("later"), withIntermediateDirectories: true)
    #expect(watch.next())
    #expect(watch.watchedFolders == ["", "/Sources", "/later"].map { folder.path.path + $0 })
  }

  @Test(arguments: [
    (".git", false), ("a~", false), ("__pycache__", false), ("x.wbplugin", false), ("main.py", true), ("tests", true),
  ])
  func `names of sources are watched`(name: String, isWatched: Bool) {
    #expect(FolderWatch.isWatched(name) == isWatched)
  }

  @Test func `the end of a watch wakes who waits for it`() async throws {
    let watch = watch
    async let told = Task.detached { watch.next() }.value
    watch.end()
    #expect(await told == false)
    #expect(!watch.next())
  }

  @Test func `a folder that is not there cannot be watched`() {
    #expect(throws: AuthorError.self) { try FolderWatch(folder.path.path + "/nothing") }
  }
}
