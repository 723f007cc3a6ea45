import PluginAPI
import PluginText

/// The scenarios of a mode: their number, pages of them, and their common properties.
///
/// Realizable scenarios are checked one by one, so they are all known only if there are few. Otherwise pages show which
/// of their necessary scenarios are realizable, and all other results concern the necessary ones.
struct ScenarioSet: Sendable {
  /// A scenario with its number among all scenarios of the analysis, from 0.
  typealias Entry = RealizableScenarios.Entry

  /// A page of consecutive scenarios.
  struct Page: Sendable, Hashable {
    var entries: [Entry] = []
    /// The number of scenarios checked to find these.
    var looked = 0
  }

  let mode: ScenarioMode
  let analysis: ScenarioAnalysis
  /// All realizable scenarios, in the order of enumeration; nil in other modes, and if there are too many.
  let realizable: [Entry]?
  private let feasibility: (any FluxFeasibility)?

  /// Creates the set, and finds all realizable scenarios if there are few enough.
  ///
  /// - Parameters:
  ///   - feasibility: The flux check, needed only in the realizable mode.
  ///   - limit: The maximum number of scenarios checked to know all realizable ones.
  /// - Throws: `CancellationError`, and the errors of the flux check.
  init(
    _ analysis: ScenarioAnalysis, mode: ScenarioMode, feasibility: (any FluxFeasibility)? = nil,
    limit: Int = RealizableScenarios.limit
  ) throws {
    self.analysis = analysis
    self.mode = mode
    self.feasibility = mode == .realizable ? feasibility : nil
    guard let feasibility = self.feasibility, let all = analysis.count.small, all <= limit else {
      realizable = nil
      return
    }
    realizable = try RealizableScenarios(analysis: analysis, feasibility: feasibility)
      .page(count: all, looks: all).entries
  }

  /// The mode to which counts, marginals and required processes refer: `necessary` if there are too many scenarios to
  /// check.
  var countedMode: ScenarioMode { mode == .realizable && realizable == nil ? .necessary : mode }

  /// The mode beside the number of scenarios, with a remark if that is the number of another mode.
  var modeText: String { countedMode == mode ? mode.rawValue : "\(mode.rawValue), too many to examine each" }

  /// The number of scenarios.
  var count: BigUnsigned { realizable.map { BigUnsigned($0.count) } ?? analysis.count }

  /// The largest number of a scenario, from 1: all scenarios that satisfy the signs are numbered.
  var largestNumber: BigUnsigned {
    guard let realizable else { return analysis.count }
    return realizable.last.map { $0.number + .one } ?? .zero
  }

  /// Returns the index of the first scenario with at least a given number, both from 0; nil if there is none.
  func index(of number: BigUnsigned) -> BigUnsigned? {
    guard let realizable else { return number < analysis.count ? number : nil }
    return realizable.firstIndex { number <= $0.number }.map { BigUnsigned($0) }
  }

  /// Returns a page from a number, counted from 0; if there are too many realizable scenarios, those among as many
  /// necessary ones.
  ///
  /// - Throws: `CancellationError`, and the errors of the flux check.
  func page(from first: BigUnsigned, count length: Int) throws -> Page {
    if let realizable {
      let start = first.small.map { min($0, realizable.count) } ?? realizable.count
      let entries = realizable[start...].prefix(length)
      return Page(entries: Array(entries), looked: entries.count)
    }
    return try page(of: analysis.page(from: first, count: length), from: first)
  }

  private func page(of scenarios: [Scenario], from first: BigUnsigned) throws -> Page {
    var page = Page()
    var number = first
    for scenario in scenarios {
      try analysis.limits.check()
      if try feasibility?.hasFlux(scenario) ?? true { page.entries.append(Entry(number: number, scenario: scenario)) }
      number += .one
    }
    page.looked = scenarios.count
    return page
  }

  /// Returns uniformly distributed random scenarios; the same seed gives the same scenarios.
  ///
  /// If there are too many realizable scenarios, necessary ones are drawn and the realizable ones among them are
  /// returned.
  /// - Throws: The same errors as for a page.
  func sample(seed: UInt64, count length: Int) throws -> Page {
    guard let realizable else {
      var page = Page()
      for scenario in analysis.sample(seed: seed, count: length) {
        try analysis.limits.check()
        page.looked += 1
        guard let number = analysis.number(of: scenario), try feasibility?.hasFlux(scenario) ?? true else { continue }
        page.entries.append(Entry(number: number, scenario: scenario))
      }
      return page
    }
    guard !realizable.isEmpty else { return Page() }
    var source = SplitMix64(seed: seed)
    let entries = (0..<length).map { _ in realizable[Int.random(in: realizable.indices, using: &source)] }
    return Page(entries: entries, looked: length)
  }

  /// The states that each process has in some scenario; all sets are empty if there is no scenario.
  var possibleStates: [ProcessStates] {
    guard let realizable else { return analysis.possibleStates }
    var states = analysis.network.processes.map { _ in ProcessStates() }
    for entry in realizable {
      for (process, state) in entry.scenario.states.enumerated() { states[process].formUnion(ProcessStates([state])) }
    }
    return states
  }

