import PluginAPI
import Testing

struct StandardViewTests {
  typealias Samples = ViewSamples

  @Test func `every standard view draws at any size`() {
    var drawn = 0
    for view in Samples.all {
      for height in 0...12 {
        for width in 0...30 { drawn += Samples.frame(view, width, height).cells.count }
      }
    }
    #expect(drawn == Samples.all.count * (0...12).reduce(0, +) * (0...30).reduce(0, +))
  }

  @Test func `every standard view handles events at any size`() {
    let events: [Event] =
      ["down", "up", "end", "page-down", "left", "right", "enter", "/", "x", "enter", "n", "escape", "G"]
      .map(Samples.key) + [
        .paste("two\nlines"), .mouse(Mouse(.press(clicks: 2), at: Point(x: 1, y: 1))),
        .mouse(Mouse(.scroll(5), at: Point(x: 0, y: 0))), .mouse(Mouse(.scroll(-9), at: Point(x: 0, y: 0))),
      ]
    var taken = 0
    for (width, height) in [(0, 0), (1, 1), (3, 2), (30, 1), (200, 60)] {
      let rect = Samples.rect(width, height)
      var (list, table, form) = (Samples.ports, Samples.heights, Samples.form)
      var (page, empty) = (Samples.page, ListState())
      for event in events {
        let outcomes = [
          list.handle(event, in: rect), table.handle(event, in: rect), form.handle(event, in: rect),
          page.handle(event, in: rect), empty.handle(event, in: rect),
        ]
        taken += outcomes.compactMap { $0 }.count
      }
    }
    #expect(taken > 100)
  }

  @Test func `the selection is visible without colors`() {
    let lines = Samples.shown(ListView("Ports", Samples.ports), 40, 3).split(separator: "\n")
    #expect(lines.map { $0.hasPrefix("▌") } == [true, false, false])
  }

  @Test func `a bar shows the progress`() {
    #expect(
      Samples.shown(ProgressView(Progress("reading 4hhb", fraction: 0.42), hint: "esc cancels"), 26, 3) == """
        reading 4hhb
        ━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌  42 %
        esc cancels
        """)
    #expect(
      Samples.shown(ProgressView(Progress("waiting"), phase: 3), 20, 3) == """
        waiting
        ╌╌╌━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌

        """)
    #expect(ProgressView(Progress("x", fraction: 0.999)).outline.text == ["99 %"])
  }

  @Test func `a bar of unknown length reverses at the ends`() {
    let starts = (0..<40).map { phase in
      Samples.shown(ProgressView(Progress(""), phase: phase), 20, 2).drop { $0 == "\n" }.prefix { $0 == "╌" }.count
    }
    #expect(starts.max() == 16)
    #expect(Array(starts[0..<32]) == Array(0..<16) + (1...16).reversed())
  }

  @Test func `a picture is placed under the texts in its corners`() {
    let view = PictureView(
      Samples.picture, description: "a square",
      overlays: [
        .init(.topLeft, [.init("4HHB")]), .init(.bottomRight, [.init("ⓘ info")]), .init(.bottomRight, [.init("2nd")]),
      ])
    let frame = Samples.frame(view, 12, 4)
    #expect(frame.plainText == "4HHB\n\n         2nd\n      ⓘ info")
    #expect(frame.pictures.map(\.rect) == [Rect(x: 0, y: 0, width: 12, height: 4)])
    #expect(view.outline.title == "a square")
  }

  @Test func `a split is side by side where it fits, otherwise stacked`() {
    let split = SplitView(
      ListView("Ports", Samples.ports), FormView("Port", Samples.form, isActive: false),
      layout: .init(fraction: 0.5, minimumWidth: 60))
    #expect(
      Samples.shown(split, 64, 4) == """
        ▌ Add a port                  ┃│  Place                        ┃
          Helgoland   Nort…  2.4 m  › ┃│▏ Name        Helgoland        ┃
          Cuxhaven    mout…  2.9 m  › ││  Remarks     an island of re… │
          Saint-Malo  Chan…  8.0 m  › ││                               │
        """)
    let stacked = Samples.shown(split, 40, 9).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(stacked[4] == String(repeating: "─", count: 40))
    #expect(split.outline.items.count == 6 && split.outline.fields.count == 4)
  }
}
