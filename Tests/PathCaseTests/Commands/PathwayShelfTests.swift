import Foundation
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import PathCase

struct PathwayShelfTests {
  static let resources = Checkout.root.path + "/Plugins/PathCase/Resources"

  private func plugin() async throws -> TestPlugin { try await TestPlugin(PathCasePlugin(), resources: Self.resources) }

  private func install(_ name: String, _ plugin: TestPlugin) throws {
    var records = MawSamples.small
    records.snapshot = name
    try PathwayShelf.snapshots(plugin.context).install(
      DatabaseLinker.link(records),
      origin: SnapshotOrigin(sha256: String(repeating: "a", count: 64), source: "test", fetchedAt: 0))
  }

  private func ids(_ plugin: TestPlugin) async throws -> [Value] {
    let table = try #require(try await plugin.run(line: "list").value.table)
    return (0..<table.rowCount).compactMap { table.row($0)["id"] }
  }

  @Test func `a downloaded snapshot is shown, also if another process downloaded it`() async throws {
    let plugin = try await plugin()
    #expect(try await ids(plugin).count >= 16)
    try install("one", plugin)
    #expect(try await ids(plugin) == ["w", "v"])
    try PathwayShelf.snapshots(plugin.context).rollback()
    #expect(try await ids(plugin).count >= 16)
  }

  @Test func `pathways whose ids or names look like file paths are found`() async throws {
    let plugin = try await plugin()
    var records = MawSamples.small
    records.pathways.append(MetabolicPathway(id: "hsa/00010.1", name: "Glycolysis / Gluconeogenesis", processes: ["r"]))
    try PathwayShelf.snapshots(plugin.context).install(
      DatabaseLinker.link(records),
      origin: SnapshotOrigin(sha256: String(repeating: "a", count: 64), source: "test", fetchedAt: 0))
    for word in ["hsa/00010.1", "Glycolysis / Gluconeogenesis", "glycolysis / "] {
      #expect(try await plugin.run("info", ["network": .text(word)]).value["id"] == "hsa/00010.1", "\(word)")
    }
    #expect(await plugin.report("info", ["network": "none/such.xml"])?.code == "pathcase.no-file")
  }

  @Test func `an imported network may have a prefix of pathway names as its id, but not a whole name`() async throws {
    let plugin = try await plugin()
    let file = plugin.context.folders.cache + "/model.xml"
    let model = OwnDocuments.sbml(
      "<model id=\"m\"><listOfCompartments><compartment id=\"c\" constant=\"true\"/></listOfCompartments></model>")
    try Data(model).write(to: URL(fileURLWithPath: file))
    // Several pathways begin with the word.
    _ = try await plugin.run("import", ["file": .list([.text(file)]), "id": "gly"])
    #expect(try await plugin.run("info", ["network": "gly"]).value["id"] == "m")
    for id in ["glycolysis", "Glycolysis", "w-glycolysis"] {
      let report = await plugin.report("import", ["file": .list([.text(file)]), "id": .text(id)])
      #expect(report?.code == "pathcase.import-taken", "\(id): \(String(describing: report))")
    }
  }

  @Test func `a reader keeps the database it opened after another is installed`() async throws {
    let plugin = try await plugin()
    let shelf = PathwayShelf()
    try install("one", plugin)
    let before = try await shelf.database(plugin.context)
    try install("two", plugin)
    #expect(before.snapshot == "one")
    #expect(try await shelf.database(plugin.context).snapshot == "two")
    #expect(try await shelf.opened(plugin.context).origin?.source == "test")
  }

  @Test func `a damaged snapshot is reported once with advice, and the bundled database is used`() async throws {
    let plugin = try await plugin()
    try install("one", plugin)
    let folder = PathwayShelf.snapshots(plugin.context).folder
    let file = folder.path(of: try #require(try folder.pointer()).current)
    try Data(repeating: 0x20, count: 9000).write(to: URL(fileURLWithPath: file))
    let first = try await plugin.run(line: "list")
    #expect((first.value.table?.rowCount ?? 0) >= 16)
    #expect(first.diagnostics.map(\.code) == ["pathcase.store-damaged"])
    #expect(first.diagnostics.first?.advice?.contains("rollback") == true)
    #expect(try await plugin.run(line: "list").diagnostics.isEmpty)
    let store = try plugin.context.store("database")
    #expect(try await store.check().map(\.code) == ["pathcase.store-damaged"])
  }

  @Test func `the user's own layouts replace those of the database and outlive it`() async throws {
    let plugin = try await plugin()
    try install("one", plugin)
    let shelf = PathwayShelf()
    let userData = try shelf.userData(plugin.context)
    var layout = try #require(try await shelf.database(plugin.context).layouts.first)
    layout.nodes[0].x = 77
    try await userData.save(layout)
    shelf.forgetDatabase()
    #expect(try await shelf.database(plugin.context).layouts.first?.nodes.first?.x == 77)
    // Without the pathway the layout is kept.
    try PathwayShelf.snapshots(plugin.context).rollback()
    #expect(try await shelf.database(plugin.context).layouts.isEmpty)
    try PathwayShelf.snapshots(plugin.context).rollback()
    #expect(try await shelf.database(plugin.context).layouts.first?.nodes.first?.x == 77)
  }

  @Test func `a changed layout is used by the next command and announced`() async throws {
    let plugin = try await plugin()
    try install("one", plugin)
    let before = try await plugin.run("layout", ["network": "v"]).value
    let userData = try #require(try plugin.context.store("user-data") as? UserDataStore)
    let mine = FrozenLayout(
      pathway: "v", nodes: [FrozenNode(ref: "t-a", x: 0, y: 0), FrozenNode(ref: "a-c", x: 500, y: 900)])
    try await userData.save(mine)
    #expect(try await plugin.run("layout", ["network": "v"]).value["nodes"] != before["nodes"])
    #expect(plugin.context.notifications.last?.topic == "pathcase.user-data-changed")
  }

  @Test func `the database is backed up, restored, checked and exported as a store`() async throws {
    let plugin = try await plugin()
    let store = try plugin.context.store("database")
    let (empty, full) = (plugin.context.folders.cache + "/empty", plugin.context.folders.cache + "/full")
    try await store.backup(to: empty)
    try install("one", plugin)
    try await store.backup(to: full)
    #expect(try await store.export()["tables"]["pathway"].table?.rowCount == 2)
    try await store.restore(from: empty)
    #expect(try await ids(plugin).count >= 16)
    try await store.restore(from: full)
    #expect(try await ids(plugin) == ["w", "v"])
    #expect(try await store.check().isEmpty)
    #expect(plugin.context.notifications.map(\.topic) == ["pathcase.database-changed", "pathcase.database-changed"])
    #expect(plugin.context.notifications.last?.payload["source"] == "test")
    // A file that is not a backup changes nothing.
    try Data("x".utf8).write(to: URL(fileURLWithPath: empty + "2"))
    await #expect(throws: (any Error).self) { try await store.restore(from: empty + "2") }
    #expect(try await ids(plugin) == ["w", "v"])
    #expect(!FileManager.default.fileExists(atPath: store.path + "/draft-snap-.sqlite.tmp"))
  }
}