  /// Returns the number of scenarios in which each process has each state.
  ///
  /// - Throws: `CancellationError`.
  func marginals() throws -> [ProcessMarginal] {
    guard let realizable else { return try analysis.marginals() }
    return analysis.network.processes.indices.map { process in
      var counts = [0, 0, 0]
      for entry in realizable { counts[entry.scenario.states[process].enumerationIndex] += 1 }
      return ProcessMarginal(
        forward: BigUnsigned(counts[0]), backward: BigUnsigned(counts[1]), idle: BigUnsigned(counts[2]))
    }
  }

  /// Returns the levels that each pool has in some scenario.
  ///
  /// - Throws: `CancellationError`; in strict mode also the errors of the analysis.
  func levels() throws -> [LevelSet] {
    guard let realizable else { return try analysis.levels() }
    var levels = analysis.network.pools.map { _ in LevelSet() }
    for entry in realizable {
      for (pool, found) in try analysis.levels(of: entry.scenario).enumerated() { levels[pool].formUnion(found) }
    }
    return levels
  }
}

// MARK: - Notes for users

extension ScenarioSet {
  /// Returns the processes that something outside the network must prevent from running, in strict mode without
  /// scenarios, by index.
  ///
  /// The result is also empty if they cannot be found within the limits.
  /// - Throws: `CancellationError`.
  func missingRegulation() throws -> [Int] {
    guard mode == .strict, count.isZero else { return [] }
    do {
      return try analysis.missingRegulation() ?? []
    } catch ScenarioError.tooWide {
      return []
    }
  }

  /// Returns remarks about the result, as sentences without their final stop.
  ///
  /// - Parameter page: The page shown.
  /// - Throws: The errors of the analysis.
  func notes(on page: Page) throws -> [String] {
    switch mode {
    case .necessary: return []
    case .strict:
      guard count.isZero else { return [] }
      let necessary = try ScenarioAnalysis(
        analysis.network, restriction: analysis.restriction, limits: analysis.limits
      ).count
      guard !necessary.isZero else { return [] }
      return [
        "no scenario runs every process that can run, but \(necessary) have some of them idle: "
          + "an unlisted inhibitor or a missing enzyme stops a process"
      ]
    case .realizable where realizable == nil:
      return [
        "the counts cover all that fit by signs; of \(page.looked) examined here, \(page.entries.count) can have "
          + "balanced fluxes"
      ]
    case .realizable:
      if analysis.count.isZero { return [] }
      let all = analysis.count.description
      return count.isZero
        ? ["\(all) scenarios fit by signs, but none can have balanced fluxes: matter would come from nowhere"]
        : ["\(count) of \(all) scenarios that fit by signs can have balanced fluxes"]
    }
  }
}

/// The criterion by which scenarios count.
enum ScenarioMode: String, Sendable, CaseIterable {
  /// Scenarios that break no rule: a process whose conditions are met may run or not.
  case necessary
  /// Scenarios in which every process whose conditions are met runs.
  case strict
  /// Scenarios that break no rule and that some flux in balance can realize.
  case realizable

  /// The mode of the underlying analysis.
  var analysis: ScenarioAnalysis.Mode { self == .strict ? .strict : .necessary }

  /// The meaning of the mode, as a sentence without its final stop.
  var statement: String {
    switch self {
    case .necessary: "a process that can run may run"
    case .strict: "every process that can run does run"
    case .realizable: "a process that can run may run, and amounts balance"
    }
  }
}

/// The scenarios of an analysis that some flux can realize.
///
/// The steady state of the rules considers signs only; this one considers amounts. Each scenario is checked when it is
/// shown, so their number may be unlimited.
struct RealizableScenarios: Sendable {
  /// A scenario with its number among all scenarios of the analysis, from 0.
  struct Entry: Sendable, Hashable {
    var number: BigUnsigned
    var scenario: Scenario
  }

  /// A page of scenarios.
  struct Page: Sendable, Hashable {
    var entries: [Entry] = []
    /// The number from which to continue; nil if there are no more.
    var next: BigUnsigned?
  }

  let analysis: ScenarioAnalysis
  let feasibility: any FluxFeasibility

  /// The maximum number of scenarios checked to count the realizable ones.
  static let limit = 20_000

  /// The number of scenarios read from the graph at once.
  private static let stride = 64

  /// Returns the next realizable scenarios, starting at a number among all scenarios.
  ///
  /// - Parameters:
  ///   - first: The number, from 0.
  ///   - length: The maximum number of scenarios returned.
  ///   - looks: The maximum number of scenarios checked; the page may then be shorter.
  /// - Throws: The errors of the flux check, and `CancellationError`.
  func page(from first: BigUnsigned = .zero, count length: Int, looks: Int = limit) throws -> Page {
    var page = Page()
    var number = first
    var left = looks
    while page.entries.count < length, left > 0 {
      let candidates = analysis.page(from: number, count: min(Self.stride, left))
      guard !candidates.isEmpty else { return page }
      for candidate in candidates where page.entries.count < length {
        try analysis.limits.check()
        if try feasibility.hasFlux(candidate) { page.entries.append(Entry(number: number, scenario: candidate)) }
        number += .one
        left -= 1
      }
    }
    page.next = number < analysis.count ? number : nil
    return page
  }

