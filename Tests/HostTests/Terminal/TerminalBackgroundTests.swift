import PluginAPI
import Testing

@testable import Host

struct TerminalBackgroundTests {
  @Test(arguments: [
    ("rgb:ffff/ffff/ffff", Color.rgb(255, 255, 255)), ("rgb:0000/2b2b/3636", .rgb(0, 43, 54)),
    ("rgb:f/0/8", .rgb(255, 0, 136)), ("rgba:fd/f6/e3/ff", .rgb(253, 246, 227)),
  ])
  func `a response contains the background color`(value: String, color: Color) {
    for end in ["\u{1B}\\", "\u{7}"] {
      #expect(TerminalBackground.color(inResponse: Array("\u{1B}]11;\(value)\(end)".utf8)) == color)
    }
  }

  @Test(arguments: ["", "?", "rgb:", "rgb:1/2", "rgb:12345/0/0", "rgb:g/0/0", "white"])
  func `a malformed response contains no color`(value: String) {
    #expect(TerminalBackground.color(inResponse: Array("\u{1B}]11;\(value)\u{1B}\\".utf8)) == nil)
  }

  @Test(arguments: [
    ("0;15", true), ("15;0", false), ("0;default;15", true), ("12;8", false), ("default;default", nil), ("", nil),
    ("0;99", nil),
  ])
  func `COLORFGBG names an entry of the palette`(value: String, isLight: Bool?) {
    #expect(TerminalBackground.color(inEnvironment: ["COLORFGBG": value])?.isLight == isLight)
  }

  @Test func `the setting overrides the response, which overrides the environment`() {
    let (paper, solarized) = (Color.rgb(253, 246, 227), Color.rgb(0, 43, 54))
    func chosen(_ choice: GlobalOptions.BackgroundChoice, _ reported: Color?, _ value: String = "") -> Color {
      TerminalBackground.chosen(choice, reported: reported, environment: ["COLORFGBG": value])
    }
    #expect(chosen(.auto, nil) == .black)
    #expect(chosen(.auto, nil, "0;15").isLight)
    #expect(chosen(.auto, solarized, "0;15") == solarized)
    #expect(chosen(.light, solarized) == .white)
    #expect(chosen(.light, paper) == paper)
    #expect(chosen(.dark, paper) == .black)
    #expect(chosen(.dark, solarized) == solarized)
  }

  @Test(arguments: ["\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\", "\u{1B}]11;rgb:ffff/ffff/ffff\u{7}"])
  func `the session does not mistake the response for keys`(response: String) {
    let session = TermpaintSession()
    session.setUp(backspaceIsControlH: false)
    session.add(Array((response + "a").utf8))
    var capabilities = TerminalCapabilities()
    var translator = InputTranslator()
    var events: [Event] = []
    for input in session.takeInputs() {
      if case .answer(let bytes) = input { capabilities.take(bytes) }
      if let event = translator.event(of: input, at: 0) { events.append(event) }
    }
    #expect(capabilities.background == .white)
    #expect(events == [.key(Key(.character("a")))])
  }
}
