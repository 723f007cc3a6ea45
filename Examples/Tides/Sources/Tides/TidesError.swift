import PluginAPI

/// The errors of the plugin.
enum TidesError {
  static let unknownStation = DeclaredError(
    "tides.unknown-station", .notFound, "no station has this name; list them with 'workbench tides list'")
  static let stationExists = DeclaredError("tides.station-exists", .usage, "a station with this name already exists")
  static let unreadableConstant = DeclaredError(
    "tides.unreadable-constant", .usage, "a tidal constant is not written as NAME,METRES,DEGREES")
  static let wrongSpeed = DeclaredError(
    "tides.wrong-speed", .failure, "a constituent's speed differs from the published one; report it to the author")

  static let all = [unknownStation, stationExists, unreadableConstant, wrongSpeed]
}
