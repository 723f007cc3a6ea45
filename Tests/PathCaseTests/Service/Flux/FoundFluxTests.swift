import Testing

@testable import PathCase

/// Flux analyses of models found later, compared with COBRApy 0.32 and HiGHS 1.16.
@Suite(.enabled(if: FoundModels.arePresent, "the shared data are absent"))
struct FoundFluxTests {
  /// The reactions and genes of the pathway to coenzyme A in iAF1260: without one of them there is no growth.
  private static let coenzyme = (
    reactions: [
      "R_ASP1DC", "R_DPCOAK", "R_DPR", "R_MOHMT", "R_PANTS", "R_PNTK", "R_PPCDC", "R_PPNCL2", "R_PTPATi",
    ], genes: ["G_b0103", "G_b0131", "G_b0133", "G_b0134", "G_b3634", "G_b3639", "G_b3974"]
  )

  @Test func `a deletion that leaves no growth is feasible`() throws {
    let model = try FoundModels.model("iAF1260")
    let problem = FluxProblem(model)
    let reactions = try FluxAnalysis.deletions(problem, of: model.reactions.indices.map { [$0] })
    let infeasible = model.reactions.indices.filter { reactions[$0].status != .optimal }
    #expect(infeasible.map { model.reactions[$0].id.text } == ["R_EX_glc_DASH_D_e"])
    for id in Self.coenzyme.reactions {
      let index = try #require(model.reactions.firstIndex { $0.id.text == id })
      #expect(abs(reactions[index].objective ?? .infinity) < 1e-6, "\(id)")
    }
    let genes = GeneDeletions(model)
    let results = try FluxAnalysis.deletions(
      problem, of: model.genes.indices.map { genes.stoppedReactions(without: [$0]) })
    #expect(results.allSatisfy { $0.status == .optimal })
    for id in Self.coenzyme.genes {
      let index = try #require(model.genes.firstIndex { $0.id.text == id })
      #expect(abs(results[index].objective ?? .infinity) < 1e-6, "\(id)")
    }
  }

  @Test(arguments: [("T_Maritima", 268), ("iND750", 635), ("iCS291", 49)])
  func `the number of blocked reactions matches COBRApy's`(_ name: String, _ count: Int) throws {
    let blocked = try FluxAnalysis.blocked(FluxProblem(try FoundModels.model(name)))
    #expect(blocked.status == .optimal && blocked.reactions.count == count)
  }

  @Test(arguments: ["T_Maritima", "iND750", "iCS291", "iAF1260"])
  func `the least total flux matches COBRApy's at the optimal objective`(_ name: String) throws {
    let truth = FoundModels.truth(name)
    let known = try #require(truth["pfba_total_flux"] as? Double)
    let best = try #require((truth["fba"] as? [String: Any])?["objective_highs"] as? Double)
    let problem = FluxProblem(try FoundModels.model(name))
    let least = try FluxAnalysis.leastTotal(problem)
    #expect(abs(try #require(least.totalFlux) - known) <= 1e-6 * known)
    #expect(abs(try #require(least.objective) - best) <= 1e-8)
    #expect(problem.imbalance(of: least.fluxes) < 1e-6)
    let some = try FluxAnalysis.leastTotal(problem, fraction: 0.9)
    #expect(abs(try #require(some.objective) - 0.9 * best) <= 1e-6 && (some.totalFlux ?? .infinity) < known)
  }

  @Test(arguments: ["iND750", "iAF1260"])
  func `no optimal flux is at a bound that means no limit`(_ name: String) throws {
    let problem = FluxProblem(try FoundModels.model(name))
    #expect(problem.upper.max() == 999_999)
    let largest = try FluxAnalysis.solve(problem).fluxes.map(abs).max()
    #expect((largest ?? .infinity) < 1000)
  }

  @Test func `blocked reactions do not depend on the objective`() throws {
    var problem = FluxProblem(try FoundModels.model("T_Maritima"))
    let blocked = try FluxAnalysis.blocked(problem)
    problem.isMaximized.toggle()
    problem.weights = problem.weights.map { _ in 1 }
    #expect(try FluxAnalysis.blocked(problem) == blocked)
  }

  @Test func `pivots grow in proportion to the copies of a model in one medium`() throws {
    let problem = FluxProblem(try FoundModels.model("iND750"))
    let one = try LinearProgram(FluxAnalysis.setup(problem))
    let ten = try LinearProgram(FluxAnalysis.setup(problem.copied(10)))
    #expect(one.solve(isMaximized: true) == .optimal && ten.solve(isMaximized: true) == .optimal)
    #expect(one.steps > 0 && ten.steps <= 20 * one.steps)
  }
}

extension FluxProblem {
  /// Returns copies of a problem that share the uptake of its exchange reactions, and these reactions.
  fileprivate func copied(_ count: Int) -> FluxProblem {
    let columns = (0..<reactionCount).map { column in
      (Int(starts[column])..<Int(starts[column + 1])).map { (row: Int(indices[$0]), amount: amounts[$0]) }
    }
    let isExchange = columns.map { $0.count == 1 }
    let medium = Set(columns.filter { $0.count == 1 }.map { $0[0].row })
    let taken = (0..<count).flatMap { copy in
      columns.indices.filter { copy == 0 || !isExchange[$0] }.map { (copy: copy, column: $0) }
    }
    return FluxProblem(
      rows: rows * count,
      columns: taken.map { copy, column in
        columns[column].map { (row: medium.contains($0.row) ? $0.row : $0.row + copy * rows, amount: $0.amount) }
      },
      lower: taken.map { lower[$0.column] }, upper: taken.map { upper[$0.column] },
      weights: taken.map { weights[$0.column] }, isMaximized: isMaximized)
  }
}
