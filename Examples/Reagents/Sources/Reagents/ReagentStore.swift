import PluginAPI
import PluginStore

/// Keeps the reagents.
struct ReagentStore: Sendable {
  static let part = StorePart(
    "reagents", "Reagents and their masses",
    migrations: [
      Migration(1, "reagents", sql: "CREATE TABLE reagent (name TEXT PRIMARY KEY, grams REAL NOT NULL) WITHOUT ROWID")
    ])

  private let store: SQLiteStore

  init(_ context: any PluginContext) throws { store = try context.store("reagents", as: SQLiteStore.self) }

  /// Returns the reagents of a mass or more, by name.
  func reagents(least grams: Double = 0) async throws -> [Reagent] {
    try await store.read { connection in
      try connection.list("SELECT name, grams FROM reagent WHERE grams >= ? ORDER BY name", [grams]) {
        Reagent(name: $0.text(0), grams: $0.number(1))
      }
    }
  }

  /// Adds reagents, or replaces their masses.
  func add(_ reagents: [Reagent]) async throws {
    try await store.write { connection in
      for reagent in reagents {
        try connection.execute("INSERT OR REPLACE INTO reagent VALUES (?, ?)", [reagent.name, reagent.grams])
      }
    }
  }
}
