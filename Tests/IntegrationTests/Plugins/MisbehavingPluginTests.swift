import Foundation
import TestSupport
import Testing

/// The behavior of the program when a running plugin misbehaves.
struct MisbehavingPluginTests {
  @Test func `a well-behaved plugin in another folder is used`() throws {
    let outcome = try PluginHome().run("misbehaving", "greet")
    #expect(outcome.status == 0)
    #expect(outcome.output == "hello from misbehaving\n")
  }

  @Test(arguments: [
    ("throw", 4, "host.plugin-threw"), ("report", 5, "misbehaving.no-luck"),
  ])
  func `a command that throws does not crash the program`(command: String, status: Int32, code: String) throws {
    let outcome = try PluginHome().run("misbehaving", command, "--json")
    #expect(outcome.status == status)
    #expect(outcome.errorCode == code)
    #expect(outcome.errors.contains("misbehaving"))
  }

  @Test(arguments: [
    ("throw-in-activate", "host.plugin-activation-failed"), ("throw-in-make-command", "host.plugin-threw"),
  ])
  func `a plugin that throws before its command does not crash the program`(wish: String, code: String) throws {
    let outcome = try PluginHome().run("misbehaving", "greet", "--json", wish: wish)
    #expect(outcome.status == 4)
    #expect(outcome.errorCode == code)
    #expect(outcome.errorMessage.contains("'misbehaving'"))
  }

  @Test(arguments: [
    ("trap-in-contributions", "host.plugin-probe-crashed"), ("exit-in-contributions", "host.plugin-probe-failed"),
    ("talkative", "host.plugin-probe-failed"), ("other-id", "host.plugin-other-identity"),
    ("same-command-twice", "host.plugin-bad-contributions"), ("escape-in-choice", "host.plugin-bad-contributions"),
    ("many-choices", "host.plugin-bad-contributions"), ("hang-in-entry", "host.plugin-probe-hung"),
    ("spin-in-entry", "host.plugin-probe-hung"), ("hog-in-entry", "host.plugin-probe-out-of-memory"),
  ])
  func `a plugin that cannot describe itself is refused`(wish: String, code: String) throws {
    let home = try PluginHome()
    let outcome = try home.run("plugin", "list", "--json", wish: wish)
    let row = try #require(outcome.rows.first { $0["id"] as? String == "misbehaving" })
    #expect(row["state"] as? String == "refused")
    #expect(row["code"] as? String == code)
    #expect(outcome.rows.contains { $0["id"] as? String == "molecules" && $0["state"] as? String == "ready" })
    // The verdict is stored: the next start, in which it would behave, does not probe again.
    let again = try home.run("plugin", "list", "--json")
    #expect(again.rows.first { $0["id"] as? String == "misbehaving" }?["code"] as? String == code)
  }

  @Test(arguments: ["257", "10000"]) func `a value nested too deeply is refused`(levels: String) throws {
    let outcome = try PluginHome().run("misbehaving", "nest", levels, "--json")
    #expect(outcome.status == 4)
    #expect(outcome.errorCode == "host.value-too-deep")
  }

  @Test func `details nested too deeply are omitted from an error`() throws {
    let outcome = try PluginHome().run("misbehaving", "nest-report", "10000", "--json")
    #expect(outcome.status == 5)
    #expect(outcome.errorCode == "misbehaving.no-luck")
  }

  @Test func `a value of the maximum depth is printed`() throws {
    let outcome = try PluginHome().run("misbehaving", "nest", "256", "--json")
    #expect(outcome.status == 0)
    #expect(outcome.output == String(repeating: "[", count: 256) + "null" + String(repeating: "]", count: 256) + "\n")
  }

  @Test func `a command that calls itself fails with an error that names it`() throws {
    let outcome = try PluginHome().run("misbehaving", "recurse", "--json")
    #expect(outcome.status == 4)
    #expect(outcome.errorCode == "host.calls-too-deep")
    #expect(outcome.errorMessage.contains("'misbehaving'") && outcome.errorMessage.contains("'recurse'"))
  }

  @Test func `output of a plugin during its probe is ignored`() throws {
    let outcome = try PluginHome().run("misbehaving", "greet", wish: "talk-in-contributions")
    #expect(outcome.status == 0)
    #expect(outcome.output.hasSuffix("hello from misbehaving\n"))
  }

