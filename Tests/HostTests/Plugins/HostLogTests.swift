import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

struct HostLogTests {
  @Test func `two processes that fill a log lose no line of the newest file`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.path
    let (one, other) = (HostLog(folder: path, limit: 1000), HostLog(folder: path, limit: 1000))
    one.write(.note, from: "tester", "first")
    // The other begins a new file behind the back of the one.
    for number in 0..<30 { other.write(.note, from: "tester", "line \(number)") }
    let full = try String(contentsOfFile: path + "/workbench.log.1", encoding: .utf8)
    one.write(.note, from: "tester", "last")
    #expect(try String(contentsOfFile: path + "/workbench.log.1", encoding: .utf8) == full)
    let newest = try String(contentsOfFile: path + "/workbench.log", encoding: .utf8)
    #expect(newest.hasSuffix("\tlast\n") && newest.contains("\tline 29\n"))
    #expect(OpenDescriptors.copies(of: path).isEmpty)
  }

  @Test func `a long message is cut, on one line`() throws {
    let folder = try TemporaryFolder()
    let log = HostLog(folder: folder.path.path)
    log.write(.error, from: "tester", String(repeating: "ä\n", count: 1 << 20))
    log.write(.note, from: "tester", String(repeating: "x", count: HostLog.longestMessage))
    let lines = try String(contentsOf: folder.url("workbench.log"), encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2)
    // Half of the scalars are line feeds, which are escaped.
    #expect(
      lines.first?.hasSuffix("\ttester\t" + String(repeating: "ä%0A", count: HostLog.longestMessage / 2) + "…") == true)
    #expect(lines.last?.hasSuffix("\ttester\t" + String(repeating: "x", count: HostLog.longestMessage)) == true)
  }
}
