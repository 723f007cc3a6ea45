import PluginAPI
import Testing

struct PageFormTests {
  typealias Samples = ViewSamples

  @Test func `a form aligns labels and marks truncated values`() {
    var state = Samples.form
    _ = state.handle(Samples.key("down"), in: Samples.rect(40, 7))
    #expect(
      Samples.shown(FormView("Port", state), 40, 7) == """
          Place
          Name        Helgoland
        ▌ Remarks     an island of red sandsto…

          Tide
          Mean range  2.4 m
          Datum       chart datum
        """)
    let outcome1 = state.handle(Samples.key("enter"), in: Samples.rect(40, 7))
    #expect(outcome1 == .chosen("Remarks"))
    #expect(state.field("Remarks")?.value.hasSuffix("harbour wall") ?? false)
  }

  @Test func `a form in little space shows the heading above the first field`() {
    var state = Samples.form
    let rect = Samples.rect(40, 3)
    _ = state.handle(Samples.key("end"), in: rect)
    #expect(Samples.shown(FormView("Port", state), 40, 3).contains("▌ Datum"))
    _ = state.handle(Samples.key("home"), in: rect)
    #expect(Samples.shown(FormView("Port", state), 40, 3).hasPrefix("  Place"))
    let outcome2 = state.handle(.mouse(Mouse(.press(clicks: 2), at: Point(x: 4, y: 2))), in: rect)
    #expect(outcome2 == .chosen("Remarks"))
  }

  @Test func `a form's outline has its fields with labels`() {
    #expect(FormView("Port", Samples.form).outline.fields[2] == Outline.Field("Mean range", "2.4 m"))
    #expect(FormView("Port", Samples.form, action: "open").outline.items[2].text == "Mean range: 2.4 m")
  }

  @Test func `a page wraps at spaces and preserves indents`() {
    #expect(
      Samples.shown(TextPageView("Tides", Samples.page), 31, 9) == """
         The tide is the rise and fall
         of sea level.

           It follows the Moon, and
           less so the Sun, with a
           delay that every harbour
           has for itself.
         Spring tides come after new
         and full moon.
        """)
  }

  @Test func `a search moves from match to match and wraps around`() {
    var state = Samples.page
    let rect = Samples.rect(31, 4)
    for key in ["/", "M", "o", "o", "n", "enter"] { _ = state.handle(Samples.key(key), in: rect) }
    #expect(
      Samples.shown(TextPageView("Tides", state), 31, 4) == """
           It follows the Moon, and   │
           less so the Sun, with a    ┃
           delay that every harbour   │
        / Moon  2 lines · n next · N p…
        """)
    _ = state.handle(Samples.key("n"), in: rect)
    #expect(state.top == 6)
    _ = state.handle(Samples.key("n"), in: rect)
    #expect(state.top == 3)
    let outcome3 = state.handle(Samples.key("escape"), in: rect)
    #expect(outcome3 == .changed)
    let outcome4 = state.handle(Samples.key("escape"), in: rect)
    #expect(outcome4 == nil)
  }

  @Test func `wrapping loses no word and exceeds no width`() {
    let text = StyledText("a bb ccc 東京東京東京 dddddddddddddddddddd e\n\n    indented and long enough")
    var failures: [Int] = []
    for width in 1...40 {
      let lines = text.wrapped(to: width).lines.map { $0.map(\.text).joined() }
      let isNarrow = lines.allSatisfy { TextWidth.columns($0) <= max(2, width) }
      let letters = lines.joined().filter { $0 != " " }
      if !isNarrow || letters != text.plainText.filter({ $0 != " " && $0 != "\n" }) { failures.append(width) }
    }
    #expect(failures.isEmpty)
  }

  @Test func `an input line is edited as in a shell`() {
    var line = InputLine("spring tide")
    for key in ["ctrl-w", "n", "ctrl-a", "delete", "S", "end", "left", "backspace", "right"] {
      _ = line.handle(Samples.key(key))
    }
    #expect(line.text == "Springn" && line.cursor == 7)
    _ = line.handle(.paste(" a\nb"))
    #expect(line.text == "Springn a b")
    let outcome5 = line.handle(Samples.key("enter"))
    #expect(!outcome5)
    _ = line.handle(Samples.key("ctrl-u"))
    #expect(line.text.isEmpty && line.cursor == 0)
  }

  @Test(arguments: [
    (["x"], "x"), (["end", "x"], "ebb tidex"), (["home", "x"], "xebb tide"), (["left", "x"], "ebb tidxe"),
    (["right", "x"], "ebb tidex"), (["ctrl-a", "ctrl-k"], ""), (["backspace"], ""), (["delete", "x"], "x"),
    (["ctrl-w"], ""), (["end", "backspace"], "ebb tid"), (["x", "y", "backspace"], "x"),
  ]) func `typing replaces a proposed text, and moving keys keep it`(keys: [String], text: String) {
    var line = InputLine(proposing: "ebb tide")
    #expect(line.isSelected)
    for key in keys { _ = line.handle(Samples.key(key)) }
    #expect(line.text == text && !line.isSelected)
  }

  @Test func `a proposed text is shown selected, and a paste replaces it`() {
    var line = InputLine(proposing: "ebb")
    var frame = TextFrame(size: Size(width: 10, height: 1))
    line.draw(into: &frame, x: 2, y: 0, width: 8)
    #expect((0..<10).filter { frame.cells[$0].style == .selection } == [2, 3, 4])
    _ = line.handle(.paste("flood"))
    #expect(line.text == "flood" && !line.isSelected)
    #expect(!InputLine(proposing: "").isSelected)
  }
}
