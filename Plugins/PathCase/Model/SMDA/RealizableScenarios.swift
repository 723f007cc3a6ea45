/// The scenarios of an analysis that some flux can have.
///
/// The steady state of the rules looks at signs only; this one is of amounts. Each scenario is looked at when it is
/// shown, so that there may be any number of them.
struct RealizableScenarios: Sendable {
  /// A scenario with its number among all of the analysis, from 0.
  struct Entry: Sendable, Hashable {
    var number: BigUnsigned
    var scenario: Scenario
  }

  /// Some of them.
  struct Page: Sendable, Hashable {
    var entries: [Entry] = []
    /// The number among all from which to look further; nil if there are no more.
    var next: BigUnsigned?
  }

  let analysis: ScenarioAnalysis
  let feasibility: any FluxFeasibility

  /// How many scenarios are looked at to count those that a flux can have.
  static let limit = 20_000

  /// How many scenarios are taken from the graph at once.
  private static let stride = 64

  /// The next ones from some number among all scenarios on.
  ///
  /// - Parameters:
  ///   - first: The number, from 0.
  ///   - length: How many at most.
  ///   - looks: How many scenarios are looked at before it ends with fewer.
  /// - Throws: What the look at fluxes throws, and `CancellationError`.
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

  /// How many there are.
  ///
  /// - Throws: ``ScenarioError/tooMany(count:limit:)`` if there are more scenarios than are looked at; else as for a page.
  func count(limit: Int = limit) throws -> Int {
    guard let all = analysis.count.small, all <= limit else {
      throw ScenarioError.tooMany(count: analysis.count.description, limit: limit)
    }
    return try page(count: all, looks: all).entries.count
  }
}
