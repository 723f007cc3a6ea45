import PluginAPI
import Testing

@testable import Host

/// The decision of what a script may do.
struct LuaPermissionsTests {
  private func entry(
    _ name: String, _ effects: Set<CommandDescription.Effect>, arguments: [Parameter] = [],
    options: [Parameter] = [], of plugin: String = "sample"
  ) -> CommandEntry {
    CommandEntry(
      owner: .plugin(plugin),
      declaration: CommandDescription(name, "Do it", output: .init(.any), effects: effects)
        .taking(arguments, options: options))
  }

  private func entry(_ effects: Set<CommandDescription.Effect>) -> CommandEntry { entry("fetch", effects) }

  private func isAllowed(
    _ entry: CommandEntry, _ arguments: Record = [:], _ permissions: LuaPermissions = LuaPermissions()
  ) -> Bool {
    do throws(ErrorReport) {
      try permissions.check(entry, arguments, stores: ["/nonexistent/home/data"])
      return true
    } catch {
      return false
    }
  }

  @Test func `a command may read stores, but not write, delete or use the network`() {
    #expect(isAllowed(entry([])) && isAllowed(entry([.reads])))
    #expect(!isAllowed(entry([.writes])) && !isAllowed(entry([.deletes])) && !isAllowed(entry([.network])))
  }

  @Test func `network access and changes of stores are permitted separately`() {
    let network = LuaPermissions(usesNetwork: true)
    let writing = LuaPermissions(writing: .everything)
    let both = LuaPermissions(writing: .everything, usesNetwork: true)
    let fetch = entry([.reads, .writes, .network])
    #expect(isAllowed(entry([.network]), [:], network) && !isAllowed(fetch, [:], network))
    #expect(isAllowed(entry([.deletes]), [:], writing) && !isAllowed(fetch, [:], writing))
    #expect(isAllowed(fetch, [:], both))
  }

  @Test func `permission for a folder that contains the stores permits changes of stores`() {
    let inside = LuaPermissions(writing: .named(["/nonexistent/home"], everything: false))
    let beside = LuaPermissions(writing: .named(["/nonexistent/home/data2", "/nonexistent/ho"], everything: false))
    #expect(isAllowed(entry([.writes]), [:], inside) && !isAllowed(entry([.writes]), [:], beside))
  }

  @Test func `a command may write its result only into a permitted folder`() {
    let output = Parameter("output", .outputFile, "File")
    let export = entry("export", [.reads, .writes], options: [output], of: "molecules")
    let permissions = LuaPermissions(writing: .named(["/usr/lib"], everything: false))
    #expect(isAllowed(export, ["output": "/usr/lib/x"], permissions))
    #expect(!isAllowed(export, ["output": "/usr/share/x"], permissions))
    #expect(!isAllowed(export, ["output": "/usr/lib/../share/x"], permissions))
    // The command itself decides whether it makes the folder.
    #expect(isAllowed(export, ["output": "/usr/lib/nonexistent/x"], permissions))
    #expect(!isAllowed(export, ["output": .null], permissions))
    let deleting = entry("export", [.deletes], options: [output], of: "molecules")
    #expect(!isAllowed(deleting, ["output": "/usr/lib/x"], permissions))
    #expect(!isAllowed(entry("show", [], options: [output]), ["output": "/usr/share/x"], permissions))
  }

  @Test func `a permitted output file does not permit other changes`() {
    let output = Parameter("output", .outputFile, "File")
    let permissions = LuaPermissions(writing: .named(["/usr/lib"], everything: false))
    for (name, plugin) in [("export", "wsabi"), ("plugin pack", "sample"), ("export", "sample")] {
      let command = entry(name, [.reads, .writes], options: [output], of: plugin)
      #expect(!isAllowed(command, ["output": "/usr/lib/x"], permissions), "\(plugin) \(name)")
    }
  }

