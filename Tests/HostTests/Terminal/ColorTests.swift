import PluginAPI
import Testing

@testable import Host

struct ColorTests {
  @Test func `colours of the palette are mapped to themselves`() {
    let mapping = ColorMapping(.palette)
    let wrong = (16..<256).filter { index in
      let nearest = mapping.map(0x0200_0000 | ColorMapping.components(UInt8(index)))
      // Two entries may be the same colour: a grey of the cube and one of the ramp.
      return ColorMapping.components(UInt8(nearest & 255)) != ColorMapping.components(UInt8(index))
    }
    #expect(wrong.isEmpty)
  }

  @Test func `colours get the nearest of what there is`() {
    #expect(ColorMapping(.palette).map(Color.rgb(254, 1, 1).packed) == Color.palette(196).packed)
    #expect(ColorMapping(.palette).map(Color.rgb(128, 128, 128).packed) == Color.palette(244).packed)
    #expect(ColorMapping(.sixteen).map(Color.rgb(250, 10, 10).packed) == Color.palette(9).packed)
    #expect(ColorMapping(.sixteen).map(Color.rgb(2, 2, 2).packed) == Color.palette(0).packed)
    #expect(ColorMapping(.sixteen).map(Color.palette(196).packed) == Color.palette(9).packed)
    #expect(ColorMapping(.sixteen).map(Color.palette(3).packed) == Color.palette(3).packed)
    #expect(ColorMapping(.none).map(Color.rgb(9, 9, 9).packed) == 0)
    #expect(ColorMapping(.trueColor).map(Color.rgb(9, 8, 7).packed) == Color.rgb(9, 8, 7).packed)
  }

  @Test(arguments: [
    (["TERM": "xterm-256color"], ColorDepth.palette),
    (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .trueColor),
    (["TERM": "xterm"], .sixteen), (["TERM": "vt100"], .none), (["TERM": "dumb", "COLORTERM": "truecolor"], .none),
    (["TERM": "xterm", "NO_COLOR": "1"], .none), (["TERM": "xterm", "NO_COLOR": ""], .sixteen), ([:], .none),
    (["TERM": "xterm-direct"], .trueColor), (["TERM": "linux"], .sixteen),
  ])
  func `the environment says how many colours there are`(environment: [String: String], depth: ColorDepth) {
    #expect(ColorDepth.chosen(.auto, environment: environment, isTerminal: true) == depth)
  }

  @Test(arguments: ["vt100", "vt220", "dumb", "xterm-mono", "linux-m"])
  func `a terminal's name without colours counts more than what the terminal shows`(name: String) {
    let environment = ["TERM": name, "COLORTERM": "truecolor"]
    #expect(ColorDepth.chosen(.auto, environment: environment, isTerminal: true, showsTrueColor: true) == .none)
    #expect(ColorDepth.chosen(.always, environment: environment, isTerminal: true) == .sixteen)
  }

  @Test func `the option decides over the environment`() {
    let environment = ["TERM": "xterm-256color", "NO_COLOR": "1"]
    #expect(ColorDepth.chosen(.always, environment: environment, isTerminal: false) == .palette)
    #expect(ColorDepth.chosen(.never, environment: ["TERM": "xterm"], isTerminal: true) == .none)
    #expect(ColorDepth.chosen(.auto, environment: ["TERM": "xterm-256color"], isTerminal: false) == .none)
    let forced = ["TERM": "xterm", "CLICOLOR_FORCE": "1"]
    #expect(ColorDepth.chosen(.auto, environment: forced, isTerminal: false) == .sixteen)
    #expect(ColorDepth.chosen(.auto, environment: ["TERM": "x"], isTerminal: true, showsTrueColor: true) == .trueColor)
  }
}

struct StyledTextEncoderTests {
  private var text: StyledText {
    var text = StyledText()
    text.add(.init("head", .heading), .init(" plain"))
    text.add(.init("bad\u{1B}[2J", .error))
    return text
  }

  @Test func `lines carry their styles and end without one`() {
    let bytes = StyledTextEncoder(depth: .sixteen).bytes(of: text)
    #expect(
      String(decoding: bytes, as: UTF8.self) == "\u{1B}[1mhead\u{1B}[m plain\n\u{1B}[1;31mbad\u{FFFD}[2J\u{1B}[m\n")
  }

  @Test func `plain text has no sequences`() {
    let bytes = StyledTextEncoder(depth: .none, isPlain: true).bytes(of: text)
    #expect(String(decoding: bytes, as: UTF8.self) == "head plain\nbad\u{FFFD}[2J\n")
  }

  @Test func `a terminal shows what the text says`() throws {
    var random = RandomFrames(seed: 21)
    var problems: [String] = []
    for _ in 0..<100 {
      var text = StyledText()
      var frame = TextFrame(size: Size(width: 40, height: 4))
      for y in 0..<4 {
        let runs = (0..<3).map { _ in StyledText.Run("run\(random.next(100))", random.style()) }
        text.lines.append(runs)
        frame.put(runs, x: 0, y: y)
      }
      let terminal = try VirtualTerminal(frame.frameSize)
      let bytes = StyledTextEncoder(depth: .palette).bytes(of: text).dropLast()
      terminal.write(bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] })
      if let problem = terminal.difference(from: frame, depth: .palette) { problems.append(problem) }
    }
    #expect(problems.first == nil)
  }
}
