import Foundation
import PluginAPI
import Testing

@testable import Host

@MainActor struct SettingsTests {
  @Test func `a setting is set, read and unset in a private file`() async throws {
    let run = try CommandLineRun()
    #expect(try await run.output("config", "get", "sample.weight-limit") == "5\n")
    try await run("config", "set", "sample.weight-limit", "7.5")
    #expect(try await run.output("config", "get", "sample.weight-limit", "--json") == "7.5\n")
    try await run("config", "set", "sample.colors", "red", "blue")
    #expect(try await run.output("config", "get", "sample.colors", "--json") == "[\"red\",\"blue\"]\n")
    try await run("config", "set", "color", "never")
    #expect(try await run.output("config", "get", "host.color") == "never\n")
    try await run("config", "unset", "sample.weight-limit")
    #expect(try await run.output("config", "get", "sample.weight-limit") == "5\n")
    let path = run.home + "/config/settings.json"
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let folder = try FileManager.default.attributesOfItem(atPath: run.home + "/config")[.posixPermissions] as? Int
    #expect(folder == 0o700)
  }

  @Test func `a plugin reads and sets its own settings`() async throws {
    let run = try CommandLineRun()
    let context = try run.interpreter.session.plugins.activated("sample").context
    #expect(context.setting("weight-limit") == 5)
    try context.set("weight-limit", to: 9)
    #expect(context.setting("weight-limit") == 9.0)
    #expect(try await run.output("config", "get", "sample.weight-limit") == "9\n")
    #expect(throws: ErrorReport.self) { try context.set("nothing", to: 1) }
    #expect(throws: ErrorReport.self) { try context.set("weight-limit", to: 101) }
  }

