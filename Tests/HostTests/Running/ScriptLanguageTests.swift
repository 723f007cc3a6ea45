import PluginAPI
import TestSupport
import Testing

@testable import Host

/// Variables, blocks and checks of scripts, by the values that they print.
@MainActor struct ScriptLanguageTests {
  private func output(_ script: String, _ arguments: String...) async throws -> String {
    let run = try CommandLineRun()
    try await run.run(["exec", script] + arguments)
    return run.streams.output.contents
  }

  /// Runs a script that fails.
  ///
  /// - Returns: What it printed, the status, and the first error's code and position.
  private func failure(_ script: String) async throws -> (output: String, status: Int32?, code: String, place: String) {
    let run = try CommandLineRun()
    var status: Int32?
    do { try await run.run(["exec", script, "--json"]) } catch { status = (error as? ReportedFailure)?.status }
    let first = try #require(run.messages.split(separator: "\n").first { $0.contains("\"error\"") })
    let error = try JSONReader.read(Array(first.utf8))["error"]
    return (
      run.streams.output.contents, status, error["code"].text ?? "", error["details"]["script"].text ?? ""
    )
  }

  @Test func `let stores a command's result or a value`() async throws {
    #expect(try await output("let x = sample info granite; print $x.name") == "granite\n")
    #expect(try await output("let x=5; let y = -2.50; print $x $y true null") == "5 -2.5 yes –\n")
    #expect(try await output("let x = 'a b'; let y = \"<$x>\"; let z = ${x}c; print $y $z") == "<a b> a bc\n")
    #expect(try await output("let n = $1; print $n '$1' $#", "7") == "7 $1 1\n")
    #expect(try await output(#"let r = json '{"a": [1, {"b": "c"}]}'; print $r.a[1].b $r.a.count"#) == "c 2\n")
    #expect(try await output("let l = [1 [a, 'b c'] null]; print $l[1][1] $l.count $l[-3]") == "b c 3 1\n")
  }

