import Foundation
import PluginAPI
import Testing

@testable import Host

struct ColorTests {
  @Test func `colors of the palette are mapped to themselves`() {
    let mapping = ColorMapping(.palette)
    let wrong = (16..<256).filter { index in
      let nearest = mapping.map(0x0200_0000 | ColorMapping.components(UInt8(index)))
      // Two entries may be the same color: a gray of the cube and one of the ramp.
      return ColorMapping.components(UInt8(nearest & 255)) != ColorMapping.components(UInt8(index))
    }
    #expect(wrong.isEmpty)
  }

  @Test func `each color maps to the nearest available one`() {
    #expect(ColorMapping(.palette).map(Color.rgb(254, 1, 1).packed) == Color.palette(196).packed)
    #expect(ColorMapping(.palette).map(Color.rgb(128, 128, 128).packed) == Color.palette(244).packed)
    #expect(ColorMapping(.sixteen).map(Color.rgb(250, 10, 10).packed) == Color.palette(9).packed)
    #expect(ColorMapping(.sixteen).map(Color.rgb(2, 2, 2).packed) == Color.palette(0).packed)
    #expect(ColorMapping(.sixteen).map(Color.palette(196).packed) == Color.palette(9).packed)
    #expect(ColorMapping(.sixteen).map(Color.palette(3).packed) == Color.palette(3).packed)
    #expect(ColorMapping(.none).map(Color.rgb(9, 9, 9).packed) == 0)
    #expect(ColorMapping(.trueColor).map(Color.rgb(9, 8, 7).packed) == Color.rgb(9, 8, 7).packed)
  }

  /// The chain colors, which are distinguishable with all kinds of color vision.
  ///
  /// - Source: `ColorTable` of the molecules plugin (Okabe and Ito 2008).
  private static let chains: [UInt32] = [0x56B4E9, 0xE69F00, 0x009E73, 0xCC79A7, 0xF0E442, 0x0072B2, 0xD55E00]
  /// The colors of H, C, N, O, S, P and Cl.
  ///
  /// - Source: `ElementTable` of the molecules plugin (Jmol).
  private static let elements: [UInt32] = [0xFFFFFF, 0x909090, 0x3050F8, 0xFF0D0D, 0xFFFF30, 0xFF8000, 0x1FF01F]

  /// The colors of the states of secondary structure: helices, strand, bridge, turn and bend.
  ///
  /// - Source: `ColorTable` of the molecules plugin.
  private static let states: [UInt32] = [
    0xE8456A, 0xB8408F, 0xC24FD6, 0x5DBB63, 0xF5C32C, 0xC79A34, 0x5B8DEF, 0x8CC4D8,
  ]

  /// Returns a color under light of a strength, 0 to 1.
  private static func lit(_ color: UInt32, _ light: Double) -> UInt32 {
    [16, 8, 0].reduce(0x0200_0000) { $0 | UInt32(Double(color >> UInt32($1) & 255) * light) << UInt32($1) }
  }

  @Test(arguments: [chains, elements, states])
  func `the colors of molecules remain distinct in 16 colors`(colors: [UInt32]) {
    let mapping = ColorMapping(.sixteen)
    #expect(Set(colors.map { mapping.map(0x0200_0000 | $0) }).count == colors.count)
  }

  @Test(arguments: chains + elements.dropFirst(2))
  func `a hue remains the same in shade`(color: UInt32) {
    for background in [Color.black, .white] {
      let mapping = ColorMapping(.sixteen, background: background)
      let hues = Set(stride(from: 1, through: 0.25, by: -0.05).map { mapping.map(Self.lit(color, $0)) & 7 })
      #expect(hues.count == 1)
    }
  }

  @Test func `six hues and the grays map to the entries of the same name`() {
    let mapping = ColorMapping(.sixteen)
    let named: [(Color, UInt8)] = [
      (.rgb(255, 0, 0), 9), (.rgb(120, 0, 0), 1), (.rgb(0, 255, 0), 10), (.rgb(0, 100, 0), 2), (.rgb(255, 255, 0), 11),
      (.rgb(120, 120, 0), 3), (.rgb(0, 0, 255), 12), (.rgb(0, 0, 120), 4), (.rgb(255, 0, 255), 13),
      (.rgb(120, 0, 120), 5), (.rgb(0, 255, 255), 14), (.rgb(0, 120, 120), 6), (.rgb(0, 0, 0), 0),
      (.rgb(120, 120, 120), 8), (.rgb(220, 220, 220), 7), (.rgb(255, 255, 255), 15),
    ]
    for (color, entry) in named { #expect(mapping.map(color.packed) == Color.palette(entry).packed, "\(entry)") }
  }

  /// Returns the contrast of two colors, 1 to 21.
  ///
  /// - Source: WCAG 2.1, contrast ratio.
  static func contrast(_ one: UInt32, _ other: UInt32) -> Double {
    func luminance(_ color: UInt32) -> Double {
      let channels = [16, 8, 0].map { shift -> Double in
        let value = Double(color >> UInt32(shift) & 255) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
    }
    let (first, second) = (luminance(one), luminance(other))
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)
  }

  @Test(arguments: [ColorDepth.palette, .trueColor])
  func `text in theme colors is readable on white`(depth: ColorDepth) {
    let mapping = ColorMapping(depth, background: .white)
    for index in UInt8(0)..<16 {
      let mapped = mapping.mapText(Color.palette(index).packed)
      // The terminal's own color is readable.
      guard mapped != 0 else { continue }
      #expect(Self.contrast(ColorMapping.components(UInt8(mapped & 255)), 0xFFFFFF) >= 4, "\(index)")
    }
  }

  @Test func `in 16 colors, text on white is never yellow, cyan or bright`() {
    let mapping = ColorMapping(.sixteen, background: .white)
    for index in UInt8(0)..<16 {
      let mapped = mapping.mapText(Color.palette(index).packed)
      #expect(mapped == 0 || [0, 1, 2, 4, 5, 8].contains(mapped & 255), "\(index)")
    }
    let styles = [Style.warning, .error, .success, .secondary].map { mapping.mapText($0.foreground.packed) }
    #expect(Set(styles).count == styles.count)
  }

  @Test func `a role has the theme's color, and an unknown role the terminal's default`() {
    let mapping = ColorMapping(.trueColor)
    #expect(mapping.map(Color.role(.accent).packed) == Color.palette(6).packed)
    #expect(mapping.mapText(Color.role(.error).packed) == Color.palette(1).packed)
    #expect(mapping.map(Color.role(.heading).packed) == 0)
    #expect(mapping.map(Color.role(Color.Role(rawValue: 200)).packed) == 0)
    #expect(Color.role(.match).role == .match && Color.palette(9).role == nil)
    #expect(
      Style.accent.over(Style(background: .palette(4))) == Style(foreground: .role(.accent), background: .palette(4)))
  }

