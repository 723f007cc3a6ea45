import Foundation
import Glibc
import TestSupport
import Testing

/// Each exit status of the command line, of the program as it is started by a shell.
struct CommandLineStatusTests {
  @Test func `status 0 comes with the result on standard output`() throws {
    let run = try CommandLineProcess.run("version")
    #expect(run.status == 0 && run.output.hasPrefix("workbench ") && run.errors.isEmpty)
    #expect(try CommandLineProcess.run("--version").output == run.output)
    #expect(try CommandLineProcess.run("version", "--quiet").output == run.output)
  }

  @Test func `status 1 reports a failure, with the result printed`() throws {
    let process = try CommandLineProcess(["doctor", "--json"])
    let run = try process.finish()
    #expect(run.status == 0 && run.output.hasPrefix("["))
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("workbench-" + UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let data = folder.appendingPathComponent("data")
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: data.path)
    let failed = try CommandLineProcess.run("doctor", "--json", "--home", folder.path)
    #expect(failed.status == 1 && failed.output.hasPrefix("["))
    #expect(failed.errors.contains(#""code":"host.doctor-found-errors""#))
  }

  @Test(arguments: ["version", "exec version --json", "molecules list --json"])
  func `status 1 reports a closed standard output, and no file replaces it`(words: String) throws {
    let home = try TemporaryFolder()
    let run = try BuiltProgram.run(
      URL(fileURLWithPath: "/bin/bash"), ["-c", "\"$0\" \(words) >&-", BuiltProgram.workbench.path],
      environment: ["WORKBENCH_HOME": home.path.path])
    #expect(run.status == 1)
    #expect(words == "version" || run.errors.contains("cannot write the result: standard output is closed"))
  }

