import Foundation
import Glibc
import TestSupport
import Testing

@testable import Host

struct TraceFileTests {
  @Test func `a closed trace writes nothing, even if its descriptor is reused`() throws {
    let folder = try TemporaryFolder()
    let file = folder.url("trace.jsonl").path
    let trace = try TraceFile(path: file, command: "version")
    trace.add("start")
    trace.close()
    trace.close()
    #expect(OpenDescriptors.copies(of: file).isEmpty)
    // The next file that is opened gets the number that is free.
    let other = folder.url("other").path
    let descriptor = open(other, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    trace.add("value")
    #expect(try Data(contentsOf: URL(fileURLWithPath: other)).isEmpty)
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 1 && lines[0].contains("start"))
  }
}
