import PluginAPI

/// The commands that list and change stations.
enum StationCommands {
  static let list = CommandPart(
    CommandDescription("list", "List the stations", output: .table(of: Station.self))
      .explained(examples: [.init("list", "Names and places of all stations")])
  ) { call in
    try await call.emit(table: StationStore(call.context).stations())
  }

  private static let names = Argument("name", list: String.self, "Names of the stations; default all")
    .completed(by: "list", column: "name")

  static let show = CommandPart(
    CommandDescription(
      "show", "Show stations with their tidal constants", output: .model(Station.self, isStream: true)
    ).taking(names).explained(examples: [.init("show", "All stations"), .init("show temperate", "One station")])
  ) { call in
    let store = try StationStore(call.context)
    for station in try await store.stations() where call[names].isEmpty { try await call.emit(station) }
    for name in call[names] { try await call.emit(store.station(name)) }
  }

  private static let name = Argument("name", String.self, "Name of the station")
  private static let latitude = Option("latitude", in: -90...90, "Degrees north", unit: "degree", default: 0.0)
  private static let longitude = Option("longitude", in: -180...180, "Degrees east", unit: "degree", default: 0.0)
  private static let constants = Option("constant", list: String.self, "Tidal constants, each as NAME,METRES,DEGREES")

  static let add = CommandPart(
    CommandDescription("add", "Add a station", output: .model(Station.self), effects: [.reads, .writes])
      .taking(name, latitude, longitude, constants)
      .explained(
        "Without constants, the station gets those of an ocean that follows moon and sun without delay.",
        examples: [
          .init("add azores --latitude 38.5 --longitude -28.6", "Equilibrium tide of a place"),
          .init("add pier --constant M2,1.2,95 --constant S2,0.4,130", "Your own constants"),
        ])
  ) { call in
    var station = Station.equilibrium(call[name], latitude: call[latitude], longitude: call[longitude])
    let own = try call[constants].map(constant)
    if !own.isEmpty { station.constants = own }
    try await StationStore(call.context).add(station)
    try await call.emit(station)
  }

  static let remove = CommandPart(
    CommandDescription("remove", "Remove a station", output: .model(Station.self), effects: [.reads, .writes])
      .taking(name.completed(by: "list", column: "name"))
      .explained(examples: [.init("remove azores", "Remove one station")])
  ) { call in
    try await call.emit(StationStore(call.context).remove(call[name]))
  }

  private static func constant(_ text: String) throws -> Station.Constant {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let constituent = Constituent(rawValue: parts[0].uppercased()),
      let amplitude = Double(parts[1]), let lag = Double(parts[2]), amplitude >= 0, amplitude.isFinite, lag.isFinite
    else {
      throw TidesError.unreadableConstant(
        "'\(text)' is not a tidal constant",
        advice: "write it as NAME,METRES,DEGREES with a name of "
          + Constituent.allCases.map(\.rawValue).joined(separator: " "))
    }
    return Station.Constant(constituent: constituent, amplitude: amplitude, lag: Degrees.reduced(lag))
  }
}
