import FoundationEssentials
import PluginAPI
import PluginStore
import PluginTesting
import Testing

/// A store declared by its migrations.
struct StorePartTests {
  @Test func `the store is a file in the data folder and announces its changes`() async throws {
    let plugin = try await TestPlugin(PortsPlugin())
    let store = try plugin.context.store("ports", as: SQLiteStore.self)
    try await store.write { try $0.execute("INSERT INTO port VALUES (?)", ["Brest"]) }
    #expect(store.path == plugin.context.folders.data + "/ports.sqlite")
    #expect(FileManager.default.fileExists(atPath: store.path))
    #expect(try await store.read { try $0.list("SELECT name FROM port") { $0.text(0) } } == ["Brest"])
    #expect(plugin.context.notifications.map(\.topic) == ["harbor.ports-changed"])
  }

  @Test func `a store that the plugin does not create, or creates with another type, is missing`() async throws {
    let plugin = try await TestPlugin(PortsPlugin())
    #expect(throws: MissingPart.store("boats")) { try plugin.context.store("boats", as: SQLiteStore.self) }
    #expect(throws: MissingPart.store("ports")) { try plugin.context.store("ports", as: OtherStore.self) }
  }
}

private final class PortsPlugin: Plugin {
  let identity = PluginIdentity(id: "harbor", name: "Harbor", version: "1.0.0", summary: "Ports")

  var parts: PluginParts {
    var parts = PluginParts(stores: [
      StorePart("ports", "Ports", migrations: [Migration(1, "ports", sql: "CREATE TABLE port (name TEXT NOT NULL)")])
    ])
    parts.topics = [TopicDescription("ports-changed", "Change of a port", payload: .any)]
    return parts
  }
}

private final class OtherStore: Store {
  let name = "ports"
  let path = ""
  let schemaVersion = 1

  func check() async throws -> [Diagnostic] { [] }
  func backup(to path: String) async throws {}
  func restore(from path: String) async throws {}
  func export() async throws -> Value { .null }
  func close() async {}
}
