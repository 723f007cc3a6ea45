import Foundation
import Glibc
import TestSupport
import Testing

/// Lua scripts in the real program.
@Suite(
  .timeLimit(.minutes(10)),
  .enabled(if: dlopen("liblua5.4.so.0", RTLD_LAZY) != nil, "the package 'liblua5.4-0' is not installed"))
struct LuaProcessTests {
  @Test func `a script on standard input calls plugin commands`() throws {
    let code = """
      print(#wb.molecules.list{}, arg[1])
      for row in wb.each.molecules.list{} do print(row.code) end
      print(pcall(wb.molecules.info, {"none"}))
      """
    let run = try CommandLineProcess(["script", "-", "--lua", "x"]).finish(input: code)
    #expect(run.status == 0, "\(run.errors)")
    // The starter molecules.
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    let count = try #require(lines.first?.hasSuffix("\tx") == true ? Int(lines[0].dropLast(2)) : nil)
    #expect(count > 0)
    #expect(lines.firstIndex { $0.hasPrefix("false\tno molecule or file 'none'") } == count + 1)
  }

  @Test func `a script file is run by its name`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Array("#!/usr/bin/env -S workbench script\nwb.emit{n = 1 + 1}".utf8), "a.lua")
    let run = try CommandLineProcess.run("script", file.path, "--json")
    #expect(run.status == 0 && run.output == "[{\"n\":2}]\n")
  }

  @Test(arguments: [
    "while true do end", "while true do pcall(function() while true do end end) end",
    "string.find(('a'):rep(100000), ('a*'):rep(20) .. 'b')", "wb.openbis.simulate{}",
  ])
  func `Ctrl-C ends an endless script`(code: String) throws {
    let begin = "io.write('begun\\n') io.stdout:flush() "
    let process = try CommandLineProcess(["exec", "--lua", begin + code, "--allow-net", "--allow-write"])
    try #require(process.readSome() == "begun\n")
    process.send(SIGINT)
    let run = process.wait()
    #expect(run.status == 130)
    #expect(run.errors.contains("interrupted"), "\(run.errors)")
  }

  @Test func `a command may write its result only into a permitted folder`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.path + "/report.txt"
    let words = ["exec", "--lua", "wb.bugreport{output = arg[1]}", path, "--json", "--allow-write-in"]
    let other = try CommandLineProcess(words + ["/usr/lib"]).finish()
    #expect(other.status == 7 && other.errors.contains(#""code":"host.lua-refused""#), "\(other.errors)")
    #expect(!FileManager.default.fileExists(atPath: path))
    let run = try CommandLineProcess(words + [folder.path.path]).finish()
    #expect(run.status == 0, "\(run.errors)")
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: [
    "bugreport", "molecules export", "molecules session save", "openbis export", "pathcase draw", "pathcase export",
    "store backup",
  ])
  func `commands permitted to write only their result file exist`(words: String) throws {
    let run = try CommandLineProcess(["help"] + words.split(separator: " ").map(String.init)).finish()
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `the time limit ends a script and reports its line`() throws {
    let run = try CommandLineProcess.run("exec", "--lua", "while true do end", "--timeout", "1", "--json")
    #expect(run.status == 124)
    #expect(run.errors.contains(#""code":"host.timed-out""#) && run.errors.contains(#""script":"exec"#))
  }

  @Test func `a script ends silently if the reader closes the pipe`() throws {
    let folder = try TemporaryFolder()
    let run = try BuiltProgram.run(
      URL(fileURLWithPath: "/bin/bash"),
      [
        "-c", "\"$0\" exec --lua 'while true do print(1) end' | head -1; echo ${PIPESTATUS[0]}",
        BuiltProgram.workbench.path,
      ],
      environment: ["WORKBENCH_HOME": folder.path.path])
    #expect(run.output == "1\n141\n" && run.errors.isEmpty)
  }

  @Test func `doctor checks for Lua`() throws {
    let run = try CommandLineProcess.run("doctor", "--json")
    #expect(run.output.contains("liblua5.4.so.0"))
  }
}
