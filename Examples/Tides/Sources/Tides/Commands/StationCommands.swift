import PluginAPI

/// Lists the stations.
struct ListCommand: Command {
  static let declaration = CommandDescription(
    "list", "list the stations",
    output: CommandDescription.Output(
      .table([
        ValueSchema.Field("name", .text, "the station's name"),
        ValueSchema.Field("latitude", .number, "degrees north"),
        ValueSchema.Field("longitude", .number, "degrees east"),
        ValueSchema.Field("constants", .integer, "how many tidal constants are known"),
      ]))
  ).explained(examples: [CommandDescription.Example("list", "name and place of every station")])

  var declaration: CommandDescription { ListCommand.declaration }

  func run(_ call: CommandCall) async throws {
    let stations = try await StationStore(call.context).stations()
    try await call.emit(
      .table(
        Table(columns: [
          Table.Column("name", title: "Station", .texts(stations.map(\.name))),
          Table.Column("latitude", title: "North", unit: "degree", .numbers(stations.map(\.latitude), decimals: 2)),
          Table.Column("longitude", title: "East", unit: "degree", .numbers(stations.map(\.longitude), decimals: 2)),
          Table.Column("constants", title: "Constants", .integers(stations.map(\.constants.count))),
        ])))
  }
}

/// Shows stations with their constants.
struct ShowCommand: Command {
  static let declaration = CommandDescription(
    "show", "show stations with their tidal constants",
    output: CommandDescription.Output(Station.schema, typeName: Station.typeName, isStream: true)
  ).taking([Parameter("name", .text, "the stations' names; all if none is given", isRepeatable: true)])
    .explained(examples: [
      CommandDescription.Example("show", "every station"), CommandDescription.Example("show temperate", "one of them"),
    ])

  var declaration: CommandDescription { ShowCommand.declaration }

  func run(_ call: CommandCall) async throws {
    let store = try StationStore(call.context)
    let names = call.texts("name")
    if names.isEmpty {
      for station in try await store.stations() { try await call.emit(station.value) }
    }
    for name in names { try await call.emit(try await store.station(name).value) }
  }
}

/// Adds a station.
struct AddCommand: Command {
  static let declaration = CommandDescription(
    "add", "add a station", output: CommandDescription.Output(Station.schema, typeName: Station.typeName),
    effects: [.reads, .writes]
  ).taking(
    [Parameter("name", .text, "the station's name", isRequired: true)],
    options: [
      Parameter("latitude", .number(minimum: -90, maximum: 90), "degrees north", unit: "degree", defaultValue: 0.0),
      Parameter("longitude", .number(minimum: -180, maximum: 180), "degrees east", unit: "degree", defaultValue: 0.0),
      Parameter(
        "constant", .text, "a tidal constant as NAME,METRES,DEGREES; may be given several times", isRepeatable: true),
    ]
  ).explained(
    "Without constants the station gets those of an ocean that follows moon and sun at once.",
    examples: [
      CommandDescription.Example("add azores --latitude 38.5 --longitude -28.6", "the equilibrium tide of a place"),
      CommandDescription.Example("add pier --constant M2,1.2,95 --constant S2,0.4,130", "constants of your own"),
    ])

  var declaration: CommandDescription { AddCommand.declaration }

  func run(_ call: CommandCall) async throws {
    var station = Station.equilibrium(
      call.text("name"), latitude: call["latitude"].number ?? 0, longitude: call["longitude"].number ?? 0)
    let own = try call.texts("constant").map(AddCommand.constant)
    if !own.isEmpty { station.constants = own }
    try await StationStore(call.context).add(station)
    try await call.emit(station.value)
  }

  private static func constant(_ text: String) throws -> Station.Constant {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let constituent = Constituent(rawValue: parts[0].uppercased()),
      let amplitude = Double(parts[1]), let lag = Double(parts[2]), amplitude >= 0, amplitude.isFinite, lag.isFinite
    else { throw TidesError.unreadableConstant(text) }
    return Station.Constant(constituent: constituent, amplitude: amplitude, lag: Degrees.reduced(lag))
  }
}

/// Removes a station.
struct RemoveCommand: Command {
  static let declaration = CommandDescription(
    "remove", "remove a station",
    output: CommandDescription.Output(.record([ValueSchema.Field("removed", .text, "the station's name")])),
    effects: [.reads, .writes]
  ).taking([Parameter("name", .text, "the station's name", isRequired: true)])
    .explained(examples: [CommandDescription.Example("remove azores", "forget a station")])

  var declaration: CommandDescription { RemoveCommand.declaration }

  func run(_ call: CommandCall) async throws {
    try await StationStore(call.context).remove(call.text("name"))
    try await call.emit(["removed": .text(call.text("name"))])
  }
}
