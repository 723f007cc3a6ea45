import PluginAPI
import PluginStore

/// The store of stations; the only file with SQL.
struct StationStore: Sendable {
  static let name = "stations"

  private let store: SQLiteStore

  /// Opens the plugin's store through its context.
  init(_ context: any PluginContext) throws {
    guard let store = try context.store(Self.name) as? SQLiteStore else { throw MissingPart.store(Self.name) }
    self.store = store
  }

  static func make(_ context: any PluginContext) -> SQLiteStore {
    SQLiteStore(
      name: name, path: context.folders.data + "/stations.sqlite", migrations: migrations
    ) { [weak context] _ in context?.notify("stations-changed", .null) }
  }

  private static let migrations = [
    Migration(
      1, "Stations and their constants",
      sql: """
        CREATE TABLE station (
          name TEXT PRIMARY KEY,
          latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
          longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180)) WITHOUT ROWID;
        CREATE TABLE constant (
          station TEXT NOT NULL REFERENCES station ON DELETE CASCADE,
          constituent TEXT NOT NULL,
          amplitude REAL NOT NULL CHECK (amplitude >= 0),
          lag REAL NOT NULL,
          PRIMARY KEY (station, constituent)) WITHOUT ROWID;
        """),
    Migration(2, "two starters") { connection in
      // Tides of an ocean that follows moon and sun at once: real in form, not in height.
      try insert(.equilibrium("equator", latitude: 0, longitude: 0), connection)
      try insert(.equilibrium("temperate", latitude: 45, longitude: 0), connection)
    },
  ]

  /// Returns all stations, by name.
  func stations() async throws -> [Station] {
    try await store.read { connection in
      try connection.list("SELECT name, latitude, longitude FROM station ORDER BY name") { row in
        Station(
          name: row.text(0), latitude: row.number(1), longitude: row.number(2),
          constants: try Self.constants(of: row.text(0), connection))
      }
    }
  }

  func station(_ name: String) async throws -> Station {
    let stations = try await stations()
    if let station = stations.first(where: { $0.name == name }) { return station }
    let names = stations.map(\.name)
    throw TidesError.unknownStation(
      "there is no station '\(name)'",
      advice: Suggestion.nearest(to: name, in: names).map { "did you mean '\($0)'?" }
        ?? "stations are " + names.joined(separator: ", "))
  }

  func add(_ station: Station) async throws {
    try await store.write { connection in
      if try connection.value("SELECT count(*) FROM station WHERE name = ?", [station.name]) != .integer(0) {
        throw TidesError.stationExists(
          "the station '\(station.name)' already exists", advice: "remove it first, or choose another name")
      }
      try Self.insert(station, connection)
    }
  }

  func remove(_ station: Station) async throws {
    try await store.write { try $0.execute("DELETE FROM station WHERE name = ?", [station.name]) }
  }

  private static func insert(_ station: Station, _ connection: Connection) throws {
    try connection.execute(
      "INSERT INTO station VALUES (?, ?, ?)", [station.name, station.latitude, station.longitude])
    for constant in station.constants {
      try connection.execute(
        "INSERT INTO constant VALUES (?, ?, ?, ?)",
        [station.name, constant.constituent.rawValue, constant.amplitude, constant.lag])
    }
  }

  private static func constants(of station: String, _ connection: Connection) throws -> [Station.Constant] {
    try connection.list(
      "SELECT constituent, amplitude, lag FROM constant WHERE station = ? ORDER BY amplitude DESC", [station]
    ) { row in
      Constituent(rawValue: row.text(0)).map {
        Station.Constant(constituent: $0, amplitude: row.number(1), lag: row.number(2))
      }
    }.compactMap { $0 }
  }
}
