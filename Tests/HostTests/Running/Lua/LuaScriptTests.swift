import Foundation
import PluginAPI
import Testing

@testable import Host

/// Commands called from Lua, and what scripts get and give.
@MainActor @Suite(.needsLua) struct LuaScriptTests {
  private let lua: LuaRun

  init() throws { lua = try LuaRun() }

  @Test func `a table is a list of rows, and a missing number is nil`() async throws {
    let code = "local rows = wb.sample.list{} print(#rows, rows[1].name, rows[1].weight, rows[2].weight)"
    #expect(try await lua.output(code) == "2\tgranite\t2.5\tnil\n")
  }

  @Test func `arguments are given by position or by name, with or without a table`() async throws {
    let code = """
      print(wb.sample.info{"granite"}.name, wb.sample.info("slate").name, wb.sample.info{rock = "basalt"}.name)
      print(table.concat(wb.sample.echo{"a", 1, 2.5}, ","), #wb.sample.echo{}, #wb.sample.echo{words = {"x", "y"}})
      """
    #expect(try await lua.output(code) == "granite\tslate\tbasalt\na,1,2.5\t0\t2\n")
  }

  @Test func `names of commands join their words with underscores, and options keep their types`() async throws {
    let code = """
      local q = wb.sample.measure_distance{{1, 2, 3}, {4, 5, 6}, scale = 2, round = true, tag = {"a", "b"}}
      print(q.value, q.unit, wb.sample.measure_distance{{1, 2, 3}, unit = "foot", tag = "a"}.unit)
      """
    #expect(try await lua.output(code) == "42.0\tmetre\tfoot\n")
  }

  @Test func `a float with an integral value is accepted as a whole number`() async throws {
    #expect(try await lua.output("print(#wb.sample.count{6 / 2})") == "3\n")
    #expect(await lua.failure("wb.sample.count{2.5}")?.status == 2)
  }

  @Test func `a stream of any length becomes a list`() async throws {
    let code = "for n = 0, 2 do local l = wb.sample.count{n} print(#l, n > 0 and l[n].number) end"
    #expect(try await lua.output(code) == "0\tfalse\n1\t1\n2\t2\n")
  }

  @Test func `an iterator returns results one by one, and breaking the loop ends the command`() async throws {
    let code = """
      local sum = 0
      for result in wb.each.sample.count{1000000} do
        sum = sum + result.number
        if result.number == 10 then break end
      end
      for row in wb.each.sample.list{} do io.write(row.name, ";") end
      print(sum)
      """
    #expect(try await lua.output(code) == "granite;slate, \"grey\";55\n")
  }

  @Test func `iterators can be nested, with other commands between their results`() async throws {
    let code = """
      local seen = {}
      for a in wb.each.sample.count{3} do
        for b in wb.each.sample.count{2} do seen[#seen + 1] = a.number .. wb.sample.echo{b.number}[1] end
      end
      print(table.concat(seen, " "))
      """
    #expect(try await lua.output(code) == "11 12 21 22 31 32\n")
  }

  @Test func `an iterator raises its command's error`() async throws {
    let failure = await lua.failure("for x in wb.each.sample.fail{'network'} do end")
    #expect(failure?.status == 6 && failure?.messages == "exec:1: there is no rock 'quartz'; look in the cellar\n")
  }

  @Test func `a failed command raises a table with code, message, advice and details`() async throws {
    let code = """
      local ok, e = pcall(wb.sample.fail, "network")
      print(ok, e.code, e.message, e.advice, e.details.rock, e.details.command)
      print(e.status, e.kind, e.retryable, e.place, tostring(e))
      """
    let expected = """
      false\tsample.no-rock\tthere is no rock 'quartz'\tlook in the cellar\tquartz\tsample fail
      6\tnetwork\ttrue\texec:1\tthere is no rock 'quartz'; look in the cellar

      """
    #expect(try await lua.output(code) == expected)
  }

  @Test func `an uncaught error is reported with its line and the command's status`() async throws {
    let failure = await lua.failure("print('a')\nwb.sample.fail{'notFound'}\nprint('b')")
    #expect(failure?.status == 3 && failure?.messages == "exec:2: there is no rock 'quartz'; look in the cellar\n")
    #expect(lua.run.streams.output.contents == "a\n")
    let json = await lua.failure("\nwb.sample.fail{'network'}", ["--json"])
    let messages = json?.messages ?? ""
    #expect(messages.contains(#""code":"sample.no-rock""#) && messages.contains(#""script":"exec:2""#))
    #expect(messages.contains(#""command":"sample fail""#))
  }

