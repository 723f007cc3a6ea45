import Foundation
import PluginAPI
import PluginStore
import Testing

@testable import PathCase

struct PipeFileTests {
  /// Calls a function with a named pipe, which is removed afterward; a writer is started if there is something to
  /// write.
  private func withPipe(_ content: [UInt8]?, _ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID().uuidString)").path
    try #require(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    if let content {
      Thread.detachNewThread {
        let descriptor = open(path, O_WRONLY)
        var rest = content[...]
        while !rest.isEmpty {
          let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, min($0.count, 1000)) }
          if count <= 0 { break }
          rest = rest.dropFirst(count)
        }
        close(descriptor)
      }
    }
    try body(path)
  }

  @Test func `a pipe is read to its end in chunks of any size`() throws {
    let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    try withPipe(content) { path in
      let read = try NetworkFile.bytes(path)
      #expect(read == content)
    }
  }

  @Test func `waiting for a pipe without a writer can be canceled`() throws {
    var asked = 0
    try withPipe(nil) { path in
      #expect(throws: CancellationError.self) {
        try NetworkFile.bytes(path) {
          asked += 1
          return asked == 3
        }
      }
    }
    #expect(asked == 3)
  }

  @Test func `a pipe with more bytes than allowed is refused`() throws {
    try withPipe([UInt8](repeating: 32, count: 3000)) { path in
      #expect(throws: NetworkFileError.unreadable(path, reason: SystemReason(.tooLarge(limitInBytes: 2999)))) {
        try PipeFile.bytes(path, limitInBytes: 2999) { false }
      }
    }
  }

  @Test func `a device is neither a file nor a pipe`() throws {
    let bytes = try PipeFile.bytes("/dev/null", limitInBytes: 1) { false }
    #expect(bytes == nil)
    #expect(throws: NetworkFileError.unreadable("/dev/null", reason: SystemReason(.notPlain))) {
      try NetworkFile.bytes("/dev/null")
    }
  }
}
