import PluginAPI
import Testing

struct KeyTests {
  @Test(arguments: [
    ("a", Key(.character("a"))), ("A", Key(.character("A"))), ("ctrl-p", Key(.character("p"), .control)),
    ("alt-x", Key(.character("x"), .alt)), ("shift-tab", Key(.tab, .shift)), ("enter", Key(.enter)),
    ("ctrl-alt-shift-f12", Key(.function(12), [.control, .alt, .shift])), ("page-down", Key(.pageDown)),
    ("space", Key(.character(" "))), ("-", Key(.character("-"))), ("ctrl--", Key(.character("-"), .control)),
    ("é", Key(.character("é"))), ("漢", Key(.character("漢"))), ("f", Key(.character("f"))), ("f1", Key(.function(1))),
    ("f24", Key(.function(24))), ("alt-up", Key(.up, .alt)),
  ])
  func `a key is parsed from its name and described by it`(text: String, key: Key) {
    #expect(Key(text) == key)
    #expect(key.description == text)
  }

  @Test func `esc is an alias of escape`() {
    #expect(Key("esc") == Key(.escape))
    #expect(Key(.escape).description == "escape")
  }

  @Test(arguments: ["", "ctrl-", "f0", "f25", "f1x", "pageup", "Enter", "ab", "ctrl-ab", "alt-ctrl-x", "shift"])
  func `text that does not name a key is nil`(text: String) {
    #expect(Key(text) == nil)
  }

  @Test func `only a character without modifiers counts as typed`() {
    #expect(Key(.character("a")).typedCharacter == "a")
    #expect(Key(.character("a"), .control).typedCharacter == nil)
    #expect(Key(.enter).typedCharacter == nil)
  }
}
