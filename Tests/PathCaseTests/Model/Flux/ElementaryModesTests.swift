import PluginAPI
import PluginText
import Testing

@testable import PathCase

/// Elementary modes by exhaustive search over sets of reactions: a set whose balanced fluxes are unique up to a factor
/// is a mode.
private enum BruteModes {
  static func modes(_ problem: ModeProblem, rows: Int) -> Set<[Int]> {
    let free = problem.columns.indices.filter { !problem.stopped.contains($0) }
    var found: Set<[Int]> = []
    for bits in 1..<(1 << free.count) {
      let chosen = free.indices.filter { bits & 1 << $0 != 0 }.map { free[$0] }
      guard let fluxes = line(chosen.map { problem.columns[$0].entries }, rows: rows) else { continue }
      var mode = Array(repeating: 0, count: problem.columns.count)
      for (column, flux) in zip(chosen, fluxes) { mode[column] = flux }
      let fixed = chosen.filter { !problem.columns[$0].isReversible }.map { mode[$0] }
      if fixed.allSatisfy({ $0 < 0 }), !fixed.isEmpty { mode = mode.map(-) }
      guard fixed.allSatisfy({ $0 > 0 }) || fixed.allSatisfy({ $0 < 0 }) else { continue }
      if fixed.isEmpty, mode.first(where: { $0 != 0 }) ?? 0 < 0 { mode = mode.map(-) }
      found.insert(mode)
    }
    return found
  }

  /// Returns the only balanced combination of columns without zeros; nil if there is none or more than one.
  private static func line(_ columns: [[ModeEntry]], rows: Int) -> [Int]? {
    var matrix = Array(repeating: Array(repeating: 0, count: columns.count), count: rows)
    for (column, entries) in columns.enumerated() {
      for entry in entries { matrix[entry.index][column] = entry.amount }
    }
    var pivots: [Int] = []
    for column in columns.indices {
      guard let row = (pivots.count..<rows).first(where: { matrix[$0][column] != 0 }) else { continue }
      matrix.swapAt(pivots.count, row)
      let pivot = matrix[pivots.count]
      for other in matrix.indices where other != pivots.count && matrix[other][column] != 0 {
        let (a, b) = (pivot[column], matrix[other][column])
        matrix[other] = zip(matrix[other], pivot).map { $0 * a - $1 * b }
        let divisor = matrix[other].reduce(0) { ModeArithmetic.divisor($0, $1) }
        if divisor > 1 { matrix[other] = matrix[other].map { $0 / divisor } }
      }
      pivots.append(column)
    }
    guard pivots.count == columns.count - 1, let free = columns.indices.first(where: { !pivots.contains($0) }) else {
      return nil
    }
    var scale = 1
    for (row, column) in pivots.enumerated() {
      scale = scale / ModeArithmetic.divisor(scale, matrix[row][column]) * abs(matrix[row][column])
    }
    var fluxes = Array(repeating: 0, count: columns.count)
    fluxes[free] = scale
    for (row, column) in pivots.enumerated() { fluxes[column] = -matrix[row][free] * scale / matrix[row][column] }
    let divisor = fluxes.reduce(0) { ModeArithmetic.divisor($0, $1) }
    return fluxes.contains(0) ? nil : fluxes.map { $0 / divisor }
  }
}

struct ElementaryModesTests {
  private func dense(_ modes: ElementaryModes, _ count: Int) -> [[Int]] {
    modes.modes.map { mode in
      var fluxes = Array(repeating: 0, count: count)
      for entry in mode.fluxes { fluxes[entry.index] = entry.amount }
      return fluxes
    }
  }

  @Test(.enabled(if: !ScenarioTruth.names.isEmpty, "the shared data is missing"), arguments: ScenarioTruth.names)
  func `the modes of known networks match the published ones`(name: String) throws {
    let example = try ScenarioTruth.example(name)
    guard let known = example.texts("elementary_mode_supports") else { return }
    let modes = try ElementaryModes(try ModeProblem(example.network)).modes
    #expect(modes.count == example.expected["elementary_modes"]?.integer && modes.count == known.count)
    func text(_ mode: ElementaryMode, _ sign: Int) -> String {
      mode.fluxes.map { example.network.processes[$0.index].id.text + ($0.amount * sign < 0 ? "-rev" : "") }
        .joined(separator: " ")
    }
    for mode in modes {
      #expect(known.contains(text(mode, 1)) || mode.isReversible && known.contains(text(mode, -1)), "\(text(mode, 1))")
    }
  }

