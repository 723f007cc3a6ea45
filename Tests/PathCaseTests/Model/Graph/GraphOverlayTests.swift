import TestSupport
import Testing

@testable import PathCase

struct GraphOverlayTests {
  private func model() -> ReactionModel {
    var model = ReactionModel()
    model.name = "small"
    model.reactions = ["R_a", "R_b", "R_c"].map { ModelReaction(id: $0) }
    return model
  }

  @Test func `fluxes become numbers with directions`() {
    let overlay = GraphOverlay(fluxes: .optimal(1, [2, -0.5, 1e-12]), of: model())
    #expect(overlay.processes["R_a"] == .init(state: .forward, value: 2))
    #expect(overlay.processes["R_b"] == .init(state: .backward, value: -0.5))
    // A residue of the solver is no flux, in the texts of pictures too.
    #expect(overlay.processes["R_c"] == .init(state: .idle, value: 0))
    #expect(overlay.largestValue == 2 && overlay.title == "fluxes of small: optimal")
  }

  @Test func `without an optimum no process is marked`() {
    let overlay = GraphOverlay(fluxes: .without(.infeasible), of: model())
    #expect(overlay.processes.isEmpty && overlay.title.contains("infeasible"))
  }

  @Test func `numbers in a file match nodes by the ids of maps and models`() {
    var graph = ReactionGraph()
    graph.nodes = [
      GraphNode(id: "1", label: "", kind: .pool, entity: "pyr_c"),
      GraphNode(id: "2", label: "", kind: .pool, entity: "pyr_c"),
      GraphNode(id: "M_12ppd__R_c", label: "", kind: .pool), GraphNode(id: "R_PFK", label: "", kind: .process),
      GraphNode(id: "x", label: "", kind: .other),
    ]
    let entries: [OverlayData.Entry] = [
      .init(id: "pyr_c", value: 4.5), .init(id: "12ppd-R_c", value: 8), .init(id: "PFK", value: -1),
      .init(id: "x", value: 1), .init(id: "R_PFK2", value: 1), .init(id: "pyr_c", value: nil),
    ]
    let (overlay, missing) = GraphOverlay.laying(OverlayData(entries: entries), over: graph, title: "t")
    #expect(overlay.pools.count == 2 && overlay.pools["pyr_c"]?.value == 4.5)
    #expect(overlay.pools["M_12ppd__R_c"]?.value == 8)
    #expect(overlay.processes == ["R_PFK": .init(state: .backward, value: -1)])
    #expect(missing == ["x", "R_PFK2"])
  }

  @Test(.enabled(if: !ScenarioTruth.names.isEmpty, "the shared data is missing"))
  func `a scenario marks forced, observed and deduced values`() throws {
    let analysis = try ScenarioAnalysis(try ScenarioTruth.example("t07_glycolysis_gng.json").network)
    let overlay = try GraphOverlay(try #require(analysis.page(count: 1).first), of: analysis, title: "one")
    #expect(overlay.processes["HK"] == .init(state: .idle, isForced: true))
    #expect(overlay.processes["PGI"] == .init(state: .backward, isForced: true))
    #expect(overlay.processes["LDH"]?.isForced == false)
    #expect(overlay.pools["g6p"] == .init(label: "C", isObserved: true))
    #expect(overlay.pools["f6p"] == .init(label: "A|C"))
    let shares = GraphOverlay(marginals: try analysis.marginals(), levels: try analysis.levels(), of: analysis)
    #expect(shares.processes["G6Pase"] == .init(state: .forward, value: 1, isForced: true))
    #expect(shares.processes["PGI"]?.value == -1 && shares.processes["PDH"]?.value == 0)
    #expect(shares.pools["pep"] == nil && shares.title == "shares of 16 scenarios")
    #expect(GraphOverlay(observationsOf: analysis.network).pools.count == 3)
  }

  @Test func `large counts are printed with digit groups and a power of ten`() {
    let count = BigUnsigned("4107427068928") ?? .zero
    #expect(count.grouped == "4\u{202F}107\u{202F}427\u{202F}068\u{202F}928" && count.powerOfTen == "10^12.6")
    #expect(BigUnsigned("3307701417389437917400972771783213056")?.powerOfTen == "10^36.5")
    #expect(BigUnsigned(208).powerOfTen == nil && BigUnsigned(1_000).grouped == "1\u{202F}000")
    #expect(BigUnsigned.zero.grouped == "0" && BigUnsigned(1_000_000).powerOfTen == "10^6.0")
  }
}
