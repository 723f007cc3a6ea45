import PluginAPI
import Synchronization
import TestSupport
import Testing

@testable import PathCase

@Suite struct FluxAnalysisTests {
  private static let hasData = SBMLTruth.folder != nil

  /// Returns whether numbers agree within the tolerance of two solvers.
  private func agree(_ one: Double, _ other: Double) -> Bool { abs(one - other) <= 1e-6 * max(1, abs(other)) }

  private func problem(_ name: String) throws -> FluxProblem {
    FluxProblem(try SBMLReader.model(try #require(SBMLTruth.bytes("sbml/" + name))).model)
  }

  @Test(
    .enabled(if: hasData, "the shared data are absent"),
    arguments: [
      "annotation.xml", "e_coli_core.xml", "example_notes.xml", "fbc_ex1.xml", "fbc_ex2.xml", "iJO1366.xml.gz",
      "mini_fbc1.xml", "textbook.xml.gz",
    ])
  func `the optimal objective and the least total flux match known results`(_ name: String) throws {
    let truth = try #require(SBMLTruth.truth(name))
    let best = try #require((truth["fba"] as? [String: Any])?["objective"] as? Double)
    let problem = try problem(name)
    let solution = try FluxAnalysis.solve(problem)
    #expect(solution.status == .optimal)
    #expect(agree(try #require(solution.objective), best))
    #expect(problem.imbalance(of: solution.fluxes) < 1e-6)
    let least = try FluxAnalysis.leastTotal(problem)
    #expect(agree(try #require(least.objective), best))
    // If boundary species have reactions of their own in the ground truth, its sum includes these too.
    if !["fbc_ex2.xml", "mini_fbc1.xml"].contains(name), let total = truth["pfba_total_flux"] as? Double {
      #expect(agree(try #require(least.totalFlux), total))
    }
  }

  @Test(.enabled(if: hasData, "the shared data are absent"))
  func `an infeasible model has no objective and no fluxes`() throws {
    let solution = try FluxAnalysis.solve(problem("mini_fbc2.xml"))
    #expect(solution.status == .infeasible)
    #expect(solution.objective == nil)
    #expect(solution.fluxes.isEmpty)
  }

  @Test(
    .enabled(if: hasData, "the shared data are absent"),
    arguments: ["e_coli_core.xml", "textbook.xml.gz", "fbc_ex1.xml"])
  func `flux ranges match known results`(_ name: String) throws {
    let truth = try #require(SBMLTruth.truth(name))
    let expected = try #require(truth["fva"] as? [String: [Double]])
    let model = try SBMLReader.model(try #require(SBMLTruth.bytes("sbml/" + name))).model
    let ranges = try FluxAnalysis.ranges(FluxProblem(model))
    #expect(ranges.status == .optimal && ranges.ranges.count == model.reactions.count)
    for (reaction, range) in zip(model.reactions, ranges.ranges) {
      let text = reaction.id.text
      let known = try #require(expected[text.hasPrefix("R_") ? String(text.dropFirst(2)) : text])
      let range = try #require(range)
      #expect(abs(range.least - known[0]) < 1e-5 && abs(range.largest - known[1]) < 1e-5, "\(text)")
    }
  }

  @Test(.enabled(if: hasData, "the shared data are absent"))
  func `the number of blocked reactions matches the known one`() throws {
    let truth = try #require(SBMLTruth.truth("e_coli_core.xml"))
    #expect(
      try FluxAnalysis.blocked(problem("e_coli_core.xml")).reactions.count == truth["blocked_reactions"] as? Int)
  }

  @Test(
    .enabled(if: hasData, "the shared data are absent"),
    arguments: ["e_coli_core.xml", "fbc_ex1.xml", "mini_fbc1.xml"])
  func `objectives after deletions match known results`(_ name: String) throws {
    let truth = try #require(SBMLTruth.truth(name))
    let model = try SBMLReader.model(try #require(SBMLTruth.bytes("sbml/" + name))).model
    let problem = FluxProblem(model)
    if let expected = truth["single_reaction_deletion"] as? [String: Any] {
      let results = try FluxAnalysis.deletions(problem, of: model.reactions.indices.map { [$0] })
      #expect(results.count == model.reactions.count)
      for (reaction, result) in zip(model.reactions, results) {
        let text = reaction.id.text
        try compare(result, expected[text.hasPrefix("R_") ? String(text.dropFirst(2)) : text], text)
      }
    }
    let expected = try #require(truth["single_gene_deletion"] as? [String: Any])
    // The names of genes in the first version are changed in the ground truth.
    guard name != "mini_fbc1.xml" else { return }
    let genes = GeneDeletions(model)
    let results = try FluxAnalysis.deletions(
      problem, of: model.genes.indices.map { genes.stoppedReactions(without: [$0]) })
    #expect(results.count == model.genes.count)
    for (gene, result) in zip(model.genes, results) {
      try compare(result, expected[String(gene.id.text.dropFirst(2))], gene.id.text)
    }
  }

  private func compare(_ result: DeletionResult, _ known: Any?, _ name: String) throws {
    guard let known = try #require(known, "\(name)") as? Double else {
      // Another solver reports zero growth as infeasible.
      #expect(result.status == .infeasible, "\(name)")
      return
    }
    #expect(agree(try #require(result.objective, "\(name)"), known), "\(name)")
  }

  @Test(.enabled(if: hasData, "the shared data are absent"))
  func `all flux balance cases of the test suite pass`() throws {
    let files = SBMLTruth.archive("sbml/sbml-test-suite-fbc.tar.gz")
    var cases = 0
    for (name, bytes) in files where name.hasSuffix(".xml") {
      let results = try #require(files[String(name.prefix(while: { $0 != "-" })) + "-results.csv"])
      let lines = String(decoding: results, as: UTF8.self).split(whereSeparator: \.isNewline)
      let known = zip(lines[0].split(separator: ","), lines[1].split(separator: ","))
      let model = try SBMLReader.model(bytes).model
      let solution = try FluxAnalysis.solve(FluxProblem(model))
      cases += 1
      for (column, value) in known where column == "OBJF" {
        guard value != "NaN" else {
          #expect(solution.objective == nil, "\(name)")
          continue
        }
        let objective = try #require(solution.objective, "\(name)")
        #expect(abs(objective - (try #require(Double(value)))) <= 1e-3, "\(name)")
      }
    }
    #expect(cases == 34)
  }

  @Test func `crossing bounds are infeasible`() throws {
    var problem = chain(upper: 10)
    problem.lower[0] = 11
    #expect(problem.impossibleReaction == 0)
    #expect(try FluxAnalysis.solve(problem).status == .infeasible)
    #expect(try FluxAnalysis.leastTotal(problem).objective == nil)
    #expect(try FluxAnalysis.ranges(problem) == FluxRanges(status: .infeasible))
    let results = try FluxAnalysis.deletions(problem, of: [[0], [1]])
    #expect(results[0].status == .optimal)
    #expect(results[1].status == .infeasible)
  }

  @Test func `an unbounded objective is reported as such`() throws {
    let problem = chain(upper: .infinity)
    let solution = try FluxAnalysis.solve(problem)
    #expect(solution.status == .unbounded)
    #expect(solution.objective == nil)
    #expect(solution.fluxes.isEmpty)
    #expect(try FluxAnalysis.leastTotal(problem).status == .unbounded)
  }

  @Test func `infinite bounds have no effect where others apply`() throws {
    var problem = chain(upper: .infinity)
    problem.lower[1] = -.infinity
    problem.upper[2] = 4
    #expect(try FluxAnalysis.solve(problem).objective == 4)
  }

  @Test(arguments: [750, Double.infinity])
  func `large bounds apply if a flux reaches them`(_ uptake: Double) throws {
    // Without the bound of 1000 the objective is 1500 or unbounded.
    let problem = FluxProblem(
      rows: 2, columns: [[(row: 0, amount: 2)], [(row: 0, amount: -1), (row: 1, amount: 1)], [(row: 1, amount: -1)]],
      lower: [0, 0, 0], upper: [uptake, 1000, .infinity], weights: [0, 0, 1], isMaximized: true)
    #expect(try FluxAnalysis.solve(problem).objective == 1000)
    #expect(try FluxAnalysis.leastTotal(problem).fluxes == [500, 1000, 1000])
    let most = try #require(try FluxAnalysis.leastTotal(problem, fraction: 0.9).objective)
    #expect(agree(most, 900))
  }

  @Test(arguments: [(true, -1.0), (false, 1), (true, 1), (false, -1)])
  func `a fraction of the optimum applies to objectives of either sign`(isMaximized: Bool, weight: Double) throws {
    var problem = chain(upper: 10)
    problem.lower[0] = 5
    problem.weights[2] = weight
    problem.isMaximized = isMaximized
    let best = try #require(try FluxAnalysis.solve(problem).objective)
    #expect(best == (isMaximized == (weight > 0) ? 10 : 5) * weight)
    let range = try #require(try FluxAnalysis.ranges(problem, fraction: 0.9).ranges[2])
    let known = isMaximized == (weight > 0) ? (9.0, 10.0) : (5, 5.5)
    #expect(agree(range.least, known.0) && agree(range.largest, known.1), "\(range)")
    #expect(try FluxAnalysis.leastTotal(problem, fraction: 0.9).status == .optimal)
  }

  @Test func `an empty objective has the optimum zero`() throws {
    var problem = chain(upper: 10)
    problem.weights = [0, 0, 0]
    #expect(problem.hasEmptyObjective)
    #expect(try FluxAnalysis.solve(problem).objective == 0)
    #expect(
      try FluxAnalysis.ranges(problem).ranges == [FluxRange?](repeating: FluxRange(least: 0, largest: 10), count: 3))
  }

  @Test func `NaN and unknown reactions are errors, not crashes`() throws {
    var problem = chain(upper: 10)
    problem.lower[1] = .nan
    #expect(try FluxAnalysis.solve(problem).status == .infeasible)
    problem.lower[1] = 0
    problem.weights[1] = .nan
    let error = #expect(throws: ErrorReport.self) { try FluxAnalysis.solve(problem) }
    #expect(error?.code == FluxError.unusableNumbers.code)
    #expect(throws: FluxError.unknownReaction(3, count: 3)) { try FluxAnalysis.deletions(problem, of: [[3]]) }
    #expect(throws: FluxError.unknownReaction(-1, count: 3)) { try FluxAnalysis.ranges(problem, reactions: [-1]) }
  }

  @Test func `an empty model has a solution`() throws {
    let problem = FluxProblem(ReactionModel())
    #expect(try FluxAnalysis.solve(problem).objective == 0)
    #expect(try FluxAnalysis.ranges(problem).ranges.isEmpty)
    #expect(try FluxAnalysis.deletions(problem, of: [[]]) == [DeletionResult(status: .optimal, objective: 0)])
  }

  @Test func `species without reactions and reactions without species are handled`() throws {
    var model = ReactionModel()
    model.species = [ModelSpecies(id: "alone")]
    model.reactions = [ModelReaction(id: "r", lowerBound: 0, upperBound: 3)]
    model.objectives = [FluxObjective(id: "o", terms: [.init(reaction: 0, weight: 2)])]
    model.activeObjective = 0
    #expect(try FluxAnalysis.solve(FluxProblem(model)).objective == 6)
  }

  @Test func `a canceled computation returns no ranges`() throws {
    let asked = Mutex(0)
    let ranges = try FluxAnalysis.ranges(chain(upper: 10)) {
      asked.withLock { $0 += 1 }
      return true
    }
    #expect(ranges == FluxRanges(status: .cancelled))
    #expect(asked.withLock { $0 } > 0)
  }

  /// Returns the reactions in, on and out, the last of which is the objective.
  private func chain(upper: Double) -> FluxProblem {
    var model = ReactionModel()
    model.species = [ModelSpecies(id: "a"), ModelSpecies(id: "b")]
    model.reactions = [
      ModelReaction(
        id: "in", stoichiometry: [SpeciesAmount(species: 0, amount: 1)], lowerBound: 0, upperBound: upper),
      ModelReaction(
        id: "on", stoichiometry: [SpeciesAmount(species: 0, amount: -1), SpeciesAmount(species: 1, amount: 1)],
        lowerBound: 0),
      ModelReaction(id: "out", stoichiometry: [SpeciesAmount(species: 1, amount: -1)], lowerBound: 0),
    ]
    model.objectives = [FluxObjective(id: "o", terms: [.init(reaction: 2, weight: 1)])]
    model.activeObjective = 0
    return FluxProblem(model)
  }
}
