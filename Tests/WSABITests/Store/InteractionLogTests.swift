import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import WSABI

@Suite struct InteractionLogTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func entry(_ number: Int, _ event: String = "capture") -> Interaction {
    Interaction(
      at: Instant(seconds: 1_800_000_000), kind: .command, view: "card", event: event, target: "item \(number)",
      outcome: "ok")
  }

  @Test func `a line has time, kind, view, event, target and outcome`() {
    #expect(entry(3).line == "2027-01-15T08:00:00Z\tcommand\tcard\tcapture\titem 3\tok")
    #expect(entry(3, "a\tb\nc\u{1B}[2J").line == "2027-01-15T08:00:00Z\tcommand\tcard\tabc[2J\titem 3\tok")
  }

  @Test func `full log files are rotated, and a fixed number remains`() throws {
    let log = InteractionLog(folder: folder.path.path, limitInBytes: 200, keptFiles: 3)
    for number in 1...40 { log.add(entry(number)) }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path.path).sorted()
    #expect(files == ["interactions.1.txt", "interactions.2.txt", "interactions.txt"])
    for file in files {
      let path = folder.path.path + "/" + file
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count <= 200)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
    let targets = log.entries(5).map { $0[4] }
    #expect(targets == (36...40).map { "item \($0)" })
    #expect(log.entries(1000).last?[4] == "item 40")
  }

  @Test func `a log that cannot be written is ignored`() {
    let log = InteractionLog(folder: folder.path.path + "/none")
    log.add(entry(1))
    #expect(log.entries(10).isEmpty)
  }
}
