import PluginAPI
import PluginTesting
import Testing

struct PluginConformanceTests {
  @Test func `a plugin with only a name conforms`() async {
    #expect(await PluginConformance.check(PlainPlugin { _ in }) == [])
  }

  @Test(arguments: Self.mistakes) func `a mistake in the contributions is found`(mistake: Mistake) async {
    let findings = await PluginConformance.check(PlainPlugin(mistake.make))
    #expect(findings.contains { $0.message.contains(mistake.words) }, "\(findings.map(\.message))")
  }

  /// A plugin with two screens that share keys.
  private static let keyed = PlainPlugin {
    $0.screens = [
      ScreenDescription(
        "list", title: "List",
        actions: [
          ScreenAction("delete", "Delete it", keys: ["d", "x"]), ScreenAction("open", "Open", keys: ["enter"]),
        ]),
      ScreenDescription(
        "view", title: "View",
        actions: [
          ScreenAction("details", "Show details", keys: ["d"]), ScreenAction("delete", "Delete this", keys: ["x"]),
          ScreenAction("turn", "Turn", keys: ["enter", "t"]),
        ]),
    ]
  }

  @Test func `keys with different meanings on different screens are found`() {
    let found = PluginConformance.checkKeys(of: Self.keyed, except: ["enter": "the main thing of each screen"])
    #expect(
      found.map(\.message) == [
        "key 'd' means 'Delete it' on screen 'list' and 'Show details' on screen 'view'; choose another key for one of "
          + "them, or say why it may"
      ])
    #expect(PluginConformance.checkKeys(of: Self.keyed).count == 2)
  }

  @Test func `a reason for a key with only one meaning is found`() {
    let reasons = ["enter": "the main thing", "d": "a test", "x": "the same id", "z": "unused"]
    let found = PluginConformance.checkKeys(of: Self.keyed, except: reasons)
    #expect(found.map(\.message) == ["x", "z"].map { "key '\($0)' has one meaning only and needs no reason" })
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    var words: String
    var make: @Sendable (inout Contributions) -> Void
    var testDescription: String { words }
  }

  private static func command(
    _ name: String, _ arguments: [Parameter] = [], options: [Parameter] = [], example: String? = nil
  ) -> CommandDescription {
    let examples = example.map { [CommandDescription.Example($0, "an example")] } ?? []
    return CommandDescription(name, "do something", output: CommandDescription.Output(.any))
      .taking(arguments, options: options).explained(examples: examples)
  }

  static let mistakes: [Mistake] = [
    Mistake(words: "the id 'Bad_Id'") { $0.plugin.id = "Bad_Id" },
    Mistake(words: "the version '1'") { $0.plugin.version = "1" },
    Mistake(words: "the summary of the plugin") { $0.plugin.summary = "It ends with a stop." },
    Mistake(words: "command 'List' is not one or more words") { $0.commands = [command("List")] },
    Mistake(words: "there are two of command 'list'") { $0.commands = [command("list"), command("list")] },
    Mistake(words: "command 'list' is announced and not made") { $0.commands = [command("list")] },
    Mistake(words: "has option '--json', which is the host's own") {
      $0.commands = [command("list", options: [Parameter("json", .flag, "as JSON")])]
    },
    Mistake(words: "takes the required 'b' behind the optional 'a'") {
      $0.commands = [command("list", [Parameter("a", .text, "one"), Parameter("b", .text, "two", isRequired: true)])]
    },
    Mistake(words: "the default of 'n' of command 'list' does not fit") {
      let kind = Parameter.Kind.integer(minimum: 1, maximum: 5)
      $0.commands = [command("list", options: [Parameter("n", kind, "a number", defaultValue: 9)])]
    },
    Mistake(words: "example 'list --days 3' of command 'list' does not parse") {
      $0.commands = [command("list", example: "list --days 3")]
    },
    Mistake(words: "example 'list' of command 'list' does not parse") {
      $0.commands = [command("list", [Parameter("a", .text, "one", isRequired: true)], example: "list")]
    },
    Mistake(words: "'hyper-x' of action 'go' of screen 'main' names no key") {
      $0.screens = [ScreenDescription("main", title: "Main", actions: [ScreenAction("go", "Go", keys: ["hyper-x"])])]
    },
    Mistake(words: "screen 'main' gives key 'x' to two actions") {
      let actions = [ScreenAction("go", "Go", keys: ["x"]), ScreenAction("stop", "Stop", keys: ["x"])]
      $0.screens = [ScreenDescription("main", title: "Main", actions: actions)]
    },
    Mistake(words: "takes key 'q', which is the host's own") {
      $0.screens = [ScreenDescription("main", title: "Main", actions: [ScreenAction("go", "Go", keys: ["q"])])]
    },
    Mistake(words: "takes key 'ctrl-c', which is the host's own") {
      $0.screens = [ScreenDescription("main", title: "Main", actions: [ScreenAction("go", "Go", keys: ["ctrl-c"])])]
    },
    Mistake(words: "names the unknown screen 'viewer'") {
      $0.fileTypes = [FileTypeDescription("Text", extensions: ["txt"], screen: "viewer")]
    },
    Mistake(words: "extensions of file type 'Text' are lower case") {
      $0.fileTypes = [FileTypeDescription("Text", extensions: [".TXT"], screen: "viewer")]
    },
    Mistake(words: "store 'things' is announced and not made") { $0.stores = [StoreDescription("things", "things")] },
    Mistake(words: "does not begin with 'plain.'") { $0.textRenderers = ["other.thing"] },
    Mistake(words: "for which there is no text renderer") {
      let output = CommandDescription.Output(.any, typeName: "plain.thing")
      $0.commands = [CommandDescription("list", "list", output: output)]
    },
    Mistake(words: "listens to 'plain.changed'") {
      $0.screens = [ScreenDescription("main", title: "Main", topics: ["plain.changed"])]
    },
    Mistake(words: "check 'health' fails") { $0.checks = [CheckDescription("health", "looks")] },
    Mistake(words: "error code 'Oops' is not area.what-happened") {
      $0.errorCodes = [ErrorCodeDescription("Oops", "x")]
    },
  ]

  @Test func `contributions that change between calls are found`() async {
    let findings = await PluginConformance.check(MoodyPlugin())
    #expect(findings.contains { $0.message.contains("differ between two reads") })
  }

  @Test func `a view with an empty outline or random drawing is found`() {
    struct Silent: View {
      func draw(into frame: inout TextFrame) {}
      var outline: Outline { Outline(title: "") }
    }
    struct Random: View {
      func draw(into frame: inout TextFrame) { frame.put("\(UInt64.random(in: 0 ... .max))", x: 0, y: 0) }
      var outline: Outline { Outline(title: "random") }
    }
    #expect(PluginConformance.check(Silent()).map(\.message) == ["view has an empty outline"])
    #expect(PluginConformance.check(Random()).first?.message.contains("draws differently the second time") == true)
    #expect(PluginConformance.check(ListView("list", ListState())) == [])
  }
}

/// A plugin without parts, with contributions as a test wants them.
final class PlainPlugin: Plugin {
  let contributions: Contributions

  init(_ make: (inout Contributions) -> Void) {
    var contributions = Contributions(
      plugin: PluginIdentity(id: "plain", name: "Plain", version: "1.0.0", summary: "nothing"))
    make(&contributions)
    self.contributions = contributions
  }
}

/// A plugin whose contributions differ at each access.
private final class MoodyPlugin: Plugin {
  var contributions: Contributions {
    Contributions(
      plugin: PluginIdentity(
        id: "moody", name: "Moody", version: "1.0.0", summary: "number \(UInt64.random(in: 0 ... .max))"))
  }
}
