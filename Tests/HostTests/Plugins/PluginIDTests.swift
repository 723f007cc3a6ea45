import PluginAPI
import Testing

@testable import Host

struct PluginIDTests {
  @Test(arguments: ["tides", "ab", "a-1", "x" + String(repeating: "y", count: 39)])
  func `ids of lowercase letters, digits and dashes are valid`(id: String) {
    #expect(PluginID.objection(to: id) == nil)
  }

  @Test(arguments: [
    "", "a", "1a", "-a", "Tides", "ti des", "../x", "tides/", "tïdes", "a\u{0}b", "plugin", "run", "help", "host",
    "x" + String(repeating: "y", count: 40),
  ])
  func `other ids and names of commands are invalid`(id: String) {
    #expect(PluginID.objection(to: id) != nil)
  }

  @Test(arguments: [
    ("1.0.0", true), ("0.12.3-beta.1+b7", true), ("1.0", false), ("1.0.0.0", false), ("a.b.c", false), ("1..0", false),
    ("1.0.0-", false), ("1.0.0 ", false), ("", false),
  ])
  func `a version is three numbers`(text: String, isGood: Bool) {
    #expect(PluginID.isVersion(text) == isGood)
  }

  @Test func `an error of the dynamic linker becomes a refusal that names the cause`() {
    func refusal(_ words: String) -> ErrorReport {
      PluginLibrary.refusal(words, path: "/p/libX.so", id: "tides")
    }
    #expect(
      refusal("/p/libX.so: undefined symbol: no_such_thing")
        == PluginRefusal.missingSymbol(id: "tides", "no_such_thing"))
    #expect(
      refusal("libnope.so.1: cannot open shared object file: No such file or directory")
        == PluginRefusal.missingLibrary(id: "tides", "libnope.so.1"))
    #expect(
      refusal("/p/libX.so: file too short") == PluginRefusal.notLoadable(id: "tides", "/p/libX.so: file too short"))
  }

  @Test func `fields preserve tabs, line ends and a lone dash`() {
    for text in ["-", "a\tb", "a\nb", "50%", "%41", "ü/é"] {
      #expect(FieldText.plain(FieldText.escaped(text)) == text)
      #expect(!FieldText.escaped(text).contains("\t"))
    }
    #expect(FieldText.plain("%2d%+5%-1%4g%") == "-%+5%-1%4g%")
  }
}
