import PluginText

/// The scenarios of a mode: their number, pages of them, what they have in common.
///
/// Realizable ones are looked at one by one, so that they are all known only where there are few; else pages tell which
/// of the necessary ones on them are realizable, and everything else is about the necessary ones.
struct ScenarioSet: Sendable {
  /// A scenario with its number among all of the analysis, from 0.
  typealias Entry = RealizableScenarios.Entry

  /// Some scenarios one after the other.
  struct Page: Sendable, Hashable {
    var entries: [Entry] = []
    /// How many were looked at to find these.
    var looked = 0
  }

  let mode: ScenarioMode
  let analysis: ScenarioAnalysis
  /// All realizable scenarios, in the order of enumeration; nil in other modes, and where there are too many.
  let realizable: [Entry]?
  private let feasibility: (any FluxFeasibility)?

  /// Works out what can be known of all.
  ///
  /// - Parameters:
  ///   - feasibility: Needed in the realizable mode only.
  ///   - limit: How many scenarios are looked at to know all realizable ones.
  /// - Throws: `CancellationError`, and what the look at fluxes throws.
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

  /// Which scenarios the number, the shares and what must be are about: `necessary` where too many are to be looked at.
  var countedMode: ScenarioMode { mode == .realizable && realizable == nil ? .necessary : mode }

  /// How many there are.
  var count: BigUnsigned { realizable.map { BigUnsigned($0.count) } ?? analysis.count }

  /// The largest number that one of them has, from 1: all that fit by signs are numbered.
  var largestNumber: BigUnsigned {
    guard let realizable else { return analysis.count }
    return realizable.last.map { $0.number + .one } ?? .zero
  }

  /// The place of the first one that has a number or a larger one, both from 0; nil if there is none.
  func place(of number: BigUnsigned) -> BigUnsigned? {
    guard let realizable else { return number < analysis.count ? number : nil }
    return realizable.firstIndex { number <= $0.number }.map { BigUnsigned($0) }
  }

  /// Some of them from a number on, from 0; of too many realizable ones those among so many necessary ones.
  ///
  /// - Throws: `CancellationError`, and what the look at fluxes throws.
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

  /// Some drawn at random, each as likely as any other; the same for the same seed.
  ///
  /// Of too many realizable ones so many necessary ones are drawn, and the realizable ones of these are given.
  /// - Throws: As for a page.
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

  /// For each process the states it has in some scenario; none at all if there is no scenario.
  var possibleStates: [ProcessStates] {
    guard let realizable else { return analysis.possibleStates }
    var states = analysis.network.processes.map { _ in ProcessStates() }
    for entry in realizable {
      for (process, state) in entry.scenario.states.enumerated() { states[process].formUnion(ProcessStates([state])) }
    }
    return states
  }

  /// For each process in how many scenarios it does what.
  ///
  /// - Throws: `CancellationError`.
  func marginals() throws -> [ProcessMarginal] {
    guard let realizable else { return try analysis.marginals() }
    return analysis.network.processes.indices.map { process in
      var counts = [0, 0, 0]
      for entry in realizable { counts[entry.scenario.states[process].place] += 1 }
      return ProcessMarginal(
        forward: BigUnsigned(counts[0]), backward: BigUnsigned(counts[1]), idle: BigUnsigned(counts[2]))
    }
  }

  /// For each pool the levels it has in some scenario.
  ///
  /// - Throws: `CancellationError`; in strict mode as for the analysis.
  func levels() throws -> [LevelSet] {
    guard let realizable else { return try analysis.levels() }
    var levels = analysis.network.pools.map { _ in LevelSet() }
    for entry in realizable {
      for (pool, found) in try analysis.levels(of: entry.scenario).enumerated() { levels[pool].formUnion(found) }
    }
    return levels
  }
}

// MARK: - What a user should know

extension ScenarioSet {
  /// Processes that something unlisted must keep from running, in strict mode without scenarios, by index.
  ///
  /// Empty also where that cannot be found out within the limits.
  /// - Throws: `CancellationError`.
  func missingRegulation() throws -> [Int] {
    guard mode == .strict, count.isZero else { return [] }
    do {
      return try analysis.missingRegulation() ?? []
    } catch let error as ScenarioError where error.isTooWide {
      return []
    }
  }

  /// What is to be said about the answer, in sentences without their ends.
  ///
  /// - Parameter page: What is shown.
  /// - Throws: As for the analysis.
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
        "no scenario has all processes running that can, but \(necessary) have some of them idle: "
          + "an unlisted inhibitor, or a missing enzyme, keeps a process from running"
      ]
    case .realizable where realizable == nil:
      return [
        "there are too many scenarios to look at each: the number, and what must and never runs, is of those that fit "
          + "by signs; of \(page.looked) looked at here \(page.entries.count) can have fluxes in balance"
      ]
    case .realizable:
      if analysis.count.isZero { return [] }
      let all = analysis.count.description
      return count.isZero
        ? ["\(all) scenarios fit by signs, but none of them can have fluxes in balance: matter would come from nowhere"]
        : ["\(count) of \(all) scenarios that fit by signs can have fluxes in balance"]
    }
  }
}
