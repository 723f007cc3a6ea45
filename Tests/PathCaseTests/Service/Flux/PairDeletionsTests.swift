import PluginAPI
import TestSupport
import Testing

@testable import PathCase

struct PairDeletionsTests {
  @Test(arguments: Array(0..<60) + [190, 207, 335, 373, 714])
  func `pairs inferred from single deletions have the same objectives as solved ones`(seed: Int) throws {
    let problem = FluxProblem.small(seed: seed)
    let work = try PairDeletions(problem, of: problem.lower.indices.map { [$0] })
    let pairs = try work.results(of: 0..<work.order.count)
    #expect(pairs.count == problem.reactionCount * (problem.reactionCount - 1) / 2)
    for pair in pairs {
      let solved = try problem.solution(without: [pair.one, pair.other])
      if solved.status == .failed {
        // Rounding errors leave the solver without a result only near the limit of what is feasible.
        #expect(pair.result.status == .infeasible, "\(pair)")
        continue
      }
      #expect(pair.result.status == solved.status, "\(pair)")
      #expect(abs((pair.result.objective ?? 0) - (solved.objective ?? 0)) < 1e-6, "\(pair)")
    }
    for reaction in problem.lower.indices {
      #expect(work.single(reaction).status == (try problem.solution(without: [reaction])).status)
    }
  }

  @Test func `genes that stop a reaction only together are deleted together`() throws {
    // The first reaction needs one of two genes, the second both of two others.
    var model = ReactionModel()
    model.species = [ModelSpecies(id: "a")]
    model.reactions = [
      ModelReaction(id: "in", stoichiometry: [SpeciesAmount(species: 0, amount: 1)], lowerBound: 0, upperBound: 8),
      ModelReaction(id: "out", stoichiometry: [SpeciesAmount(species: 0, amount: -1)], lowerBound: 0, upperBound: 9),
    ]
    model.genes = ["g0", "g1", "g2", "g3"].map { ModelGene(id: $0) }
    model.reactions[0].geneRule = .any([.gene(0), .gene(1)])
    model.reactions[1].geneRule = .all([.gene(2), .gene(3)])
    model.objectives = [FluxObjective(id: "o", terms: [.init(reaction: 1, weight: 1)])]
    model.activeObjective = 0
    let rules = GeneDeletions(model)
    let work = try PairDeletions(
      FluxProblem(model), of: model.genes.indices.map { rules.stoppedReactions(without: [$0]) }, rules: rules)
    let pairs = try work.results(of: 0..<work.order.count)
    #expect(model.genes.indices.map { work.single($0).objective } == [8, 8, 0, 0])
    #expect(pairs.map { [$0.one, $0.other] } == [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]])
    #expect(pairs.map(\.result.objective) == [0, 0, 0, 0, 0, 0])
    #expect(pairs.filter(work.isSyntheticLethal).map { [$0.one, $0.other] } == [[0, 1]])
  }

  @Test func `a reaction that must run may be deleted with the one that it needs`() throws {
    // Both are one column of the compressed problem. Alone, neither can be deleted: the other could not stop.
    let problem = FluxProblem(
      rows: 2, columns: [[(0, 1)], [(0, -1), (1, 1)], [(1, -1)], []], lower: [1, 0, 1, 0], upper: [5, 5, 5, 3],
      weights: [0, 0, 0, 1], isMaximized: true)
    let work = try PairDeletions(problem, of: [[0], [1], [2], [3]])
    #expect((0..<4).map { work.single($0).status } == [.infeasible, .infeasible, .infeasible, .optimal])
    let pairs = try work.results(of: 0..<work.order.count)
    #expect(pairs.map(\.result.status) == [.infeasible, .optimal, .infeasible, .infeasible, .infeasible, .infeasible])
    #expect(pairs[1].one == 0 && pairs[1].other == 2 && pairs[1].result.objective == 3)
  }

