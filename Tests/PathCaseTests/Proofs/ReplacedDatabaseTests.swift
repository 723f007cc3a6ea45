import PluginAPI
import PluginTesting
import Testing

@testable import PathCase

/// Replaces the database while one of its pathways is on the screen.
@MainActor @Suite struct ReplacedDatabaseTests {
  private func replace(_ lab: ScreenLab, with records: DatabaseRecords, _ digit: String) throws {
    try PathwayShelf.snapshots(lab.test.context).install(
      DatabaseLinker.link(records),
      origin: SnapshotOrigin(sha256: String(repeating: digit, count: 64), source: "test", fetchedAt: 0))
    lab.test.context.notify(PathwayShelf.databaseChanged, ["reason": "update"])
    lab.test.context.loop.drain()
  }

  private func records(_ snapshot: String, _ name: String, count: Int) -> DatabaseRecords {
    var records = DatabaseRecords(snapshot: snapshot)
    records.addChain("w", name: name, count: count) { "\(snapshot) \($0)" }
    return records
  }

  @Test func `a shown graph is unchanged by a database update until its pathway is opened again`() async throws {
    let lab = try await ScreenLab(records("old", "Old way", count: 4))
    let screen = try await lab.pathway("w", width: 90, height: 40)
    #expect(screen.controller.title == "Old way" && screen.text.contains("old 0"))
    let before = screen.text
    try replace(lab, with: records("new", "New way", count: 6), "b")
    #expect(screen.text == before && screen.controller.title == "Old way")
    // Everything is still there and can be navigated.
    screen.press("n", "n", "3", "1", "-", "+", "f")
    #expect(screen.text.contains("old") && !screen.text.contains("new "))
    let again = try await lab.pathway("w", width: 90, height: 40)
    #expect(again.controller.title == "New way" && again.text.contains("new 0"))
    #expect(screen.controller.title == "Old way")
  }

  @Test func `a pathway missing from the new database stays on the screen`() async throws {
    let lab = try await ScreenLab(records("old", "Old way", count: 3))
    let screen = try await lab.pathway("w", width: 90, height: 40)
    var other = DatabaseRecords(snapshot: "new")
    other.addChain("x", name: "Another", count: 2)
    try replace(lab, with: other, "c")
    screen.press("n", "4", "1")
    #expect(screen.controller.title == "Old way" && screen.text.contains("old 0"))
    await screen.give(["open": "w"], from: "pathways")
    #expect(screen.controller.title == "Old way")
  }
}