  @Test func `text on its own background keeps its color`() {
    func bytes(_ style: Style) -> String {
      let out = TerminalBytes()
      out.reserve(100)
      var writer = StyleWriter(.sixteen, background: .white)
      writer.set(style, in: out)
      return String(decoding: out.bytes, as: UTF8.self)
    }
    #expect(bytes(Style(foreground: .palette(3), background: .palette(4))).hasSuffix(";33;44m"))
    #expect(bytes(Style(foreground: .palette(3))).hasSuffix(";35m"))
  }

  @Test func `text on a dark background keeps the theme's colors`() {
    for depth in [ColorDepth.sixteen, .palette, .trueColor] {
      for index in UInt8(0)..<16 {
        let packed = Color.palette(index).packed
        #expect(ColorMapping(depth).mapText(packed) == packed)
      }
    }
  }

  @Test(arguments: [
    (["TERM": "xterm-256color"], ColorDepth.palette),
    (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .trueColor),
    (["TERM": "xterm"], .sixteen), (["TERM": "vt100"], .none), (["TERM": "dumb", "COLORTERM": "truecolor"], .none),
    (["TERM": "xterm", "NO_COLOR": "1"], .none), (["TERM": "xterm", "NO_COLOR": ""], .sixteen), ([:], .none),
    (["TERM": "xterm-direct"], .trueColor), (["TERM": "linux"], .sixteen),
  ])
  func `the environment determines the number of colors`(environment: [String: String], depth: ColorDepth) {
    #expect(ColorDepth.chosen(.auto, environment: environment, isTerminal: true) == depth)
  }

  @Test(arguments: ["xterm-16color", "screen-16color", "screen-16color-bce", "rxvt-88color", "linux", "linux-16color"])
  func `a terminal name with a number of colors overrides the reported capability`(name: String) {
    let environment = ["TERM": name, "COLORTERM": "truecolor"]
    for choice in [GlobalOptions.ColorChoice.auto, .always] {
      #expect(ColorDepth.chosen(choice, environment: environment, isTerminal: true, showsTrueColor: true) == .sixteen)
    }
    // Terminals with all colors have this name by default.
    let usual = ["TERM": "xterm-256color"]
    #expect(ColorDepth.chosen(.auto, environment: usual, isTerminal: true, showsTrueColor: true) == .trueColor)
  }

  @Test func `a chosen number of colors applies wherever there are colors`() throws {
    for (word, depth) in [("16", ColorDepth.sixteen), ("256", .palette), ("truecolor", .trueColor)] {
      let choice = try #require(GlobalOptions.ColorChoice(rawValue: word))
      for name in ["xterm", "xterm-16color", "xterm-direct"] {
        #expect(ColorDepth.chosen(choice, environment: ["TERM": name], isTerminal: true) == depth)
      }
      #expect(ColorDepth.chosen(choice, environment: ["TERM": "xterm"], isTerminal: false) == .none)
      #expect(ColorDepth.chosen(choice, environment: ["TERM": "dumb"], isTerminal: true) == .none)
      #expect(ColorDepth.chosen(choice, environment: ["TERM": "xterm", "NO_COLOR": "1"], isTerminal: true) == .none)
    }
  }

  @Test(arguments: ["vt100", "vt220", "vt420", "dumb", "xterm-mono", "linux-m"])
  func `a terminal name without colors overrides the reported capability`(name: String) {
    let environment = ["TERM": name, "COLORTERM": "truecolor"]
    #expect(ColorDepth.chosen(.auto, environment: environment, isTerminal: true, showsTrueColor: true) == .none)
    #expect(ColorDepth.chosen(.always, environment: environment, isTerminal: true) == .sixteen)
  }

  @Test func `the option overrides the environment`() {
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

  @Test func `lines include their styles and end with a reset`() {
    let bytes = StyledTextEncoder(depth: .sixteen).bytes(of: text)
    #expect(
      String(decoding: bytes, as: UTF8.self) == "\u{1B}[1mhead\u{1B}[m plain\n\u{1B}[1;31mbad\u{FFFD}[2J\u{1B}[m\n")
  }

  @Test func `plain text has no escape sequences`() {
    let bytes = StyledTextEncoder(depth: .none, isPlain: true).bytes(of: text)
    #expect(String(decoding: bytes, as: UTF8.self) == "head plain\nbad\u{FFFD}[2J\n")
  }

  @Test func `a terminal displays encoded text as a frame does`() throws {
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