  @Test func `concurrent changes of several processes are all stored`() async throws {
    let run = try CommandLineRun()
    let path = run.home + "/config/settings.json"
    // Each has a `Settings` of its own, as a process has; the lock is on the open folder, not on the process.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask {
          let settings = Settings(path: path, environment: [:])
          try settings.set(
            "area", Parameter("name-\(number)", .integer(minimum: 0, maximum: 99), "a number"), to: .integer(number))
        }
      }
      try await group.waitForAll()
    }
    let settings = Settings(path: path, environment: [:])
    #expect((0..<16).allSatisfy { settings.stored("area", "name-\($0)") == .integer($0) })
  }

  @Test func `settings changed by another process are visible at the next read`() throws {
    let run = try CommandLineRun()
    let path = run.home + "/config/settings.json"
    let limit = Parameter("limit", .integer(minimum: 0, maximum: 99), "a number", defaultValue: 5)
    let (here, there) = (Settings(path: path, environment: [:]), Settings(path: path, environment: [:]))
    #expect(here.value("area", limit) == 5)
    for number in [7, 8, 19] {
      try there.set("area", limit, to: .integer(number))
      #expect(here.value("area", limit) == .integer(number))
    }
    try here.set("area", limit, to: .null)
    #expect(there.value("area", limit) == 5)
    #expect(unlink(path) == 0 && here.problem == nil)
  }

  @Test func `a change blocked by another process's lock is an error`() throws {
    let run = try CommandLineRun()
    try HostFile.makeFolder(run.home)
    let folder = open(run.home, O_RDONLY | O_DIRECTORY)
    defer { close(folder) }
    #expect(flock(folder, LOCK_EX) == 0)
    #expect(throws: HostFileError.cannot(.write, run.home + "/file", code: EWOULDBLOCK)) {
      try HostFile.whileAlone(with: run.home + "/file", patienceInSeconds: 0.02) {}
    }
    #expect(flock(folder, LOCK_UN) == 0)
    #expect(try HostFile.whileAlone(with: run.home + "/file") { 1 } == 1)
  }

  @Test func `a flag overrides environment, file and default in this order`() async throws {
    let run = try CommandLineRun(environment: ["WORKBENCH_COLOR": "always"])
    func source(_ words: String...) async throws -> Value {
      try JSONReader.read(Array(try await run.output(words).utf8))["source"]
    }
    try await run("config", "set", "color", "never")
    #expect(try await source("config", "explain", "color", "--json", "--color", "auto") == "flag")
    #expect(try await source("config", "explain", "color", "--json") == "environment")
    let plain = try CommandLineRun()
    #expect(try await plain.output("config", "explain", "color", "--json").contains(#""source":"default","sources""#))
    #expect(try await !plain.output("config", "explain", "memory-limit", "--json").contains("--memory-limit"))
    try await plain("config", "set", "color", "never")
    #expect(try await plain.output("config", "explain", "color", "--json").contains(#""source":"user","sources""#))
  }

  @Test func `config explain names the option, variable, file and line of each value`() async throws {
    let run = try CommandLineRun(environment: ["WORKBENCH_GRAPHICS": "oil", "NO_COLOR": "1", "TERM": "dumb"])
    func sources(_ words: String...) async throws -> [Value] {
      let output = try await run.output(["config", "explain"] + words + ["--json"])
      return try JSONReader.read(Array(output.utf8))["sources"].list ?? []
    }
    try FileManager.default.createDirectory(atPath: run.home + "/config", withIntermediateDirectories: true)
    let path = try run.file(
      "config/settings.json",
      """
      {
        "sample": { "color": "red", "nested": { "color": [1, {"color": 2}] },
          "weight-limit": 700 },
        "host": {
          "graphics": "ascii",
          "color": "always"
        }
      }
      """)
    let color = try await sources("color", "--color", "auto")
    #expect(color.map { $0["source"].text } == ["flag", "environment", "user", "default"])
    #expect(color.map { $0["where"].text } == ["--color", "NO_COLOR", path, "declaration"])
    #expect(color.map { $0["value"].text } == ["auto", "never", "always", "auto"])
    #expect(color.map { $0["line"].integer } == [nil, nil, 6, nil])
    let graphics = try await sources("graphics")
    #expect(graphics[1]["where"] == "WORKBENCH_GRAPHICS" && graphics[1]["value"].isNull)
    #expect(graphics[1]["problem"].text?.contains("'oil'") == true)
    #expect(graphics[2]["line"] == 5 && graphics[2]["problem"].isNull)
    let limit = try await sources("sample.weight-limit")
    #expect(limit[2]["line"] == 3 && limit[2]["value"].isNull)
    #expect(limit[2]["problem"].text?.contains("700") == true)
    let plain = try await sources("plain")
    #expect(plain[1]["where"] == "TERM" && plain[1]["value"] == true)
  }

  @Test(arguments: [
    ("1", true), ("on", true), ("true", true), ("YES", true), ("0", false), ("off", false), ("", false),
  ])
  func `a variable turns a setting on or off`(text: String, isOn: Bool) {
    let settings = Settings(path: "/nonexistent/settings.json", environment: ["WORKBENCH_OFFLINE": text])
    #expect(HostSettings.options(settings).isOffline == isOn)
    #expect(HostSettings.unfittingValues(settings).isEmpty)
  }

  @Test func `values that do not fit the host's settings are reported with their places`() throws {
    let run = try CommandLineRun()
    try FileManager.default.createDirectory(atPath: run.home + "/config", withIntermediateDirectories: true)
    let path = try run.file("config/settings.json", "{\"host\": {\n\"links\": \"sometimes\"}}")
    let settings = Settings(path: path, environment: ["WORKBENCH_OFFLINE": "maybe"])
    let unfitting = HostSettings.unfittingValues(settings)
    #expect(unfitting.map { $0.setting } == ["links", "offline"])
    #expect(unfitting.first?.report.message.hasPrefix("'\(path)', line 2: 'sometimes' is not ") == true)
    #expect(unfitting.last?.report.message.hasPrefix("WORKBENCH_OFFLINE: 'maybe' is not ") == true)
    #expect(unfitting.last?.report.advice == "see 'workbench config explain offline'")
    let findings = EnvironmentChecks.settings(settings).filter { $0.status == .warning }
    #expect(findings.count == 2)
  }

  @Test func `a field's line is found in its own object`() {
    func line(_ names: [String], _ text: String) -> Int? { JSONReader.line(of: names, in: Array(text.utf8)) }
    let text = "{\"b\": {\"a\": 1},\n \"a\":\n {\"c\": \"}\\\"\",\n\"b\": null}}"
    #expect(line(["a"], text) == 2 && line(["a", "b"], text) == 4 && line(["b", "a"], text) == 1)
    #expect(line(["b", "c"], text) == nil && line(["c"], text) == nil && line(["a", "c", "x"], text) == nil)
    #expect(line(["a"], "") == nil && line(["a"], "{\"b\": [}") == nil && line(["a"], "[1]") == nil)
  }

  @Test func `undeclared settings are preserved unchanged`() async throws {
    let run = try CommandLineRun()
    let text = #"{"gone":{"deep":{"x":[1.50,12345678901234567890,"é"]},"b":null},"sample":{"old":true}}"#
    _ = try FileManager.default.createDirectory(atPath: run.home + "/config", withIntermediateDirectories: true)
    _ = try run.file("config/settings.json", text)
    try await run("config", "set", "sample.weight-limit", "1")
    let now = try String(contentsOfFile: run.home + "/config/settings.json", encoding: .utf8)
    let compact = now.split(separator: "\n").map { $0.drop { $0 == " " } }.joined().replacing(": ", with: ":")
    #expect(compact == text.dropLast(2) + #","weight-limit":1.0}}"#)
    #expect(try await run.output("config", "get", "gone.deep", "--json").hasPrefix(#"{"x":[1.50,"#))
    #expect(try await run.output("config", "list").contains("kept unchanged"))
  }

  @Test func `a broken file is reported with its line and never overwritten`() async throws {
    let run = try CommandLineRun()
    try FileManager.default.createDirectory(atPath: run.home + "/config", withIntermediateDirectories: true)
    let path = try run.file("config/settings.json", "{\n  \"host\": {\n    color: 1\n")
    for words in [["config", "get", "color"], ["config", "set", "color", "auto"], ["config", "list"]] {
      var report: ErrorReport?
      do { try await run.run(words) } catch { report = ErrorReport(error) }
      #expect(report?.code == "host.broken-settings" && report?.exitStatus == 5)
      #expect(report?.message == "'\(path)', line 3, column 5: a name in quotes is expected")
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "{\n  \"host\": {\n    color: 1\n")
    #expect(try await run.output("sample", "echo", "works") == "works\n")
  }

  @Test func `invalid names and values are refused`() async throws {
    let run = try CommandLineRun()
    #expect(
      await run.error("config", "get", "colr")?.description == "there is no setting 'colr'; did you mean 'color'?")
    #expect(await run.error("config", "get", "colr")?.exitStatus == 3)
    #expect(await run.error("config", "set", "color", "pink")?.code == "host.unfitting-setting")
    #expect(await run.error("config", "set", "color", "auto", "never")?.exitStatus == 2)
    #expect(await run.error("config", "set", "sample.weight-limit", "-1")?.exitStatus == 2)
  }

  @Test func `host settings provide the defaults of options`() async throws {
    let run = try CommandLineRun()
    try await run("config", "set", "plain", "yes")
    try await run("config", "set", "graphics", "braille")
    let options = HostSettings.options(run.interpreter.session.settings)
    #expect(options.isPlain && options.picture.graphics == .braille && options.color == .auto && !options.isOffline)
  }
}

extension CommandLineRun {
  /// Returns the standard output of a line.
  func output(_ words: [String]) async throws -> String {
    let before = streams.output.contents.utf8.count
    try await run(words)
    return String(streams.output.contents.utf8.dropFirst(before)) ?? ""
  }
}