  @Test(arguments: 0..<60)
  func `the modes of random networks match an exhaustive search`(seed: UInt64) throws {
    var source = SplitMix64(seed: seed)
    let (rows, count) = (Int.random(in: 2...5, using: &source), Int.random(in: 3...8, using: &source))
    var problem = ModeProblem()
    for index in 0..<count {
      problem.ids.append(Identifier("r\(index)"))
      var column = ModeProblem.Column(isReversible: Bool.random(using: &source))
      for row in 0..<rows where Int.random(in: 0..<5, using: &source) < 2 {
        let amount = Int.random(in: 1...3, using: &source) * (Bool.random(using: &source) ? 1 : -1)
        column.entries.append(ModeEntry(index: row, amount: amount))
      }
      if Int.random(in: 0..<10, using: &source) == 0 {
        problem.stopped.insert(index)
        column.entries = []
      }
      problem.columns.append(column)
    }
    let modes = try ElementaryModes(problem)
    let all = dense(modes, count)
    #expect(Set(all).count == all.count)
    #expect(Set(all) == BruteModes.modes(problem, rows: rows))
  }

  @Test func `a reaction that only runs backward has negative fluxes`() throws {
    var model = ReactionModel()
    model.species = [ModelSpecies(id: "a"), ModelSpecies(id: "b")]
    model.reactions = [
      ModelReaction(id: "in", stoichiometry: [.init(species: 0, amount: -0.5)], lowerBound: -10, upperBound: 0),
      ModelReaction(
        id: "ab", stoichiometry: [.init(species: 0, amount: -1), .init(species: 1, amount: 0.25)], lowerBound: 0),
      ModelReaction(id: "out", stoichiometry: [.init(species: 1, amount: -1)], lowerBound: 0),
      ModelReaction(id: "shut", stoichiometry: [.init(species: 1, amount: -1)], lowerBound: 0, upperBound: 0),
    ]
    let problem = try ModeProblem(model)
    let modes = try ElementaryModes(problem)
    #expect(dense(modes, 4) == [[-8, 4, 1, 0]])
    #expect(modes.unused(of: problem) == [3] && modes.compressedCount == 1)
    #expect(modes.modes.first?.isReversible == false)
  }

  @Test func `a stoichiometric amount that is not a decimal fraction is refused by species name`() {
    var model = ReactionModel()
    model.species = [ModelSpecies(id: "third")]
    model.reactions = [ModelReaction(id: "r", stoichiometry: [.init(species: 0, amount: 1.0 / 3)])]
    #expect(throws: ModeError.amountTooFine(species: "third")) { try ModeProblem(model) }
  }

  /// Returns a chain of pairs of parallel reactions, with two to the power of its length modes.
  private func ladder(_ length: Int) -> ModeProblem {
    var problem = ModeProblem()
    for step in 0...length {
      for side in 0..<2 where step > 0 || side == 0 {
        problem.ids.append(Identifier("r\(step)\(side)"))
        var entries: [ModeEntry] = []
        if step > 0 { entries.append(ModeEntry(index: step - 1, amount: -1)) }
        if step < length { entries.append(ModeEntry(index: step, amount: side + 1)) }
        problem.columns.append(.init(entries: entries))
      }
    }
    return problem
  }

  @Test func `more modes than the limit, a late or a canceled computation end with an error`() throws {
    #expect(try ElementaryModes(ladder(8)).modes.count == 256)
    var limits = ElementaryModes.Limits()
    limits.rays = 200
    let error = #expect(throws: ModeError.self) { try ElementaryModes(ladder(8), limits: limits) }
    #expect(error?.report.message.contains("200") == true && error?.report.code == "pathcase.modes-limit")
    limits = ElementaryModes.Limits()
    limits.isLate = { true }
    #expect(throws: ModeError.tooSlow(seconds: 60, reactions: 17)) { try ElementaryModes(ladder(8), limits: limits) }
    limits.isCancelled = { true }
    #expect(throws: CancellationError.self) { try ElementaryModes(ladder(8), limits: limits) }
  }

  @Test func `amounts that exceed exact arithmetic are refused`() {
    var problem = ModeProblem()
    for step in 0..<30 {
      problem.ids.append(Identifier("r\(step)"))
      problem.columns.append(
        .init(entries: [ModeEntry(index: step, amount: 997), ModeEntry(index: step + 1, amount: -991)]))
    }
    problem.columns += [
      .init(entries: [ModeEntry(index: 0, amount: -1)]), .init(entries: [ModeEntry(index: 30, amount: 1)]),
    ]
    #expect(throws: ModeError.numbersTooLarge) { try ElementaryModes(problem) }
  }
}
