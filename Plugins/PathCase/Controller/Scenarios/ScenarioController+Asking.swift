import PluginAPI
import PluginText

/// Computations off the main loop.
extension ScenarioController {
  /// The current query of the screen.
  private var study: ScenarioStudy {
    ScenarioStudy(
      network: state.network, mode: state.mode, restriction: state.restriction, isSimplest: state.isSimplest)
  }

  /// The number of scenarios on a page: as many as are visible.
  private var pageSize: Int {
    // The panel may be hidden while the pools of a narrow screen have the focus.
    max(5, ScenarioLayout(state.size, isAtPools: false).panelRows)
  }

  /// Counts the scenarios again, canceling an earlier count.
  func count() -> [Effect] {
    let before: [Effect] = [
      .cancel(EffectID(Self.counting, generation: round)), .cancel(EffectID(Self.sharing, generation: round)),
      .cancel(EffectID(Self.paging, generation: pageRound)),
    ]
    round += 1
    pageRound += 1
    state.isCounting = true
    state.message = ""
    state.shares = nil
    state.seed = nil
    let (study, pageSize) = (study, pageSize)
    return before + [
      .compute(EffectID(Self.counting, generation: round), label: "counting scenarios") { progress in
        try ScenarioFindings(try study.scenarios { progress.isCancelled }, pageSize: pageSize)
      }
    ]
  }

  /// Computes the number of scenarios in which each process runs, unless it is known.
  func share() -> [Effect] {
    // While another result is pending, the findings belong to the previous query.
    guard state.shares == nil, !state.isCounting, let set = state.findings?.set else { return [] }
    return [
      .compute(EffectID(Self.sharing, generation: round), label: "counting shares") { _ in try ScenarioShares(set) }
    ]
  }

  /// Requests the scenarios from a number.
  func page(from first: BigUnsigned) -> [Effect] {
    guard let set = state.findings?.set, state.seed == nil else { return [] }
    return page { [pageSize] in
      PagedScenarios(page: try set.page(from: first, count: pageSize), first: first)
    }
  }

  /// Draws scenarios at random, different ones at each call.
  func sample() -> [Effect] {
    guard let findings = state.findings, !state.isCounting, !findings.set.count.isZero else { return [] }
    state.panel = .scenarios
    let (set, seed, first) = (findings.set, (state.seed ?? 0) &+ 1, findings.first)
    return page { [pageSize] in
      PagedScenarios(page: try set.sample(seed: seed, count: pageSize), first: first, seed: seed)
    }
  }

  private func page(_ work: @escaping @Sendable () throws -> PagedScenarios) -> [Effect] {
    if state.isCounting { return [] }
    let before = EffectID(Self.paging, generation: pageRound)
    pageRound += 1
    return [
      .cancel(before),
      .compute(EffectID(Self.paging, generation: pageRound), label: "listing scenarios") { _ in try work() },
    ]
  }

  /// Turns one page forward or back; does nothing beyond the ends.
  func turnPage(_ step: Int) -> [Effect] {
    guard let findings = state.findings, !state.isCounting else { return [] }
    state.seed = nil
    let size = BigUnsigned(pageSize)
    if step < 0 {
      return findings.first.isZero ? [] : page(from: findings.first < size ? .zero : findings.first - size)
    }
    let next = findings.first + size
    return next < findings.set.count ? page(from: next) : []
  }

  /// Goes to a scenario by its number, from 1, as shown in rows and commands.
  ///
  /// Realizable scenarios keep the numbers of all scenarios that satisfy the signs; the number of one that is not
  /// realizable leads to the next that is.
  func go(to text: String) -> [Effect] {
    let digits = text.filter { $0.isASCII && $0.isNumber }
    guard let findings = state.findings, let number = BigUnsigned(digits), !number.isZero,
      let place = findings.set.place(of: number - .one)
    else {
      return [
        .status(
          Diagnostic(
            .warning, code: "pathcase.smda-no-such-scenario", "there is no scenario \(SanitizedText.line(text))",
            advice: "scenarios are 1 to \(state.findings?.set.largestNumber.grouped ?? "0")"))
      ]
    }
    state.seed = nil
    state.panel = .scenarios
    state.cursor = RowCursor()
    return page(from: place)
  }
}
