import PathCaseSimulator
import PluginAPI

/// The errors of requests for a network.
///
/// A declaration is private if a function that takes one text has the same name. Elsewhere, a call of that name would be
/// ambiguous, and could use the text as the whole message.
enum PathwayError {
  static let all: [DeclaredError] = [
    unknownPathway, ambiguousPathway, loneDocument, noScenarios, noFluxes, unknownNode, unknownReaction, twoObjectives,
    badPart, unknownProcess, nothingOfPathway, notAPathway, tooLargeToShow, noOptimum, noPath,
  ]

  // MARK: Networks

  static let unknownPathway = DeclaredError(
    "pathcase.unknown-pathway", .notFound, "no pathway or file has this name")

  static func unknownPathway(_ word: String, known: [String]) -> ErrorReport {
    unknownPathway(
      "there is no pathway or file '\(word)'",
      advice: Suggestion.advice(for: word, in: known) ?? "list the pathways with 'workbench pathcase list'"
    ).short
  }

  static let ambiguousPathway = DeclaredError(
    "pathcase.ambiguous-pathway", .usage, "the name matches several pathways")
  private static let notAPathway = DeclaredError(
    "pathcase.not-a-pathway", .usage, "a file is given where a pathway of the database is needed")

  static func notAPathway(_ word: String) -> ErrorReport {
    notAPathway(
      "'\(word)' is not a pathway of the database", advice: "list the pathways with 'workbench pathcase list'"
    ).short
  }

  private static let loneDocument = DeclaredError(
    "pathcase.lone-document", .unusableInput, "the file is a single document of a database, not a network")

  static func loneDocument(_ path: String) -> ErrorReport {
    loneDocument(
      "'\(path)' is a single document of a database, not a network",
      advice: "show its contents with 'workbench pathcase info', or give 'update' the folder with all documents"
    ).short
  }

  static let noScenarios = DeclaredError(
    "pathcase.no-scenarios", .unusableInput, "scenario analysis needs a pathway, a model or a scenario network")
  private static let noFluxes = DeclaredError(
    "pathcase.no-fluxes", .unusableInput, "flux analysis needs a model with flux bounds")

  static func noFluxes(_ name: String) -> ErrorReport {
    noFluxes(
      "'\(name)' has no flux bounds", advice: "give a model in SBML or COBRA JSON"
    ).short
  }

  // MARK: Parts of a network

  static let unknownNode = DeclaredError(
    "pathcase.unknown-node", .notFound, "no metabolite or process has this name")

  /// Returns the error of an unknown name.
  ///
  /// - Parameters:
  ///   - known: The names from which the advice suggests a similar one.
  ///   - network: The id or file of the searched network; nil for the whole database.
  static func unknownNode(_ word: String, known: [String], in network: String? = nil) -> ErrorReport {
    let lists = network.map(listing(of:)) ?? "'workbench pathcase metabolites' and 'workbench pathcase processes'"
    return unknownNode(
      "there is no metabolite or process '\(word)'",
      advice: Suggestion.advice(for: word, in: known) ?? "list them with \(lists)"
    ).short
  }

