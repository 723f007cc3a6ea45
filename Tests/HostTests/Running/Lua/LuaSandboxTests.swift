import Foundation
import PluginAPI
import Testing

@testable import Host

/// Hostile scripts: each one ends, with a code, and changes nothing.
@MainActor @Suite(.needsLua) struct LuaSandboxTests {
  private let lua: LuaRun

  init() throws { lua = try LuaRun() }

  /// Scripts that never end on their own, without much else.
  nonisolated private static let endless = [
    "while true do end",
    "goto a ::a:: goto a",
    "for i = 1, math.huge do end",
    "local function f() return f() end f()",
    "while true do pcall(function() while true do end end) end",
    "while true do pcall(error) end",
    "while true do xpcall(error, pcall) end",
    "xpcall(function() while true do end end, function() while true do end end)",
    "xpcall(error, function() while true do end end)",
    "coroutine.wrap(function() while true do end end)()",
    "while true do coroutine.wrap(function() coroutine.yield() end)() end",
    "while true do pcall(coroutine.wrap(function() error() end)) end",
    """
    coroutine.wrap(function()
      local x <close> = setmetatable({}, {__close = function() while true do end end})
      while true do end
    end)()
    """,
    "local x <close> = setmetatable({}, {__close = function() while true do end end}) while true do end",
    """
    local co = coroutine.create(function()
      local x <close> = setmetatable({}, {__close = function() while true do end end})
      coroutine.yield()
    end)
    coroutine.resume(co) coroutine.close(co)
    """,
    "string.find(('a'):rep(100000), ('a*'):rep(20) .. 'b')",
    "string.match(('a'):rep(100000), ('.-'):rep(15) .. 'b')",
    "string.gsub(('a'):rep(100000), ('a?'):rep(100) .. ('a*'):rep(20) .. 'b', '')",
    "for x in string.gmatch(('a'):rep(100000), ('(a*)'):rep(10) .. 'b') do end",
    "string.gsub('aaa', '', function() while true do end end)",
    "while true do (''):rep(1 << 60) end",
    "load(function() return ' ' end)",
    "setmetatable(_G, {__index = function() while true do end end}) print(foo)",
    "local t = setmetatable({}, {__lt = function() while true do end end}) print(t < t)",
    "local t = setmetatable({}, {__concat = function() while true do end end}) print(t .. t)",
    "print(setmetatable({}, {__tostring = function() while true do end end}))",
    "string.format('%s', setmetatable({}, {__tostring = function() while true do end end}))",
    "error(setmetatable({}, {__tostring = function() while true do end end}))",
    "table.sort({1, 2, 3}, function() while true do end end)",
    "wb.emit = nil pcall = nil error = nil setmetatable(wb, nil) while true do end",
    "getmetatable('').__index = function() while true do end end print(('x').y)",
    "while true do io.write('') end",
    """
    local function nest(depth)
      for i = 1, 30 do
        coroutine.wrap(depth == 0 and function() for i = 1, 300 do end end or nest)(depth - 1)
      end
    end
    while true do nest(12) end
    """,
    "while true do coroutine.create(print) end",
    "local t = {} for i = 1, 100000 do t[i] = i ~ 0x5555 end while true do table.sort(t) table.sort(t, math.ult) end",
    "local t = {} for i = 1, 100000 do t[i] = i end while true do table.insert(t, 1, 0) table.remove(t, 1) end",
    "local s = ('x'):rep(1 << 20) while true do local t = s .. s end",
    "local s = ('x'):rep(1 << 20) while true do s:upper() utf8.len(s) end",
    "local t = {} for i = 1, 20 do t[i] = ('x'):rep(1 << 20) end while true do table.concat(t) end",
  ]

  /// Scripts that never end, in commands or in the collector.
  nonisolated private static let busy = [
    "while true do wb.sample.echo{} end",
    "while true do pcall(wb.sample.fail, 'network') end",
    "for x in wb.each.sample.wait{} do end",
    "wb.sample.wait{}",
    "pcall(wb.sample.wait) while true do end",
    "while true do collectgarbage() end",
    "while true do for x in wb.each.sample.count{10} do break end end",
    "local t = {} for i = 1, 1000000 do t[i] = i end while true do collectgarbage() end",
  ]

