import Foundation
import TestSupport
import Testing

/// `--isolate`: plugin libraries in child processes, run by the built program.
@Suite(.timeLimit(.minutes(10))) struct IsolatedPluginTests {
  private static let contained = Result { try PluginFixture.swift("Contained", contract: .built) }

  /// Two homes with the same plugins, in one of which every run has `--isolate`.
  private let (together, apart): (PluginHome, PluginHome)

  init() throws {
    (together, apart) = (try PluginHome(), try PluginHome())
    for home in [together, apart] {
      try home.folder.write(try Self.contained.get(), "plugins/libContained.so")
    }
  }

  /// Runs a command line in both homes and expects the same bytes.
  @discardableResult
  private func expectSame(
    _ line: String, status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> BuiltProgram.Outcome {
    let words = line.split(separator: " ").map { String($0).replacingOccurrences(of: "_", with: " ") }
    let expected = Self.withoutPlace(try together.run(words), together)
    let outcome = Self.withoutPlace(try apart.run(words, "--isolate"), apart)
    #expect(outcome.output == expected.output, "\(line)", sourceLocation: sourceLocation)
    #expect(outcome.errors == expected.errors, "\(line)", sourceLocation: sourceLocation)
    #expect(outcome.status == expected.status, "\(line)", sourceLocation: sourceLocation)
    #expect(outcome.status == status, "\(line): \(outcome.errors)", sourceLocation: sourceLocation)
    return outcome
  }

  /// Returns an outcome whose paths do not depend on the home.
  private static func withoutPlace(_ outcome: BuiltProgram.Outcome, _ home: PluginHome) -> BuiltProgram.Outcome {
    var outcome = outcome
    for path in [\BuiltProgram.Outcome.output, \.errors] {
      outcome[keyPath: path] = outcome[keyPath: path].replacingOccurrences(of: home.folder.path.path, with: "HOME")
    }
    return outcome
  }

  @Test func `commands of Molecules give the same bytes in every form`() throws {
    for line in [
      "molecules info 1", "molecules info 1 --json", "molecules secondary-structure 1 --json", "molecules chains 1",
      "molecules atoms 1 --csv", "molecules measure distance 1 resi_1 resi_2", "molecules render 1 --size 40x30 --json",
      "molecules render 1 --size 64x48 --output -", "run molecules --headless 120x40", "run molecules --plain",
      "run molecules --headless 120x40 --keys down_enter_wait_right_m_wait --frame-format ansi",
    ] { try expectSame(line) }
    try expectSame("molecules info NOPE --json", status: 3)
  }

  @Test func `commands and screens of PathCase, OpenBIS and WSABI give the same bytes`() throws {
    for line in [
      "pathcase list", "pathcase list --json", "pathcase metabolites --csv", "run pathcase --headless 120x40",
      "run pathcase --headless 120x40 --keys enter_wait_down_enter_wait", "openbis servers --json",
      "openbis secrets status", "run openbis --headless 100x30 --keys down_wait_enter_wait",
      "wsabi store status --json",
      "run wsabi --headless 100x30 --keys down_wait_enter_wait", "exec openbis_servers;_pathcase_metabolites --csv",
    ] { try expectSame(line) }
    try expectSame("pathcase show nothing --json", status: 3)
    try expectSame("openbis list", status: 2)
  }

  @Test func `settings, notifications, calls, warnings and rendered values are the same`() throws {
    for line in [
      "contained values --jsonl", "contained typed", "contained unit", "contained set-unit foot", "contained unit",
      "contained line", "contained standard-input", "contained call contained.unit", "contained warn --json",
      "contained hear contained.told contained.tell --json", "contained hear contained.told contained.box --json",
      "misbehaving greet", "misbehaving nest 256 --json", "misbehaving offline --offline", "misbehaving exit-in-child",
      "contained call misbehaving.greet",
    ] { try expectSame(line) }
    try expectSame("contained refuse-unit --json", status: 3)
    try expectSame("contained call contained.none --json", status: 2)
    try expectSame("contained call misbehaving.report --json", status: 5)
    for line in ["nest 257", "nest-report 10000", "recurse"] {
      try expectSame("misbehaving \(line) --json", status: line.hasPrefix("nest-") ? 5 : 4)
    }
    try expectSame("doctor --json", status: 1)
  }

  @Test func `a command is made once for all calls of a script`() throws {
    let outcome = try expectSame("exec contained_count;_contained_count;_contained_count")
    #expect(outcome.output.hasSuffix("3\n"))
    #expect(try expectSame("contained count").output == "1\n")
  }

  @Test func `stores are listed, checked, backed up, restored, exported and unshared in the same way`() throws {
    for line in ["contained box tin", "store list --json", "store check contained:box"] { try expectSame(line) }
    for home in [together, apart] {
      let options = home.home == apart.home ? ["--isolate"] : []
      let file = home.folder.url("box").path
      let backup = try home.run(["store", "backup", "contained:box", file, "--json"] + options)
      #expect(backup.status == 0 && backup.record["bytes"] as? Int == 3)
      #expect(try home.run(["contained", "box", "bad"] + options).status == 0)
      let check = try home.run(["store", "check", "contained:box", "--json"] + options)
      #expect(check.status == 1 && check.errorCode == "host.damaged-store")
      #expect(try home.run(["store", "restore", "contained:box", file, "--yes"] + options).status == 0)
    }
    #expect(try expectSame("store export contained:box --json").output == "{\"text\":\"tin\"}\n")
    try expectSame("store share contained:box postgresql://ada@localhost/lab --yes --json")
    try expectSame("store unshare contained:box --yes --json", status: 7)
    try expectSame("store unshare molecules:library --yes --json", status: 7)
    try expectSame("store check molecules:library")
    #expect(try log(of: apart).contains("\tnote\tcontained\tthe box is closed\n"))
  }

  private func log(of home: PluginHome) throws -> String {
    try String(contentsOf: home.home.appendingPathComponent("state/workbench.log"), encoding: .utf8)
  }

  @Test func `a screen with every kind of effect gives the same frames`() throws {
    let keys =
      "wait c wait l wait k wait f wait w wait s wait a type:Cork enter o down enter r wait p wait i wait esc wait z wait"
    for size in ["60x20", "120x40", "10x3", "1x1"] {
      try expectSame("run contained --headless \(size) --keys \(keys.replacingOccurrences(of: " ", with: "_"))")
    }
    for form in ["ansi", "json"] {
      try expectSame("run contained --headless 80x24 --keys p_wait --frame-format \(form)")
    }
    try expectSame("run contained --plain")
    let last = try expectSame("run contained --headless 60x24 --keys wait_c_wait_r_wait_a_type:Cork_enter")
    for line in ["sum 55", "unit gave meter", "asked Cork"] { #expect(last.output.contains(line)) }
    try expectSame("run contained missing --headless 60x20", status: 4)
  }

  @Test func `plugins are listed with the process that runs their code`() throws {
    for (options, place) in [([], "in process"), (["--isolate"], "own process")] {
      let list = try apart.run(["plugin", "list", "--json"] + options)
      let row = list.rows.first { $0["id"] as? String == "contained" }
      #expect(row?["isolation"] as? String == place)
      let info = try apart.run(["plugin", "info", "contained", "--json"] + options)
      #expect(info.status == 0 && info.output.contains("\"isolation\":\"\(place)\""))
    }
  }

  @Test(arguments: [
    ("trap", "SIGILL"), ("segfault", "SIGSEGV"), ("abort", "SIGABRT"), ("overflow-in-thread", "SIGSEGV"),
    ("overflow-in-task", "SIGSEGV"), ("exit", "status 0"), ("raw-exit", "status 0"), ("exit-in-thread", "status 0"),
  ])
  func `a crash or exit is an error that names the plugin, and ends nothing else`(command: String, end: String) throws {
    let outcome = try apart.run("misbehaving", command, "--isolate", "--json")
    #expect(outcome.status == 4 && outcome.errorCode == "host.plugin-ended")
    #expect(
      outcome.errorMessage == "the isolated process of plugin 'misbehaving' ended during command '\(command)': \(end)")
    let run = try apart.run("exec", "contained unit; misbehaving \(command)", "--isolate")
    #expect(run.status == 4 && run.output == "meter\n")
    #expect(try apart.run("misbehaving", "greet", "--isolate").output == "hello from misbehaving\n")
    #expect(apart.names("state/quarantine").isEmpty)
    #expect(try apart.run("misbehaving", command, "--isolate").status == 4)
    #expect(apart.names("state/quarantine") == ["misbehaving"])
    #expect(try apart.run("misbehaving", "greet", "--isolate", "--json").errorCode == "host.plugin-quarantined")
    #expect(try apart.run("contained", "unit", "--isolate").output == "meter\n")
  }

  @Test(arguments: [
    ("exit-in-activate", "host.plugin-ended"), ("trap-in-activate", "host.plugin-ended"),
    ("throw-in-activate", "host.plugin-activation-failed"), ("throw-in-make-command", "host.plugin-threw"),
  ])
  func `a plugin that fails before its command is named`(wish: String, code: String) throws {
    #expect(try apart.run("misbehaving", "greet", "--isolate").status == 0)
    let outcome = try apart.run("misbehaving", "greet", "--isolate", "--json", wish: wish)
    #expect(outcome.status == 4 && outcome.errorCode == code)
    #expect(outcome.errorMessage.contains("'misbehaving'"))
  }

  @Test func `printed text goes to the log, and time and memory are limited`() throws {
    let printed = try apart.run("misbehaving", "print", "--isolate", "--json")
    #expect(printed.status == 0 && printed.output == "\"the result\"\n")
    #expect(try log(of: apart).contains("\tnote\tmisbehaving\tprinted: printed by a plugin\n"))
    #expect(try apart.run("misbehaving", "flood", "--isolate", "--timeout", "1").status == 124)
    #expect(try apart.run("misbehaving", "block", "--isolate", "--timeout", "1").status == 124)
    let finished = try apart.run("misbehaving", "finish", "--isolate", "--timeout", "1")
    #expect(finished.status == 124 && finished.output == "begun\nhalf of it is kept\n")
    #expect(try apart.runPlain("config", "set", "host.memory-limit", "512").status == 0)
    let hog = try apart.run("misbehaving", "hog", "--isolate", "--json")
    #expect(hog.status == 4 && hog.errorCode == "host.plugin-ended")
  }

  @Test func `a crash on a screen is shown there, and the program ends well`() throws {
    for key in ["t", "d", "e"] {
      let outcome = try apart.run(
        "run", "misbehaving", "--isolate", "--headless", "70x12", "--keys", "\(key) wait")
      #expect(outcome.status == 0)
      #expect(outcome.output.contains("the isolated process of plugin 'misbehaving' ended during screen"))
      #expect(outcome.output.contains("Enter starts it again"))
      try? FileManager.default.removeItem(at: apart.home.appendingPathComponent("state/crashes"))
    }
    let again = try apart.run(
      "run", "misbehaving", "--isolate", "--headless", "70x12", "--keys", "t wait enter wait")
    #expect(again.status == 0 && again.output.contains("ready to misbehave"))
  }

  @Test func `the child has the program's limits and ends with it`() throws {
    let script = """
      "$0" exec 'contained process; misbehaving sleep' --isolate --plugin-dir "$1" >"$2" & program=$!
      until grep -q . "$2"; do sleep 0.05; done
      kill -KILL $program; wait $program
      child=$(cat "$2")
      until ! kill -0 $child 2>"$2"; do sleep 0.05; done
      """
    #expect(try apart.runShell(script, apart.folder.url("output").path).status == 0)
  }

  @Test func `a server isolates its plugins`() throws {
    let server = try CommandLineProcess(
      ["serve", "--stdio", "--isolate", "--plugin-dir", apart.plugins.path],
      environment: ["WORKBENCH_HOME": apart.home.path])
    for (id, command, part) in [(1, "trap", "host.plugin-ended"), (2, "greet", "hello from misbehaving")] {
      server.write(#"{"jsonrpc":"2.0","id":\#(id),"method":"misbehaving.\#(command)","params":{}}"# + "\n")
      var line = ""
      while !line.hasSuffix("\n") { line += server.readSome() }
      #expect(line.contains(#""id":\#(id)"#) && line.contains(part))
    }
    #expect(try server.finish().status == 0)
  }

  @Test func `items that crash have the same results in an isolated batch run, and so have the others`() throws {
    let home = try BatchHome()
    let items = try home.list(["trap", "abort", "segfault", "exit", "greet"])
    let outcome = try home.batch("run", ["--items", items, "--isolate"], items: ["misbehaving", "{}"])
    #expect(outcome.status == 5)
    #expect(outcome.record["errors"] as? [String: Int] == ["batch.item-crashed": 4], "\(outcome.errors)")
    let gathered = try home.workbench(["batch", "gather", home.run.path]).output.split(separator: "\n")
    #expect(gathered.last == #"{"item":5,"id":"greet","value":"hello from misbehaving","diagnostics":[]}"#)
  }
}
