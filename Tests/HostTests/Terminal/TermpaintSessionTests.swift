import PluginAPI
import Testing

@testable import Host

struct TermpaintSessionTests {
  /// Returns the events of bytes from a terminal, all at one time.
  private static func events(_ pieces: [String], at times: [Double] = []) -> [Event] {
    let session = TermpaintSession()
    session.setUp(backspaceIsControlH: false)
    var translator = InputTranslator()
    var events: [Event] = []
    for (index, piece) in pieces.enumerated() {
      session.add(Array(piece.utf8))
      let time = index < times.count ? times[index] : 0
      events += session.takeInputs().compactMap { translator.event(of: $0, at: time) }
    }
    return events
  }

  @Test(arguments: [
    ("a", "a"), ("A", "A"), ("é", "é"), ("漢", "漢"), (" ", "space"), ("\r", "enter"), ("\t", "tab"),
    ("\u{7F}", "backspace"), ("\u{10}", "ctrl-p"), ("\u{1B}x", "alt-x"), ("\u{1B}[A", "up"), ("\u{1B}OB", "down"),
    ("\u{1B}[1;5C", "ctrl-right"), ("\u{1B}[Z", "shift-tab"), ("\u{1B}[3~", "delete"), ("\u{1B}[5~", "page-up"),
    ("\u{1B}[H", "home"), ("\u{1B}[15~", "f5"), ("\u{1B}[24;2~", "shift-f12"), ("\u{1B}[27;5;99~", "ctrl-c"),
    ("\u{1B}[27u", "escape"), ("\u{1B}[112;5u", "ctrl-p"), ("\u{1B}[120;3u", "alt-x"), ("\u{1B}[57400u", "1"),
    ("\u{1B}[57419u", "up"), ("\u{1B}[13;2u", "shift-enter"), ("\0", "ctrl-space"),
  ])
  func `the bytes of a key are decoded as that key`(bytes: String, key: String) {
    #expect(Self.events([bytes]) == [.key(Key(key)!)])
  }

  @Test func `a sequence that arrives in two pieces is one key`() {
    #expect(Self.events(["\u{1B}[1;", "5A"]) == [.key(Key(.up, .control))])
    #expect(Self.events(["\u{1B}", "[A"]) == [.key(Key(.up))])
  }

  @Test func `a lone escape waits for more bytes and then is the key`() {
    let session = TermpaintSession()
    session.setUp(backspaceIsControlH: false)
    session.add([0x1B])
    #expect(session.wantsCallback)
    #expect(session.takeInputs().isEmpty)
    session.resolveEscape(asking: false)
    #expect(session.takeInputs().contains(.key(name: "Escape", modifiers: 0)))
    _ = session.takeOutput()
    session.add([0x1B])
    session.resolveEscape(asking: true)
    #expect(session.takeOutput() == Array("\u{1B}[5n".utf8))
    #expect(session.takeInputs().isEmpty)
    session.add(Array("\u{1B}[0n".utf8))
    #expect(session.takeInputs().contains(.key(name: "Escape", modifiers: 0)))
  }

  @Test func `a paste is one event, whatever its content`() {
    let events = Self.events(["\u{1B}[200~two words\rnext line\t", "é\u{1B}[A", "end\u{1B}[201~x"])
    #expect(events == [.paste("two words\nnext line\téend"), .key(Key(.character("x")))])
  }

