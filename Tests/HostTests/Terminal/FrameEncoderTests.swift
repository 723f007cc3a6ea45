import PluginAPI
import Testing

@testable import Host

struct FrameEncoderTests {
  private static func bytes(_ encoder: inout FrameEncoder, _ frame: TextFrame) -> [UInt8] {
    let out = TerminalBytes()
    encoder.encode(FrameEncoder.Content(frame), into: out)
    return Array(out.bytes)
  }

  @Test(arguments: [ColorDepth.none, .sixteen, .palette, .trueColor])
  func `a terminal displays each of a sequence of frames exactly`(depth: ColorDepth) throws {
    var random = RandomFrames(seed: 7)
    var problems: [String] = []
    for round in 0..<250 {
      let size = random.size()
      let terminal = try VirtualTerminal(size)
      var encoder = FrameEncoder(depth: depth, isSynchronized: round % 2 == 0)
      var last: TextFrame?
      for step in 0..<8 {
        let frame = random.frame(after: last, size: size)
        terminal.write(Self.bytes(&encoder, frame))
        if let problem = terminal.difference(from: frame, depth: depth) {
          problems.append("round \(round), frame \(step): \(problem)")
        }
        if let cursor = frame.cursor, terminal.cursor != cursor { problems.append("round \(round): cursor") }
        last = frame
      }
    }
    #expect(problems.first == nil)
  }

  @Test func `a frame of another size is redrawn completely`() throws {
    var random = RandomFrames(seed: 11)
    var problems: [String] = []
    for _ in 0..<60 {
      let terminal = try VirtualTerminal(random.size())
      var encoder = FrameEncoder(depth: .trueColor)
      for _ in 0..<5 {
        let size = random.size()
        if size != terminal.size {
          terminal.resize(size)
          encoder.forgetScreen()
        }
        let frame = random.frame(after: nil, size: size)
        terminal.write(Self.bytes(&encoder, frame))
        if let problem = terminal.difference(from: frame, depth: .trueColor) { problems.append(problem) }
      }
    }
    #expect(problems.first == nil)
  }

  @Test func `frames sent in parts end as the newest frame`() throws {
    var random = RandomFrames(seed: 13)
    var problems: [String] = []
    for round in 0..<150 {
      let size = random.size()
      let terminal = try VirtualTerminal(size)
      var encoder = FrameEncoder(depth: .trueColor, isSynchronized: round % 2 == 0)
      var last: TextFrame?
      for step in 0..<8 {
        let frame = random.frame(after: last, size: size)
        last = frame
        var content = FrameEncoder.Content(frame)
        // No picture shows through half of a character.
        content.isPicture = content.cells.map { $0.glyph == 0 || $0.glyph == 0x20 && random.next(2) == 0 }
        // Most frames are dropped before all of their parts are sent.
        for part in 0... {
          let isWhole = Self.part(&encoder, content, on: terminal, limit: 1 + random.next(80))
          if isWhole || step < 7 && random.next(4) == 0 { break }
          if part > 1000 { problems.append("round \(round): no end") }
          if part > 1000 { break }
        }
        if step < 7 { continue }
        if let problem = terminal.difference(from: frame, depth: .trueColor) {
          problems.append("round \(round): \(problem)")
        }
      }
    }
    #expect(problems.first == nil)
  }

  /// Shows a part of a frame; returns true if it was the last one.
  private static func part(
    _ encoder: inout FrameEncoder, _ content: FrameEncoder.Content, on terminal: VirtualTerminal, limit: Int
  ) -> Bool {
    let out = TerminalBytes()
    let isWhole = encoder.encode(content, into: out, limit: limit)
    terminal.write(out.bytes)
    return isWhole
  }

