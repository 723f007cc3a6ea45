import PluginAPI
import PluginTesting
import PluginText
import Testing

@testable import PathCase

/// Hostile graphs and names that should not exist but occur.
@MainActor @Suite struct HostileGraphTests {
  private static let names = [
    "葡萄糖磷酸", "שלום עולם", "👩‍👩‍👧‍👦 family", "a\u{301}\u{301}\u{301}e\u{301}", "\u{200B}\u{200D}",
    "\u{1B}[31mred\u{1B}]0;x\u{7}",
    "\u{202E}desrever", "\u{9B}2J", "tab\tline\nfeed", String(repeating: "long ", count: 200_000), "", "   ",
  ]

  private func records() -> DatabaseRecords {
    var records = DatabaseRecords(snapshot: "odd \u{1B}[2J")
    records.addChain("w", name: Self.names[5] + Self.names[0], count: Self.names.count) { Self.names[$0] }
    for index in records.processes.indices { records.processes[index].name = Self.names[index] }
    return records
  }

  private func isHarmless(_ screen: ScreenDriver, _ size: Size) -> Bool {
    let bad = screen.text.unicodeScalars.contains { $0 != "\n" && !SanitizedText.isSafe($0) }
    let fits = screen.rows.allSatisfy { TextWidth.columns($0) <= size.width }
    return !bad && fits && screen.controller.title.unicodeScalars.allSatisfy { $0.value >= 0x20 }
  }

  @Test(arguments: [(100, 60), (37, 20), (20, 5), (5, 5)])
  func `rows 27 to 29: unusual names are truncated, escaped and measured by their width`(width: Int, height: Int)
    async throws
  {
    let size = Size(width: width, height: height)
    let lab = try await ScreenLab(records())
    let screen = try await lab.pathway("w", width: width, height: height)
    #expect(isHarmless(screen, size))
    for key in ["n", "-", "n", "-", "-", "n", "3", "4", "5", "1", "+", "+", "right", "right", "down"] {
      screen.press(key)
      #expect(isHarmless(screen, size), "\(key)")
    }
    for subject in ["p5", "p9", "p-r9", "p10", "p-r4"] {
      let node = try await lab.test.screen("node", ["network": "w", "subject": .text(subject)], size: size).settled()
      #expect(isHarmless(node, size))
    }
    let home = try await lab.home(width: width, height: height)
    #expect(isHarmless(home, size))
    home.press("/")
    home.type("long")
    #expect(isHarmless(home, size))
  }

  @Test func `row 22: empty pathways and those with a single process are shown`() async throws {
    var records = DatabaseRecords(snapshot: "few")
    records.addChain("one", count: 1)
    records.pathways.append(MetabolicPathway(id: "none", name: "Nothing"))
    records.processes.append(
      MetabolicProcess(id: "r", name: "Alone", participants: [Participant(pool: "p0", role: .substrate)]))
    records.pathways.append(MetabolicPathway(id: "single", name: "Single", processes: ["r"]))
    let lab = try await ScreenLab(records)
    let empty = try await lab.pathway("none")
    #expect(empty.controller.title == "Nothing")
    #expect(empty.text.contains("the network has nothing to draw"))
    empty.press("f", "-", "-", "-", "+", "n", "/", "x", "escape", "shift-down", "c", "s", "r", "3", "4", "5", "6")
    #expect(empty.text.contains("the database has no reference ranges"))
    let single = try await lab.pathway("single")
    #expect(single.text.contains("Alone") && single.text.contains("Pool 0"))
    single.press("f", "-", "-", "-", "n", "n", "n", "shift-down")
    #expect(single.text.contains("◉"))
  }

  @Test func `row 31: a pool of 2000 processes is drawn, and can be hidden`() async throws {
    let screen = try await (try await ScreenLab(.star(2000))).pathway("star", width: 80, height: 24)
    #expect(screen.told?.code == "pathcase.busy-pool")
    #expect(screen.told?.advice == "c hides it")
    screen.press("n", "-", "-", "-", "c")
    #expect(screen.controller.status.contains { $0.text.contains("1 common hidden") })
    #expect(screen.graph?.state.picture?.layout.places.contains { $0.node == 0 } == false)
    screen.press("c")
    #expect(screen.controller.status.contains { $0.text.contains("common shown") })
  }
}
