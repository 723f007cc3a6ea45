import PluginAPI
import Testing

@testable import Host

struct ContributionsCheckTests {
  private static let stamp = PluginStamp(id: "tides", version: "1.0.0", revision: 1, compiler: "c")

  /// Checks contributions of plugin 'tides' with one command, and returns the problem.
  private func objection(_ change: (inout Contributions) -> Void) -> String? {
    var all = Contributions(
      plugin: PluginIdentity(id: "tides", name: "Tides", version: "1.0.0", summary: "High and low water"))
    all.commands = [
      CommandDescription("list stations", "List stations", output: .init(.any)).taking([
        Parameter("region", .choice(["north", "south sea"]), "Part of the coast")
      ]).explained("First paragraph.\n\nSecond paragraph.", examples: [.init("list stations", "All of them")])
    ]
    let zoom = ScreenAction("zoom-in", "Zoom in", keys: ["+"])
    all.screens = [ScreenDescription("chart", title: "Chart", actions: [zoom])]
    all.textRenderers = ["tides.station"]
    change(&all)
    do throws(ErrorReport) {
      try ContributionsCheck.check(all, against: Self.stamp)
      return nil
    } catch {
      guard error.report.code == "host.plugin-bad-contributions" else { return error.report.code }
      return error.report.message
    }
  }

  @Test func `valid contributions are accepted`() {
    #expect(objection { _ in } == nil)
  }

  @Test(arguments: ["List", "list_all", "list  all", " list", "-list", "list-", "l\u{1B}[2J", "läuft", ""])
  func `a command name that is not in kebab-case is refused`(name: String) {
    #expect(objection { $0.commands[0].name = name } != nil)
  }

  @Test func `other names that are not one word in kebab-case are refused`() {
    #expect(objection { $0.commands[0].arguments[0].name = "the region" } != nil)
    #expect(objection { $0.screens[0].name = "Chart" } != nil)
    #expect(objection { $0.screens[0].actions[0].id = "zoomIn" } != nil)
    #expect(objection { $0.stores = [StoreDescription("a b", "Stations")] } != nil)
    #expect(objection { $0.settings = [Parameter("x.y", .text, "A setting")] } != nil)
    #expect(objection { $0.checks = [CheckDescription("a:b", "A check")] } != nil)
    #expect(objection { $0.topics = [TopicDescription("A", "A topic", payload: .any)] } != nil)
  }

  @Test func `text must not have control characters, and only a discussion has lines`() {
    #expect(objection { $0.commands[0].summary = "List\u{1B}]0;x\u{7}" } != nil)
    #expect(objection { $0.commands[0].summary = "List\nstations" } != nil)
    #expect(objection { $0.commands[0].discussion = "a\u{9B}2J" } != nil)
    #expect(objection { $0.commands[0].examples[0].line = "list\tall" } != nil)
    #expect(objection { $0.commands[0].arguments[0].kind = .choice(["a\u{7F}b"]) } != nil)
    #expect(objection { $0.plugin.name = "Tides\u{202E}" } != nil)
    #expect(objection { $0.screens[0].actions[0].title = "Zoom\r" } != nil)
    #expect(objection { $0.screens[0].actions[0].arguments = ["by": "\u{1B}"] } != nil)
  }

  @Test func `a choice has at most a thousand words, none of which looks like an option`() {
    func choice(_ words: [String]) -> String? {
      objection { $0.commands[0].arguments[0].kind = .choice(words) }
    }
    #expect(choice((0..<1000).map { "word-\($0)" }) == nil)
    #expect(choice((0..<1001).map { "word-\($0)" })?.contains("1001") == true)
    #expect(choice(["--force"]) != nil)
    #expect(choice([""]) != nil)
    #expect(choice(["$(touch x)"]) == nil)
    #expect(objection { $0.settings = [Parameter("coast", .choice(["-x"]), "Coast")] } != nil)
  }

  @Test func `a parameter takes a number of numbers that help can list, within bounds that are not empty`() {
    func kind(_ kind: Parameter.Kind) -> String? {
      objection { $0.commands[0].options = [Parameter("rotate", kind, "Angles")] }
    }
    #expect(kind(.numbers(count: 1)) == nil && kind(.numbers(count: 1000)) == nil)
    for count in [-1, 0, 1001, .min, .max] { #expect(kind(.numbers(count: count))?.contains("\(count)") == true) }
    #expect(kind(.integer(minimum: 3, maximum: 3)) == nil && kind(.integer(minimum: 3, maximum: 2)) != nil)
    #expect(kind(.number(minimum: 0, maximum: 0)) == nil && kind(.number(minimum: 1, maximum: 0)) != nil)
    #expect(kind(.number(minimum: .nan, maximum: 1)) != nil && kind(.number(minimum: 0, maximum: .nan)) != nil)
    #expect(objection { $0.settings = [Parameter("angles", .numbers(count: -1), "Angles")] } != nil)
  }

  @Test func `values are completed by a read-only command of the plugin that lists them`() {
    func completed(_ change: (inout CommandDescription) -> Void = { _ in }, column: String = "name") -> String? {
      objection {
        var list = CommandDescription("list", "List stations", output: .init(.table([.init("name", .text)])))
        change(&list)
        $0.commands.append(list)
        $0.commands[0].options = [Parameter("station", .text, "Station").completed(by: "list", column: column)]
      }
    }
    #expect(completed() == nil)
    #expect(completed { $0.output = .init(.list(.record([.init("name", .text)]))) } == nil)
    #expect(completed { $0.output = .init(.list(.text)) } != nil)
    #expect(completed(column: "title")?.contains("title") == true)
    #expect(completed { $0.effects = [.reads, .network] } != nil)
    #expect(completed { $0.arguments = [Parameter("region", .text, "Region", isRequired: true)] } != nil)
    #expect(completed { $0.name = "stations" }?.contains("'list'") == true)
  }

  @Test(arguments: ["q", ":", "?"]) func `a screen that uses a key of the program is refused`(key: String) {
    let message = objection { $0.screens[0].actions[0].keys.append(key) }
    #expect(message?.contains("'\(key)'") == true && message?.contains("'zoom-in'") == true)
  }

  @Test func `a text renderer for a type of another plugin is refused`() {
    #expect(objection { $0.textRenderers.append("molecules.structure") }?.contains("'molecules.structure'") == true)
    #expect(objection { $0.textRenderers.append("tidesmore.station") } != nil)
    #expect(objection { $0.textRenderers.append("host.error") } != nil)
  }
}
