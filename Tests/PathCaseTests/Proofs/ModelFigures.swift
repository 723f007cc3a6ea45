@testable import PathCase

/// The figures of a model under the names used by other programs, each computed on demand.
struct ModelFigures {
  private let document: SBMLDocument
  private let problem: FluxProblem
  private var model: ReactionModel { document.model }

  init(_ document: SBMLDocument) {
    self.document = document
    problem = FluxProblem(document.model)
  }

  /// Returns the difference from a known figure; nil if there is none.
  ///
  /// - Parameter name: The name of the file.
  mutating func fault(_ key: String, _ known: Any, of name: String) throws -> String? {
    // Other programs give each species at the boundary a reaction of its own, and count these.
    let hasBoundary = model.species.contains { $0.isBoundary }
    switch key {
    case "cobra.reactions" where hasBoundary, "cobra.metabolites" where hasBoundary,
      "cobra.exchanges" where hasBoundary,
      "pfba_total_flux" where hasBoundary:
      return nil
    case "compartment_ids": return same(key, model.compartments.map(\.id.text), known as? [String])
    case "model": return same(key, model.id.text, known as? String)
    case "cobra.direction": return same(key, isMaximized ? "max" : "min", known as? String)
    case "read_errors": return same(key, [], known as? [Int])
    case "fba.status": return same(key, try FluxAnalysis.solve(problem).status.rawValue, known as? String)
    case "fva", "single_gene_deletion", "single_reaction_deletion": return try table(key, known, of: name)
    case "fba.objective", "fba.objective_highs", "fba_direct_highs.objective", "pfba_total_flux", "fva_sum_of_widths":
      return try numberFault(key, known)
    default: break
    }
    guard let count = try count(key) else { return "nobody compares '\(key)'" }
    return same(key, count, known as? Int)
  }

  private var isMaximized: Bool { model.activeObjective.map { model.objectives[$0].isMaximized } ?? true }

  private func same<Figure: Equatable>(_ key: String, _ found: Figure, _ known: Figure?) -> String? {
    found == known ? nil : "\(key) is \(found), known is \(known.map { "\($0)" } ?? "something else")"
  }

  private func count(_ key: String) throws -> Int? {
    switch key {
    case "level": document.level
    case "version": document.version
    case "fbc_version": document.fluxPackage
    case "species", "cobra.metabolites": model.species.count
    case "reactions", "cobra.reactions": model.reactions.count
    case "compartments": model.compartments.count
    case "parameters": model.parameters.count
    case "groups": model.groups.count
    case "objectives": model.objectives.count
    case "boundary_species": model.species.count { $0.isBoundary }
    case "reversible": model.reactions.count { $0.isReversible }
    case "species_refs": model.reactions.reduce(0) { $0 + $1.stoichiometry.count }
    case "cobra.genes": model.genes.count
    // The first version of the package has none of its own.
    case "gene_products": document.fluxPackage == 1 ? 0 : model.genes.count
    case "cobra.exchanges": model.reactions.count { isExchange($0) }
    case "blocked_reactions":
      try FluxAnalysis.blocked(problem).reactions.count
    default: nil
    }
  }

  /// Returns whether a reaction has a single species, outside the cell if that is a compartment.
  private func isExchange(_ reaction: ModelReaction) -> Bool {
    guard reaction.stoichiometry.count == 1 else { return false }
    let compartment = model.species[reaction.stoichiometry[0].species].compartment
    let outside = model.compartments.firstIndex { ["e", "C_e", "bioreactor"].contains($0.id.text) }
    return outside == nil || compartment == outside
  }

  private func numberFault(_ key: String, _ known: Any) throws -> String? {
    let solution = try FluxAnalysis.solve(problem)
    let found: Double?
    switch key {
    case "pfba_total_flux": found = try FluxAnalysis.leastTotal(problem).totalFlux
    case "fva_sum_of_widths":
      let ranges = try FluxAnalysis.ranges(problem)
      found = ranges.ranges.reduce(0) { $0 + ($1.map { $0.largest - $0.least } ?? 0) }
    default: found = solution.objective
    }
    // With a status other than optimal, other programs still give a number.
    guard let found else { return solution.status == .optimal ? "\(key) has no value" : nil }
    guard let known = known as? Double, abs(found - known) <= 1e-6 * max(1, abs(known)) else {
      return "\(key) is \(found), known is \(known)"
    }
    return nil
  }