  @Test func `more than a hundred hostile scripts are tested`() {
    let scripts = Self.endless + Self.busy + Self.greedy + Self.wrong.map { $0.0 } + Self.forbidden + Self.unfitting
    #expect(Set(scripts).count > 100)
  }

  @Test(arguments: endless + busy) func `an endless script can be canceled`(code: String) async throws {
    let run = lua.run
    let task = Task { try await run("exec", "--lua", "print('begun') " + code) }
    while run.streams.output.contents.isEmpty { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(arguments: endless) func `an instruction limit ends an endless script`(code: String)
    async throws
  {
    let failure = await lua.failure(code, ["--instruction-limit", "1", "--json"])
    #expect(failure?.status == 124)
    #expect(failure?.messages.contains(#""code":"host.lua-instructions""#) == true)
  }

  /// Scripts that want more memory than they may have.
  nonisolated private static let greedy: [String] = [
    "local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end",
    "local s = 'x' while true do s = s .. s end",
    "local s = ('x'):rep(1 << 30)",
    "local t = {} for i = 1, 1e9 do t[i] = i end",
    "local t for i = 1, 1e9 do t = {t, coroutine.create(print)} end",
    "local t for i = 1, 1e9 do local o = t t = function() return o end end",
    "local function f() return 1 + f() end f()",
    "local s = ('x'):rep(1 << 20) s = s:gsub('.', ('y'):rep(1000))",
    "local s = ('x'):rep(1 << 20) local t = {} for i = 1, 100 do t[i] = s end s = table.concat(t)",
    "local s = ('x'):rep(1 << 20) local t = {} for i = 1, 100 do t[i] = s end wb.emit(t)",
    "local t = {} for i = 1, 60 do t = {t, t} end wb.emit(t)",
    "local s = ('x'):rep(8 << 20) s = string.format('%s%s', s, s)",
    "local t = {} for i = 1, 1e9 do t['k' .. i] = true end",
    "local t = {} for row in wb.each.sample.count{1000000} do t[#t + 1] = row end",
    "wb.sample.count{1000000}",
    "local t = {} for i = 1, 100 do t[i] = wb.sample.render{size = '512x512'} end",
  ]

  @Test(arguments: greedy)
  func `a script that uses too much memory ends at its limit`(code: String) async throws {
    let failure = await lua.failure(code, ["--memory-limit", "16", "--json"])
    #expect(failure?.status == 1)
    #expect(failure?.messages.contains(#""code":"host.lua-memory""#) == true)
  }

  @Test func `a script that catches an out-of-memory error continues`() async throws {
    let code = "print(pcall(string.rep, 'x', 1 << 28)) print(#('x'):rep(1000))"
    #expect(try await lua.output(code, "--memory-limit", "16") == "false\tnot enough memory\n1000\n")
  }

  @Test func `unused pictures release their memory`() async throws {
    let code = """
      for i = 1, 100 do wb.sample.render{size = '512x512'} end
      local kept = {}
      print(pcall(function() for i = 1, 100 do kept[i] = wb.sample.render{size = '512x512'} end end))
      kept = nil
      for i = 1, 100 do wb.sample.render{size = '512x512'} end
      print(#('x'):rep(4 << 20))
      """
    let output = try await lua.output(code, "--memory-limit", "16")
    #expect(output == "false\tnot enough memory\n4194304\n")
  }

  @Test func `results beyond the memory limit raise an error that a script can catch`() async throws {
    let code = "local ok, e = pcall(wb.sample.count, 1000000) print(ok, e.code) print(#wb.sample.count{10})"
    #expect(try await lua.output(code, "--memory-limit", "16") == "false\thost.lua-memory\n10\n")
  }

  @Test func `the number of open iterators is limited`() async throws {
    let code = """
      local function nest(depth)
        for x in wb.each.sample.count{1000} do nest(depth + 1) end
      end
      local ok, e = pcall(nest, 1)
      print(ok, e.code, e.message)
      for i = 1, 100 do for x in wb.each.sample.count{1000} do break end end
      for i = 1, 100 do
        local following = wb.each.sample.count{2}
        while following() do end
      end
      print("closed")
      """
    #expect(
      try await lua.output(code) == "false\thost.lua-value\tmore than 64 loops over 'wb.each' are open\nclosed\n")
  }

  @Test(arguments: [
    "local _, e = pcall(wb.sample.fail, 'network') return e", "return wb.sample.render{}",
    "return io.open(arg[1])", "return io.open(arg[1]).handle", "return wb.null", "return wb.sample.render{}.handle",
  ])
  func `metatables of objects are hidden, so scripts cannot add finalizers`(code: String) async throws {
    let file = try lua.run.file("a.txt", "a")
    let reading = "print(pcall(setmetatable, (function() \(code) end)() or {}, {__gc = print}))"
    let output = try await lua.output("print(getmetatable((function() \(code) end)()))", file)
    #expect(output == "false\n" || output == "nil\n")
    #expect(try await lua.output(reading, file).hasPrefix("false\t"))
  }

  @Test func `io.type recognizes files`() async throws {
    let file = try lua.run.file("a.txt", "a")
    let code = """
      local f = io.open(arg[1])
      print(io.type(f), io.type(1), io.type({}), io.type(wb.sample.render{}))
      f:close()
      print(io.type(f))
      """
    #expect(try await lua.output(code, file) == "file\tnil\tnil\tnil\nclosed file\n")
  }

  /// Scripts that break rules of Lua, and a part of the message.
  nonisolated private static let wrong: [(String, String)] = [
    ("local function f() coroutine.wrap(f)() end f()", "C stack overflow"),
    ("table.unpack({}, 1, 1e8)", "too many results to unpack"),
    ("error(setmetatable({}, {__tostring = function() error('x') end}))", "exec:1: x"),
    ("error(setmetatable({}, {__tostring = function() return {} end}))", "'__tostring' must return a string"),
    ("error(nil)", "exec:1: nil"),
    ("error(print)", "function: "),
    ("error(('x'):rep(1000000), 0)", "xxxx"),
    ("setmetatable({}, {__gc = print})", "'__gc' is not available to scripts"),
    ("table.move({}, 1, 1 << 60, 1, {})", "too many elements"),
    ("table.concat(setmetatable({}, {__len = function() return 1 << 60 end}))", "'__len' are not accepted"),
    ("table.insert(setmetatable({}, {__len = function() return 1 << 60 end}), 1, 1)", "'__len' are not accepted"),
    ("table.remove(setmetatable({}, {__len = function() return 1 << 60 end}), 1)", "'__len' are not accepted"),
    ("assert(load('\\27Lua'))", "attempt to load a binary chunk"),
    ("assert(load(function() return '\\27Lua' end))", "attempt to load a binary chunk"),
    ("assert(load('\\27Lua', 'x', 'b'))", "attempt to load a binary chunk"),
    ("assert(load(('('):rep(300) .. '1' .. (')'):rep(300)))", "overflow"),
    ("wb.emit(print)", "a function cannot be passed to Workbench"),
    ("wb.sample.echo{coroutine.create(print)}", "a thread cannot be passed to Workbench"),
    ("local t = {} t.t = t wb.emit(t)", "nested deeper than 200 levels, or contains itself"),
    ("wb.emit{[1] = 1, [9] = 2}", "a list has a gap before position 9"),
    ("wb.emit{[true] = 1}", "a key of a table is a boolean"),
    ("string.find('a', ('('):rep(50))", "too many captures"),
    ("string.find('a', '%')", "malformed pattern (ends with '%')"),
    ("string.find('a', '[a')", "malformed pattern (missing ']')"),
    ("string.gsub('a', 'a', '%2')", "invalid capture index %2"),
    ("string.gsub('a', 'a', function() return {} end)", "invalid replacement value (a table)"),
    ("string.match(('a'):rep(300), ('(a'):rep(5))", "unfinished capture"),
    ("string.format('%9999d', 1)", "invalid conversion"),
    ("coroutine.yield()", "outside a coroutine"),
    ("setmetatable(_G, {__index = function(_, k) return _G[k .. 'x'] end}) print(foo)", "overflow"),
    ("getmetatable('').__index = nil print(('x'):rep(2))", "attempt to index a string value"),
    ("table.sort({3, 2, 1, 5, 4}, function() return true end)", "invalid order function"),
    ("local a <close> = 1", "non-closable"),
    ("package.loaded.os.execute('true')", "attempt to index a function value"),
  ]

  @Test(arguments: wrong)
  func `a script error is reported in one sentence`(code: String, message: String) async throws {
    let failure = await lua.failure(code)
    #expect(failure?.status == 1)
    #expect(failure?.messages.contains(message) == true, "\(failure?.messages ?? "")")
    #expect((failure?.messages.utf8.count ?? 0) < 6000)
  }

  /// Scripts that want more than they may.
  nonisolated private static let forbidden: [String] = [
    "os.execute('true')", "os.remove('x')", "os.rename('x', 'y')", "os.tmpname()", "os.getenv('HOME')",
    "os.setlocale('C')", "io.popen('ls')", "io.tmpfile()", "io.read()", "io.input('/etc/passwd')",
    "io.open('/etc/passwd')", "io.lines('/etc/passwd')", "io.open('/tmp/workbench-hostile', 'w')",
    "io.open('../../../../../../etc/passwd')", "io.open('/proc/self/environ')", "dofile('x')", "loadfile('x')",
    "debug.sethook()", "debug.getregistry()", "debug.setmetatable('', {})", "package.loadlib('x', 'y')",
    "string.dump(print)", "collectgarbage('stop')", "collectgarbage('generational')", "wb.exec{'version'}",
    "wb.script{'x.wbs'}", "wb.run{'sample'}", "wb.sample.reset{}", "wb.config.set{'theme', 'x'}",
    "wb.plugin.install{'x'}", "wb.sample.info{'/etc/passwd'}", "wb.sample.render{}:save('/tmp/workbench-hostile.png')",
    "local ok, e = pcall(os.execute, 'true') error(e)", "coroutine.wrap(function() os.execute('true') end)()",
  ]

  @Test(arguments: forbidden)
  func `operations outside the sandbox are refused`(code: String) async throws {
    let failure = await lua.failure(code, ["--json"])
    #expect(failure?.status == 7)
    #expect(failure?.messages.contains(#""code":"host.lua-refused""#) == true, "\(failure?.messages ?? "")")
    #expect(HostFile.size("/tmp/workbench-hostile") == nil && HostFile.size("/tmp/workbench-hostile.png") == nil)
  }

  /// Scripts with values that cannot be used.
  nonisolated private static let unfitting: [String] = [
    "wb.emit{1, a = 2}", "io.open(1)", "wb.sample.render{}.save(1, 'x')", "io.open('x', 'rw')", "os.exit('x')",
    "os.exit('3')", "os.exit(2.5)", "os.exit(1e300)", "os.exit(0/0)", "os.exit({})",
  ]

  @Test(arguments: unfitting)
  func `unsuitable values are usage errors`(code: String) async throws {
    let failure = await lua.failure(code, ["--json"])
    #expect(failure?.status == 2 && failure?.messages.contains(#""code":"host.lua-value""#) == true)
  }

  @Test func `a script that overwrites library functions affects only itself`() async throws {
    let code = """
      for name in pairs(string) do string[name] = function() error("no") end end
      for name in pairs(table) do table[name] = nil end
      tostring, type, select, rawget, rawset = nil
      print("still", wb.sample.info{"granite"}.name)
      """
    #expect(try await lua.output(code) == "still\tgranite\n")
    #expect(try await lua.output("print(('x'):rep(2), type(table.concat))") == "xx\tfunction\n")
  }

  @Test func `notes cannot control the terminal`() async throws {
    _ = try await lua.output("wb.note('\\27[2J') io.stderr:write('\\27]0;x\\7')")
    #expect(!lua.run.messages.contains("\u{1B}") && !lua.run.messages.contains("\u{07}"))
  }

  @Test func `files are read and written only where the user permits it`() async throws {
    let folder = lua.run.home
    let file = try lua.run.file("a.txt", "one\ntwo")
    let reading = "print(io.open(arg[1] or '\(file)'):read('a'))"
    #expect(try await lua.output(reading, file) == "one\ntwo\n")
    #expect(await lua.failure(reading)?.status == 7)
    #expect(try await lua.output(reading, "--allow-read") == "one\ntwo\n")
    #expect(try await lua.output(reading, "--allow-read-in", folder) == "one\ntwo\n")
    #expect(await lua.failure(reading, ["--allow-read-in", folder + "/other"])?.status == 7)
    let writing = "local f <close> = io.open('\(folder)/b.txt', 'w') f:write('x', 1, '\\n')"
    #expect(await lua.failure(writing, ["--allow-read"])?.status == 7)
    #expect(try await lua.output(writing, "--allow-write-in", folder).isEmpty)
    #expect(String(decoding: try HostFile.read(folder + "/b.txt"), as: UTF8.self) == "x1\n")
    _ = try await lua.output("io.open('\(folder)/b.txt', 'a'):write('y'):close()", "--allow-write")
    #expect(String(decoding: try HostFile.read(folder + "/b.txt"), as: UTF8.self) == "x1\ny")
  }

  @Test func `links cannot lead out of a permitted folder`() async throws {
    let folder = lua.run.home
    let secret = try lua.run.file("secret", "s")
    try FileManager.default.createDirectory(atPath: folder + "/in", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder + "/in/link", withDestinationPath: secret)
    try FileManager.default.createSymbolicLink(atPath: folder + "/in/up", withDestinationPath: folder)
    // Links to nothing: a file would be made where they lead.
    try FileManager.default.createSymbolicLink(atPath: folder + "/in/to-new", withDestinationPath: folder + "/new")
    try FileManager.default.createSymbolicLink(atPath: folder + "/in/to-none", withDestinationPath: folder + "/none/x")
    for path in [
      "in/link", "in/up/secret", "in/../secret", "in/up/new", "in/to-new", "in/to-none", "in/up/in/to-new",
      "in/missing/../../secret", "in/missing/../../new", "in/up/missing/../new",
    ] {
      let options = ["--allow-read-in", folder + "/in", "--allow-write-in", folder + "/in"]
      #expect(await lua.failure("io.open('\(folder)/\(path)', 'r')", options)?.status == 7, "\(path)")
      #expect(await lua.failure("io.open('\(folder)/\(path)', 'w')", options)?.status == 7, "\(path)")
    }
    for path in ["in/link", "in/to-new", "in/up/new"] {
      let failure = await lua.failure(
        "wb.sample.render{}:save('\(folder)/\(path)')", ["--allow-write-in", folder + "/in"])
      #expect(failure?.status == 7, "\(path)")
    }
    #expect(HostFile.size(secret) == 1 && HostFile.size(folder + "/new") == nil)
  }

  @Test func `links within a folder are followed`() async throws {
    let folder = lua.run.home
    try FileManager.default.createDirectory(atPath: folder + "/in", withIntermediateDirectories: true)
    _ = try lua.run.file("in/a", "old")
    try FileManager.default.createSymbolicLink(atPath: folder + "/in/link", withDestinationPath: folder + "/in/a")
    _ = try await lua.output(
      "io.open('\(folder)/in/link', 'w'):write('new'):close()", "--allow-write-in", folder + "/in")
    #expect(String(decoding: try HostFile.read(folder + "/in/a"), as: UTF8.self) == "new")
    #expect(FilePath.linkTarget(folder + "/in/link") == folder + "/in/a")
  }

  @Test func `opening a missing or special file returns nil and a message`() async throws {
    let code = "print(io.open('/nonexistent/x')) print(io.open('/dev/zero')) print((io.open('/')))"
    let output = try await lua.output(code, "--allow-read")
    #expect(output.hasPrefix("nil\tcannot read '/nonexistent/x': no such file or directory\t2\n"))
    #expect(output.contains("nil\tcannot read '/dev/zero': not a regular file\t2\n") && output.hasSuffix("nil\n"))
  }

  @Test func `the number of open files is limited, and all are closed at the end`() async throws {
    _ = try lua.run.file("a", "")
    let code = """
      local files = {}
      for i = 1, 100 do
        local ok, file = pcall(io.open, '\(lua.run.home)/f' .. i, 'w')
        if not ok then print(i) break end
        files[i] = file
      end
      """
    #expect(try await lua.output(code, "--allow-write") == "65\n")
    #expect(try await lua.output(code, "--allow-write") == "65\n")
  }

  @Test func `a command reads files and changes stores only where the user permits it`() async throws {
    let rock = try lua.run.file("a.rock", "ROCK")
    let reading = "print(wb.sample.info{'\(rock)'}.name)"
    #expect(await lua.failure(reading)?.status == 7)
    #expect(try await lua.output(reading, rock) == rock + "\n")
    #expect(try await lua.output(reading, "--allow-read-in", lua.run.home) == rock + "\n")
    #expect(try await lua.output("wb.sample.reset{}", "--allow-write").isEmpty)
    #expect(try await lua.output("wb.sample.reset{}", "--allow-write-in", lua.run.home).isEmpty)
    #expect(await lua.failure("wb.sample.reset{}", ["--allow-write-in", lua.run.home + "/data"])?.status == 7)
  }
}
