import Foundation
import PluginAPI
import Synchronization
import Testing

@testable import Host

@MainActor struct TourTests {
  @Test func `the home screen offers the tour once`() async throws {
    let first = try Flow(70, 20, atHome: true, offersTour: true)
    #expect(first.lines[2] == "  New here?" && first.lines[3].hasPrefix("▌ Take the tour"))
    #expect(first.status.contains("x skip the tour"))
    let second = try Flow(70, 20, atHome: true, home: first.home, offersTour: true)
    #expect(!second.screen.contains("New here?") && second.screen.contains("Take the tour"))
    withExtendedLifetime(first) {}
  }

  @Test func `a tour that was taken by its keys is no longer offered`() async throws {
    let flow = try Flow(70, 20, atHome: true, offersTour: true)
    try await flow.feed("ctrl-x t")
    #expect(flow.screen.contains("1 of 5"))
    try await flow.feed("escape")
    #expect(!flow.screen.contains("New here?") && !flow.status.contains("x skip the tour"))
    #expect(flow.screen.contains("Take the tour"))
  }

  @Test func `one key dismisses the offer`() async throws {
    let flow = try Flow(70, 20, atHome: true, offersTour: true)
    try await flow.feed("x")
    #expect(!flow.screen.contains("New here?") && flow.lines[3].hasPrefix("▌ Tides"))
    try await flow.feed("ctrl-p type:home enter")
    #expect(!flow.screen.contains("New here?"))
  }

  @Test func `noninteractive runs do not offer the tour or record an offer`() throws {
    let flow = try Flow(70, 20, atHome: true)
    #expect(!flow.screen.contains("New here?"))
    #expect(!FileManager.default.fileExists(atPath: flow.home + "/state/tour"))
  }

  @Test func `the tour moves forward and back, and ends after its last step`() async throws {
    let flow = try Flow(80, 24, atHome: true, offersTour: true)
    try await flow.feed("enter")
    #expect(flow.screen.contains("1 of 5  Plugins and documents"))
    try await flow.feed("enter right")
    #expect(flow.screen.contains("3 of 5  Commands"))
    try await flow.feed("left left left")
    #expect(flow.screen.contains("1 of 5"))
    try await flow.feed("space space space space")
    #expect(flow.screen.contains("5 of 5") && flow.screen.contains("enter finish"))
    try await flow.feed("enter")
    #expect(!flow.screen.contains(" of 5") && flow.screen.contains("Plugins"))
  }

  @Test func `each item of a step is one of the choices, and an unknown one does nothing`() {
    let tour = TourController(keys: [:])
    func ids() -> [String] { tour.view.outline.items.map(\.id) }
    #expect(ids() == ["next", "skip"])
    #expect(tour.choose(item: "nowhere").isEmpty && ids() == ["next", "skip"])
    #expect(tour.choose(item: "next").isEmpty && ids() == ["next", "previous", "skip"])
    #expect(tour.choose(item: "previous").isEmpty && ids() == ["next", "skip"])
    #expect(tour.choose(item: "skip").count == 1)
  }

  @Test(arguments: ["escape", "q"]) func `one key leaves the tour at any step`(key: String) async throws {
    let flow = try Flow(80, 24)
    try await flow.feed("ctrl-p type:tour enter enter \(key)")
    #expect(!flow.screen.contains(" of 5") && flow.lines[0] == " Tides › Ports")
  }

  @Test func `the tour fits into a small terminal and names the user's keys`() async throws {
    let flow = try Flow(40, 10, atHome: true, keys: ["host.help": [Key(.function(5))]])
    try await flow.feed("ctrl-p type:tour enter enter")
    #expect(flow.screen.contains("2 of 5  Keys"))
    #expect(Tour.steps(keys: ["host.help": [Key(.function(5))]])[1].lines[0].contains("f5 lists all of them"))
    #expect(Tour.steps(keys: ["host.help": []])[1].lines[0].contains("a key of your choice"))
    #expect(Tour.steps(keys: [:]).count <= 5)
  }

  @Test func `the command prints all steps without a screen`() async throws {
    let run = try CommandLineRun()
    let text = try await run.output("tour", "--plain")
    #expect(
      text.hasPrefix("1. Plugins and documents\n   Workbench loads") && text.contains("\n5. Your way of working\n"))
    let steps = try JSONReader.read(Array(try await run.output("tour", "--json").utf8)).list ?? []
    #expect(steps.count == 5 && steps[2]["title"] == "Commands")
  }

  @Test func `linear text runs the tour by numbers`() async throws {
    var options = GlobalOptions()
    options.home = NSTemporaryDirectory() + "workbench-tour-" + UUID().uuidString
    let session = try HostSession(options: options, environment: [:], searchPath: PluginSearchPath(folders: []))
    let waiting = Mutex(["1", "1", "2", "1", "1", "1", "1"])
    var output: [String] = []
    let status = await PlainRun.run(
      session: session, ScreenLaunch(screen: Tour.screen),
      readLine: { waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() } }, print: { output.append($0) },
      note: { _ in })
    #expect(status == 0 && waiting.withLock { $0.isEmpty })
    let titles = output.filter { $0.contains(" of 5: ") }.map { $0.prefix(6) }
    #expect(titles == ["1 of 5", "2 of 5", "3 of 5", "2 of 5", "3 of 5", "4 of 5", "5 of 5"])
  }
}