  @Test func `a stream's result is a list, even of one value`() async throws {
    #expect(try await output("let c = sample count 3; print $c.count $c[1].number $c[-1].number") == "3 2 3\n")
    #expect(
      try await output("let c = sample count 1; print $c.count; let d = sample count 0; print $d.count") == "1\n0\n")
    #expect(
      try await output("let t = sample list; print $t.count; sample echo $t.name") == "2\ngranite\nslate, \"grey\"\n")
    #expect(try await output("let q = sample measure distance 1,2,3; print $q.value $q.unit $q") == "6 metre 6 metre\n")
  }

  @Test func `a value is never parsed as an option, a command or several words`() async throws {
    #expect(
      try await output("let x = '--json'; let y = \"a; sample reset #\"; sample echo $x $y '$x'")
        == "--json\na; sample reset #\n$x\n")
    #expect(
      try await output("let l = [1 '2 3' --plain]; sample echo a $l b \"x$l[0]\"") == "a\n1\n2 3\n--plain\nb\nx1\n")
  }

  @Test func `values keep their types as arguments and options`() async throws {
    let script = "let p = [1 2 3]; let s = 2; let u = 'foot'; let r = true"
    #expect(try await output(script + "; sample measure distance $p --scale=$s --unit $u --round=$r") == "12 foot\n")
    #expect(try await output(script + "; let q = [$p $p]; sample measure distance $q") == "12 metre\n")
    #expect(
      try await output("let t = [a b]; sample echo -- $t; let f = 'json'; sample echo \"$f\" --json")
        == "a\nb\n[\"json\"]\n")
  }

  @Test func `for iterates over rows, lists, fields and numbers`() async throws {
    #expect(
      try await output("for r in sample list; print $r.name $r.weight; end") == "granite 2.5\nslate, \"grey\" –\n")
    #expect(
      try await output("let t = sample list; for r in $t; sample echo $r.name; end") == "granite\nslate, \"grey\"\n")
    #expect(try await output("for x in [a [b c]]; print $x; end") == "a\nb\nc\n")
    #expect(
      try await output(#"let r = json '{"C": 5, "N": 2}'; for f in $r; print $f.name $f.value; end"#) == "C 5\nN 2\n")
    #expect(try await output("let n = 2; for i in 1..$n; for j in $i..2; print $i $j; end; end") == "1 1\n1 2\n2 2\n")
    #expect(try await output("for i in 2..1; print $i; end; for i in $1..$2; print $i; end", "-1", "0") == "-1\n0\n")
    #expect(try await output("for x in sample count 0; print a; end; for x in sample reset; print b; end") == "")
  }

  @Test func `if, else, while, break and continue control the flow`() async throws {
    let script = """
      for n in 1..9
        if $n == 2
          continue
        else if $n > 4 or ($n == 4 and not $n != 4)
          break
        else
          print $n
        end
      end
      let s = ""
      while $s != "aaa"; let s = "${s}a"; end
      print $s
      while true
        for x in [1 2]; if $x == 1; break; end; print no; end
        break
      end
      """
    #expect(try await output(script) == "1\n3\naaa\n")
  }

  @Test func `a loop can use a variable set in an earlier iteration`() async throws {
    let script = "let x = null; for i in 1..2; if $x != null; print $x.name; end; let x = sample info granite; end"
    #expect(try await output(script) == "granite\n")
  }

  @Test(arguments: [
    ("sample echo a; print $x", "host.script-variable", "exec:1:22"),
    ("let x = sample info granite\nprint $x.nam", "host.script-path", "exec:2:7"),
    ("let x = sample list; print $x[0].wight", "host.script-path", "exec:1:28"),
    ("let x = sample list; print $x.name.x", "host.script-path", "exec:1:28"),
    ("let x = sample count 1; print $x.number[0][0]", "host.script-path", "exec:1:31"),
    ("let x = sample echo a; print $x.name", "host.script-path", "exec:1:30"),
    ("let x = 5; print $x.y", "host.script-path", "exec:1:18"),
    ("let x = sample info granite; sample echo \"$x\"", "host.script-value", "exec:1:42"),
    ("for r in sample measure distance 1,2,3; end", "host.script-value", "exec:1:1"),
    ("if sample; end", "host.script-value", "exec:1:4"), ("let x = 5; while $x; end", "host.script-value", "exec:1:18"),
    ("let x = exec version; print $x", "host.script-no-result", "exec:1:9"),
    ("let x = sample list --output /tmp/x", "host.script-syntax", "exec:1:9"),
    ("let n = 3; sample cuont $n", "host.unknown-command", "exec:1:19"),
    ("let n = 3; sample count $n --nope", "host.unknown-option", "exec:1:28"),
    ("let n = 3; sample count $n extra", "host.extra-argument", "exec:1:28"),
    ("sample measure distance 1,2,3 --scale=x", "host.unfitting-argument", "exec:1:31"),
    ("if true; let x = 1; end; if false; sample count many; end", "host.unfitting-argument", "exec:1:49"),
    ("parallel 2; let a = 1; print $a; end", "host.script-variable", "exec:1:30"),
    ("parallel 2; run sample; end", "host.script-parallel", "exec:1:13"),
    ("parallel 2; shell; end", "host.script-parallel", "exec:1:13"),
    ("parallel 2; script -; end", "host.script-parallel", "exec:1:13"),
    ("let f = '-'; parallel 2; script $f; end", "host.script-parallel", "exec:1:26"),
    ("parallel 2; exec shell; end", "host.script-parallel", "exec:1:1"),
    ("if true; let x = 5; else; let x = 6; end; print $x.y", "host.script-path", "exec:1:49"),
    ("let x = 5; parallel 2; if true; let x = 'a'; end; end; print $x.y", "host.script-path", "exec:1:62"),
  ]) func `the whole script is checked before it runs`(script: String, code: String, place: String) async throws {
    let failure = try await failure(script + "\nsample echo last")
    #expect(failure.output == "" && failure.code == code && failure.place == place, "\(failure)")
  }

  @Test(
    arguments: [
      ("let t = sample list\nsample echo $t[1].weight", "host.script-no-value", "exec:2:13", 5),
      ("let t = sample list\nprint $t[7]", "host.script-path", "exec:2:7", 2),
      ("let n = 'many'\nsample count $n", "host.unfitting-argument", "exec:2:1", 2),
      ("let n = [1 2]\nsample count $n", "host.unfitting-argument", "exec:2:1", 2),
      ("let n = null\nsample echo $n", "host.script-no-value", "exec:2:13", 5),
      ("let l = [1]\nif $l < 2; end", "host.script-value", "exec:2:4", 5),
      ("let r = json '{\"a\": {}}'\nif $r.a; end", "host.script-value", "exec:2:4", 5),
      ("for x in [a]\nsample fail notFound\nend", "sample.no-rock", "exec:2:1", 3),
      ("if false\nlet x = 1\nend\nprint $x", "host.script-variable", "exec:4:7", 2),
    ] as [(String, String, String, Int32)])
  func `a runtime error has its position and status`(
    script: String, code: String, place: String, status: Int32
  ) async throws {
    let failure = try await failure(script)
    #expect(failure.code == code && failure.place == place && failure.status == status, "\(failure)")
  }

  @Test func `expect compares values and expects failures`() async throws {
    #expect(try await output("let x = sample info granite; expect $x.name == granite and $x.name contains 'ran'") == "")
    #expect(try await output("expect fail sample fail network; expect fail sample.no-rock sample fail refused") == "")
    #expect(
      try await output("expect fail host.unknown-command nonsense; expect fail sample count many; print ok") == "ok\n")
    for (script, part) in [
      ("let n = 3; expect $n == 4", "'$n == 4' is false; the left side is 3"),
      ("expect fail sample echo a", "in 'sample echo': expected the command to fail"),
      ("expect fail sample.other sample fail network", "but it is 'sample.no-rock'"),
    ] {
      let run = try CommandLineRun()
      #expect(await run.error("exec", script) != nil)
      #expect(run.messages.contains(part) && run.streams.output.contents == "", "\(run.messages)")
      #expect(try await failure(script).code == "host.script-expectation")
    }
  }

  @Test func `on-error continues, stops or runs a command until its block ends`() async throws {
    func run(_ script: String) async throws -> (status: Int32?, output: String) {
      let run = try CommandLineRun()
      do {
        try await run("exec", script)
        return (nil, run.streams.output.contents)
      } catch {
        return ((error as? ReportedFailure)?.status, run.streams.output.contents)
      }
    }
    var end = try await run("on-error continue; sample fail network; sample echo b")
    #expect(end.status == 6 && end.output == "b\n")
    end = try await run("on-error sample echo failed $error.code; sample fail refused; sample echo no")
    #expect(end.status == 7 && end.output == "failed\nsample.no-rock\n")
    end = try await run("if true; on-error continue; sample fail network; print a; end; sample fail refused; print no")
    #expect(end.status == 7 && end.output == "a\n")
    end = try await run("on-error continue; on-error stop; sample fail network; print no")
    #expect(end.status == 6 && end.output == "")
    end = try await run("let x = 'old'; on-error continue; let x = sample fail network; if $x == null; print none; end")
    #expect(end.status == 6 && end.output == "none\n")
    end = try await run("on-error sample fail network; sample fail refused")
    #expect(end.status == 7)
  }

  @Test func `on-error prints values, which are checked before the script runs`() async throws {
    let run = try CommandLineRun()
    let error = await run.error("exec", "on-error print \"failed $error.code\"; sample fail refused; print no")
    #expect(error != nil && run.streams.output.contents == "failed sample.no-rock\n")
    for script in ["print a; on-error print $nothing", "print a; on-error print"] {
      let wrong = try await failure(script)
      #expect(wrong.status == 2 && wrong.output == "", "\(script)")
    }
  }

  @Test func `source runs a file beside the script with the same variables and arguments`() async throws {
    let run = try CommandLineRun()
    _ = try run.file("common.wbs", "\u{FEFF}let a = 5\r\nsample echo $1\r\n")
    let script = try run.file("main.wbs", "source common.wbs\nprint $a\nif true; source common.wbs; end")
    #expect(try await run.output("script", script, "x") == "x\n5\nx\n")
    _ = try run.file("common.wbs", "let a = 5\nsample ecko b")
    #expect(await run.error("script", script, "x") != nil)
    #expect(run.messages.contains("common.wbs:2:8: 'sample' has no command 'ecko'"))
  }

  @Test func `statements of a parallel block print in order and set variables`() async throws {
    let script = """
      parallel 3
        sample echo a
        for n in 1..20
          sample echo $n
          sample echo "x$n"
        end
        let x = sample info granite
      end
      print $x.name
      """
    let numbers = (1...20).map { "\($0)\nx\($0)\n" }.joined()
    #expect(try await output(script) == "a\n" + numbers + "granite\n")
  }

  @Test func `variables that branches set to different types may be anything`() async throws {
    let record = "let r = json '{\"y\": 7}'; "
    for script in [
      "let x = 5; if true; let x = $r; end; print $x.y", "if false; let x = 5; else; let x = $r; end; print $x.y",
      "let x = 5; for i in [1 2]; if $i == 2; print $x.y; end; let x = $r; end",
      "if true; if true; let x = $r; end; else; let x = 5; end; print $x.y",
    ] {
      #expect(try await output(record + script) == "7\n", "\(script)")
    }
  }

  @Test func `scripts in a parallel block print in order, with their own options`() async throws {
    let script = """
      parallel 3
        exec 'for i in 1..200; sample echo a; end'
        exec 'sample echo c' --json
        exec 'sample echo b'
      end
      """
    #expect(try await output(script) == String(repeating: "a\n", count: 200) + "[\"c\"]\nb\n")
    let many = "parallel 20; for i in 1..40; exec 'sample echo $1' x; end; end"
    #expect(try await output(many) == String(repeating: "x\n", count: 40))
  }

  @Test func `a screen cannot open in a parallel block, whatever the error handling`() async throws {
    let run = try CommandLineRun()
    let script = "parallel 2; run sample; exec 'run sample' --keep-going; end; sample echo b"
    await #expect(throws: ReportedFailure(status: 2)) { try await run("exec", script, "--keep-going") }
    #expect(run.shown.isEmpty && run.streams.output.contents == "b\n")
  }

  @Test func `the first failure of a parallel block cancels the others`() async throws {
    let run = try CommandLineRun()
    await #expect(throws: ReportedFailure(status: 6)) {
      try await run("exec", "parallel 2\nsample wait\nsample fail network\nend\nsample echo no")
    }
    #expect(run.messages == "exec:3:1: in 'sample fail': there is no rock 'quartz'; look in the cellar\n")
    #expect(!run.streams.output.contents.contains("no\n"))
    await #expect(throws: ReportedFailure(status: 6)) {
      try await run("exec", "parallel 2; sample fail network; sample echo b; end; sample echo c", "--keep-going")
    }
    #expect(run.streams.output.contents.hasSuffix("b\nc\n"))
  }

  @Test func `a script's results are JSON on request`() async throws {
    let run = try CommandLineRun()
    let text = try await run.output("exec", "let x = sample list; print $x[0]; print 1 a; print $x.count", "--json")
    #expect(text == "{\"name\":\"granite\",\"weight\":2.5}\n[1,\"a\"]\n2\n")
  }

  @Test func `a dry run prints the plan and runs nothing`() async throws {
    let run = try CommandLineRun()
    let script = "let x = sample list\nfor r in $x\nsample echo \"$r.name\"\nend\nif true\nelse\nsample reset\nend"
    let plan = try JSONReader.read(Array(try await run.output("exec", script, "--dry-run", "--json").utf8))
    #expect(plan["script"] == "exec" && plan["effects"] == ["reads", "writes"])
    let steps = try #require(plan["steps"].list)
    #expect(steps.map { $0["line"] } == [1, 2, 5, 6])
    #expect(steps[0]["command"] == "sample list" && steps[0]["effects"] == ["reads"])
    #expect(steps[1]["statement"] == "for r in $x" && steps[1]["command"].isNull)
    #expect(steps[1]["steps"].list?.first?["statement"] == "sample echo \"$r.name\"")
    #expect(steps[3]["steps"].list?.first?["effects"] == ["writes"])
    let text = try await run.output("exec", script, "--dry-run")
    #expect(text.hasPrefix("exec  (reads, writes)\n") && text.contains("  for r in $x\n"))
    #expect(text.contains("     sample reset  (writes)\n") && !text.contains("granite"))
  }
}
