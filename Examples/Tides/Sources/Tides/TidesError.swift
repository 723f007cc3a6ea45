import PluginAPI

/// What can go wrong with tides.
enum TidesError: Error, Equatable, ReportableError {
  case unknownStation(String, known: [String])
  case stationExists(String)
  case unreadableDate(String)
  case unreadableConstant(String)

  var report: ErrorReport {
    switch self {
    case .unknownStation(let name, let known):
      let nearest = Suggestion.nearest(to: name, in: known).map { "did you mean '\($0)'?" }
      return ErrorReport(
        code: "tides.unknown-station", kind: .notFound, "there is no station '\(name)'",
        advice: nearest ?? "stations are " + known.joined(separator: ", "))
    case .stationExists(let name):
      return ErrorReport(
        code: "tides.station-exists", kind: .usage, "there is already a station '\(name)'",
        advice: "remove it first, or take another name")
    case .unreadableDate(let text):
      return ErrorReport(
        code: "tides.unreadable-date", kind: .usage, "'\(text)' is no date",
        advice: "write it as 2026-11-20 or 2026-11-20T06:30, in Universal Time")
    case .unreadableConstant(let text):
      return ErrorReport(
        code: "tides.unreadable-constant", kind: .usage, "'\(text)' is no tidal constant",
        advice: "write it as NAME,METRES,DEGREES with a name of "
          + Constituent.allCases.map(\.rawValue).joined(separator: " "))
    }
  }

  static let codes = [
    ErrorCodeDescription("tides.unknown-station", "no station has this name; see the list"),
    ErrorCodeDescription("tides.station-exists", "a station has this name already"),
    ErrorCodeDescription("tides.unreadable-date", "a date is not written as 2026-11-20 or 2026-11-20T06:30"),
    ErrorCodeDescription("tides.wrong-speed", "a constituent does not turn as published; tell the author"),
    ErrorCodeDescription("tides.unreadable-constant", "a tidal constant is not written as NAME,METRES,DEGREES"),
  ]
}
