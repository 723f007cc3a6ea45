import PluginAPI

/// A command of this plugin: its declaration and its implementation.
struct PathCaseCommand: Sendable {
  let declaration: CommandDescription
  private let body: @Sendable (CommandCall, PathwayShelf) async throws -> Void

  init(
    _ declaration: CommandDescription, _ body: @escaping @Sendable (CommandCall, PathwayShelf) async throws -> Void
  ) {
    self.declaration = declaration
    self.body = body
  }

  /// Returns the command in the form that the host expects.
  func bound(to shelf: PathwayShelf) -> any Command {
    BoundPathCaseCommand(declaration: declaration) { [body] call in
      defer { if let trouble = shelf.untoldTrouble() { call.warn(trouble) } }
      try await body(call, shelf)
    }
  }

  /// All commands, in the order of the help.
  static let all: [PathCaseCommand] = Array(groups.joined())

  private static let groups: [[PathCaseCommand]] = [
    DatabaseCommands.all, GraphCommands.all, [DrawCommand.command], NetworkCommands.all, NeighbourCommands.all,
    ScenarioCommand.all, FluxCommands.all, UpdateCommands.all, others,
  ]

  private static let others = [ValidateCommand.command, FreezeCommand.command, DatabaseSimulateCommand.command]

  /// The extensions of network files.
  static let document = Parameter.Kind.document(extensions: [
    "xml", "sbml", "json", "sbgn", "gpml", "kgml", "owl", "gz",
  ])

  /// The parameter for the network to work on.
  static let network = Parameter(
    "network", document,
    "the id of a pathway or an imported network, or a file", isRequired: true
  ).completedByPathways()
}

extension Parameter {
  /// Returns the parameter completed with the ids of pathways and imported networks.
  func completedByPathways() -> Parameter { completed(by: "list", column: "id", summaryColumn: "name") }

  /// Returns the parameter completed with the ids of the database's processes.
  func completedByProcesses() -> Parameter { completed(by: "processes", column: "id", summaryColumn: "name") }

  /// Returns the parameter completed with the names of metabolites, which stand for their pools in all compartments.
  func completedByMetabolites() -> Parameter { completed(by: "metabolites", column: "name", summaryColumn: "id") }
}

/// A command that has access to the shared database.
private struct BoundPathCaseCommand: Command {
  let declaration: CommandDescription
  let body: @Sendable (CommandCall) async throws -> Void

  func run(_ call: CommandCall) async throws { try await body(call) }
}