  @Test func `a part has about the requested length, and text precedes pictures`() throws {
    let size = Size(width: 80, height: 24)
    var frame = TextFrame(size: size)
    var encoder = FrameEncoder(depth: .trueColor)
    _ = Self.bytes(&encoder, frame)
    var random = RandomFrames(seed: 4)
    for y in 0..<23 {
      for x in 0..<80 {
        frame[x, y] = Cell(
          "▀", style: Style(foreground: .rgb(UInt8(random.next(256)), 9, 9), background: .rgb(0, 0, 9)))
      }
    }
    frame.put("spinning", x: 0, y: 23)
    var content = FrameEncoder.Content(frame)
    content.isPicture = content.cells.map { $0.text == "▀" }
    let out = TerminalBytes()
    let isWhole = encoder.encode(content, into: out, limit: 500)
    #expect(!isWhole)
    #expect((500...700).contains(out.count))
    #expect(String(decoding: out.bytes, as: UTF8.self).hasPrefix("\u{1B}[24Hspinning"))
  }

  @Test func `pixels follow the last part of a frame`() {
    var encoder = FrameEncoder(depth: .trueColor)
    var frame = TextFrame(size: Size(width: 40, height: 12))
    for y in 0..<12 { frame.put(String(repeating: "x", count: 40), x: 0, y: y) }
    let content = FrameEncoder.Content(frame)
    var parts: [String] = []
    var isWhole = false
    while !isWhole, parts.count < 100 {
      let out = TerminalBytes()
      isWhole = encoder.encode(content, into: out, after: Array("<pixels>".utf8), limit: 100)
      parts.append(String(decoding: out.bytes, as: UTF8.self))
    }
    #expect(parts.count > 1 && parts.last?.contains("<pixels>") == true)
    #expect(parts.dropLast().allSatisfy { !$0.contains("<pixels>") })
  }