  /// Returns the command that lists the nodes of a network.
  private static func listing(of network: String) -> String {
    "'workbench pathcase layout \(network.contains(" ") ? "\"\(network)\"" : network)'".asMessage
  }

  static let unknownReaction: DeclaredError = FluxError.unknownReaction

  /// Returns the error of a reaction that is not in a network, by its id or file.
  ///
  /// - Parameter advice: A suggestion; nil to advise listing the reactions.
  static func unknownReaction(_ word: String, in network: String, advice: String?) -> ErrorReport {
    unknownReaction(
      "the model has no reaction '\(word)'", advice: advice ?? "list them with \(listing(of: network))"
    ).short
  }

  static let unknownProcess = DeclaredError(
    "pathcase.unknown-process", .notFound, "the network has no process with this id")
  static let nothingOfPathway = DeclaredError(
    "pathcase.nothing-of-pathway", .notFound, "the network has no process of the given pathway")
  static let noPath = DeclaredError("pathcase.no-path", .notFound, "no path connects the two nodes")

  // MARK: Fluxes

  static let twoObjectives = DeclaredError(
    "pathcase.two-objectives", .usage, "both a flux to maximize and a flux to minimize are given")
  private static let badPart = DeclaredError("pathcase.bad-part", .usage, "a part is not K/N with K from 1 to N")

  static func badPart(_ text: String) -> ErrorReport {
    badPart(
      "'\(text)' is not a part", advice: "give K/N with K from 1 to N and N up to 1000000, such as 3/100"
    ).short
  }

  static let noOptimum = DeclaredError(
    "pathcase.no-optimum", .unusableInput, "the flux problem has no optimal solution")

  static func noOptimum(_ status: FluxStatus) -> ErrorReport {
    noOptimum(
      "there are no optimal fluxes: the problem is \(status.rawValue)",
      advice: "check the bounds of the reactions and the objective")
  }

  /// Returns the error of a reaction whose bounds alone rule out all fluxes of its model.
  static func impossibleBounds(_ reaction: ModelReaction) -> ErrorReport {
    noOptimum(
      "the problem is infeasible: '\(reaction.id)' has the lower bound \(reaction.lowerBound) and the upper bound "
        + "\(reaction.upperBound)",
      advice: "make its lower bound at most its upper bound", details: ["reaction": .text(reaction.id.text)]
    ).short
  }

  // MARK: Drawings

  static let tooLargeToShow = DeclaredError(
    "pathcase.too-large-to-show", .unusableInput, "the drawing is too large to show as text")

  static func tooLargeToShow(columns: Int, rows: Int, advice: String) -> ErrorReport {
    tooLargeToShow(
      "the drawing needs \(columns) columns and \(rows) rows, too many to show as text", advice: advice)
  }

  /// Returns the error of a network with too many independent cycles for a drawing of characters.
  static func tooTangledToShow(cycles: Int, limit: Int, advice: String) -> ErrorReport {
    tooLargeToShow(
      "the network has \(cycles) independent cycles, too many to draw as text; the limit is \(limit)",
      advice: advice, details: ["cycles": .integer(cycles)])
  }
}

/// All stable codes of errors and notes in this plugin.
enum PathCaseErrorCodes {
  /// Each code is listed once, though areas may share it.
  static let all: [ErrorCodeDescription] = {
    var known: Set<String> = []
    return lists.joined().filter { known.insert($0.code).inserted }
  }()

  /// The descriptions by area; lists that share a code have the same text for it.
  static let lists: [[ErrorCodeDescription]] = [
    PathwayError.all.map(\.catalogueEntry), notes, NetworkFileError.all.map(\.catalogueEntry),
    FileErrors.all.map(\.catalogueEntry),
    MapError.errorCodes, (ContractError.declared + [SnapshotError.mismatch]).map(\.catalogueEntry),
    RecordIssue.errorCodes, SBMLError.errorCodes,
    FluxError.all.map(\.catalogueEntry), PictureError.all.map(\.catalogueEntry),
    [NetworkOutput.notWritable.catalogueEntry],
    ExportError.all.map(\.catalogueEntry), ImportError.all.map(\.catalogueEntry), SBMLWriteError.errorCodes,
    COBRAError.errorCodes, ScenarioFileError.errorCodes, ScenarioError.all.map(\.catalogueEntry),
    ObservationError.all.map(\.catalogueEntry),
    SnapshotStoreError.errorCodes, UserDataError.errorCodes, UpdateError.errorCodes,
    SimulatorError.all.map(\.catalogueEntry),
    ModeError.errorCodes,
  ]

  private static let notes: [ErrorCodeDescription] = [
    .init("pathcase.database-updated", "note: the database was updated"),
    .init("pathcase.database-unchanged", "note: the database is up to date"),
    .init("pathcase.ids-changed", "note: ids that a format does not allow were changed"),
    .init("pathcase.overlay-missing", "numbers have ids that are not in the network"),
    .init("pathcase.import-known", "note: the network was imported before"),
    .init("pathcase.cut", "the drawing is wider than the columns shown"),
    .init("pathcase.picture-scaled", "the PNG was scaled to fit 4000 pixels"),
    .init("pathcase.coarse", "the network is so large that its layout is only approximate"),
    .init("pathcase.empty", "the network has nothing to draw"),
    .init("pathcase.no-such-page", "note: the page is beyond the last scenario"),
    .init("pathcase.no-objective", "the model has no objective"),
  ]
}
