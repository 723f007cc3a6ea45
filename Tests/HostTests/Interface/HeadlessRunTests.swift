import PluginAPI
import Testing

@testable import Host

@MainActor struct HeadlessRunTests {
  private func session(_ plugin: TidesPlugin = TidesPlugin()) throws -> HostSession {
    var options = GlobalOptions()
    options.home = "/dev/null/workbench"
    let session = try HostSession(options: options, environment: [:], searchPath: PluginSearchPath(folders: []))
    try session.plugins.adopt(plugin)
    return session
  }

  private func launch(
    _ plugin: String?, _ size: Size, _ keys: String = "", _ format: ScreenLaunch.FrameFormat = .text
  ) -> ScreenLaunch {
    ScreenLaunch(plugin: plugin, headless: .init(size: size, keys: keys, format: format))
  }

  @Test func `keys are fed, and the last frame is returned as text`() async throws {
    let size = Size(width: 40, height: 6)
    let outcome = try await HeadlessRun.run(session: session(), launch("tides", size, "down enter wait"))
    #expect(outcome.frame.hasPrefix(" Tides › Ports › Port cux\n") && outcome.exitStatus == 0)
  }

  @Test(.timeLimit(.minutes(2))) func `keys typed during loading are fed before the last frame`() async throws {
    let plugin = TidesPlugin()
    plugin.gate.open()
    let size = Size(width: 60, height: 10)
    let outcome = try await HeadlessRun.run(session: session(plugin), launch("tides", size, "z end enter"))
    #expect(outcome.frame.hasPrefix(" Tides › Ports › Gauges › Port keel"))
  }

  @Test func `every size is accepted, even zero`() async throws {
    for (width, height) in [(0, 0), (1, 1), (0, 5), (5, 0), (2, 2)] {
      let size = Size(width: width, height: height)
      let outcome = try await HeadlessRun.run(session: session(), launch(nil, size))
      #expect(outcome.frame.split(separator: "\n", omittingEmptySubsequences: false).count == max(1, height))
    }
  }

  @Test func `an unknown key is a usage error that names it`() async throws {
    await #expect(throws: HeadlessError.unknownKey("dwon")) {
      try await HeadlessRun.run(session: session(), launch(nil, Size(width: 9, height: 9), "up dwon"))
    }
    #expect(HeadlessError.unknownKey("dwon").exitStatus == 2)
  }

  @Test func `every form of step is parsed`() throws {
    let steps = try HeadlessStep.steps("down ctrl-p x : type:a\\sb wait click:1,2 double:3,4 drag:0,0-2,1 resize:9x8")
    #expect(
      steps == [
        .key(Key(.down)), .key(Key(.character("p"), .control)), .key(Key(.character("x"))), .key(Key(.character(":"))),
        .text("a b"), .wait, .press(Point(x: 1, y: 2), clicks: 1), .press(Point(x: 3, y: 4), clicks: 2),
        .drag(from: Point(x: 0, y: 0), to: Point(x: 2, y: 1)), .resize(Size(width: 9, height: 8)),
      ])
    for word in ["click:1", "resize:9", "drag:1,1", "type", "resize:-1x2", "resize:99999x2", "hold:x"] {
      #expect(throws: HeadlessError.unknownKey(word)) { try HeadlessStep.steps(word) }
    }
  }

  @Test func `a frame has ANSI styles, or is JSON with an outline`() async throws {
    let size = Size(width: 30, height: 5)
    let ansi = try await HeadlessRun.run(session: session(), launch("tides", size, "wait", .ansi)).frame
    #expect(ansi.contains("\u{1B}[0;7m") && ansi.contains("Helgoland"))
    let json = try await HeadlessRun.run(session: session(), launch("tides", size, "wait", .json)).frame
    #expect(
      json.contains("\"path\":[\"Tides\",\"Ports\"]")
        && json.contains("{\"id\":\"hel\",\"text\":\"Helgoland  North Sea\""))
  }

  @Test func `a failing screen determines the exit status`() async throws {
    let outcome = try await HeadlessRun.run(session: session(), launch("tides", Size(width: 60, height: 9), "x"))
    #expect(outcome.exitStatus == 5 && outcome.error?.code == "tides.no-gauge")
    let unknown = try await HeadlessRun.run(session: session(), launch("tdes", Size(width: 60, height: 9)))
    #expect(unknown.exitStatus == 3 && unknown.frame.contains("did you mean 'tides'?"))
  }
}
