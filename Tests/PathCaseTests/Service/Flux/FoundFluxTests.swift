import Testing

@testable import PathCase

/// Flux analyses of models that were found later, compared with COBRApy 0.32 and HiGHS 1.16.
@Suite(.enabled(if: FoundModels.arePresent, "the shared data are absent"))
struct FoundFluxTests {
  @Test(arguments: [("T_Maritima", 268), ("iND750", 635), ("iCS291", 49)])
  func `as many reactions are blocked as COBRApy finds`(_ name: String, _ count: Int) throws {
    let blocked = try FluxAnalysis.blocked(FluxProblem(try FoundModels.model(name)))
    #expect(blocked.status == .optimal && blocked.reactions.count == count)
  }

  @Test func `what is blocked does not depend on the objective`() throws {
    var problem = FluxProblem(try FoundModels.model("T_Maritima"))
    let blocked = try FluxAnalysis.blocked(problem)
    problem.isMaximized.toggle()
    problem.weights = problem.weights.map { _ in 1 }
    #expect(try FluxAnalysis.blocked(problem) == blocked)
  }
}
