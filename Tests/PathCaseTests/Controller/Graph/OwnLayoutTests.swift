import PluginAPI
import PluginTesting
import Testing

@testable import PathCase

@MainActor @Suite struct OwnLayoutTests {
  private func fork() -> DatabaseRecords {
    var records = DatabaseRecords(snapshot: "fork")
    records.addChain("w", count: 4)
    records.processes[1].participants.append(Participant(pool: "p3", role: .product))
    return records
  }

  private func row(of text: String, _ screen: ScreenDriver) -> Int? { screen.rows.firstIndex { $0.contains(text) } }

  /// Returns the ids of the nodes in each row of boxes, from the top.
  private func boxRows(_ screen: ScreenDriver) -> [[Identifier]] {
    guard let picture = screen.graph?.state.picture else { return [] }
    let rows = Dictionary(grouping: picture.layout.places) { Int($0.frame.y.rounded()) }
    return rows.sorted { $0.key < $1.key }.map { $0.value.map { picture.graph.nodes[$0.node].id }.sorted() }
  }

  @Test func `a layout is saved, drawn unchanged, and deleted`() async throws {
    let lab = try await ScreenLab()
    let screen = try await lab.pathway("w-urea", width: 200, height: 60)
    #expect(!screen.controller.status.contains { $0.text.contains("own layout") })
    screen.press("x")
    #expect(screen.told?.message == "you have no layout of your own")
    let rows = boxRows(screen)
    await screen.go("S")
    #expect(screen.told?.advice == "x deletes it")
    let again = try await lab.pathway("w-urea", width: 200, height: 60)
    #expect(again.controller.status.contains { $0.text.contains("own layout") })
    let kept = try #require(again.graph?.layout)
    #expect(kept.isFrozen)
    #expect(boxRows(again) == rows)
    again.press("x")
    guard case .question(let asked)? = again.requests.last, case .choice(let question) = asked.form else {
      Issue.record("the screen does not ask before deleting a layout")
      return
    }
    #expect(question.isDestructive && question.selected == "keep")
    await again.reply(nil)
    await again.reply("keep")
    #expect(again.graph?.layout?.isFrozen == true)
    await again.reply("forget")
    #expect(again.told?.message == "deleted your own layout")
    #expect(again.graph?.layout?.isFrozen == false)
    let fresh = try await lab.pathway("w-urea")
    #expect(fresh.graph?.layout?.isFrozen == false)
  }

  @Test func `a node moved by hand keeps its position`() async throws {
    let lab = try await ScreenLab(fork())
    let screen = try await lab.pathway("w", width: 80, height: 60)
    screen.press("/")
    screen.type("Pool 3")
    screen.press("enter", "escape")
    let before = try #require(row(of: "Pool 3", screen))
    screen.press("ctrl-up")
    let after = try #require(row(of: "Pool 3", screen))
    #expect(after < before)
    #expect(screen.controller.status.contains { $0.text.contains("moved; S saves it") })
    await screen.go("S")
    let again = try await lab.pathway("w", width: 80, height: 60)
    #expect(again.text.contains("Pool 3"))
    let (kept, moved) = (try #require(again.graph?.layout), try #require(screen.graph?.layout))
    #expect(kept.places.map(\.frame.y) == moved.places.map(\.frame.y))
    again.press("r")
    #expect(again.graph?.layout?.isFrozen == false)
  }

  /// Moves a node of the screen up.
  private func move(_ name: String, _ screen: ScreenDriver) {
    screen.press("/")
    screen.type(name)
    screen.press("enter", "escape", "ctrl-up")
  }

  @Test func `a layout stored by another program is shown`() async throws {
    let lab = try await ScreenLab(fork())
    let screen = try await lab.pathway("w", width: 80, height: 60)
    let other = try await lab.pathway("w", width: 80, height: 60)
    #expect(screen.graph?.layout?.isFrozen == false)
    move("Pool 3", other)
    await other.go("S")
    await screen.settle()
    #expect(screen.controller.status.contains { $0.text.contains("own layout") })
    let (shown, moved) = (try #require(screen.graph?.layout), try #require(other.graph?.layout))
    #expect(shown.places.map(\.frame.y) == moved.places.map(\.frame.y))
    // The shown layout is the stored one, so a change of it is saved without a question.
    move("Pool 2", screen)
    await screen.go("S")
    #expect(screen.told?.advice == "x deletes it")
  }

  @Test func `moved nodes replace a layout stored in the meantime only if the user agrees`() async throws {
    let lab = try await ScreenLab(fork())
    let store = try PathwayShelf().userData(lab.test.context)
    let screen = try await lab.pathway("w", width: 80, height: 60)
    let other = try await lab.pathway("w", width: 80, height: 60)
    move("Pool 2", screen)
    move("Pool 3", other)
    await other.go("S")
    let theirs = try #require(try await store.layout(of: "w"))
    await screen.settle()
    #expect(screen.controller.status.contains { $0.text.contains("moved; S saves it") })
    await screen.go("S")
    guard case .question(let asked)? = screen.requests.last, case .choice(let question) = asked.form else {
      Issue.record("the screen does not ask before replacing a layout")
      return
    }
    #expect(question.isDestructive && question.selected == "keep")
    await screen.reply("keep")
    #expect(try await store.layout(of: "w") == theirs)
    await screen.go("S")
    await screen.reply("replace")
    #expect(screen.told?.advice == "x deletes it")
    let mine = try #require(try await store.layout(of: "w"))
    #expect(!mine.hasContent(of: theirs))
    // The screen knows the version it stored, so it does not ask again.
    await screen.go("S")
    if case .question? = screen.requests.last { Issue.record("the screen asks before replacing the layout it stored") }
  }

  @Test func `moved nodes keep distinct positions, also in a saved layout`() async throws {
    let screen = try await (try await ScreenLab()).pathway("w-glycolysis", width: 200, height: 80)
    for key in ["ctrl-left", "ctrl-right", "ctrl-right", "ctrl-up", "ctrl-down", "ctrl-down"] {
      screen.press("n", key, key, key)
      let places = try #require(screen.graph?.layout?.places)
      #expect(places.count > 20)
      #expect(places.allSatisfy { $0.frame.x.isFinite && $0.frame.y.isFinite })
      #expect(Set(places.map { [$0.frame.x.rounded(), $0.frame.y.rounded()] }).count == places.count)
    }
    let count = screen.graph?.layout?.places.count
    await screen.go("c", "ctrl-left", "S", "c", "c")
    #expect(screen.graph?.layout?.isFrozen == true)
    screen.press("c")
    #expect(screen.graph?.layout?.places.count == count)
  }
}
