import Foundation
import Testing

/// Compares a text with the one recorded beside the tests.
///
/// `RECORD_SNAPSHOTS=1` in the environment records it again.
func expectSnapshot(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
  let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  let file = folder.appendingPathComponent("Snapshots").appendingPathComponent(name)
  if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
    try Data(text.utf8).write(to: file)
  }
  let recorded = try? String(contentsOf: file, encoding: .utf8)
  #expect(text == recorded, "\(name) differs from its record", sourceLocation: sourceLocation)
}
