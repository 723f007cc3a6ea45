import PluginAPI
import Testing

struct ListStateTests {
  typealias Samples = ViewSamples
  private let rect = ViewSamples.rect(44, 4)

  private func after(_ keys: String...) -> ListState {
    var state = Samples.ports
    for key in keys { _ = state.handle(Samples.key(key), in: rect) }
    return state
  }

  @Test func `a list shows titles, details, badges and marks in columns`() {
    #expect(
      Samples.shown(ListView("Ports", after("down")), 44, 4) == """
          Add a port                               ┃
        ▌ Helgoland   North Sea           2.4 m  › ┃
          Cuxhaven    mouth of the Elbe   2.9 m  › │
          Saint-Malo  Channel coast       8.0 m  › │
        """)
  }

  @Test func `keys move the selection and scroll only as needed`() {
    #expect(after("down", "down", "down", "down").cursor == RowCursor(selected: 4, top: 1))
    #expect(after("end").cursor == RowCursor(selected: 5, top: 2))
    #expect(after("end", "up").cursor == RowCursor(selected: 4, top: 2))
    #expect(after("G", "home").cursor == RowCursor(selected: 0, top: 0))
    #expect(after("page-down").cursor.selected == 3)
    #expect(after("up").cursor.selected == 0)
  }

  @Test func `enter chooses, and right opens a row with a disclosure mark`() {
    var state = Samples.ports
    let outcome1 = state.handle(Samples.key("enter"), in: rect)
    #expect(outcome1 == .chosen("new"))
    let outcome2 = state.handle(Samples.key("right"), in: rect)
    #expect(outcome2 == nil)
    _ = state.handle(Samples.key("down"), in: rect)
    let outcome3 = state.handle(Samples.key("right"), in: rect)
    #expect(outcome3 == .disclosed("hel"))
    let outcome4 = state.handle(Samples.key("x"), in: rect)
    #expect(outcome4 == nil)
  }

  @Test func `a saved selection is restored when rows arrive`() {
    var saved = Samples.ports
    saved.select("stm")
    var state = ListState()
    state.restoreSelection(saved.savedSelection)
    #expect(state.savedSelection == saved.savedSelection)
    state.rows = []
    state.rows = Samples.ports.rows
    #expect(state.selectedID == "stm")
    _ = state.handle(Samples.key("home"), in: rect)
    state.rows = Samples.ports.rows + [ListRow(id: "dov", title: "Dover")]
    #expect(state.selectedID == "new")
    state.restoreSelection([0xFF, 0, 1])
    #expect(state.selectedID == "new")
    state.restoreSelection(saved.savedSelection)
    #expect(state.selectedID == "stm")
  }

  @Test func `the filter ranks fuzzy matches and highlights matched letters`() {
    let state = after("/", "s", "t")
    #expect(state.isFiltering)
    #expect(
      Samples.shown(ListView("Ports", state), 44, 5) == """
        / st                                     2/6
        ▌ Bristol     Severn estuary       9.6 m  ›
          Saint-Malo  Channel coast        8.0 m  ›


        """)
    let frame = Samples.frame(ListView("Ports", state), 44, 5)
    #expect(frame.cursor == Point(x: 4, y: 0))
    #expect(after("/", "z", "q").selectedID == nil)
    #expect(ListView("Ports", after("/", "z", "q")).outline.text == ["No matches for 'zq'"])
  }

  @Test func `escape ends the filter and keeps the selected row`() {
    let state = after("/", "b", "r", "i", "escape")
    #expect(state.selectedID == "bri")
    #expect(!state.isFiltering && state.visibleCount == 6)
    var other = state
    let outcome5 = other.handle(Samples.key("escape"), in: rect)
    #expect(outcome5 == nil)
  }

  @Test func `additional ids pass the filter after matching rows until it ends`() {
    var state = after("/", "b", "r", "i")
    state.alsoPassing = ["stm", "nowhere", "bri", "hel"]
    #expect((0..<state.visibleCount).compactMap { state.visibleRow($0)?.id } == ["bri", "stm", "hel"])
    #expect(state.selectedID == "bri")
    let outcome = state.handle(Samples.key("escape"), in: rect)
    #expect(outcome == .changed && state.alsoPassing.isEmpty && state.visibleCount == 6)
    state.alsoPassing = ["stm"]
    #expect(state.visibleCount == 6)
  }

  @Test func `rows with the typed words rank first, then additional ids, then scattered letters`() {
    let titles = ["satire am", "a stream", "steamer", "mainstream", "stream"]
    var state = ListState(rows: titles.map { ListRow(id: $0, title: $0) } + [ListRow(id: "also", title: "river")])
    state.startFilter()
    for letter in "stream" {
      let outcome = state.handle(.key(Key(.character(letter))), in: rect)
      #expect(outcome == .changed)
    }
    state.alsoPassing = ["also", "stream"]
    let ids = (0..<state.visibleCount).compactMap { state.visibleRow($0)?.id }
    #expect(ids == ["stream", "a stream", "mainstream", "also", "satire am"])
  }

  @Test func `a filter with a chosen row remains until escape`() {
    let state = after("/", "b", "r", "i", "enter")
    #expect(!state.isFiltering && state.visibleCount == 1 && state.filter.text == "bri")
  }

  @Test func `a click selects, a double click chooses, and a click on the mark opens`() {
    var state = Samples.ports
    let outcome6 = state.handle(.mouse(Mouse(.press(clicks: 1), at: Point(x: 5, y: 2))), in: rect)
    #expect(outcome6 == .changed)
    #expect(state.selectedID == "cux")
    let outcome7 = state.handle(.mouse(Mouse(.press(clicks: 2), at: Point(x: 5, y: 2))), in: rect)
    #expect(outcome7 == .chosen("cux"))
    let outcome8 = state.handle(.mouse(Mouse(.press(clicks: 1), at: Point(x: 41, y: 3))), in: rect)
    #expect(outcome8 == .disclosed("stm"))
    let outcome9 = state.handle(.mouse(Mouse(.press(clicks: 1), at: Point(x: 50, y: 2))), in: rect)
    #expect(outcome9 == nil)
  }

  @Test func `the wheel scrolls, and the selection remains visible`() {
    var state = Samples.ports
    _ = state.handle(.mouse(Mouse(.scroll(1), at: Point(x: 5, y: 2))), in: rect)
    #expect(state.cursor == RowCursor(selected: 2, top: 2))
  }

  @Test func `the selection survives new rows`() {
    var state = after("end")
    state.rows.removeFirst(2)
    #expect(state.selectedID == "bri")
    state.rows.removeAll { $0.id == "bri" }
    #expect(state.selectedID == "tok")
    state.rows = []
    #expect(state.selectedID == nil)
  }

  @Test func `the outline lists every row with its action`() {
    let outline = ListView("Ports", Samples.ports, action: "open").outline
    #expect(outline.items.count == 6)
    #expect(
      outline.items[1]
        == Outline.Item(
          id: "hel", text: "Helgoland  North Sea  [2.4 m]", action: ActionInvocation("open", ["id": "hel"])))
  }
}