  @Test func `cells uncovered by a window are drawn before changes in a picture`() throws {
    let terminal = try VirtualTerminal(Size(width: 40, height: 12))
    var encoder = FrameEncoder(depth: .trueColor)
    func content(_ red: UInt8, hasWindow: Bool) -> FrameEncoder.Content {
      var frame = TextFrame(size: terminal.size)
      for y in 0..<12 { for x in 0..<40 { frame[x, y] = Cell("▀", style: Style(foreground: .rgb(red, 0, UInt8(x)))) } }
      if hasWindow { for y in 4..<8 { frame.put("a window", x: 10, y: y) } }
      var content = FrameEncoder.Content(frame)
      content.isPicture = content.cells.map { $0.text == "▀" }
      return content
    }
    while !Self.part(&encoder, content(1, hasWindow: true), on: terminal, limit: 500) {}
    #expect(terminal[10, 4].scalars == [0x61])
    // Thirty-two cells were behind the window, each takes less than 25 bytes.
    _ = Self.part(&encoder, content(2, hasWindow: false), on: terminal, limit: 32 * 25)
    for y in 4..<8 { for x in 10..<18 { #expect(terminal[x, y].scalars == [0x2580]) } }
  }

  @Test func `all rows of a constantly changing picture are updated in turn`() throws {
    let terminal = try VirtualTerminal(Size(width: 40, height: 12))
    var encoder = FrameEncoder(depth: .trueColor)
    for step in 0..<200 {
      var frame = TextFrame(size: terminal.size)
      let color = Color.rgb(UInt8(step), 0, 0)
      for y in 0..<12 { for x in 0..<40 { frame[x, y] = Cell("▀", style: Style(foreground: color)) } }
      frame.put(step % 2 == 0 ? "odd" : "even", x: 0, y: 0)
      var content = FrameEncoder.Content(frame)
      content.isPicture = content.cells.map { $0.text == "▀" }
      _ = Self.part(&encoder, content, on: terminal, limit: 100)
    }
    let oldest = (1..<12).map { Int(terminal[20, $0].foreground >> 16 & 255) }.min()
    #expect(try #require(oldest) > 100)
  }

  @Test func `an unchanged frame writes nothing`() {
    var random = RandomFrames(seed: 3)
    var encoder = FrameEncoder(depth: .trueColor, isSynchronized: true)
    var last: TextFrame?
    var counts: Set<Int> = []
    for _ in 0..<50 {
      let frame = random.frame(after: last, size: Size(width: 30, height: 8))
      _ = Self.bytes(&encoder, frame)
      // The same cells in other memory.
      var copy = frame
      copy.replaceCells { $0 = $0.map { $0 } }
      counts.insert(Self.bytes(&encoder, copy).count)
      last = frame
    }
    #expect(counts == [0])
  }

  @Test func `a changed cell costs one movement and its character`() {
    var encoder = FrameEncoder(depth: .trueColor)
    var frame = TextFrame(size: Size(width: 80, height: 24))
    frame.put("hello", x: 10, y: 5)
    _ = Self.bytes(&encoder, frame)
    frame.put("j", x: 10, y: 5)
    #expect(String(decoding: Self.bytes(&encoder, frame), as: UTF8.self) == "\u{1B}[6;11Hj")
  }

  @Test func `frames without cells and with one cell can be displayed`() throws {
    var encoder = FrameEncoder(depth: .trueColor)
    for size in [Size(width: 0, height: 0), Size(width: 0, height: 5), Size(width: 7, height: 0)] {
      var frame = TextFrame(size: size)
      frame.put("text", x: 0, y: 0)
      _ = Self.bytes(&encoder, frame)
      #expect(Self.bytes(&encoder, frame).isEmpty)
    }
    let terminal = try VirtualTerminal(Size(width: 1, height: 1))
    var frame = TextFrame(size: Size(width: 1, height: 1))
    frame.put("漢", x: 0, y: 0)
    terminal.write(Self.bytes(&encoder, frame))
    #expect(terminal.difference(from: frame, depth: .trueColor) == nil)
    frame.put("x", x: 0, y: 0, .accent)
    terminal.write(Self.bytes(&encoder, frame))
    #expect(terminal.difference(from: frame, depth: .trueColor) == nil)
  }

  @Test func `a wide character without its second half does not shift the next cells`() throws {
    let terminal = try VirtualTerminal(Size(width: 6, height: 2))
    var encoder = FrameEncoder(depth: .trueColor)
    var frame = TextFrame(size: terminal.size)
    frame.put("abcdef", x: 0, y: 0)
    frame[2, 0] = Cell("漢")
    frame[5, 0] = Cell("字")
    terminal.write(Self.bytes(&encoder, frame))
    #expect(terminal[3, 0].scalars == [0x64])
    #expect(terminal[4, 0].scalars == [0x65])
    #expect(terminal[0, 1].scalars == [0x20])
  }

  @Test func `control characters in cells are never written`() {
    var encoder = FrameEncoder(depth: .none)
    var frame = TextFrame(size: Size(width: 4, height: 1))
    for (x, glyph) in [UInt32(0x1B), 0x07, 0x9B, 0x0A].enumerated() { frame[x, 0] = Cell(glyph: glyph) }
    let text = Self.bytes(&encoder, frame)
    #expect(!text.contains(0x07) && !text.contains(0x9B) && !text.contains(0x0A))
    #expect(text.filter { $0 == 0x1B }.count == String(decoding: text, as: UTF8.self).matches(of: /\u{1B}\[/).count)
  }

  @Test func `forgotten regions are redrawn`() throws {
    let terminal = try VirtualTerminal(Size(width: 10, height: 3))
    var encoder = FrameEncoder(depth: .trueColor)
    var frame = TextFrame(size: terminal.size)
    frame.put("0123456789", x: 0, y: 1)
    terminal.write(Self.bytes(&encoder, frame))
    terminal.write(Array("\u{1B}[2;4Hzzz".utf8))
    encoder.forget(Rect(x: 3, y: 1, width: 3, height: 1))
    frame.put("!", x: 9, y: 2)
    terminal.write(Self.bytes(&encoder, frame))
    #expect(terminal.difference(from: frame, depth: .trueColor) == nil)
  }
}