  @Test(arguments: [
    ("trap", SIGILL, "SIGILL"), ("segfault", SIGSEGV, "SIGSEGV"), ("abort", SIGABRT, "SIGABRT"),
  ])
  func `a crash names the plugin, ends with its signal and quarantines the plugin`(
    command: String, signal: Int32, name: String
  ) throws {
    let home = try PluginHome()
    let crash = try home.run("misbehaving", command)
    #expect(crash.status == 128 + signal)
    #expect(
      crash.errors.hasSuffix(
        "workbench: plugin 'misbehaving' crashed in command '\(command)' with \(name) [host.plugin-crashed]; "
          + "it is quarantined at the next start\n"))
    let next = try home.run("misbehaving", "greet", "--json")
    #expect(next.status == 4)
    #expect(next.errorCode == "host.plugin-quarantined")
    #expect(next.errorMessage.contains("command '\(command)'") && next.errorMessage.contains(name))
    #expect(home.names("state/quarantine") == ["misbehaving"])
    #expect(try home.run("plugin", "unquarantine", "misbehaving").status == 0)
    #expect(try home.run("misbehaving", "greet").status == 0)
  }

  @Test(arguments: ["overflow-in-thread", "overflow-in-task"])
  func `a stack overflow on any thread names and quarantines the plugin`(command: String) throws {
    let home = try PluginHome()
    let crash = try home.run("misbehaving", command)
    #expect(crash.status == 128 + SIGSEGV)
    #expect(crash.errors.contains("plugin 'misbehaving' crashed in command '\(command)' with SIGSEGV"))
    #expect(try home.run("misbehaving", "greet", "--json").errorCode == "host.plugin-quarantined")
  }

  @Test(arguments: ["exit", "raw-exit", "quick-exit", "exit-in-thread"])
  func `a plugin that exits the program is named and quarantined`(command: String) throws {
    let home = try PluginHome()
    let end = try home.run("misbehaving", command, "--json")
    #expect(end.status == 4)
    #expect(end.errorCode == "host.plugin-exited")
    #expect(end.errorMessage == "plugin 'misbehaving' ended the program in command '\(command)'")
    let next = try home.run("misbehaving", "greet", "--json")
    #expect(next.errorCode == "host.plugin-quarantined")
    #expect(next.errorMessage.contains("it ended the program in command '\(command)'"))
    #expect(try home.run("plugin", "unquarantine", "misbehaving").status == 0)
    #expect(try home.run("misbehaving", "greet").status == 0)
  }

  @Test(arguments: [("exit-in-constructor", "load"), ("exit-in-activate", "activate")])
  func `a plugin that exits the program before its command is named`(wish: String, phase: String) throws {
    let home = try PluginHome()
    #expect(try home.run("misbehaving", "greet").status == 0)
    let end = try home.run("misbehaving", "greet", wish: wish)
    #expect(end.status == 4)
    #expect(
      end.errors == "workbench: plugin 'misbehaving' ended the program in \(phase); "
        + "it is quarantined at the next start\n")
    #expect(home.names("state/journal").count == 1)
  }

  @Test func `a plugin's child process exits with its own status`() throws {
    let outcome = try PluginHome().run("misbehaving", "exit-in-child")
    #expect(outcome.status == 0)
    #expect(outcome.output == "the child ended with 7\n")
  }

  @Test func `a crash of a child process does not quarantine the plugin`() throws {
    let home = try PluginHome()
    let outcome = try home.run("misbehaving", "abort-in-child")
    #expect(outcome.status == 0)
    #expect(outcome.output == "the child ended with \(SIGABRT)\n")
    #expect(outcome.errors == "")
    #expect(try home.run("misbehaving", "exit-in-child").status == 0)
  }

  @Test func `a plugin's printed output goes to the log`() throws {
    let home = try PluginHome()
    let outcome = try home.run("misbehaving", "print", "--json")
    #expect(outcome.status == 0)
    #expect(outcome.output == "\"the result\"\n")
    let log = try String(contentsOf: home.home.appendingPathComponent("state/workbench.log"), encoding: .utf8)
    #expect(log.contains("\tnote\tmisbehaving\tprinted: printed by a plugin\n"))
    #expect(log.contains("\tnote\tmisbehaving\tprinted: written by a plugin\n"))
  }

  @Test func `a time limit ends a plugin that prints endlessly`() throws {
    let home = try PluginHome()
    #expect(try home.run("misbehaving", "flood", "--timeout", "1").status == 124)
  }

  @Test func `a plugin that exceeds the memory limit is named with the limit`() throws {
    let home = try PluginHome()
    #expect(try home.runPlain("config", "set", "host.memory-limit", "512").status == 0)
    let outcome = try home.run("misbehaving", "hog")
    #expect(outcome.status > 128)
    #expect(
      outcome.errors.hasSuffix(
        "workbench: plugin 'misbehaving' ran out of memory in command 'hog': the limit is 512 MB [host.out-of-memory]; "
          + "raise it with 'workbench config set host.memory-limit'\n"))
    #expect(try home.run("misbehaving", "greet").status == 0)
  }

  @Test func `a plugin's probe is limited by the memory setting`() throws {
    let home = try PluginHome()
    #expect(try home.runPlain("config", "set", "host.memory-limit", "300").status == 0)
    let outcome = try home.run("plugin", "list", "--json", wish: "hog-in-entry")
    let row = try #require(outcome.rows.first { $0["id"] as? String == "misbehaving" })
    #expect((row["reason"] as? String)?.contains("more than 300 MB") == true)
  }

  @Test(arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)])
  func `signals ignored by a plugin end the program anyway`(signal: String, status: Int32) throws {
    let home = try PluginHome()
    let script = """
      "$0" exec 'misbehaving ignore-signals; misbehaving finish' --plugin-dir "$1" >"$2" & program=$!
      until grep -q begun "$2"; do sleep 0.05; done
      kill -\(signal) $program; wait $program
      """
    #expect(try home.runShell(script, home.folder.url("output").path).status == status)
  }

  @Test func `a plugin that kills the program during its probe is quarantined`() throws {
    let home = try PluginHome()
    #expect(try home.run("plugin", "list", wish: "kill-parent-in-entry").status == 128 + SIGTERM)
    let next = try home.run("plugin", "list", "--json", wish: "kill-parent-in-entry")
    #expect(next.status == 0)
    #expect(next.rows.first { $0["id"] as? String == "misbehaving" }?["state"] as? String == "quarantined")
    #expect(next.errors.contains("plugin 'misbehaving' ended the program in probe"))
    #expect(home.names("state/quarantine") == ["misbehaving"])
  }

  @Test func `a crash in activate is reported with its phase`() throws {
    let home = try PluginHome()
    let crash = try home.run("misbehaving", "greet", wish: "trap-in-activate")
    #expect(crash.status == 128 + SIGILL)
    #expect(crash.errors.contains("plugin 'misbehaving' crashed in activate with SIGILL [host.plugin-crashed]"))
    #expect(try home.run("misbehaving", "greet").status == 4)
  }

  @Test func `a backtrace remains readable, and the last line names the plugin`() throws {
    let home = try PluginHome()
    let outcome = try BuiltProgram.run(
      BuiltProgram.workbench, ["misbehaving", "segfault", "--plugin-dir", home.plugins.path],
      environment: [
        "WORKBENCH_HOME": home.home.path, "SWIFT_BACKTRACE": "enable=yes,interactive=no,color=no",
        "WORKBENCH_FIXTURE": nil,
      ])
    #expect(outcome.status == 128 + SIGSEGV)
    #expect(outcome.errors.contains("MisbehavingCommand.run"))
    #expect(outcome.errors.split(separator: "\n").last?.contains("[host.plugin-crashed]") == true)
  }

  @Test func `a repaired plugin is re-enabled automatically`() throws {
    let home = try PluginHome()
    #expect(try home.run("misbehaving", "trap").status == 128 + SIGILL)
    let repaired = try PluginFixture.misbehaving.get() + [0]
    try home.folder.write(repaired, "plugins/libMisbehaving.so")
    #expect(try home.run("misbehaving", "greet").status == 0)
    #expect(home.names("state/quarantine").isEmpty)
  }

  @Test func `killing the program does not quarantine a plugin`() throws {
    let home = try PluginHome()
    let script = """
      "$0" misbehaving finish --plugin-dir "$1" >"$2" & program=$!
      until grep -q begun "$2"; do sleep 0.05; done
      kill -KILL $program; wait $program
      """
    #expect(try home.runShell(script, home.folder.url("output").path).status == 137)
    #expect(home.names("state/journal").count == 1)
    #expect(try home.run("misbehaving", "greet").status == 0)
    #expect(home.names("state/quarantine").isEmpty)
    #expect(home.names("state/journal").isEmpty)
  }

  @Test(arguments: ["block", "spin"])
  func `the watchdog names a plugin that blocks the loop, and Ctrl-C still ends the program`(
    command: String
  ) throws {
    let home = try PluginHome()
    let script = """
      "$0" misbehaving \(command) --plugin-dir "$1" 2>"$2" & program=$!
      until grep -q loop-blocked "$2"; do sleep 0.05; done
      kill -INT $program; wait $program
      status=$?; cat "$2" >&2; exit $status
      """
    let outcome = try home.runShell(script, home.folder.url("errors").path)
    #expect(outcome.status == 130)
    #expect(outcome.errors.contains("plugin 'misbehaving' is blocking the program [host.loop-blocked]"))
  }

  @Test func `log lines name their source, and files are private`() throws {
    let home = try PluginHome()
    _ = try home.run("misbehaving", "greet")
    let log = home.home.appendingPathComponent("state/workbench.log")
    #expect(try String(contentsOf: log, encoding: .utf8).contains("\tnote\tmisbehaving\tactivated\n"))
    let modes = try [log.path, home.home.appendingPathComponent("cache/plugins.registry").path].map {
      try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int
    }
    #expect(modes == [0o600, 0o600])
  }
}