  @Test func `paths and addresses in text arguments require read permission`() {
    let command = entry(
      "fetch", [.reads], arguments: [Parameter("from", .text, "From"), Parameter("url", .url, "Address")])
    let reading = LuaPermissions(reading: .named(["/etc"], everything: false))
    let all = LuaPermissions(reading: .everything)
    #expect(isAllowed(command, ["from": "group"]) && isAllowed(command, ["from": "C/C=C/C"]))
    #expect(!isAllowed(command, ["from": "/etc/group"]) && isAllowed(command, ["from": "/etc/group"], reading))
    #expect(!isAllowed(command, ["from": "~/x"], reading))
    #expect(isAllowed(command, ["url": "https://example.org/x"]))
    for name in ["from", "url"] {
      #expect(!isAllowed(command, [name: "file:///etc/group"], reading), "\(name)")
      #expect(!isAllowed(command, [name: "FILE:/etc/group"]), "\(name)")
      #expect(isAllowed(command, [name: "file:///etc/group"], all), "\(name)")
    }
    #expect(!isAllowed(command, ["url": "file:x"]))
  }

  @Test func `files to read must be arguments of the script, permitted paths or ids`() {
    let input = Parameter("file", .inputFile(extensions: []), "File")
    let document = Parameter("document", .document(extensions: []), "Document")
    let read = entry("show", [.reads], arguments: [input, document])
    let script = LuaPermissions(arguments: ["/etc/group", "/etc"])
    #expect(!isAllowed(read, ["file": "/etc/group"]) && isAllowed(read, ["file": "/etc/group"], script))
    #expect(isAllowed(read, ["file": "/etc/../etc/group"], script))
    #expect(!isAllowed(read, ["file": "/etc/passwd"], script) && !isAllowed(read, ["file": "/etc/gr\0oup"], script))
    #expect(isAllowed(read, ["document": "1crn"]) && !isAllowed(read, ["document": "/etc/passwd"]))
    #expect(isAllowed(read, ["file": "-"]))
    let reading = LuaPermissions(reading: .named(["/etc"], everything: false))
    #expect(isAllowed(read, ["file": "/etc/passwd"], reading) && !isAllowed(read, ["file": "/usr/x"], reading))
  }

  @Test func `the root folder contains everything`() {
    let permissions = LuaPermissions(reading: .named(["/"], everything: false))
    let input = Parameter("file", .inputFile(extensions: []), "File")
    #expect(isAllowed(entry("show", [.reads], arguments: [input]), ["file": "/etc/passwd"], permissions))
  }
}

/// The arguments of commands that scripts call.
struct LuaArgumentsTests {
  private let entry = CommandEntry(
    owner: .plugin("sample"),
    declaration: CommandDescription("measure", "Measure", output: .init(.any))
      .taking(
        [Parameter("from", .text, "From"), Parameter("to-all", .text, "To", isRepeatable: true)],
        options: [Parameter("max-count", .integer(minimum: 0, maximum: 9), "Count")]))

  @Test func `the last argument receives the remaining values`() throws {
    #expect(try LuaArguments(["a", "b", "c"], [:], for: entry).record == ["from": "a", "to-all": ["b", "c"]])
    #expect(try LuaArguments(["a", ["b", "c"]], [:], for: entry).record == ["from": "a", "to-all": ["b", "c"]])
    #expect(try LuaArguments(["a", "b"], [:], for: entry).record == ["from": "a", "to-all": ["b"]])
    #expect(try LuaArguments([.null, "b"], [:], for: entry).record == ["to-all": ["b"]])
  }

  @Test func `arguments are named like the command's, with underscores for dashes`() throws {
    let record = try LuaArguments([], ["max_count": 3.0, "to_all": "x", "from": .null], for: entry).record
    #expect(record == ["max-count": 3, "to-all": ["x"]])
    #expect(throws: CommandLineError.self) { try LuaArguments([], ["size": "3x3"], for: entry) }
    #expect(throws: CommandLineError.self) { try LuaArguments([.bytes([0xFF])], [:], for: entry) }
  }
}