  @Test func `crossing bounds matter only if their reaction stays`() throws {
    let problem = FluxProblem(
      rows: 1, columns: [[(0, 1)], [(0, -1)], []], lower: [0, 0, 2], upper: [5, 5, 1], weights: [0, 1, 0],
      isMaximized: true)
    let work = try PairDeletions(problem, of: [[0], [1], [2]])
    #expect((0..<3).map { work.single($0).objective } == [nil, nil, 5])
    #expect(try work.results(of: 0..<3).map(\.result.objective) == [nil, 0, 0])
  }

  @Test func `where the optimum is below zero, only pairs without a solution are lethal`() throws {
    // The first reaction must run, at a cost, and needs one of the other two.
    let problem = FluxProblem(
      rows: 1, columns: [[(0, 1)], [(0, -1)], [(0, -1)]], lower: [1, 0, 0], upper: [5, 5, 5], weights: [-1, 0, 0],
      isMaximized: true)
    let work = try PairDeletions(problem, of: [[0], [1], [2]])
    #expect((0..<3).map { work.single($0).objective } == [0, -1, -1])
    let pairs = try work.results(of: 0..<3)
    #expect(pairs.map(\.result.objective) == [0, 0, nil])
    #expect(pairs.filter(work.isSyntheticLethal).map { [$0.one, $0.other] } == [[1, 2]])
  }

  @Test func `an empty list of reactions has no pairs, and an unknown reaction is an error`() throws {
    let problem = FluxProblem.small(seed: 0)
    #expect(try PairDeletions(problem, of: []).results(of: 0..<0).isEmpty)
    #expect(throws: FluxError.unknownReaction(99, count: problem.reactionCount)) {
      try PairDeletions(problem, of: [[99]])
    }
  }

  @Test func `canceled pairs are not reported as solved`() throws {
    let problem = FluxProblem.small(seed: 1)
    let work = try PairDeletions(problem, of: problem.lower.indices.map { [$0] })
    let (pairs, all) = (
      try work.results(of: 0..<work.order.count) { true }, try work.results(of: 0..<work.order.count)
    )
    for (pair, known) in zip(pairs, all) { #expect(pair == known || pair.result.status == .cancelled) }
  }

  /// The figures of COBRApy 0.32.1 with GLPK for the pairs of e_coli_core: `double_reaction_deletion` and
  /// `double_gene_deletion`, without pairs of one and the same.
  private struct Known {
    var count: Int
    var infeasible: Int
    var sum: Double
    var syntheticLethal: Int
  }

  @Test(.enabled(if: SBMLTruth.folder != nil, "the shared data are absent"), arguments: [false, true])
  func `pairs of a real model match COBRApy's`(ofGenes: Bool) throws {
    let known =
      ofGenes
      ? Known(count: 9316, infeasible: 396, sum: 5622.176666532, syntheticLethal: 53)
      : Known(count: 4465, infeasible: 350, sum: 2068.164626629, syntheticLethal: 111)
    let model = try SBMLReader.model(try #require(SBMLTruth.bytes("sbml/e_coli_core.xml"))).model
    let rules = ofGenes ? GeneDeletions(model) : nil
    let deleted =
      rules.map { rules in model.genes.indices.map { rules.stoppedReactions(without: [$0]) } }
      ?? model.reactions.indices.map { [$0] }
    let work = try PairDeletions(FluxProblem(model), of: deleted, rules: rules)
    let pairs = try work.results(of: 0..<work.order.count)
    #expect(pairs.count == known.count)
    #expect(pairs.count { $0.result.status == .infeasible } == known.infeasible)
    #expect(pairs.count(where: work.isSyntheticLethal) == known.syntheticLethal)
    // The tolerances of two solvers add up over thousands of pairs.
    #expect(abs(pairs.reduce(0) { $0 + ($1.result.objective ?? 0) } - known.sum) < 1e-4)
  }
}
