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
