import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

@MainActor struct HostCommandTests {
  @Test func `run opens a plugin's screen, or the home screen without arguments`() async throws {
    let run = try CommandLineRun()
    #expect(
      try await run.output("run", "sample", "a", "b", "--headless", "120x40", "--keys", "down enter") == "frame\n")
    try await run("--frame-format", "ansi")
    #expect(
      run.shown == [
        ScreenLaunch(
          plugin: "sample", documents: ["a", "b"],
          headless: .init(size: Size(width: 120, height: 40), keys: "down enter", format: .text)),
        ScreenLaunch(headless: .init(format: .ansi)),
      ])
    #expect(await run.error("run", "smaple")?.exitStatus == 3)
    #expect(await run.error("run", "sample", "--keys", "x")?.exitStatus == 2)
    #expect(await run.error("run", "sample", "--headless", "x")?.exitStatus == 2)
  }

  @Test func `a plugin without screens is not shown, and its commands are named`() async throws {
    let run = try CommandLineRun(findsPlugins: true)
    let folder = try TemporaryFolder()
    try await run("plugin", "install", try SamplePackage().write(to: folder), "--allow-unsigned")
    let error = try #require(await run.error("run", "tides"))
    #expect(error.code == "host.plugin-no-screens" && error.exitStatus == 3)
    #expect(error.message == "plugin 'tides' has no screens" && error.advice == "its commands are list")
    #expect(run.shown == [])
    #expect(await Completer(run.interpreter).candidates(["run", ""]) == [.word("sample", "")])
  }

  @Test func `a file is opened by its longest extension, else by its first bytes`() async throws {
    let run = try CommandLineRun()
    for name in ["a.rock", "b.ROCK.gz", "c.stone"] {
      let path = try run.file(name, "x")
      #expect(try await run.output("open", path) == "rock \(path)\n")
    }
    let path = try run.file("d.unknown", "ROCK and roll")
    #expect(try await run.output("open", path) == "rock \(path)\n")
    let other = try run.file("e.unknown", "roll")
    #expect(
      await run.error("open", other)?.description
        == "no plugin reads files of the type of '\(other)'; supported file extensions are rock, rock.gz, stone")
    #expect(await run.error("open", other)?.exitStatus == 3)
    #expect(await run.error("open", run.home + "/nothing")?.exitStatus == 3)
  }

  @Test func `the best of several readers opens a file, and the others are listed`() throws {
    let run = try CommandLineRun()
    var one = Contributions(plugin: PluginIdentity(id: "one", name: "", version: "", summary: ""))
    one.fileTypes = [FileTypeDescription("By end", extensions: ["gz"], screen: "a")]
    var two = Contributions(plugin: PluginIdentity(id: "two", name: "", version: "", summary: ""))
    two.fileTypes = [
      FileTypeDescription("By long end", extensions: ["pdb.gz"], screen: "a"),
      FileTypeDescription("By bytes", extensions: [], magic: [0x78], screen: "b"),
    ]
    let path = try run.file("1crn.pdb.gz", "x")
    let (best, others) = try FileOpening.match(path, in: [one, two].map(StoredContributions.init))
    #expect(best.type.name == "By long end" && others.map(\.type.name) == ["By end", "By bytes"])
  }

  @Test func `doctor reports plugin checks, the locale and unsafe folders`() async throws {
    let run = try CommandLineRun(environment: ["LANG": "de_DE.ISO-8859-1"])
    let text = try await run.output("doctor", "--json")
    let findings = try JSONReader.read(Array(text.utf8)).list ?? []
    let hammer = findings.first { $0["name"] == "sample.hammer" }
    #expect(hammer?["status"] == "warning" && hammer?["advice"] == "buy one")
    #expect(findings.first { $0["name"] == "locale" }?["status"] == "warning")
    #expect(try await run.output("doctor").contains("\n  warning sample.hammer: the hammer is old\n"))
    try FileManager.default.createDirectory(atPath: run.home + "/data", withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: run.home + "/data")
    let error = await run.error("doctor")
    #expect(error?.code == "host.doctor-found-errors" && error?.exitStatus == 1)
    #expect(run.streams.output.contents.contains("other users can write to '\(run.home)/data'"))
  }

  @Test func `folders are checked by owner and mode`() throws {
    let run = try CommandLineRun()
    let path = try run.file("file", "")
    #expect(EnvironmentChecks.folder("x", path).status == .error)
    #expect(EnvironmentChecks.folder("x", run.home + "/none").status == .ok)
    // Not even root writes there.
    let closed = EnvironmentChecks.folder("x", "/proc/self/none/deep")
    #expect(closed.status == .error && closed.message.contains(": '/proc/self': "))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: run.home)
    #expect(EnvironmentChecks.folder("x", run.home).status == .note)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: run.home)
    #expect(EnvironmentChecks.folder("x", run.home).status == .ok)
  }

  @Test func `a plugin's error is reported with its kind`() async throws {
    let run = try CommandLineRun()
    for kind in ErrorReport.Kind.allCases {
      let error = await run.error("sample", "fail", kind.rawValue)
      #expect(error?.kind == kind && error?.description == "there is no rock 'quartz'; look in the cellar")
    }
    let error = await run.error("sample", "fail", "otherwise")
    #expect(error?.code == "host.plugin-threw" && error?.exitStatus == 4)
    #expect(error?.message == "plugin 'sample' failed in 'fail': broken")
  }

  @Test func `an unknown store is refused, and without stores lists are empty`() async throws {
    let run = try CommandLineRun()
    #expect(await run.error("store", "backup", "sample:x")?.exitStatus == 3)
    #expect(try await run.output("store", "list", "--json") == "[]\n")
    #expect(try await run.output("store", "check") == "")
  }

  @Test func `a question is refused without a terminal unless '--yes' is given`() async throws {
    let run = try CommandLineRun()
    await #expect(throws: ErrorReport.self) { try await Question.confirm("Sure?", run.interpreter) }
    run.interpreter.options.assumeYes = true
    try await Question.confirm("Sure?", run.interpreter)
  }
}