/// Messages of Lua and the text of scripts.
struct LuaMessageTests {
  @Test func `an error message is split from its line`() {
    #expect(LuaMessage.parts("a.lua:3: broken: 4: x", name: "a.lua") == ("broken: 4: x", 3))
    #expect(LuaMessage.parts("...ng/name.lua:12: x", name: "/very/long/name.lua") == ("x", 12))
    #expect(LuaMessage.parts("broken:3: x", name: "a.lua") == ("broken:3: x", nil))
    #expect(LuaMessage.parts("a.lua:", name: "a.lua") == ("a.lua:", nil))
    #expect(LuaMessage.parts("a.lua:3", name: "a.lua") == ("a.lua:3", nil))
    #expect(LuaMessage.parts("", name: "a.lua") == ("", nil))
  }

  @Test func `a shebang line is skipped, and lines keep their numbers`() {
    #expect(LuaInterpreter.code(Array("#!x\nprint(1)".utf8)) == Array("\nprint(1)".utf8))
    #expect(LuaInterpreter.code(Array("\u{FEFF}print(1)".utf8)) == Array("print(1)".utf8))
    #expect(LuaInterpreter.code(Array("#".utf8)).isEmpty && LuaInterpreter.code([]).isEmpty)
  }
}

/// The errors of Lua scripts.
@MainActor struct LuaErrorTests {
  @Test func `the error for a missing library names its package`() {
    let report = LuaError.library(problem: "it cannot be opened")
    #expect(report.code == "host.library-missing" && report.exitStatus == 1)
    #expect(report.description.contains("liblua5.4.so.0") && report.description.contains("liblua5.4-0"))
  }

  @Test func `all error codes are in the catalog`() {
    let errors: [ErrorReport] = [
      LuaError.library(problem: "x"), LuaError.noInterpreter, LuaError.syntax("x"), LuaError.uncaught("x"),
      LuaError.memory(limitInMegabytes: 1),
      LuaError.instructions(limitInMillions: 1), LuaError.notAllowed("x", option: "--y"), LuaError.notAvailable("x"),
      LuaError.notForPrograms(command: "x"), LuaError.unknownModule("x", path: "y"), LuaError.moduleName("x"),
      LuaError.noFolder(module: "x"),
      LuaError.fileMode("x"), LuaError.tooManyFiles(limit: 1), LuaError.tooManyStreams(limit: 1), LuaError.mixedTable,
      LuaError.unfitting("x", function: "y"),
      LuaError.unusableHandle,
      LuaError.option("x"),
    ]
    let codes = Set(HostErrorCodes.all.map(\.code))
    for error in errors { #expect(codes.contains(error.code), "\(error)") }
  }

  @Test func `help explains Lua, and script and exec list its options`() async throws {
    let run = try CommandLineRun()
    #expect(try await run.output("help", "lua").contains("wb.emit"))
    for command in ["script", "exec"] {
      let help = try await run.output("help", command)
      #expect(help.contains("--allow-net") && help.contains("--memory-limit") && help.contains("--instruction-limit"))
    }
  }

  @Test func `errors thrown by scripts keep their valid fields`() {
    let fields: Record = ["code": "a.b", "kind": "network", "retryable": true, "details": ["x": 1], "message": 3]
    let report = ErrorReport(thrown: fields, text: "text")
    #expect(report.code == "a.b" && report.kind == .network && report.isRetryable && report.message == "text")
    #expect(report.details == ["x": 1] && report.advice == nil)
    for code in ["", "a", "a.", ".b", "a.b.c", "A.b", "a.b c", String(repeating: "a", count: 99) + ".b"] {
      #expect(ErrorReport(thrown: ["code": .text(code)], text: "").code == "host.lua-error", "\(code)")
    }
  }
}
