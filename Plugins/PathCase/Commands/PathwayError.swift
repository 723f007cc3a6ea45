import PluginAPI

/// The errors of requests for a network.
enum PathwayError: Error, Equatable, ReportableError {
  /// The word is neither a pathway nor a file.
  case unknownPathway(String, nearest: String?)
  /// Several pathways have the name.
  case ambiguousPathway(String, found: [String])
  /// The file is a single document of a database, which is incomplete without the others.
  case loneDocument(String)
  /// Scenarios cannot be computed for the file.
  case noScenarios(String)
  /// The network has no flux bounds.
  case noFluxes(String)
  /// Nothing in the network has the name.
  case unknownNode(String, nearest: String?)
  /// The model does not contain the reaction.
  case unknownReaction(String, nearest: String?)
  /// Both a maximum and a minimum flux are requested.
  case twoObjectives
  /// The network does not contain the process.
  case unknownProcess(String, nearest: String?)
  /// None of the pathway's processes is in the network.
  case nothingOfPathway(String)
  /// A pathway of the database is required.
  case notAPathway(String)
  /// The drawing has too many cells to show.
  case tooLargeToShow(columns: Int, rows: Int, advice: String)
  /// The network has too many independent cycles for a drawing of characters.
  case tooTangledToShow(cycles: Int, limit: Int)
  /// There are no optimal fluxes.
  case noOptimum(FluxStatus)
  /// The bounds of a reaction permit no flux.
  case impossibleBounds(reaction: String, lower: Double, upper: Double)
  /// No path connects two things.
  case noPath(from: String, to: String, skipsCommon: Bool)

  /// Returns the error of a problem without an optimum; it names a reaction whose bounds alone rule it out.
  static func noOptimum(_ status: FluxStatus, _ problem: FluxProblem, _ model: ReactionModel) -> PathwayError {
    guard status == .infeasible, let index = problem.impossibleReaction else { return .noOptimum(status) }
    return .impossibleBounds(
      reaction: model.reactions[index].id.text, lower: problem.lower[index], upper: problem.upper[index])
  }

  var report: ErrorReport { whole.short }

  private var whole: ErrorReport {
    switch self {
    case .unknownPathway(let word, let nearest):
      ErrorReport(
        code: "pathcase.unknown-pathway", kind: .notFound, "there is no pathway and no file '\(word)'",
        advice: nearest.map { "did you mean '\($0)'?" } ?? "'workbench pathcase list' names all pathways")
    case .ambiguousPathway(let word, let found):
      ErrorReport(
        code: "pathcase.ambiguous-pathway", kind: .usage, "'\(word)' may be one of several pathways",
        advice: "say which: \(found.joined(separator: ", "))")
    case .loneDocument(let path):
      ErrorReport(
        code: "pathcase.lone-document", kind: .unusableInput,
        "'\(path)' is one document of a database, which is nothing without the others",
        advice: "'workbench pathcase info' tells what is in it; 'update' takes the folder with all of them")
    case .noScenarios(let path):
      ErrorReport(
        code: "pathcase.no-scenarios", kind: .unusableInput,
        "'\(path)' is a drawn map, which does not say what its processes take and give",
        advice: "give a pathway, a model in SBML or a scenario network")
    case .noFluxes(let name):
      ErrorReport(
        code: "pathcase.no-fluxes", kind: .unusableInput, "'\(name)' has no limits of fluxes to compute with",
        advice: "give a model in SBML or COBRA JSON")
    case .unknownNode(let word, let nearest):
      ErrorReport(
        code: "pathcase.unknown-node", kind: .notFound, "there is no metabolite and no process '\(word)'",
        advice: nearest.map { "did you mean '\($0)'?" }
          ?? "'workbench pathcase metabolites' and 'workbench pathcase processes' list them")
    case .unknownReaction(let word, let nearest):
      ErrorReport(
        code: "pathcase.unknown-reaction", kind: .notFound, "the model has no reaction '\(word)'",
        advice: nearest.map { "did you mean '\($0)'?" })
    case .twoObjectives:
      ErrorReport(
        code: "pathcase.two-objectives", kind: .usage, "'--maximize' and '--minimize' cannot be given together",
        advice: "give one of them")
    case .unknownProcess(let word, let nearest):
      ErrorReport(
        code: "pathcase.unknown-process", kind: .notFound, "the network has no process '\(word)'",
        advice: nearest.map { "did you mean '\($0)'?" } ?? "'--page-size 1 --json' shows all")
    case .nothingOfPathway(let word):
      ErrorReport(
        code: "pathcase.nothing-of-pathway", kind: .notFound, "the network has no process of the pathway '\(word)'",
        advice: "name both, with a comma between them")
    case .notAPathway(let word):
      ErrorReport(
        code: "pathcase.not-a-pathway", kind: .usage, "'\(word)' is no pathway of the database",
        advice: "'workbench pathcase list' names all pathways")
    case .tooLargeToShow(let columns, let rows, let advice):
      ErrorReport(
        code: "pathcase.too-large-to-show", kind: .unusableInput,
        "the drawing needs \(columns) columns and \(rows) rows, which is too much to show", advice: advice)
    case .tooTangledToShow(let cycles, let limit):
      ErrorReport(
        code: "pathcase.too-large-to-show", kind: .unusableInput,
        "the network has \(cycles) independent cycles, too many to draw as text; \(limit) are possible",
        advice: DrawingText.partAdvice, details: ["cycles": .integer(cycles)])
    case .noOptimum(let status):
      ErrorReport(
        code: "pathcase.no-optimum", kind: .unusableInput,
        "there are no best fluxes: the problem is \(status.rawValue)",
        advice: "look at the bounds of the reactions and at the objective")
    case .impossibleBounds(let reaction, let lower, let upper):
      ErrorReport(
        code: "pathcase.no-optimum", kind: .unusableInput,
        "the problem is infeasible: '\(reaction)' has the lower bound \(lower) and the upper bound \(upper)",
        advice: "give it a lower bound that is not above the upper one", details: ["reaction": .text(reaction)])
    case .noPath(let from, let to, let skipsCommon):
      ErrorReport(
        code: "pathcase.no-path", kind: .notFound, "no path leads from '\(from)' to '\(to)'",
        advice: skipsCommon ? "'--common' also goes through common molecules, such as ATP" : nil)
    }
  }

  static let errorCodes: [ErrorCodeDescription] = [
    .init("pathcase.unknown-pathway", "no pathway and no file is called so"),
    .init("pathcase.ambiguous-pathway", "several pathways are called so"),
    .init("pathcase.lone-document", "a file is one document of a database and no network by itself"),
    .init("pathcase.no-scenarios", "scenario analysis needs a pathway, a model or a scenario network"),
    .init("pathcase.no-fluxes", "flux analysis needs a model with limits of fluxes"),
    .init("pathcase.unknown-node", "nothing of the network is called so"),
    .init("pathcase.unknown-reaction", "the model has no such reaction"),
    .init("pathcase.two-objectives", "a largest and a smallest flux are asked for at once"),
    .init("pathcase.unknown-process", "the network has no such process"),
    .init("pathcase.nothing-of-pathway", "the network has no process of a pathway that is asked about"),
    .init("pathcase.not-a-pathway", "a file was given where only a pathway of the database will do"),
    .init("pathcase.too-large-to-show", "a drawing has more cells than are written as text"),
    .init("pathcase.no-optimum", "a flux problem has no best solution"),
    .init("pathcase.no-path", "no path leads from one thing to another"),
  ]
}
