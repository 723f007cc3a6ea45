import Foundation
import PluginAPI
import Testing

@testable import Host

@MainActor struct NavigatorTests {
  @Test func `a screen is drawn between the title and the status line`() throws {
    let flow = try Flow()
    #expect(
      flow.screen == """
         Tides › Ports
        ────────────────────────────────────────────────────────────
        ▌ Helgoland  North Sea                                    ›
          Cuxhaven   mouth of the Elbe                            ›
          Bristol    Severn estuary                               ›








         datum mean    n name a port   q quit   : commands   ? help
        """)
  }

  @Test func `the status line names a slow call until the next key, where it fits`() async throws {
    let flow = try Flow(100)
    let usual = flow.status
    flow.navigator.showSlowCall("plugin 'tides' took 320 ms")
    #expect(flow.status.hasPrefix(" datum mean  plugin 'tides' took 320 ms  "))
    #expect(flow.status.hasSuffix("? help"))
    try await flow.feed("resize:60x14")
    #expect(!flow.status.contains("320 ms"))
    try await flow.feed("resize:100x14 down up")
    #expect(flow.status == usual)
  }

  @Test func `a long notice takes more rows, even over a popover`() async throws {
    let notice = Diagnostic(
      .error, code: "tides.away", "'tides.example' cannot be reached: Connection refused", advice: "look at the address"
    )
    let flow = try Flow()
    flow.navigator.show(notice)
    #expect(
      flow.lines.suffix(3) == [
        "", " ✗ 'tides.example' cannot be reached: Connection refused", "   look at the address",
      ])
    try await flow.feed("resize:100x14")
    flow.navigator.show(notice)
    #expect(flow.status.hasPrefix(" ✗ 'tides.example' cannot be reached: Connection refused; look at the address"))
    try await flow.feed("resize:40x12 ctrl-p")
    flow.navigator.show(notice)
    let last = flow.lines.suffix(3).map { $0.drop { $0 == " " } }
    #expect(last == ["✗ 'tides.example' cannot be reached:", "Connection refused", "look at the address"])
  }

  @Test func `an error's advice is readable in full on a small screen`() async throws {
    let advice = "look at the address, then at the cable, then ask the harbour master for the key of the gauge house"
    let flow = try Flow(40, 12)
    flow.navigator.show(Diagnostic(.error, code: "tides.away", "cannot be reached", advice: advice + " at noon"))
    #expect(flow.status.hasSuffix("noon"))
    try await flow.feed("resize:40x5")
    #expect(flow.lines[0] == " ✗ cannot be reached" && flow.status.hasSuffix("noon"))
  }

  @Test(arguments: -1...25) func `text too long for the status line ends with an ellipsis`(width: Int) {
    let runs: [StyledText.Run] = [.init("Cartoon"), .init(" · ", .secondary), .init("486 atoms", .accent)]
    let whole = "Cartoon · 486 atoms"
    let shown = StatusLine.cut(runs, to: width).map(\.text).joined()
    #expect(shown == (width < whole.count ? TextWidth.truncated(whole, to: width) : whole))
  }

  @Test func `a long question appears once, a short one in the heading`() async throws {
    let flow = try Flow(60, 14)
    let long = "Low water of the harbours: unknown word 'hihg' at column 1; expected 'high' or 'low'"
    let choices = [ChoiceRequest.Choice(id: "go", title: "Go on")]
    let questions: [any HostController] = [
      PromptController(PromptRequest(long)), ChoiceController(ChoiceRequest(long, choices: choices)),
    ]
    for controller in questions {
      flow.navigator.push(host: controller, named: "question", placement: .popover)
      #expect(flow.screen.components(separatedBy: "Low water of").count == 2)
      #expect(flow.screen.contains("or 'low'"))
      try await flow.feed("escape")
    }
    flow.navigator.push(host: PromptController(PromptRequest("Low water of")), named: "prompt", placement: .popover)
    #expect(flow.screen.contains("╭─ Low water of ─"))
  }

  @Test(arguments: [Diagnostic.Severity.note, .warning, .error])
  func `a note or warning disappears when another page comes to the front, an error remains`(
    severity: Diagnostic.Severity
  ) async throws {
    let flow = try Flow()
    let notice = Diagnostic(severity, code: "tides.fog", "there is fog")
    let stays = severity == .error
    for keys in ["enter", "escape"] {
      flow.navigator.show(notice)
      #expect(flow.status.contains("there is fog"))
      try await flow.feed(keys)
      #expect(flow.status.contains("there is fog") == stays, "\(keys)")
    }
  }

  @Test func `a warning remains under a sheet, beside a detail, and on the page opened with it`() async throws {
    let flow = try Flow(110, 14)
    let note = Diagnostic(.warning, code: "tides.fog", "there is fog")
    flow.navigator.show(note)
    try await flow.feed("m")
    #expect(flow.status.contains("there is fog"))
    try await flow.feed("escape right")
    #expect(flow.status.contains("there is fog"))
    try await flow.feed("escape")
    let port = ScreenRequest("port", plugin: "tides", arguments: ["id": "bri"])
    flow.navigator.perform([.status(note), .push(port)], for: try #require(flow.navigator.focused))
    #expect(flow.lines[0] == " Tides › Ports › Port bri" && flow.status.contains("there is fog"))
  }

  @Test func `choosing opens the next screen, and escape returns`() async throws {
    let flow = try Flow()
    try await flow.feed("down enter")
    #expect(flow.lines[0] == " Tides › Ports › Port cux")
    try await flow.feed("escape")
    #expect(flow.lines[0] == " Tides › Ports")
    #expect(flow.status.contains("back from port with nothing"))
    try await flow.feed("enter v")
    #expect(flow.status.contains("back from port with cux"))
  }

  @Test func `a screen that opens another one at once is not drawn under it`() async throws {
    let flow = try Flow(documents: ["at once"])
    #expect(flow.lines[0] == " Tides › Ports › Port hel")
    #expect(!flow.screen.contains("Cuxhaven"))
    #expect(!flow.plugin.gate.notes.contains("shown"))
    try await flow.feed("escape")
    #expect(flow.screen.contains("Cuxhaven") && flow.plugin.gate.notes.contains("shown"))
  }

  @Test func `a wide terminal shows a detail beside its list`() async throws {
    let flow = try Flow(110, 14)
    try await flow.feed("right")
    #expect(
      flow.screen == """
         Tides › Ports
        ─ Ports ───────────────────────────────────┬─ ▸ Port hel ─────────────────────────────────────────────────────
        ▌ Helgoland  North Sea                   › │  Place
          Cuxhaven   mouth of the Elbe           › │▌ Code   hel
          Bristol    Severn estuary              › │  Range  2.4 m
                                                   │
                                                   │
                                                   │
                                                   │
                                                   │
                                                   │
                                                   │
                                                   │
                                               v leave with a value   tab other side   esc back   : commands   ? help
        """)
    try await flow.feed("tab down")
    #expect(flow.lines[1].contains("▸ Ports"))
    #expect(flow.lines[3].hasPrefix("▌ Cuxhaven"))
    try await flow.feed("tab down")
    #expect(flow.lines[4].contains("▌ Range"))
    try await flow.feed("resize:60x14")
    #expect(flow.lines[0] == " Tides › Ports › Port hel" && !flow.screen.contains("Cuxhaven"))
    try await flow.feed("resize:110x14")
    #expect(flow.screen.contains("Cuxhaven") && flow.screen.contains("Range"))
    try await flow.feed("escape")
    #expect(!flow.screen.contains("Range"))
  }

  @Test func `a sheet opens with the current choice selected`() async throws {
    let flow = try Flow()
    try await flow.feed("m")
    #expect(
      flow.screen == """
         Tides › Ports
        ────────────────────────────────────────────────────────────
        ▌ Helgoland  North Sea                                    ›
          Cuxhaven   mouth of the Elbe                            ›
          Bristol    ╭─ Datum ────────────────────────╮           ›
                     │  1 Chart datum                 │
                     │▌ 2 Mean level    of ten years  │
                     │  3 Lowest tide                 │
                     ╰────── enter choose  esc close ─╯




         datum mean
        """)
    try await flow.feed("enter")
    #expect(flow.status.contains("datum mean"))
    try await flow.feed("m 1")
    #expect(flow.status.contains("datum chart"))
    try await flow.feed("m l")
    #expect(flow.status.contains("datum lowest"))
    try await flow.feed("m escape")
    #expect(flow.status.contains("datum lowest"))
    try await flow.feed("m click:30,6 wait")
    #expect(flow.status.contains("datum mean"))
  }

  @Test(.timeLimit(.minutes(2)))
  func `keys typed ahead wait for a loading screen and continue on the next`() async throws {
    let flow = try Flow()
    try await flow.feed("z end enter")
    #expect(flow.lines[0] == " Tides › Ports › Gauges")
    flow.plugin.gate.open()
    try await flow.feed("wait")
    #expect(flow.lines[0] == " Tides › Ports › Gauges › Port keel")
  }

  @Test(.timeLimit(.minutes(2)))
  func `keys typed ahead go to the screen that replaces the loading one`() async throws {
    let flow = try Flow()
    try await flow.feed("z down enter")
    flow.plugin.gate.note("moved")
    flow.plugin.gate.open()
    try await flow.feed("wait")
    #expect(flow.lines[0] == " Tides › Ports › Port cux")
  }

  @Test(.timeLimit(.minutes(2)))
  func `host keys act while a screen is loading, unless other keys wait`() async throws {
    let flow = try Flow()
    try await flow.feed("z q")
    #expect(flow.lines[0] == " Tides › Ports")
    flow.plugin.gate.open()
    try await flow.feed("wait z / type:q")
    flow.plugin.gate.open()
    try await flow.feed("wait")
    #expect(flow.lines[0] == " Tides › Ports › Gauges" && flow.screen.contains("/ q"))
  }

  @Test func `escape leaves a screen before its loading overlay appears`() async throws {
    let flow = try Flow(overlayDelayInSeconds: 600)
    try await flow.feed("z escape")
    #expect(flow.lines[0] == " Tides › Ports")
    flow.plugin.gate.open()
  }

  @Test(.timeLimit(.minutes(2)), arguments: ["escape", "ctrl-c", "failure"])
  func `keys typed ahead are dropped if loading fails or is canceled`(end: String) async throws {
    let flow = try Flow()
    try await flow.feed("z end enter")
    if end == "failure" { flow.plugin.gate.note("drained") } else { try await flow.feed(end) }
    flow.plugin.gate.open()
    try await flow.feed("wait")
    #expect(flow.lines[0] == " Tides › Ports › Gauges")
    try await flow.feed("enter")
    #expect(flow.lines[0] == " Tides › Ports › Gauges › Port new")
  }

  @Test func `typing replaces a proposed answer, and arrow keys preserve it`() async throws {
    let flow = try Flow()
    try await flow.feed("D")
    #expect(flow.screen.contains("› mean"))
    try await flow.feed("type:low enter")
    #expect(flow.status.contains("named low"))
    try await flow.feed("D end type:er enter")
    #expect(flow.status.contains("named meaner"))
    try await flow.feed("D backspace enter")
    #expect(flow.status.hasPrefix(" named") && !flow.status.contains("mean"))
  }

  @Test func `hints omit keys that would be typed as text`() async throws {
    let flow = try Flow(120, 14)
    #expect(flow.status.contains("n name a port"))
    try await flow.feed("/")
    #expect(!flow.status.contains("name a port") && flow.status.contains("f1 help"))
  }

  @Test func `a prompt accepts text, even keys that are actions`() async throws {
    let flow = try Flow()
    try await flow.feed("n type:mqx? backspace")
    #expect(
      flow.screen == """
         Tides › Ports
        ────────────────────────────────────────────────────────────
        ▌ Helgoland  North Sea                                    ›
          Cuxhaven   mouth of the Elbe                            ›
          Bristol    Severn estuary                               ›
         ╭─ Name of the port ─────────────────────────────────────╮
         │› mqx                                                   │
         ╰────────────────────────────── enter answer  esc close ─╯





         datum mean
        """)
    try await flow.feed("enter")
    #expect(flow.status.contains("named mqx"))
  }

  @Test func `the palette finds commands by fuzzy match and shows keys`() async throws {
    let flow = try Flow(80, 24)
    try await flow.feed("ctrl-p type:turi")
    #expect(
      flow.screen == """
         Tides › Ports
        ────────────────────────────────────────────────────────────────────────────────
        ▌ Helgoland  North Sea                                                        ›
         ╭─ Commands ─────────────────────────────────────────────────────────────────╮
         │: turi                                                                      │
         │────────────────────────────────────────────────────────────────────────────│
         │▌ Turn right  Ports                                                       l │
         │                                                                            │
         │                                                                            │
         │                                                                            │
         │                                                                            │
         │                                                                            │
         │                                                                            │
         │                                                                            │
         │                                                                            │
         │                                                                            │
         │                                                                            │
         │                                                                            │
         │                                                                            │
         │                                                                            │
         ╰───────────────────────────────────────────────────── enter run  esc close ─╯


         datum mean
        """)
    try await flow.feed("enter")
    #expect(flow.status.contains("turned 1"))
    try await flow.feed(": type:zzz")
    #expect(flow.screen.contains("No matches for 'zzz'"))
    try await flow.feed("escape")
    #expect(!flow.screen.contains("zzz"))
  }

  @Test func `a palette command requests its arguments and shows its result`() async throws {
    let flow = try Flow(80, 24)
    try await flow.feed("ctrl-p type:tideshei enter")
    #expect(flow.screen.contains("height: port") && flow.screen.contains("cuxhaven"))
    try await flow.feed("2")
    #expect(flow.screen.contains("the hour of the day: a whole number from 0 to 23"))
    try await flow.feed("type:99 enter")
    #expect(flow.screen.contains("! '99' is not a whole number from 0 to 23 (h) for"))
    try await flow.feed("backspace backspace type:7 enter wait")
    #expect(flow.lines[0] == " Tides › Ports › height")
    #expect(flow.lines[2...4] == ["▌ port    cuxhaven", "  hour    7", "  height  1.5 m"])
    try await flow.feed("escape ctrl-p type:tideslist enter wait")
    let ends: [Substring] = flow.lines[2...4].map { $0.split(separator: " ").last ?? "" }
    #expect(ends == ["height", "2.4", "2.9"])
    try await flow.feed("escape ctrl-p type:tidesdraw enter wait")
    #expect(flow.screen.contains("████"))
    try await flow.feed("escape ctrl-p type:tidesfail enter wait")
    #expect(flow.screen.contains("✗ the sea is dry") && flow.screen.contains("tides.dry"))
    #expect(!flow.status.contains("the sea is dry"), "the page says it already")
  }

  @Test(arguments: [true, false])
  func `the status line shows a failure only if the screen does not show it`(_ isOnScreen: Bool) async throws {
    let flow = try Flow()
    flow.navigator.push(host: DryController(showsFailure: isOnScreen), named: "gauge", placement: .page)
    try await flow.feed("wait")
    #expect(flow.lines[2].contains("the sea is dry") == isOnScreen)
    #expect(flow.status.contains("the sea is dry") != isOnScreen)
    #expect(flow.navigator.lastFailure?.code == "tides.dry")
  }

  @Test func `the parts of a streamed list or table are shown as one result`() throws {
    let flow = try Flow(80, 24)
    let list = ValueSchema.list(.record([.init("port", .text)]))
    let parts: [(schema: ValueSchema, values: [Value])] = [
      (list, [[["port": "Helgoland"]], [["port": "Cuxhaven"]]]),
      (
        .table([.init("port", .text)]),
        ["Helgoland", "Cuxhaven"].map { Value.table(Table(columns: [.init("port", .texts([$0]))])) }
      ),
    ]
    for (schema, values) in parts {
      let declaration = CommandDescription("list", "list harbours", output: .init(schema, isStream: true))
      let controller = ResultController(navigator: flow.navigator, plugin: "tides", declaration, Record())
      for value in values { _ = controller.receive(.emitted("result", value)) }
      _ = controller.receive(.finished("result"))
      #expect(controller.view.outline.items.map(\.text) == ["port Helgoland", "port Cuxhaven"])
    }
  }

  @Test func `help lists every action with its key`() async throws {
    let flow = try Flow(80, 50)
    try await flow.feed("?")
    let screen = flow.screen
    let actions = flow.plugin.contributions.screens[0].actions
    #expect(actions.allSatisfy { $0.keys.isEmpty || screen.contains($0.title) })
    let hostKeys = HostKey.allCases.filter { !$0.standardKeys.isEmpty }
    #expect(hostKeys.allSatisfy { screen.contains($0.title) })
    #expect(screen.contains("  m ") && screen.contains("ctrl-c"))
    try await flow.feed("escape")
    #expect(!flow.screen.contains("Everywhere"))
  }

  @Test func `the user's keys replace the actions' own`() async throws {
    let keys = [
      "tides.ports.mode": [Key(.function(2))], "turn(1)": [Key(.character("R"))], "host.help": [Key(.function(5))],
    ]
    let flow = try Flow(keys: keys)
    try await flow.feed("m l ?")
    #expect(flow.status.contains("datum mean"))
    try await flow.feed("R")
    #expect(flow.status.contains("turned 1"))
    try await flow.feed("f2")
    #expect(flow.screen.contains("Chart datum"))
  }

  @Test func `a screen that cannot be created shows an error page with its code`() async throws {
    let flow = try Flow()
    try await flow.feed("x")
    #expect(
      flow.screen == """
         Tides › Ports › Error
        ────────────────────────────────────────────────────────────
         ✗ the gauge of 'broken' is missing

         mount one

         code    tides.no-gauge
         plugin  tides





                                     esc back   : commands   ? help
        """)
    try await flow.feed("escape down enter")
    #expect(flow.lines[0] == " Tides › Ports › Port cux")
  }

  @Test func `a screen is drawn at any size, under any overlay`() async throws {
    let flow = try Flow()
    var frames = 0
    for opening in ["", "m", "escape ctrl-p", "escape ?", "escape n", "escape p", "escape right"] {
      try await flow.feed(opening)
      for width in [0, 1, 2, 5, 10, 23, 24, 30, 99, 100, 130] {
        for height in [0, 1, 2, 3, 5, 7, 11, 12, 20] {
          flow.display.resize(to: Size(width: width, height: height))
          flow.navigator.finishFrame()
          frames += flow.display.frame?.frameSize == Size(width: width, height: height) ? 1 : 0
        }
      }
      flow.display.resize(to: Size(width: 60, height: 14))
    }
    #expect(frames == 7 * 11 * 9)
  }

  @Test func `a popover appears over its screen and closes on a click outside it`() async throws {
    let flow = try Flow()
    try await flow.feed("p")
    #expect(flow.screen.contains("╭─ Port hel ─"))
    try await flow.feed("click:0,13")
    #expect(flow.status.contains("back from port"))
  }

  @Test func `a drag is sent to the screen where it began, in its coordinates`() async throws {
    let flow = try Flow(110, 14)
    try await flow.feed("right drag:2,3-1,0")
    #expect(flow.plugin.gate.notes.suffix(3) == ["drag 2,0", "drag 2,-1", "drag 1,-2"])
  }

  @Test func `a click selects, a double click chooses, and hints act as buttons`() async throws {
    let flow = try Flow()
    try await flow.feed("click:4,4")
    #expect(flow.lines[4].hasPrefix("▌ Bristol"))
    try await flow.feed("double:4,3")
    #expect(flow.lines[0].hasSuffix("Port cux"))
    let column = flow.status.split(separator: "esc")[0].count
    try await flow.feed("click:\(column),13")
    #expect(flow.lines[0] == " Tides › Ports")
  }

  @Test func `subscribed topics arrive as messages, and copied text reaches the clipboard`() async throws {
    let flow = try Flow()
    try await flow.feed("t wait")
    #expect(flow.status.contains("heard high water"))
    try await flow.feed("y")
    #expect(flow.display.copied == "Helgoland")
    try await flow.feed("ctrl-z")
    #expect(flow.display.suspensions == 1)
  }

  @Test func `q quits at the first screen, and ctrl-c when pressed twice`() async throws {
    let flow = try Flow()
    try await flow.feed("enter q")
    #expect(flow.navigator.exitStatus == nil)
    try await flow.feed("ctrl-c")
    #expect(flow.status.contains("press ctrl-c again to quit"))
    try await flow.feed("down ctrl-c")
    #expect(flow.navigator.exitStatus == nil)
    try await flow.feed("ctrl-c")
    #expect(flow.navigator.exitStatus == 130)
    let other = try Flow()
    try await other.feed("escape backspace")
    #expect(other.navigator.exitStatus == nil)
    try await other.feed("q")
    #expect(other.navigator.exitStatus == 0)
    #expect(await other.navigator.untilEnd() == 0)
  }

  @Test func `a screen's state is restored at the next start`() async throws {
    let first = try Flow()
    try await first.feed("down down q")
    let second = try Flow(home: first.home)
    #expect(second.lines[4].hasPrefix("▌ Bristol"))
    let third = try Flow(home: first.home, documents: ["hel"])
    #expect(third.lines[2].hasPrefix("▌ Helgoland"))
  }

  @Test func `a state that is too large is not stored and is reported in status line and log`() async throws {
    let flow = try Flow(120)
    flow.navigator.open(
      ScreenRequest("port", plugin: "tides", arguments: ["id": "whole sea"]), askedBy: nil, placement: .page)
    try await flow.feed("escape")
    #expect(flow.screen.contains("the state of screen 'port' of plugin 'tides' was not saved"))
    try await flow.feed("q")
    let log = try String(contentsOfFile: flow.home + "/state/workbench.log", encoding: .utf8)
    #expect(log.contains("\terror\ttides\tthe state of screen 'port'"))
    #expect(ScreenStates(folder: flow.home + "/state", isEnabled: true).take(plugin: "tides", screen: "port") == nil)
  }

  @Test func `adding the most recent document again does not rewrite the file`() throws {
    let home = try Flow().home
    let file = home + "/recent"
    func number() throws -> Int? { try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int }
    var recent = RecentDocuments(folder: home)
    recent.add(RecentDocuments.Entry(plugin: "tides", document: "/data/hel.tide"))
    let first = try number()
    recent.add(RecentDocuments.Entry(plugin: "tides", document: "/data/hel.tide"))
    #expect(try number() == first)
    recent.add(RecentDocuments.Entry(plugin: "tides", document: "/data/kiel.tide"))
    #expect(try number() != first)
  }

  @Test func `the home screen shows plugins, unusable ones with the reason, and recent documents`() async throws {
    let home = try Flow().home
    let flow = try Flow(
      70, 16, atHome: true,
      unusable: [UnusablePlugin(id: "waves", reason: "disabled; 'workbench plugin enable waves'")],
      home: home)
    InterfaceRun.remember(ScreenLaunch(plugin: "tides", documents: ["/data/none.tide"]), in: flow.session)
    var recent = RecentDocuments(folder: flow.session.folders.state)
    recent.add(RecentDocuments.Entry(plugin: "tides", document: "/data/hel.tide"))
    try await flow.feed("ctrl-p type:home enter wait")
    #expect(
      flow.screen == """
         Workbench
        ──────────────────────────────────────────────────────────────────────
          Plugins
        ▌ Tides             high and low water of harbours
          waves             ✗ disabled; 'workbench plugin enable waves'

          Recent documents
          hel.tide          ✗ missing: tides  /data/hel.tide

          Actions
          Find a command    Search all commands by name  (:)
          Show the keys     Keys of this screen  (?)
          Forget documents  Shorten the list of recent documents
          Take the tour     5 short steps
          Quit              Leave Workbench  (q)
                                    enter open   q quit   : commands   ? help
        """)
    try await flow.feed("enter")
    #expect(flow.lines[0] == " Workbench › Tides › Ports")
  }
}

/// A screen whose work fails.
@MainActor private final class DryController: HostController {
  private let showsFailure: Bool
  private var message = "no reading"

  init(showsFailure: Bool) { self.showsFailure = showsFailure }

  var title: String { "Gauge" }
  var view: any View { TextPageView(title, TextPageState(StyledText(message))) }

  func start() -> [Effect] {
    let reading = load("gauge", "reading the gauge") { _ -> Int in
      throw ErrorReport(code: "tides.dry", kind: .failure, "the sea is dry", advice: "wait")
    } then: { _, _ in
      []
    } failed: { controller, failure in
      if controller.showsFailure, case .failed(let report) = failure { controller.message = report.description }
      return []
    }
    return [reading]
  }

  func handle(_ event: Event) -> [Effect]? { nil }
}
