import Foundation
import PluginAPI
import Synchronization
import TestSupport
import Testing

@testable import Host

/// A plugin in the tests' own process, with a store.
private final class ShelfPlugin: Plugin {
  struct Broken: Error {}

  var contributions: Contributions {
    var all = Contributions(
      plugin: PluginIdentity(id: "shelf-tester", name: "Shelf", version: "1.0.0", summary: "has a store"))
    all.stores = [
      StoreDescription("shelf", "keeps nothing"), StoreDescription("broken", "cannot be made"),
      StoreDescription("stuck", "never closes"),
    ]
    all.textRenderers = ["shelf-tester.text"]
    return all
  }

  func makeStore(_ name: String, _ context: any PluginContext) throws -> any Store {
    if name == "broken" { throw Broken() }
    return Shelf(name: name, path: context.folders.data + "/shelf")
  }
}

private final class Shelf: Store {
  let name: String
  let path: String
  let schemaVersion = 1
  private let closedCount = Mutex(0)

  init(name: String, path: String) {
    self.name = name
    self.path = path
  }
  var timesClosed: Int { closedCount.withLock { $0 } }
  func check() async throws -> [Diagnostic] { [] }
  func backup(to path: String) async throws {}
  func restore(from path: String) async throws {}
  func export() async throws -> Value { .null }
  func close() async {
    if name == "stuck" { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    closedCount.withLock { $0 += 1 }
  }
}

/// A plugin that emits a table in parts.
private final class RowsPlugin: Plugin {
  let identity = PluginIdentity(
    id: "rows-tester", name: "Rows", version: "1.0.0", summary: "emits a table in parts")

  static func rows(_ numbers: [Int]) -> Value {
    .table(Table(columns: [Table.Column("n", .integers(numbers))]))
  }

  var parts: PluginParts {
    let output = CommandDescription.Output(.table([ValueSchema.Field("n", .integer)]), isStream: true)
    let tables = Parameter("tables", .integer(minimum: 0, maximum: 9), "number of tables", defaultValue: 2)
    return PluginParts(commands: [
      CommandPart(CommandDescription("count", "counts", output: output).taking(options: [tables])) { call in
        for number in 0..<(call["tables"].integer ?? 0) { try await call.emit(Self.rows([number, 10 + number])) }
      }
    ])
  }
}

@MainActor struct HostContextTests {
  private func host(_ folder: TemporaryFolder) throws -> PluginHost {
    var options = GlobalOptions()
    options.home = folder.path.path
    return try HostSession(options: options, environment: [:]).plugins
  }

  @Test func `a store is created once and shared, in a private folder`() throws {
    let folder = try TemporaryFolder()
    let plugins = try host(folder)
    try plugins.adopt(ShelfPlugin())
    let context = try plugins.activated("shelf-tester").context
    let first = try context.store("shelf")
    #expect(try context.store("shelf") === first)
    #expect(first.path == folder.path.path + "/data/stores/shelf-tester/shelf")
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path.path + "/data/stores")[.posixPermissions]
    #expect(mode as? Int == 0o700)
  }

  @Test func `a call joins the parts of a table`() async throws {
    let folder = try TemporaryFolder()
    let plugins = try host(folder)
    try plugins.adopt(RowsPlugin())
    let context = try plugins.activated("rows-tester").context
    #expect(try await context.call("count", [:]) == [["n": 0], ["n": 10], ["n": 1], ["n": 11]])
    #expect(try await context.call("rows-tester.count", ["tables": 1]) == RowsPlugin.rows([0, 10]))
    #expect(try await context.call("count", ["tables": 0]) == .null)
  }

  @Test func `opened stores are closed at the end of a run`() async throws {
    let folder = try TemporaryFolder()
    let plugins = try host(folder)
    try plugins.adopt(ShelfPlugin())
    let store = try #require(try plugins.activated("shelf-tester").context.store("shelf") as? Shelf)
    await plugins.closeStores()
    #expect(store.timesClosed == 1)
  }

  @Test func `a store that never closes does not block the end of a run`() async throws {
    let folder = try TemporaryFolder()
    let plugins = try host(folder)
    try plugins.adopt(ShelfPlugin())
    _ = try plugins.activated("shelf-tester").context.store("stuck")
    await plugins.closeStores(withinSeconds: 0.01)
  }

  @Test func `a store that fails or is not declared is a coded error`() throws {
    let folder = try TemporaryFolder()
    let plugins = try host(folder)
    try plugins.adopt(ShelfPlugin())
    let context = try plugins.activated("shelf-tester").context
    #expect { try context.store("broken") } throws: { error in
      let report = error as? ErrorReport
      return report?.code == "host.plugin-threw" && report?.kind == .pluginFailed
        && report?.message.contains("'shelf-tester'") == true
    }
    #expect { try context.store("shelv") } throws: { ($0 as? ErrorReport)?.advice == "did you mean 'shelf'?" }
    #expect { try plugins.textRenderer("shelf-tester.text") } throws: { ($0 as? ErrorReport)?.kind == .pluginFailed }
    #expect(try plugins.textRenderer("nobodys.text") == nil)
  }

  @Test func `a full log starts a new file`() throws {
    let folder = try TemporaryFolder()
    let log = HostLog(folder: folder.path.path, limit: 1000)
    for number in 0..<40 { log.write(.note, from: "tester", "line \(number)\nwith a break") }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path.path).sorted()
    #expect(names == ["workbench.log", "workbench.log.1"])
    let last = try String(contentsOf: folder.url("workbench.log"), encoding: .utf8).split(separator: "\n").last
    #expect(last?.hasSuffix("\tnote\ttester\tline 39%0Awith a break") == true)
  }
}

struct PluginQuarantineTests {
  @Test func `a quarantine entry is read back and applies only to the library that crashed`() throws {
    let folder = try TemporaryFolder()
    let identity = try #require(FileIdentity(numbers: [1, 2, 3, 4, 5]))
    let entry = PluginQuarantine.Entry(
      id: "tides", signal: "SIGILL", date: "2026-11-20T21:07:00Z", phase: "command", command: "high water",
      identity: identity)
    var quarantine = PluginQuarantine(state: folder.path.path)
    try quarantine.add(entry)
    var again = PluginQuarantine(state: folder.path.path)
    #expect(again.entry(keepingOut: "tides", identity) == entry)
    #expect(entry.reason == "crashed in command 'high water' with SIGILL on 2026-11-20T21:07:00Z")
    let rebuilt = try #require(FileIdentity(numbers: [1, 9, 3, 4, 5]))
    #expect(again.entry(keepingOut: "tides", rebuilt) == nil)
    #expect(PluginQuarantine(state: folder.path.path).entries.isEmpty)
  }
}
