import PathCaseSimulator
import PluginAPI

/// The errors of requests for a network.
enum PathwayError {
  static let all: [DeclaredError] = [
    unknownPathway, ambiguousPathway, loneDocument, noScenarios, noFluxes, unknownNode, unknownReaction, twoObjectives,
    unknownProcess, nothingOfPathway, notAPathway, tooLargeToShow, noOptimum, noPath,
  ]

  // MARK: Networks

  static let unknownPathway = DeclaredError(
    "pathcase.unknown-pathway", .notFound, "no pathway and no file is called so")

  static func unknownPathway(_ word: String, nearest: String?) -> ErrorReport {
    unknownPathway(
      "there is no pathway and no file '\(word)'",
      advice: nearest.map { "did you mean '\($0)'?" } ?? "'workbench pathcase list' names all pathways"
    ).short
  }

  static let ambiguousPathway = DeclaredError(
    "pathcase.ambiguous-pathway", .usage, "several pathways are called so")
  static let notAPathway = DeclaredError(
    "pathcase.not-a-pathway", .usage, "a file was given where only a pathway of the database will do")

  static func notAPathway(_ word: String) -> ErrorReport {
    notAPathway(
      "'\(word)' is not a pathway of the database", advice: "'workbench pathcase list' names all pathways"
    ).short
  }

  static let loneDocument = DeclaredError(
    "pathcase.lone-document", .unusableInput, "a file is one document of a database and no network by itself")

  static func loneDocument(_ path: String) -> ErrorReport {
    loneDocument(
      "'\(path)' is one document of a database, which is nothing without the others",
      advice: "'workbench pathcase info' tells what is in it; 'update' takes the folder with all of them"
    ).short
  }

  static let noScenarios = DeclaredError(
    "pathcase.no-scenarios", .unusableInput, "scenario analysis needs a pathway, a model or a scenario network")
  static let noFluxes = DeclaredError(
    "pathcase.no-fluxes", .unusableInput, "flux analysis needs a model with limits of fluxes")

  static func noFluxes(_ name: String) -> ErrorReport {
    noFluxes(
      "'\(name)' has no limits of fluxes to compute with", advice: "give a model in SBML or COBRA JSON"
    ).short
  }

  // MARK: Parts of a network

  static let unknownNode = DeclaredError(
    "pathcase.unknown-node", .notFound, "nothing of the network is called so")

  static func unknownNode(_ word: String, nearest: String?) -> ErrorReport {
    unknownNode(
      "there is no metabolite and no process '\(word)'",
      advice: nearest.map { "did you mean '\($0)'?" }
        ?? "'workbench pathcase metabolites' and 'workbench pathcase processes' list them"
    ).short
  }

  static let unknownReaction = DeclaredError(
    "pathcase.unknown-reaction", .notFound, "the model has no such reaction")
  static let unknownProcess = DeclaredError(
    "pathcase.unknown-process", .notFound, "the network has no such process")
  static let nothingOfPathway = DeclaredError(
    "pathcase.nothing-of-pathway", .notFound, "the network has no process of a pathway that is asked about")
  static let noPath = DeclaredError("pathcase.no-path", .notFound, "no path leads from one thing to another")

  // MARK: Fluxes

  static let twoObjectives = DeclaredError(
    "pathcase.two-objectives", .usage, "a largest and a smallest flux are asked for at once")
  static let noOptimum = DeclaredError("pathcase.no-optimum", .unusableInput, "a flux problem has no best solution")

  /// Returns the error of a problem without an optimum; it names a reaction whose bounds alone rule it out.
  static func noOptimum(_ status: FluxStatus, _ problem: FluxProblem, _ model: ReactionModel) -> ErrorReport {
    guard status == .infeasible, let index = problem.impossibleReaction else {
      return noOptimum(
        "there are no best fluxes: the problem is \(status.rawValue)",
        advice: "look at the bounds of the reactions and at the objective")
    }
    let reaction = model.reactions[index].id.text
    return noOptimum(
      "the problem is infeasible: '\(reaction)' has the lower bound \(problem.lower[index]) and the upper bound "
        + "\(problem.upper[index])",
      advice: "give it a lower bound that is not above the upper one", details: ["reaction": .text(reaction)]
    ).short
  }

  // MARK: Drawings

  static let tooLargeToShow = DeclaredError(
    "pathcase.too-large-to-show", .unusableInput, "a drawing has more cells than are written as text")

  static func tooLargeToShow(columns: Int, rows: Int, advice: String) -> ErrorReport {
    tooLargeToShow(
      "the drawing needs \(columns) columns and \(rows) rows, which is too much to show", advice: advice)
  }

  /// Returns the error of a network with too many independent cycles for a drawing of characters.
  static func tooTangledToShow(cycles: Int, limit: Int) -> ErrorReport {
    tooLargeToShow(
      "the network has \(cycles) independent cycles, too many to draw as text; \(limit) are possible",
      advice: DrawingText.partAdvice, details: ["cycles": .integer(cycles)])
  }
}

/// All stable codes of errors and notes in this plugin.
enum PathCaseErrorCodes {
  /// Each code is listed once: formats share codes for common errors.
  static let all: [ErrorCodeDescription] = {
    var known: Set<String> = []
    return lists.joined().filter { known.insert($0.code).inserted }
  }()

  private static let lists: [[ErrorCodeDescription]] = [
    PathwayError.all.map(\.catalogueEntry), notes, NetworkFileError.all.map(\.catalogueEntry), MapError.errorCodes,
    ContractError.errorCodes, SnapshotError.errorCodes, RecordIssue.errorCodes, SBMLError.errorCodes,
    FluxError.all.map(\.catalogueEntry), PictureError.all.map(\.catalogueEntry),
    [NetworkOutput.notWritable.catalogueEntry],
    ExportError.all.map(\.catalogueEntry), ImportError.all.map(\.catalogueEntry), SBMLWriteError.errorCodes,
    COBRAError.errorCodes, ScenarioFileError.errorCodes, ScenarioError.all.map(\.catalogueEntry),
    ObservationError.all.map(\.catalogueEntry),
    SnapshotStoreError.errorCodes, UpdateError.errorCodes, SimulatorError.all.map(\.catalogueEntry),
    ModeError.errorCodes,
  ]

  private static let notes: [ErrorCodeDescription] = [
    .init("pathcase.database-updated", "note: another state of the database is in use now"),
    .init("pathcase.database-unchanged", "note: there was nothing new to fetch"),
    .init("pathcase.ids-changed", "note: ids were changed, as a format cannot have them"),
    .init("pathcase.overlay-missing", "numbers name what a network does not have"),
    .init("pathcase.import-known", "note: a network was imported before"),
    .init("pathcase.cut", "a drawing is wider than what is shown of it"),
    .init("pathcase.picture-scaled", "a PNG was scaled to fit 4000 pixels"),
    .init("pathcase.coarse", "a network is so large that it is laid out roughly"),
    .init("pathcase.empty", "there is nothing in a network to draw"),
    .init("pathcase.no-objective", "a model says of no flux that it is to be large or small"),
  ]
}