  // MARK: Tables

  private func table(_ key: String, _ known: Any, of name: String) throws -> String? {
    guard let known = known as? [String: Any] else { return "\(key) is no table" }
    var wrong: [String] = []
    switch key {
    case "fva":
      let ranges = try FluxAnalysis.ranges(problem).ranges
      if ranges.count != model.reactions.count { wrong.append("\(ranges.count) ranges") }
      for (reaction, range) in zip(model.reactions, ranges) {
        guard let pair = known[plain(reaction.id)] as? [Double] else {
          wrong.append("\(reaction.id) is not known")
          continue
        }
        // They are stored with nine digits, from solvers that agree to six.
        if abs((range?.least ?? .nan) - pair[0]) < 1e-5, abs((range?.largest ?? .nan) - pair[1]) < 1e-5 { continue }
        wrong.append("\(reaction.id): \(String(describing: range)), known \(pair)")
      }
    case "single_reaction_deletion":
      let results = try FluxAnalysis.deletions(problem, of: model.reactions.indices.map { [$0] })
      if results.count != model.reactions.count { wrong.append("\(results.count) deletions") }
      for (reaction, result) in zip(model.reactions, results) { compare(reaction.id, result, known, &wrong) }
    default:
      // The names of genes in the first version, and in notes, are changed there.
      if document.fluxPackage != 2 { return same(key, model.genes.count, known.count) }
      let genes = GeneDeletions(model)
      let results = try FluxAnalysis.deletions(
        problem, of: model.genes.indices.map { genes.stoppedReactions(without: [$0]) })
      if results.count != model.genes.count { wrong.append("\(results.count) deletions") }
      for (gene, result) in zip(model.genes, results) { compare(gene.id, result, known, &wrong) }
    }
    return wrong.isEmpty ? nil : "\(key): \(wrong.prefix(5))"
  }

  private func compare(_ id: Identifier, _ result: DeletionResult, _ known: [String: Any], _ wrong: inout [String]) {
    guard let entry = known[plain(id)] else {
      wrong.append("\(id) is not known")
      return
    }
    // Another solver reports zero growth as infeasible.
    guard let known = entry as? Double else {
      if result.status != .infeasible { wrong.append("\(id) is \(result.status)") }
      return
    }
    guard let found = result.objective, abs(found - known) <= 1e-6 * max(1, abs(known)) else {
      wrong.append("\(id) leaves \(String(describing: result.objective)), known is \(known)")
      return
    }
  }

  /// Returns an id as shown by other programs: without the prefix of its kind.
  private func plain(_ id: Identifier) -> String {
    for prefix in ["R_", "G_"] where id.text.hasPrefix(prefix) { return String(id.text.dropFirst(2)) }
    return id.text
  }
}

/// A problem with a limit on the sum of all absolute fluxes.
///
/// Each flux is the difference of two nonnegative ones, which all produce an additional species; the flux that consumes
/// it has the limit.
struct LimitedTotal {
  private let problem: FluxProblem
  private let count: Int

  init(_ whole: FluxProblem, limit: Double) throws {
    count = whole.reactionCount
    var columns: [[(row: Int, amount: Double)]] = (0..<count).map { reaction in
      (Int(whole.starts[reaction])..<Int(whole.starts[reaction + 1])).map {
        (Int(whole.indices[$0]), whole.amounts[$0])
      } + [(whole.rows + reaction, -1)]
    }
    let total = whole.rows + count
    let most = limit
    for reaction in 0..<count { columns.append([(whole.rows + reaction, 1), (total, 1)]) }
    for reaction in 0..<count { columns.append([(whole.rows + reaction, -1), (total, 1)]) }
    columns.append([(total, -1)])
    let zeros = [Double](repeating: 0, count: 2 * count + 1)
    problem = FluxProblem(
      rows: total + 1, columns: columns, lower: whole.lower + zeros,
      upper: whole.upper + [Double](repeating: most, count: 2 * count + 1), weights: whole.weights + zeros,
      isMaximized: whole.isMaximized)
  }

  func ranges() throws -> [FluxRange?] {
    Array(try FluxAnalysis.ranges(problem, reactions: Array(0..<count)).ranges.prefix(count))
  }
}
