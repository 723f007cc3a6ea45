import PluginAPI
import Testing

@testable import OpenBIS

@Suite struct EntityListTests {
  static func entity(
    _ id: String, _ category: String = "well", children: Int? = nil, summary: String = "", flags: EntityFlags = []
  ) -> EntitySummary {
    EntitySummary(
      permID: id, category: category, summaryHeader: flags.contains(.notLoaded) ? "" : "Entity \(id)",
      summary: summary, childCount: children, flags: flags)
  }

  private func list(_ rows: [EntitySummary], parent: EntitySummary? = nil) -> EntityListState {
    var state = EntityListState(parent: parent)
    state.take(EntityPage(rows: rows, total: rows.count), for: 0..<EntityListState.pageSize)
    return state
  }

  private func text(_ state: EntityListState, _ width: Int = 50, _ height: Int = 8) -> String {
    var frame = TextFrame(size: Size(width: width, height: height))
    EntityListView(title: "List", state: state, emptyText: "nothing here: r asks").draw(into: &frame)
    return frame.plainText
  }

  /// Reads rows of a list with a number of entities, as the store does, while any are missing.
  private func fill(_ state: inout EntityListState, total: Int, height: Int) -> Int {
    var reads = 0
    while let range = state.missing(height: height) {
      let rows = range.clamped(to: 0..<total).map { Self.entity("\($0)", $0 < total / 2 ? "well" : "plate") }
      state.take(EntityPage(rows: Array(rows), total: total), for: range)
      reads += 1
    }
    return reads
  }

