import Testing

@testable import PathCase

@Suite struct FluxCompressionTests {
  @Test func `a chain becomes one reaction, and a dead end is removed`() {
    let problem = FluxProblem(
      rows: 3, columns: [[(0, 1)], [(0, -2), (1, 1)], [(1, -1)], [(2, 1)]], lower: [0, -5, -10, -1],
      upper: [8, 5, 10, 1], weights: [0, 0, 1, 1], isMaximized: true)
    let small = FluxCompression(problem)
    #expect(small.problem.rows == 0)
    #expect(small.problem.reactionCount == 1)
    #expect(small.columns == [0, 0, 0, nil])
    #expect(small.factors == [1, 0.5, 0.5, 0])
    // The first is limited directly to 0 to 8, by the second and third to -10 to 10 and -20 to 20.
    #expect(small.problem.lower == [0])
    #expect(small.problem.upper == [8])
    #expect(small.problem.weights == [0.5])
    #expect(small.fluxes([6]) == [6, 3, 3, 0])
    #expect(small.range(of: 1, FluxRange(least: 2, largest: 4)) == FluxRange(least: 1, largest: 2))
  }

  @Test func `a reaction forced to run without balance is left for the solver to detect`() throws {
    let problem = FluxProblem(
      rows: 1, columns: [[(0, 1)]], lower: [1], upper: [2], weights: [1], isMaximized: true)
    let small = FluxCompression(problem)
    #expect(small.problem == problem)
    #expect(try FluxAnalysis.ranges(problem).status == .infeasible)
  }

  @Test(arguments: Array(0..<60) + [190, 207, 335, 373, 714])
  func `compressed problems have the solutions of the whole`(
    seed: Int
  ) throws {
    let problem = FluxProblem.small(seed: seed)
    let small = FluxCompression(problem)
    let whole = try FluxAnalysis.solve(problem)
    let part = try FluxAnalysis.solve(small.problem)
    #expect(whole.status == part.status)
    #expect(abs((whole.objective ?? 0) - (part.objective ?? 0)) < 1e-6)
    let fluxes = part.status == .optimal ? small.fluxes(part.fluxes) : []
    #expect(problem.imbalance(of: fluxes) < 1e-6)
    for (index, flux) in fluxes.enumerated() {
      #expect(flux >= problem.lower[index] - 1e-6 && flux <= problem.upper[index] + 1e-6)
    }
    // The result of each deletion, from the whole problem without its bounds.
    let deletions = try FluxAnalysis.deletions(problem, of: problem.lower.indices.map { [$0] })
    for index in problem.lower.indices {
      let left = try problem.solution(without: [index])
      #expect(deletions[index].status == left.status)
      #expect(abs((deletions[index].objective ?? 0) - (left.objective ?? 0)) < 1e-6)
    }
    // Each end of each range, from the whole problem with another objective.
    let ranges = try FluxAnalysis.ranges(problem, fraction: 0).ranges
    for index in problem.lower.indices where part.status == .optimal {
      var one = problem
      one.weights = problem.lower.indices.map { $0 == index ? 1 : 0 }
      let largest = try #require(try FluxAnalysis.solve(one).objective)
      one.isMaximized = false
      let least = try #require(try FluxAnalysis.solve(one).objective)
      let range = try #require(ranges[index])
      #expect(abs(range.largest - largest) < 1e-6 && abs(range.least - least) < 1e-6)
    }
  }
}
