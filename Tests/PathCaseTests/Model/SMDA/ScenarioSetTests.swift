import PluginAPI
import Testing

@testable import PathCase

struct ScenarioSetTests {
  private func set(_ name: String, _ mode: ScenarioMode, limit: Int = 20_000) throws -> ScenarioSet {
    let network = try ScenarioTruth.example(name).network
    let fluxes = mode == .realizable ? try ScenarioFluxes(network) : nil
    return try ScenarioSet(
      try ScenarioAnalysis(network, mode: mode.analysis), mode: mode, feasibility: fluxes, limit: limit)
  }

  @Test(.enabled(if: !ScenarioTruth.names.isEmpty, "the shared data is missing"), arguments: ScenarioTruth.names)
  func `every mode gives the scenarios listed in the file`(name: String) throws {
    let expected = try ScenarioTruth.example(name).expected
    let fields: [(ScenarioMode, String, String)] = [
      (.necessary, "scenarios", "sha256"), (.strict, "scenarios_strict_activation", "sha256_strict"),
      (.realizable, "scenarios_flux_realizable", "sha256_realizable"),
    ]
    for (mode, count, digest) in fields {
      guard let digest = expected[digest]?.text else { continue }
      let set = try set(name, mode)
      #expect(set.countedMode == mode && set.count.small == expected[count]?.integer)
      let page = try set.page(from: .zero, count: 1_000)
      #expect(ScenarioTruth.digest(page.entries.map(\.scenario)) == digest, "\(mode)")
    }
  }

  @Test(.enabled(if: !ScenarioTruth.names.isEmpty, "the shared data is missing"), arguments: ScenarioTruth.names)
  func `elementary modes and linear programs agree on every scenario`(name: String) throws {
    let network = try ScenarioTruth.example(name).network
    var limits = ElementaryModes.Limits()
    limits.rays = 1_000
    guard let modes = try? ElementaryModes(try ModeProblem(network), limits: limits) else { return }
    let cover = ModeCover(modes, processes: network.processes.count)
    let programs = try ScenarioFluxes(network)
    let analysis = try ScenarioAnalysis(network)
    for scenario in analysis.sample(seed: 5, count: 100) + analysis.page(count: 100) {
      #expect(cover.hasFlux(scenario) == (try programs.hasFlux(scenario)), "\(scenario.text)")
    }
  }

  @Test(.enabled(if: !ScenarioTruth.names.isEmpty, "the shared data is missing"))
  func `if too many scenarios are realizable, the necessary ones are counted and examined by page`() throws {
    let (all, some) = (
      try set("t05_glycolysis_free.json", .realizable), try set("t05_glycolysis_free.json", .realizable, limit: 100)
    )
    #expect(all.countedMode == .realizable && all.count == 64 && some.countedMode == .necessary && some.count == 208)
    let page = try some.page(from: .zero, count: 208)
    #expect(page.entries == (try all.page(from: .zero, count: 100)).entries && page.looked == 208)
    // The head of the screen names the requested mode, and its second row is not cut at 100 columns.
    #expect(all.modeText == "realizable" && some.modeText == "realizable, too many to examine each")
    let note = try #require(try some.notes(on: page).first)
    #expect(note.contains("of 208 examined here, 64") && note.count < 98)
    #expect(try some.page(from: 200, count: 100).looked == 8)
    let sample = try some.sample(seed: 7, count: 50)
    #expect(sample.looked == 50 && (1..<50).contains(sample.entries.count))
    #expect(sample.entries.allSatisfy(page.entries.contains))
  }

  @Test(.enabled(if: !ScenarioTruth.names.isEmpty, "the shared data is missing"))
  func `must, levels and marginals of a realizable set refer to realizable scenarios only`() throws {
    let set = try set("t07_glycolysis_gng.json", .realizable)
    let network = set.analysis.network
    let must = network.processes.indices.filter { !set.possibleStates[$0].contains(ProcessStates.idle) }
    #expect(
      must.map { network.processes[$0].id.text } == ["G6Pase", "PGI", "FBPase", "ALD", "TPI", "LOWER", "PEPCK", "LDH"])
    let shares = try set.marginals()
    #expect(shares.allSatisfy { $0.total == 4 } && shares[3].forward == 2)
    #expect(try set.levels()[7] == [.available, .accumulated])
    let sample = try set.sample(seed: 3, count: 40)
    #expect(sample.entries.count == 40 && Set(sample.entries).count == 4)
    #expect(try set.sample(seed: 3, count: 40) == sample)
    #expect(try set.page(from: 3, count: 10).entries.count == 1 && set.page(from: 4, count: 10).entries.isEmpty)
  }

  @Test(.enabled(if: !ScenarioTruth.names.isEmpty, "the shared data is missing"))
  func `the absence of strict scenarios is explained by an unlisted inhibitor`() throws {
    let strict = try set("t07_glycolysis_gng.json", .strict)
    #expect(try strict.notes(on: .init()).first?.contains("16 have some of them idle: an unlisted inhibitor") == true)
    #expect(try set("t08_glycolysis_conflict.json", .strict).notes(on: .init()).isEmpty)
    #expect(try set("t05_glycolysis_free.json", .strict).notes(on: .init()).isEmpty)
  }
}