  @Test func `case 31: rows are grouped by category, with counts and marks, unknown children by id`() {
    let state = list([
      Self.entity("1", "well", children: 3, summary: "384 wells"), Self.entity("2", "well"),
      Self.entity("X", "", flags: .notLoaded), Self.entity("3", "plate", flags: .missingOnServer),
    ])
    #expect(
      text(state).split(separator: "\n") == [
        " well", "▌ Entity 1        384 wells                  3  ›", "  Entity 2", "  (not loaded) X", " plate",
        "  Entity 3                       maybe deleted",
      ])
  }

  @Test func `the list's own entity is listed first and is not a link`() {
    let parent = Self.entity("P", "plate", children: 2)
    let state = list([Self.entity("1", children: 5)], parent: parent)
    let lines = text(state).split(separator: "\n")
    #expect(lines[0].hasPrefix("▌ Entity P"))
    #expect(!lines[0].contains("›"))
    #expect(lines[2].hasSuffix("›") && lines[2].contains("5"))
    #expect(state.isParent(state.cursor.selected))
  }

  @Test func `only rows near the visible ones of 100 000 are held in memory`() {
    var state = EntityListState()
    #expect(fill(&state, total: 100_000, height: 20) == 1)
    #expect(state.missing(height: 20) == nil)
    let rect = Rect(x: 0, y: 0, width: 60, height: 20)
    _ = state.handle(.key(Key(.end)), in: rect)
    #expect(state.selected == nil)
    #expect(fill(&state, total: 100_000, height: 20) == 1)
    #expect(state.selected?.permID == "99999")
    for place in stride(from: 0, to: 100_000, by: 3000) {
      _ = state.handle(.key(Key(.home)), in: rect)
      for _ in 0..<place / 3000 { _ = state.handle(.key(Key(.pageDown)), in: rect) }
      _ = fill(&state, total: 100_000, height: 20)
    }
    #expect((0..<100_000).count { state.entity(at: $0) != nil } <= 8 * EntityListState.pageSize)
  }

  @Test func `the selected row stays visible below its headings`() {
    var state = list((0..<40).map { Self.entity("\($0)", "kind \($0 / 2)") })
    let rect = Rect(x: 0, y: 0, width: 40, height: 10)
    for step in 1..<40 {
      _ = state.handle(.key(Key(.down)), in: rect)
      #expect(text(state, 40, 10).contains("▌ Entity \(step)"), "row \(step)")
    }
  }

  @Test func `a changed store is read again, and the selection stays with its entity`() {
    var state = list((0..<10).map { Self.entity("\($0)") })
    let rect = Rect(x: 0, y: 0, width: 40, height: 10)
    for _ in 0..<4 { _ = state.handle(.key(Key(.down)), in: rect) }
    #expect(state.selected?.permID == "4")
    state.expire()
    #expect(state.selected?.permID == "4")
    #expect(state.missing(height: 10) == 0..<EntityListState.pageSize)
    let rows = [Self.entity("new")] + (0..<10).map { Self.entity("\($0)") }
    state.take(EntityPage(rows: rows, total: 11), for: 0..<EntityListState.pageSize)
    #expect(state.selected?.permID == "4")
    #expect(state.cursor.selected == 5)
    #expect(state.missing(height: 10) == nil)
  }

  @Test func `a list that became shorter keeps the selection within it`() {
    var state = list((0..<10).map { Self.entity("\($0)") })
    _ = state.handle(.key(Key(.end)), in: Rect(x: 0, y: 0, width: 40, height: 10))
    state.take(EntityPage(rows: [Self.entity("0")], total: 1), for: 0..<EntityListState.pageSize)
    #expect(state.cursor.selected == 0)
    state.take(EntityPage(), for: 0..<EntityListState.pageSize)
    #expect(state.count == 0)
    #expect(text(state).contains("nothing here: r asks"))
  }

  @Test func `the filter shows only results for the current text`() {
    var state = list((0..<10).map { Self.entity("\($0)") })
    let rect = Rect(x: 0, y: 0, width: 40, height: 10)
    for key in ["/", "a", "b"] { _ = state.handle(.key(Key(.character(Character(key)))), in: rect) }
    state.take(FoundEntities(rows: [Self.entity("7")]), for: "a")
    #expect(state.count == 10)
    state.take(FoundEntities(rows: [Self.entity("8")], hasMore: true, notIndexed: 5), for: "ab")
    #expect(state.selected?.permID == "8")
    #expect(text(state).hasPrefix("/ ab"))
    #expect(text(state).contains("1 and more, 5 not indexed yet"))
    _ = state.handle(.key(Key(.escape)), in: rect)
    #expect(state.count == 10)
    #expect(state.selected?.permID == "8")
  }

  @Test func `a click selects the row under it, below headings`() {
    var state = list([Self.entity("1", "a"), Self.entity("2", "b")])
    let rect = Rect(x: 0, y: 0, width: 40, height: 10)
    let chosen = state.handle(.mouse(Mouse(.press(clicks: 2), at: Point(x: 5, y: 3))), in: rect)
    #expect(chosen == .chosen("2"))
    #expect(state.handle(.mouse(Mouse(.press(clicks: 2), at: Point(x: 5, y: 2))), in: rect) == .changed)
  }

  @Test func `hostile texts in every column are drawn and spoken sanitized`() {
    for hostile in HostileTexts.all {
      let entity = EntitySummary(
        permID: "id" + hostile, category: hostile, summaryHeader: hostile, summary: hostile, childCount: 1, flags: [])
      let unknown = EntitySummary(
        permID: hostile, category: "", summaryHeader: "", summary: "", childCount: nil, flags: .notLoaded)
      let state = list([entity, unknown], parent: entity)
      #expect(Harm.found(in: text(state), allowing: ["\n"]).isEmpty, "\(hostile.debugDescription)")
      let outline = EntityListView(title: hostile, state: state, emptyText: "").outline
      let spoken = [outline.title] + outline.text + outline.items.map(\.text)
      #expect(spoken.allSatisfy { Harm.found(in: $0).isEmpty }, "\(hostile.debugDescription)")
    }
  }

  @Test(arguments: [(0, 0), (1, 1), (2, 5), (3, 1), (9, 2), (300, 100)])
  func `a frame of any size can be drawn`(size: (Int, Int)) {
    let state = list([Self.entity("1", children: 4, summary: "s"), Self.entity("2", "b")], parent: Self.entity("P"))
    #expect(text(state, size.0, size.1).count >= 0)
    #expect(text(EntityListState(), size.0, size.1).count >= 0)
  }
}
