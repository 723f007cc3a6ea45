import Foundation
import PluginAPI
import Synchronization
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

  @Test func `a changed file is reported, even in a subfolder`() throws {
    try folder.write([1], "Sources/a.swift")
    #expect(try watch.next())
    try folder.write([1], "main.py")
    #expect(try watch.next())
    try FileManager.default.removeItem(at: folder.url("main.py"))
    #expect(try watch.next())
  }

  @Test func `folders created later are watched too`() throws {
    try FileManager.default.createDirectory(at: folder.url("later"), withIntermediateDirectories: true)
    #expect(try watch.next())
    try folder.write([1], "later/b.swift")
    #expect(try watch.next())
  }

  @Test func `a deleted folder is no longer watched`() throws {
    try FileManager.default.removeItem(at: folder.url("Sources"))
    #expect(try watch.next())
    // The system may report the end of its watch after the deletion.
    while watch.watchedFolders.count > 1 {
      try folder.write([1], "main.py")
      #expect(try watch.next())
    }
    #expect(watch.watchedFolders == [folder.path.path])
  }

  @Test func `a renamed folder is watched at its new path, and one moved away is not`() throws {
    try folder.write([], "Sources/Deep/b.swift")
    #expect(try watch.next())
    try FileManager.default.moveItem(at: folder.url("Sources"), to: folder.url("Code"))
    #expect(try watch.next())
    #expect(watch.watchedFolders == ["", "/Code", "/Code/Deep"].map { folder.path.path + $0 })
    try FileManager.default.moveItem(at: folder.url("Code"), to: folder.url(".build/Code"))
    #expect(try watch.next())
    #expect(watch.watchedFolders == [folder.path.path])
  }

  @Test func `removal of the watched folder is an error`() throws {
    try FileManager.default.removeItem(at: folder.path)
    #expect(throws: AuthorError.cannotWatch(folder.path.path, reason: "it was removed")) {
      while try watch.next() {}
    }
  }

  @Test func `too many new folders are an error`() throws {
    for number in 0..<2000 {
      try FileManager.default.createDirectory(
        at: folder.url("many/\(number)"), withIntermediateDirectories: true)
    }
    #expect(throws: AuthorError.cannotWatch(folder.path.path, reason: "it has more than 2000 folders")) {
      while try watch.next() {}
    }
  }

  @Test func `continuous changes are reported too`() throws {
    let file = folder.url("log.txt")
    // A thread of its own: those that tasks share may all be taken.
    let writer = Writer()
    Thread.detachNewThread {
      while !writer.hasEnded.withLock({ $0 }) { try? Data([1]).write(to: file) }
    }
    #expect(try watch.next())
    writer.hasEnded.withLock { $0 = true }
  }

  @Test func `an ended watch releases its descriptors`() throws {
    // More than a process may have of them, if they stayed open.
    let watches = try (0..<1000).map { _ in
      let watch = try FolderWatch(folder.path.path)
      watch.end()
      return watch
    }
    #expect(watches.allSatisfy { $0.watchedFolders.isEmpty })
    #expect(try !watches[0].next())
    watches[0].end()
  }

  @Test func `hidden folders are not watched`() throws {
    try FileManager.default.createDirectory(at: folder.url("__pycache__"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(at: folder.url("later"), withIntermediateDirectories: true)
    #expect(try watch.next())
    #expect(watch.watchedFolders == ["", "/Sources", "/later"].map { folder.path.path + $0 })
  }

  @Test(arguments: [
    (".git", false), ("a~", false), ("__pycache__", false), ("x.wbplugin", false), ("x.wbplugin.minisig", false),
    ("main.py", true), ("tests", true),
  ])
  func `source files are watched by their names`(name: String, isWatched: Bool) {
    #expect(FolderWatch.isWatched(name) == isWatched)
  }

  @Test func `ending a watch wakes its waiting task`() async throws {
    let watch = watch
    async let told = Task.detached { try watch.next() }.value
    watch.end()
    #expect(try await told == false)
    #expect(try !watch.next())
  }

  @Test func `a missing folder cannot be watched`() {
    #expect(throws: ErrorReport.self) { try FolderWatch(folder.path.path + "/nothing") }
  }
}

/// A thread that writes until it is told to end.
private final class Writer: Sendable {
  let hasEnded = Mutex(false)
}