  /// Returns the number of realizable scenarios.
  ///
  /// - Throws: ``ScenarioError/tooMany(count:limit:)`` if there are more scenarios than may be checked; otherwise the
  ///   errors of a page.
  func count(limit: Int = limit) throws -> Int {
    guard let all = analysis.count.small, all <= limit else {
      throw ScenarioError.tooMany(count: analysis.count.description, limit: limit)
    }
    return try page(count: all, looks: all).entries.count
  }
}

/// Decides whether a flux can have the directions of a scenario.
protocol FluxFeasibility: Sendable {
  /// Returns whether there are fluxes in balance at every internal pool, with at least 1 in the direction of each
  /// active process and 0 in all others.
  func hasFlux(_ scenario: Scenario) throws -> Bool
}

/// Decides by elementary modes whether fluxes can have the directions of a scenario.
///
/// A flux in balance is a sum of modes, none of which opposes its directions. So a flux exists if and only if the modes
/// within a scenario cover all of its active processes.
///
/// - Source: S. Schuster et al., J. Math. Biol. 45, 153 (2002), for the decomposition.
struct ModeCover: FluxFeasibility {
  /// The processes of a mode that run forward and backward, as bit sets.
  private struct Directions {
    var forward: [UInt64]
    var backward: [UInt64]
  }

  private let modes: [Directions]
  private let wordCount: Int

  /// Creates the cover of a network's modes, which must come from ``ModeProblem/init(_:)`` of the same network.
  init(_ found: ElementaryModes, processes: Int) {
    let wordCount = (processes + 63) / 64
    self.wordCount = wordCount
    modes = found.modes.flatMap { mode -> [Directions] in
      var bits = Directions(
        forward: Array(repeating: 0, count: wordCount), backward: Array(repeating: 0, count: wordCount))
      for entry in mode.fluxes {
        let bit = UInt64(1) << UInt64(entry.index % 64)
        if entry.amount > 0 { bits.forward[entry.index / 64] |= bit } else { bits.backward[entry.index / 64] |= bit }
      }
      guard mode.isReversible else { return [bits] }
      return [bits, Directions(forward: bits.backward, backward: bits.forward)]
    }
  }

  func hasFlux(_ scenario: Scenario) -> Bool {
    var forward = Array(repeating: UInt64(0), count: wordCount)
    var backward = forward
    for (process, state) in scenario.states.enumerated() {
      let bit = UInt64(1) << UInt64(process % 64)
      if state == .forward { forward[process / 64] |= bit }
      if state == .backward { backward[process / 64] |= bit }
    }
    var open = forward
    for word in 0..<wordCount { open[word] |= backward[word] }
    for mode in modes {
      guard Self.isPart(mode.forward, of: forward), Self.isPart(mode.backward, of: backward) else { continue }
      for word in 0..<wordCount {
        open[word] &= ~mode.forward[word]
        open[word] &= ~mode.backward[word]
      }
    }
    return open.allSatisfy { $0 == 0 }
  }

  private static func isPart(_ part: [UInt64], of whole: [UInt64]) -> Bool {
    for word in part.indices where part[word] & ~whole[word] != 0 { return false }
    return true
  }
}

/// The results of an analysis as shown by a scenario browser.
struct ScenarioFindings: Sendable {
  var set: ScenarioSet
  /// The states that each process has in some scenario.
  var states: [ProcessStates]
  /// A page of scenarios, with the number of the first, from 0.
  var page: ScenarioSet.Page
  var first: BigUnsigned
  var notes: [String]
  /// The reasons for which there is no scenario.
  var conflicts: [ScenarioConflict]
  /// The processes that something outside the network must prevent from running, in strict mode without scenarios.
  var missingRegulation: [Int]

  /// Computes all results.
  ///
  /// - Throws: The errors of the analysis.
  init(_ set: ScenarioSet, pageSize: Int) throws {
    self.set = set
    states = set.possibleStates
    page = try set.page(from: .zero, count: pageSize)
    first = .zero
    notes = try set.notes(on: page)
    conflicts = try set.analysis.conflicts()
    missingRegulation = try set.missingRegulation()
  }

  /// Returns the results with another page of scenarios, from a number.
  func turned(to first: BigUnsigned, count: Int) throws -> ScenarioFindings {
    var findings = self
    findings.page = try set.page(from: first, count: count)
    findings.first = first
    return findings
  }

  /// Returns the results with scenarios drawn at random.
  func sampled(seed: UInt64, count: Int) throws -> ScenarioFindings {
    var findings = self
    findings.page = try set.sample(seed: seed, count: count)
    return findings
  }
}

/// The number of scenarios in which each process has each state, and the levels of each pool.
struct ScenarioShares: Sendable, Hashable {
  var marginals: [ProcessMarginal]
  var levels: [LevelSet]

  init(_ set: ScenarioSet) throws {
    marginals = try set.marginals()
    levels = try set.levels()
  }
}