  @Test func `a rethrown error keeps its line`() async throws {
    let failure = await lua.failure("local ok, e = pcall(wb.sample.fail, 'refused')\n\nerror(e)")
    #expect(failure?.status == 7 && failure?.messages.hasPrefix("exec:1: ") == true)
  }

  @Test func `a script can raise errors with its own codes`() async throws {
    let code = "error{code = 'lab.no-sample', message = 'there is no sample', kind = 'notFound', advice = 'look'}"
    let failure = await lua.failure(code, ["--json"])
    #expect(failure?.status == 3 && failure?.messages.contains(#""code":"lab.no-sample""#) == true)
    let odd = await lua.failure("error{code = 'x\\n.y', message = 'm', kind = 'nonsense'}", ["--json"])
    #expect(odd?.status == 1 && odd?.messages.contains(#""code":"host.lua-error""#) == true)
  }

  @Test(arguments: [
    ("error('broken')", 1, "exec:1: broken\n"),
    ("local t\nt.x = 1", 1, "exec:2: attempt to index a nil value (local 't')\n"),
    ("x = = 3", 2, "exec:1: unexpected symbol near '='\n"),
    ("\n\nfor", 2, "exec:3: <name> expected near <eof>\n"),
  ])
  func `errors of Lua are reported with their line`(code: String, status: Int, messages: String) async throws {
    let failure = await lua.failure(code)
    #expect(failure?.status == Int32(status) && failure?.messages == messages)
  }

  @Test func `unknown commands and options are usage errors`() async throws {
    let command = await lua.failure("wb.sample.lst{}")
    #expect(command?.status == 2 && command?.messages.contains("'lst'") == true)
    #expect(await lua.failure("wb.nonsense.list{}")?.status == 2)
    #expect(await lua.failure("wb.sample{}")?.status == 2)
    let option = await lua.failure("wb.sample.list{chian = 1}")
    #expect(option?.status == 2 && option?.messages.contains("'chian'") == true)
    #expect(await lua.failure("wb.sample.info{'a', 'b'}")?.status == 2)
    #expect(await lua.failure("wb.sample.info{}")?.status == 2)
  }

