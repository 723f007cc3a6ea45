import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

struct InputSpoolTests {
  private let command = CommandDescription("read", "reads", output: .init(.any)).taking(
    [Parameter("file", .inputFile(extensions: []), "files", isRepeatable: true)],
    options: [Parameter("text", .text, "text"), Parameter("model", .document(extensions: []), "a document")])

  /// Creates a FIFO and writes to it on a separate thread.
  private func fifo(_ folder: TemporaryFolder, _ name: String, _ bytes: [UInt8]) throws -> String {
    let path = folder.url(name).path
    #expect(mkfifo(path, 0o600) == 0)
    Thread.detachNewThread {
      guard let descriptor = try? HostFile.open(path, O_WRONLY) else { return }
      _ = HostFile.writeAll(bytes, to: descriptor)
      close(descriptor)
    }
    return path
  }

  @Test func `only standard input and FIFOs are copied`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write([1], "file.pdb").path
    let pipe = folder.url("pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let arguments: Record = [
      "file": [.text(file), .text(pipe), "-", "/nonexistent", "/dev/null", .text(folder.path.path)], "text": "-",
      "model": "1crn",
    ]
    #expect(try InputSpool.paths(in: arguments, of: command) == [pipe, "-"])
    let copies = InputSpool.Copies(folder: "/c", paths: [pipe: "/c/1/pipe", "-": "/c/2/stdin"])
    let replaced = InputSpool.replacing(arguments, of: command, by: copies)
    #expect(replaced["file"]?.list?.prefix(3) == [.text(file), "/c/1/pipe", "/c/2/stdin"])
    #expect(replaced["text"] == "-" && replaced["model"] == "1crn")
    #expect(throws: InputSpoolError.twice) {
      try InputSpool.paths(in: ["file": ["-"], "model": "/dev/stdin"], of: command)
    }
  }

  @Test func `a copy has the name and bytes of its FIFO and is private`() throws {
    let folder = try TemporaryFolder()
    let bytes = [UInt8](repeating: 7, count: 300_000)
    let words = [try fifo(folder, "a.pdb", bytes), try fifo(folder, "b.cif", [])]
    let temporary = TemporaryFiles()
    let copied = try InputSpool(parent: folder.path.path, temporary: temporary).copy(words) { false }
    let paths = try words.map { try #require(copied.paths[$0]) }
    #expect(paths.map(FilePath.name) == ["a.pdb", "b.cif"])
    #expect(try HostFile.read(paths[0]) == bytes && HostFile.read(paths[1]).isEmpty)
    #expect(paths.allSatisfy(temporary.hold) && !temporary.hold(words[0]))
    let attributes = try FileManager.default.attributesOfItem(atPath: copied.folder)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
    temporary.removeAll()
    #expect(HostFile.size(copied.folder) == nil && !temporary.hold(paths[0]))
  }

  @Test func `input over the limit and a canceled copy leave no files`() throws {
    let folder = try TemporaryFolder()
    func spool(_ limit: Int) -> InputSpool {
      InputSpool(parent: folder.path.path, temporary: TemporaryFiles(), limitInBytes: limit)
    }
    let large = try fifo(folder, "large", [UInt8](repeating: 1, count: 101))
    #expect(throws: HostFileError.tooLarge(large, limit: 100)) {
      try spool(100).copy([large]) { false }
    }
    let canceled = try fifo(folder, "canceled", [1])
    #expect(throws: CancellationError.self) {
      try spool(100).copy([canceled]) { true }
    }
    #expect(HostFile.names(in: folder.path.path).sorted() == ["canceled", "large"])
  }
}
