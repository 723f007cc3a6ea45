import Foundation
import PluginTesting
import Testing

struct SnapshotTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("snapshot-" + UUID().uuidString)
    .path
  private var file: String { folder + "/PageTests.swift" }
  private var path: String { folder + "/Snapshots/deep/page.txt" }

  private func compare(_ text: String, isRecording: Bool = false) throws {
    try expectSnapshot(text, named: "deep/page.txt", isRecording: isRecording, file: file)
  }

  private func mismatch(_ difference: String) -> SnapshotMismatch {
    SnapshotMismatch(path: path, difference: difference)
  }

  @Test func `a text is recorded beside its test and compared with the record`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(throws: mismatch("there is no record")) { try compare("one\ntwo") }
    try compare("one\ntwo", isRecording: true)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "one\ntwo")
    try compare("one\ntwo")
    try compare("one", isRecording: true)
    try compare("one")
  }

  @Test(arguments: [
    ("one\ntoo", "one\ntwo", "line 2 is 'too', recorded is 'two'"), ("a\nb", "a", "line 2 is 'b', recorded is the end"),
    ("", "a", "line 1 is '', recorded is 'a'"), ("a", "a\n", "line 2 is the end, recorded is ''"),
  ])
  func `a mismatch shows the first different line`(text: String, recorded: String, difference: String) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try compare(recorded, isRecording: true)
    #expect(throws: mismatch(difference)) { try compare(text) }
    #expect(mismatch(difference).description.contains("RECORD_SNAPSHOTS=1"))
  }

  @Test func `a record that cannot be written is an error`() {
    #expect(throws: SnapshotMismatch.self) {
      try expectSnapshot("one", named: "page.txt", isRecording: true, file: "/proc/PageTests.swift")
    }
  }
}
