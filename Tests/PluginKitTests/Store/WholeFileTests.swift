import Foundation
import PluginAPI
import PluginStore
import Testing

struct WholeFileTests {
  @Test func `a replaced file is written as a whole, without other files in its folder`() throws {
    let folder = StoreFolder()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    let path = folder.path + "/whole.txt"
    let large = [UInt8](repeating: 7, count: 3_000_000)
    #expect(WholeFile.replace(path, with: [1, 2, 3], mode: 0o640) == 0)
    #expect(WholeFile.replace(path, with: large) == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(large))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["whole.txt"])
  }

  @Test func `a failed write returns the system's error and leaves the old content`() throws {
    let folder = StoreFolder()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    #expect(WholeFile.write([1], to: folder.path + "/missing/x") == ENOENT)
    let taken = folder.path + "/taken"
    try FileManager.default.createDirectory(atPath: taken + "/inner", withIntermediateDirectories: true)
    #expect(WholeFile.replace(taken, with: [1]) == EISDIR)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["taken"])
  }

  @Test func `an output file that cannot be written has the plugin's code and the kind of failure`() {
    let declared = DeclaredError("test.not-writable", .unusableInput, "a file cannot be written")
    let failures: [(Int32, ErrorReport.Kind)] = [(ENOENT, .notFound), (EACCES, .refused), (EISDIR, .failure)]
    for (number, kind) in failures {
      let report = WholeFileFailure(number: number).report(declared, of: "a/b")
      #expect(report.code == "test.not-writable" && report.kind == kind && report.details["file"] == "a/b")
      #expect(report.message.hasPrefix("'a/b' cannot be written: "))
    }
    for name in ["", "-"] {
      let report = #expect(throws: ErrorReport.self) { try WholeFile.checkOutput(name, declared) }
      #expect(report?.code == "test.not-writable" && report?.kind == .usage)
    }
    #expect(throws: Never.self) { try WholeFile.checkOutput("-a", declared) }
  }

  @Test func `an output file is written as a whole, or the plugin's error names it`() throws {
    let folder = StoreFolder()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    let declared = DeclaredError("test.not-writable", .usage, "a file cannot be written")
    let path = folder.path + "/result.txt"
    try WholeFile.writeOutput([1, 2], to: path, declared)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1, 2]))
    for (name, kind) in [
      ("-", ErrorReport.Kind.usage), (folder.path + "/missing/x", .notFound), (folder.path, .failure),
    ] {
      let report = #expect(throws: ErrorReport.self) { try WholeFile.writeOutput([3], to: name, declared) }
      #expect(report?.code == "test.not-writable" && report?.kind == kind && report?.details["file"] == .text(name))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["result.txt"])
  }

  @Test func `a new file does not replace an existing one`() throws {
    let folder = StoreFolder()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    let path = folder.path + "/new.txt"
    #expect(WholeFile.write([1], to: path, isDurable: false) == 0)
    #expect(WholeFile.write([2], to: path) == EEXIST)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1]))
  }

  @Test func `links are followed to their target, whose permissions are preserved`() throws {
    let folder = StoreFolder()
    try FileManager.default.createDirectory(atPath: folder.path + "/deep", withIntermediateDirectories: true)
    let file = folder.path + "/deep/file"
    #expect(WholeFile.write([1], to: file) == 0)
    chmod(file, 0o640)
    for (name, target) in [("link", "deep/file"), ("second", "link"), ("early", "deep/new"), ("loop", "loop")] {
      symlink(target, folder.path + "/" + name)
    }
    #expect(WholeFile.replace(folder.path + "/second", with: [2], mode: 0o600) == 0)
    #expect(WholeFile.replace(folder.path + "/early", with: [3]) == 0)
    #expect(WholeFile.replace(folder.path + "/loop", with: [4]) == ELOOP)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data([2]))
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/deep/new")) == Data([3]))
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(lstat(folder.path + "/link", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    // If that is wanted the link itself is replaced.
    #expect(WholeFile.replace(folder.path + "/link", with: [5], followsLinks: false) == 0)
    #expect(lstat(folder.path + "/link", &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data([2]))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/deep").sorted() == ["file", "new"])
  }

  @Test func `pipes and devices are written to, not replaced`() throws {
    let folder = StoreFolder()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    #expect(WholeFile.replace(pipe, with: [1, 2, 3]) == 0)
    var bytes = [UInt8](repeating: 0, count: 8)
    #expect(read(reader, &bytes, bytes.count) == 3 && Array(bytes.prefix(3)) == [1, 2, 3])
    #expect(WholeFile.replace("/dev/full", with: [1]) == ENOSPC)
    #expect(WholeFile.replace("", with: [1]) == ENOENT)
    var status = stat()
    #expect(lstat("/dev/full", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["pipe"])
  }

  @Test func `a writer that is not closed leaves no file`() throws {
    let folder = StoreFolder()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    let path = folder.path + "/file"
    do {
      let writer = try WholeFileWriter(path)
      try writer.write([1, 2])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func `a regular file is read whole, and other files are refused without waiting`() throws {
    let folder = StoreFolder()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    let path = folder.path + "/whole.txt"
    #expect(WholeFile.write([1, 2, 3], to: path) == 0)
    #expect(try WholeFile.read(path, limitInBytes: 3) == [1, 2, 3])
    #expect(throws: WholeFile.ReadFailure.tooLarge(limitInBytes: 2)) { try WholeFile.read(path, limitInBytes: 2) }
    #expect(throws: WholeFile.ReadFailure.notPlain) { try WholeFile.read(folder.path, limitInBytes: 3) }
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
    #expect(throws: WholeFile.ReadFailure.notPlain) { try WholeFile.read(folder.path + "/pipe", limitInBytes: 3) }
    let missing = #expect(throws: WholeFile.ReadFailure.self) {
      try WholeFile.read(folder.path + "/none", limitInBytes: 3)
    }
    #expect(missing?.isMissing == true)
  }

  @Test func `work on its own thread returns its result and can be canceled`() async throws {
    #expect(try await OwnThread.value { _ in 7 } == 7)
    let began = AsyncStream.makeStream(of: Void.self)
    let waiting = Task {
      try await OwnThread.value { checkCancellation in
        began.continuation.yield()
        while true { try checkCancellation() }
      }
    }
    for await _ in began.stream { break }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }
}
