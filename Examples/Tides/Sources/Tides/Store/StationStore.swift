import PluginAPI
import PluginStore

/// The store of stations; the only file with SQL.
struct StationStore: Sendable {
  static let part = StorePart(name, "Stations and their tidal constants", migrations: migrations)
  private static let name = "stations"

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

  private let store: SQLiteStore

  /// Opens the plugin's store through its context.
  init(_ context: any PluginContext) throws { store = try context.store(Self.name, as: SQLiteStore.self) }

  /// Returns all stations, by name.
  func stations() async throws -> [Station] {
    try await store.read { connection in
      try connection.list("SELECT name, latitude, longitude FROM station ORDER BY name") { station in
        let constants = try connection.list(
          "SELECT constituent, amplitude, lag FROM constant WHERE station = ? ORDER BY amplitude DESC",
          [station.text(0)]
        ) { row in
          Constituent(rawValue: row.text(0)).map {
            Station.Constant(constituent: $0, amplitude: row.number(1), lag: row.number(2))
          }
        }
        return Station(
          name: station.text(0), latitude: station.number(1), longitude: station.number(2),
          constants: constants.compactMap { $0 })
      }
    }
  }

  func station(_ name: String) async throws -> Station {
    let stations = try await stations()
    if let station = stations.first(where: { $0.name == name }) { return station }
    let names = stations.map(\.name)
    throw TidesError.unknownStation(
      "there is no station '\(name)'",
      advice: Suggestion.advice(for: name, in: names) ?? "stations are " + names.joined(separator: ", "))
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

  /// Removes a station and returns it.
  func remove(_ name: String) async throws -> Station {
    let station = try await station(name)
    try await store.write { try $0.execute("DELETE FROM station WHERE name = ?", [name]) }
    return station
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
}
