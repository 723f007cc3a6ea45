import PluginAPI
import Testing

/// Clipping at the edges of a frame and of a region, above all of wide characters.
struct TextFrameTests {
  private func frame(_ width: Int, _ height: Int = 1) -> TextFrame {
    TextFrame(size: Size(width: width, height: height))
  }

  /// Returns the positions at which a wide character lacks its second half or a second half its character.
  private func brokenCells(_ frame: TextFrame) -> [Int] {
    frame.cells.indices.filter { index in
      let (x, cell) = (index % frame.frameSize.width, frame.cells[index])
      if cell.glyph == Cell.continuation {
        return x == 0 || TextWidth.columns(frame.cells[index - 1].text) != 2
      }
      guard TextWidth.columns(cell.text) == 2 else { return false }
      return x + 1 == frame.frameSize.width || frame.cells[index + 1].glyph != Cell.continuation
    }
  }

  @Test func `a wide character occupies and advances two cells`() {
    var frame = frame(6)
    #expect(frame.put("a漢b", x: 0, y: 0) == 4)
    #expect(frame.cells[2].glyph == Cell.continuation)
    #expect(frame.plainText == "a漢b")
  }

  @Test func `half a character at an edge becomes a space`() {
    var right = frame(4)
    right.put("abc漢", x: 0, y: 0)
    #expect(right.plainText == "abc" && right.cells[3].glyph == 0x20)
    var left = frame(4)
    left.put("漢b", x: -1, y: 0)
    #expect(left.plainText == " b" && left.cells[0].glyph == 0x20)
    var narrow = frame(1)
    narrow.put("漢", x: 0, y: 0)
    #expect(narrow.cells == [Cell(" ")])
  }

  @Test func `a region clips like a frame, and drawing never extends beyond it`() {
    var frame = frame(8)
    frame.put("........", x: 0, y: 0)
    frame.inside(Rect(x: 2, y: 0, width: 3, height: 1)) { region in
      #expect(region.size == Size(width: 3, height: 1))
      region.put("漢漢", x: 0, y: 0)
      region.put("zz", x: 5, y: 0)
      region.put("yy", x: -3, y: 0)
    }
    #expect(frame.plainText == "..漢 ...")
    #expect(brokenCells(frame).isEmpty)
  }

  @Test func `overwriting half of a wide character removes the other half`() {
    for place in 0..<4 {
      var frame = frame(4)
      frame.put("漢字", x: 0, y: 0)
      frame.put("x", x: place, y: 0)
      #expect(brokenCells(frame).isEmpty, "x at \(place)")
      var filled = self.frame(4)
      filled.put("漢字", x: 0, y: 0)
      filled.fill(Rect(x: place, y: 0, width: 1, height: 1), Cell("-"))
      #expect(brokenCells(filled).isEmpty, "- at \(place)")
    }
  }

  @Test func `no sequence of drawing leaves half a character`() {
    let texts = ["漢", "a", "e\u{301}", "👩‍🔬", "漢字漢", "x漢", " "]
    var state: UInt64 = 42
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var broken = 0
    for _ in 0..<200 {
      var frame = frame(1 + next(9), 2)
      for _ in 0..<12 {
        let region = Rect(x: next(8) - 2, y: next(3) - 1, width: next(8), height: next(3))
        let (text, x) = (texts[next(texts.count)], next(9) - 3)
        frame.inside(region) { $0.put(text, x: x, y: 0) }
      }
      broken += brokenCells(frame).count
    }
    #expect(broken == 0)
  }

  @Test func `a frame without cells accepts all drawing`() {
    var frame = TextFrame(size: Size(width: -3, height: 5))
    #expect(frame.frameSize == Size(width: 0, height: 5))
    frame.put("漢字", x: 0, y: 0)
    frame.fill(Rect(x: -1, y: -1, width: 9, height: 9), Cell("x"))
    frame.box(Rect(x: 0, y: 0, width: 9, height: 3), title: "title")
    frame.setCursor(x: 0, y: 0)
    #expect(frame.cells.isEmpty && frame.cursor == nil)
  }

  @Test func `regions nest, and a cursor outside is hidden`() {
    var frame = frame(10, 4)
    frame.inside(Rect(x: 2, y: 1, width: 6, height: 3)) { outer in
      outer.inside(Rect(x: 4, y: 1, width: 9, height: 9)) { inner in
        inner.put("abcdef", x: 0, y: 0)
        inner.setCursor(x: 1, y: 0)
      }
    }
    #expect(frame.plainText == "\n\n      ab\n")
    #expect(frame.cursor == Point(x: 7, y: 2))
    frame.setCursor(x: 10, y: 0)
    #expect(frame.cursor == nil)
  }
}