  @Test func `emitted values are the script's result, in the requested format`() async throws {
    #expect(
      try await lua.output("wb.emit{b = 1, a = 2} wb.emit{1, wb.null, 2.5}", "--json")
        == "[{\"a\":2,\"b\":1},[1,null,2.5]]\n")
    #expect(try await lua.output("wb.emit{a = 1} wb.emit('x')", "--jsonl") == "{\"a\":1}\n\"x\"\n")
    #expect(try await lua.output("wb.emit{{a = 1, b = 'x'}, {a = 2, b = 'y'}}", "--tsv") == "a\tb\n1\tx\n2\ty\n")
    #expect(try await lua.output("wb.emit(wb.sample.list{})", "--json").hasPrefix("[[{\"name\":\"granite\",") == true)
  }

  @Test func `print goes to standard output, or to standard error beside other formats`() async throws {
    #expect(try await lua.output("print('a', 1) io.write('b', 2, '\\n') io.stdout:write('c\\n')") == "a\t1\nb2\nc\n")
    #expect(try await lua.output("print('aside')", "--json") == "[]\n")
    #expect(lua.run.messages == "aside\n")
  }

  @Test func `notes and warnings of the script and of commands reach the user`() async throws {
    #expect(try await lua.output("wb.note('n', 1) wb.warn('w') print(wb.sample.warn{})") == "swept\n")
    let messages = lua.run.messages
    #expect(messages.hasPrefix("note: n1\nwarning: w\n") && messages.contains("there is dust"))
  }

  @Test func `a picture has a size and can be emitted or saved`() async throws {
    let code = "local p = wb.sample.render{color = 'red', size = '8x4'} print(p.width, p.height, p)"
    #expect(try await lua.output(code) == "8\t4\tpicture 8×4\n")
    let json = try await lua.output("wb.emit(wb.sample.render{})", "--json")
    #expect(json.hasPrefix(#"[{"width":4,"height":2,"format":"png","data":"#))
    let folder = lua.run.home
    _ = try lua.run.file("a", "")
    let saving = "print(wb.sample.render{}:save(arg[1]))"
    #expect(await lua.failure(saving, [folder + "/p.png"])?.status == 7)
    #expect(try await lua.output(saving, folder + "/p.png", "--allow-write-in", folder) == folder + "/p.png\n")
    #expect(try HostFile.start(of: folder + "/p.png", count: 4) == [0x89, 0x50, 0x4E, 0x47])
  }

  @Test func `a script receives its arguments and can exit with a status`() async throws {
    #expect(try await lua.output("print(arg[0], #arg, arg[1], ...)", "a", "b c") == "exec\t2\ta\ta\tb c\n")
    #expect(try await lua.output("print(1) os.exit() print(2)") == "1\n")
    #expect(await lua.failure("os.exit(3)")?.status == 3)
    #expect(await lua.failure("pcall(os.exit, false)")?.status == 1)
    #expect(await lua.failure("os.exit(3.0)")?.status == 3)
    #expect(await lua.failure("os.exit(-1)")?.status == 255)
  }

  @Test func `a script file may have a shebang line and modules beside it`() async throws {
    _ = try lua.run.file("part.lua", "loads = (loads or 0) + 1\nreturn {x = 41}")
    let main = try lua.run.file(
      "main.lua", "#!/usr/bin/env -S workbench script\nprint(require('part').x + 1, require('part') and loads)")
    #expect(try await lua.run.output("script", main) == "42\t1\n")
    let broken = try lua.run.file("broken.lua", "#!x\n\nerror('b')")
    let failure = await lua.failure(of: ["script", broken])
    #expect(failure?.status == 1 && failure?.messages == "\(broken):3: b\n")
    _ = try lua.run.file("bad.lua", "\nerror('in module')")
    let user = try lua.run.file("user.lua", "require 'bad'")
    #expect(await lua.failure(of: ["script", user])?.messages == "\(lua.run.home)/bad.lua:2: in module\n")
    #expect(await lua.failure(of: ["script", "/nonexistent/x.lua"])?.status == 3)
  }

  @Test func `only modules beside the script can be loaded`() async throws {
    let folder = lua.run.home
    let outside = try lua.run.file("secret.lua", "return 1")
    try FileManager.default.createDirectory(atPath: folder + "/in", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder + "/in/link.lua", withDestinationPath: outside)
    for (name, status) in [("../secret", 2), ("link", 2), ("none", 3), ("", 2), ("a..b", 2), ("/etc/x", 2)] {
      let main = try lua.run.file("in/main.lua", "require '\(name)'")
      let failure = await lua.failure(of: ["script", main, "--json"])
      #expect(failure?.status == Int32(status), "\(name)")
      #expect(failure?.messages.contains(#""code":"host.lua-module""#) == true, "\(name)")
    }
    #expect(await lua.failure("require 'a'")?.status == 2)
  }

  @Test func `the running line is known until it ends, and after cancellation`() async throws {
    let run = lua.run
    let place = run.streams.scriptPlace
    _ = try await lua.output("wb.sample.echo{}")
    #expect(place.entry == nil)
    let task = Task { try await run("exec", "--lua", "\nwb.sample.wait{}\nprint('b')") }
    while place.entry?.position != "exec:2" { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(place.entry?.position == "exec:2" && run.streams.output.contents.isEmpty)
  }

  @Test func `a dry run checks only the syntax`() async throws {
    #expect(try await lua.output("print(1) os.exit(3)", "--dry-run").isEmpty)
    #expect(lua.run.messages.contains("it was not run"))
    #expect(await lua.failure("x = = 1", ["--dry-run"])?.status == 2)
    #expect(await lua.failure("print(1)", ["--keep-going"])?.status == 2)
  }

  @Test func `a trace contains the script's commands`() async throws {
    let trace = lua.run.home + "/trace.jsonl"
    _ = try lua.run.file("a", "")
    _ = try await lua.output(
      "pcall(wb.sample.fail, 'network') wb.sample.info{'granite', owner = 'Ann'}", "--trace", trace)
    let text = String(decoding: try HostFile.read(trace), as: UTF8.self)
    #expect(text.contains(#""event":"end","command":"sample fail","error":"sample.no-rock""#))
    #expect(text.contains(#""command":"sample info","arguments":{"#) && text.contains(#""owner":"…""#))
  }
}