  @Test func `status 2 reports a usage error as a sentence or as JSON`() throws {
    let run = try CommandLineProcess.run("--jsn")
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors == "workbench: there is no option '--jsn'; did you mean '--json'?\n")
    let json = try CommandLineProcess.run("vresion", "--json")
    #expect(json.status == 2)
    let object = try JSONSerialization.jsonObject(with: Data(json.errors.utf8)) as? [String: [String: Any]]
    let error = try #require(object?["error"])
    #expect(Set(error.keys) == ["code", "message", "details", "retryable"])
    #expect(error["code"] as? String == "host.unknown-command" && error["retryable"] as? Bool == false)
    #expect((error["details"] as? [String: Any])?["advice"] as? String == "did you mean 'version'?")
    let empty = try CommandLineProcess.run("molecules", "render", "1", "--size", "0x20")
    #expect(empty.status == 2 && empty.errors.contains("a size such as 120x40, each from 1 to 32767"))
  }

  @Test func `status 3 reports a missing file, plugin or setting`() throws {
    #expect(try CommandLineProcess.run("open", "/nonexistent/file.pdb").status == 3)
    #expect(try CommandLineProcess.run("run", "nosuchplugin").status == 3)
    #expect(try CommandLineProcess.run("config", "get", "nosuchsetting").status == 3)
  }

  @Test func `status 5 reports unusable data`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("workbench-" + UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let config = folder.appendingPathComponent("config")
    try FileManager.default.createDirectory(at: config, withIntermediateDirectories: true)
    try Data("{".utf8).write(to: config.appendingPathComponent("settings.json"))
    let run = try CommandLineProcess.run("config", "list", "--home", folder.path)
    #expect(run.status == 5 && run.errors.contains("settings.json', line 1, column 2"))
    let other = try CommandLineProcess.run("help", "--home", folder.path)
    #expect(other.status == 0 && other.errors.contains("warning:"))
  }

  @Test func `a variable that does not fit its setting is reported by every command`() throws {
    let home = try PluginHome(withPlugin: false)
    let run = try CommandLineProcess(
      ["config", "get", "offline"],
      environment: ["WORKBENCH_HOME": home.folder.url("home").path, "WORKBENCH_OFFLINE": "maybe"]
    ).finish(input: "")
    #expect(run.status == 0 && run.output == "no\n")
    #expect(run.errors.contains("warning: WORKBENCH_OFFLINE: 'maybe' is not "))
    #expect(run.errors.contains(", so it is not used; see 'workbench config explain offline'"))
  }

  @Test func `status 5 reports a document that a screen cannot show, with an explanatory frame`() throws {
    let home = try PluginHome(withPlugin: false)
    let broken = try home.folder.write(Array("no structure\n".utf8), "broken.pdb")
    for run in [try home.runPlain("open", broken.path), try home.runPlain("run", "molecules", broken.path)] {
      // The frame breaks the sentence where its line ends.
      let frame = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(run.status == 5 && frame.contains("broken.pdb' cannot be read as a structure"))
      #expect(run.errors.contains("broken.pdb' cannot be read as a structure"))
    }
    // With keys, the caller drives the screen.
    let driven = try home.runPlain("run", "molecules", broken.path, "--headless", "200x24", "--keys", "wait")
    #expect(driven.status == 0 && driven.output.contains("cannot be read as a structure"))
  }

  @Test func `closed standard streams are errors, and no other file replaces them`() throws {
    let home = try PluginHome(withPlugin: false)
    let run = try home.runShell(
      """
      for words in version 'help --json' 'config list'; do "$0" $words >&-; echo $?; done
      "$0" molecules info - <&-; echo $?; "$0" molecules list --json 2>&- | head -c 1; cat "$WORKBENCH_HOME"/state/* 2>&1
      """, "")
    #expect(run.output.hasPrefix("1\n1\n1\n1\n["), "\(run.output)")
    #expect(run.errors.contains("cannot read 'standard input': bad file descriptor"))
    #expect(!run.output.contains("host.color") && !run.errors.contains("resource temporarily"))
  }

  @Test func `status 7 reports a refusal`() throws {
    let run = try CommandLineProcess.run("store", "restore", "molecules:library", "/proc/self/status")
    #expect(run.status == 7 && run.errors.contains("confirm with '--yes'"))
  }

  @Test func `status 124 reports an exceeded time limit`() throws {
    let process = try CommandLineProcess(["script", "-", "--timeout", "0.2"])
    let run = process.wait()
    #expect(run.status == 124)
    #expect(run.errors == "workbench: not finished after 0.2 seconds; allow more time with '--timeout'\n")
  }

  @Test func `status 130 reports Ctrl-C`() throws {
    let process = try CommandLineProcess(["script", "-", "--jsonl"])
    process.write("version\n")
    #expect(process.readSome().contains("version") || process.readSome().contains("version"))
    process.send(SIGINT)
    let run = process.wait()
    #expect(run.status == 130 && run.errors.contains("host.interrupted"))
  }

  @Test func `status 128 plus n reports signal n`() throws {
    let process = try CommandLineProcess(["script", "-", "--jsonl"])
    process.write("version\n")
    _ = process.readSome()
    process.send(SIGTERM)
    #expect(process.wait().status == 128 + SIGTERM)
  }

  @Test func `status 141 reports a closed pipe silently`() throws {
    let home = try TemporaryFolder()
    // Many lines, so that the pipe is surely closed before the last.
    let script =
      "for i in {1..20000}; do echo 'help statuses'; done | "
      + "'\(BuiltProgram.workbench.path)' script - 2>&1 >/dev/full | head -1; "
      + "yes 'help statuses' | head -20000 | '\(BuiltProgram.workbench.path)' script - | head -1 >/dev/null; "
      + "echo ${PIPESTATUS[2]}"
    let text = try BuiltProgram.run(
      URL(fileURLWithPath: "/bin/bash"), ["-c", script],
      environment: ["WORKBENCH_HOME": home.path.path, "PATH": "/usr/bin:/bin"], inheritsEnvironment: false
    ).output
    let lines = text.split(separator: "\n")
    #expect(lines.first == "workbench: cannot write the result: No space left on device; free some space on the device")
    #expect(lines.last == "141" && lines.count == 2)
  }
}