  @Test func `mouse reports become presses, drags, releases and scrolls`() {
    let events = Self.events([
      "\u{1B}[<0;11;6M", "\u{1B}[<32;12;6M", "\u{1B}[<0;12;6m", "\u{1B}[<64;1;1M", "\u{1B}[<65;1;1M",
      "\u{1B}[<18;3;4M", "\u{1B}[<2;3;4m",
    ])
    #expect(
      events == [
        .mouse(Mouse(.press(clicks: 1), at: Point(x: 10, y: 5))),
        .mouse(Mouse(.drag, at: Point(x: 11, y: 5))),
        .mouse(Mouse(.release, at: Point(x: 11, y: 5))),
        .mouse(Mouse(.scroll(-1), button: .none, at: Point(x: 0, y: 0))),
        .mouse(Mouse(.scroll(1), button: .none, at: Point(x: 0, y: 0))),
        .mouse(Mouse(.press(clicks: 1), button: .right, at: Point(x: 2, y: 3), modifiers: .control)),
        .mouse(Mouse(.release, button: .right, at: Point(x: 2, y: 3))),
      ])
  }

  @Test func `two quick presses on one cell are a double click`() {
    let press = "\u{1B}[<0;5;5M"
    func clicks(_ pieces: [String], _ times: [Double]) -> [Int] {
      Self.events(pieces, at: times).compactMap { event in
        if case .mouse(let mouse) = event, case .press(let clicks) = mouse.action { clicks } else { nil }
      }
    }
    #expect(clicks([press, press, press], [0, 0.3, 0.5]) == [1, 2, 1])
    #expect(clicks([press, press], [0, 0.5]) == [1, 1])
    #expect(clicks([press, "\u{1B}[<0;6;5M"], [0, 0.1]) == [1, 1])
    #expect(clicks([press, "\u{1B}[<2;5;5M"], [0, 0.1]) == [1, 1])
  }

  @Test func `changes of focus are reported`() {
    #expect(Self.events(["\u{1B}[I", "\u{1B}[O"]) == [.focus(true), .focus(false)])
  }

  @Test func `responses and invalid bytes are not events`() {
    let bytes = ["\u{1B}[?62;4c", "\u{1B}[?2026;2$y", "\u{1B}[6;16;8t", "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}[0n"]
    #expect(Self.events(bytes).isEmpty)
    let session = TermpaintSession()
    session.add([0xFF, 0xC3, 0x28, 0x80, 0x1B, 0x5B, 0x3B, 0x3B, 0x7E])
    var translator = InputTranslator()
    let keys = session.takeInputs().compactMap { translator.event(of: $0, at: 0) }
    #expect(keys == [.key(Key(.character("(")))])
  }

  @Test func `restoring reverses every mode of the setup`() throws {
    let session = TermpaintSession()
    session.setUp(backspaceIsControlH: false)
    let setUp = String(decoding: session.takeOutput(), as: UTF8.self)
    let restore = String(decoding: session.restoreSequence, as: UTF8.self)
    for mode in setUp.matches(of: /\u{1B}\[\?(1049|1002|1004|1006|2004)h/).map(\.1) {
      #expect(restore.contains("\u{1B}[?\(mode)l"))
    }
    #expect(setUp.contains("\u{1B}[?1049h") && setUp.contains("\u{1B}[?1006h") && setUp.contains("\u{1B}[?2004h"))
  }
}

struct TerminalCapabilitiesTests {
  /// Returns the terminal's capabilities after responses, and for each response whether it completed them.
  private static func capabilities(_ answers: [String]) -> (TerminalCapabilities, isComplete: [Bool]) {
    var capabilities = TerminalCapabilities()
    let isComplete = answers.map { capabilities.take(Array($0.utf8)) }
    return (capabilities, isComplete)
  }

  @Test func `responses report the terminal's capabilities`() {
    let (found, isComplete) = Self.capabilities([
      "\u{1B}[?2026;2$y", "\u{1B}[?0u", "\u{1B}[6;18;9t", "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}[?62;4;22c",
    ])
    #expect(isComplete == [false, false, false, false, true])
    let all = TerminalCapabilities(
      answers: true, synchronizesOutput: true, pixelModes: [.sixel, .kitty], knowsKittyKeyboard: true,
      cellPixels: Size(width: 9, height: 18))
    #expect(found == all)
  }

  @Test func `the last query is one that every terminal responds to`() {
    let queries = String(decoding: TerminalCapabilities.questions(asksModes: false), as: UTF8.self)
    #expect(queries == "\u{1B}[?u\u{1B}[16t\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c")
  }

  @Test func `a terminal without capabilities is recognized`() {
    let (found, isComplete) = Self.capabilities([
      "\u{1B}[?2026;0$y", "\u{1B}_Gi=31;ENOTSUPPORTED\u{1B}\\", "\u{1B}[?1;2c",
    ])
    #expect(isComplete.last == true)
    #expect(found == TerminalCapabilities(answers: true))
    #expect(GraphicsMode.best(for: found, depth: .trueColor) == .halfBlock)
    #expect(GraphicsMode.best(for: found, depth: .none) == .braille)
  }
}
