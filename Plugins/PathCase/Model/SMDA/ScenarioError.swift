import PluginAPI

/// The reasons for which scenarios cannot be computed.
enum ScenarioError: Error, Equatable, ReportableError {
  /// The analysis would exceed the limits.
  case tooWide(network: String, states: Int, process: Int, of: Int)
  /// The states of the pools that are open at the same time have more bits than the key type.
  case tooManyOpenPools(network: String, bits: Int)
  /// There are fewer scenarios than the requested number.
  case noSuchScenario(String, count: String)
  /// There are too many scenarios to check each of them.
  case tooMany(count: String, limit: Int)

  /// A Boolean value indicating whether the network is too wide for the search.
  var isTooWide: Bool {
    switch self {
    case .tooWide, .tooManyOpenPools: true
    case .noSuchScenario, .tooMany: false
    }
  }

  var report: ErrorReport { whole.short }

  private var whole: ErrorReport {
    switch self {
    case .tooWide(let network, let states, let process, let count):
      ErrorReport(
        code: "pathcase.smda-too-wide", kind: .failure,
        "the network '\(network)' is too wide: more than \(states) states at process \(process) of \(count)",
        advice: "make common molecules boundaries, take fewer pathways, or observe more pools",
        details: [
          "network": .text(network), "states": .integer(states), "process": .integer(process),
          "processes": .integer(count),
        ])
    case .tooManyOpenPools(let network, let bits):
      ErrorReport(
        code: "pathcase.smda-too-wide", kind: .failure,
        "the network '\(network)' is too wide: a state would have \(bits) bits, and 128 are kept",
        advice: "make common molecules boundaries, take fewer pathways, or observe more pools",
        details: ["network": .text(network), "bits": .integer(bits)])
    case .noSuchScenario(let number, let count):
      ErrorReport(
        code: "pathcase.smda-no-such-scenario", kind: .notFound, "there is no scenario \(number)",
        advice: count == "0" ? "there are none; ask why" : "scenarios are 1 to \(count)",
        details: ["scenario": .text(number), "scenarios": .text(count)])
    case .tooMany(let count, let limit):
      ErrorReport(
        code: "pathcase.smda-too-many", kind: .failure, "\(count) scenarios are too many to look at each of them",
        advice: "at most \(limit) are; restrict them first",
        details: ["scenarios": .text(count), "limit": .integer(limit)])
    }
  }

  /// The stable error codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("pathcase.smda-too-wide", "scenario analysis would need more memory than it may take"),
    .init("pathcase.smda-no-such-scenario", "a scenario was asked for by a number beyond the last"),
    .init("pathcase.smda-too-many", "there are too many scenarios for something that looks at each of them"),
  ]
}
