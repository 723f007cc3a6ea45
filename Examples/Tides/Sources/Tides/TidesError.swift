import PluginAPI

/// The errors of the plugin.
enum TidesError {
  static let unknownStation = DeclaredError(
    "tides.unknown-station", .notFound, "no station has this name; see the list")
  static let stationExists = DeclaredError("tides.station-exists", .usage, "a station has this name already")
  static let unreadableConstant = DeclaredError(
    "tides.unreadable-constant", .usage, "a tidal constant is not written as NAME,METRES,DEGREES")
  static let wrongSpeed = DeclaredError(
    "tides.wrong-speed", .failure, "a constituent's speed differs from the published one; tell the author")

  static let all = [unknownStation, stationExists, unreadableConstant, wrongSpeed]
}
