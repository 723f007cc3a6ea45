import PluginAPI

/// The errors of computing scenarios.
enum ScenarioError {
  static let all: [DeclaredError] = [tooWide, noSuchScenario, tooMany]

  static let tooWide = DeclaredError(
    "pathcase.smda-too-wide", .failure, "scenario analysis would need more memory than it may take")
  private static let narrowing = "make common molecules boundaries, take fewer pathways, or observe more pools"

  /// Returns the error of an analysis that would exceed the limits.
  static func tooWide(network: String, states: Int, process: Int, of count: Int) -> ErrorReport {
    tooWide(
      "the network '\(network)' is too wide: more than \(states) states at process \(process) of \(count)",
      advice: narrowing,
      details: [
        "network": .text(network), "states": .integer(states), "process": .integer(process),
        "processes": .integer(count),
      ]
    ).short
  }

  /// Returns the error of pools open at the same time whose states have more bits than the key type.
  static func tooManyOpenPools(network: String, bits: Int) -> ErrorReport {
    tooWide(
      "the network '\(network)' is too wide: a state would have \(bits) bits, and 128 are kept", advice: narrowing,
      details: ["network": .text(network), "bits": .integer(bits)]
    ).short
  }

  static let noSuchScenario = DeclaredError(
    "pathcase.smda-no-such-scenario", .notFound, "a scenario was asked for by a number beyond the last")

  static func noSuchScenario(_ number: String, count: String) -> ErrorReport {
    noSuchScenario(
      "there is no scenario \(number)",
      advice: count == "0" ? "there are none; ask why" : "scenarios are 1 to \(count)",
      details: ["scenario": .text(number), "scenarios": .text(count)]
    ).short
  }

  static let tooMany = DeclaredError(
    "pathcase.smda-too-many", .failure, "there are too many scenarios for something that looks at each of them")

  static func tooMany(count: String, limit: Int) -> ErrorReport {
    tooMany(
      "\(count) scenarios are too many to look at each of them",
      advice: "at most \(limit) are; restrict them first",
      details: ["scenarios": .text(count), "limit": .integer(limit)]
    ).short
  }
}
