import PluginAPI

/// A command that uses the state shared by the commands and screens of the plugin.
typealias PathCaseCommand = StatefulCommand<PathwayShelf>

extension PathCaseCommand {
  /// Returns the command with its state; each run warns about problems of the shared database.
  func boundWithWarnings(to shelf: PathwayShelf) -> CommandPart {
    let part = bound(to: shelf)
    return CommandPart(part.declaration) { call in
      defer { if let trouble = shelf.unreportedTrouble() { call.warn(trouble) } }
      try await part.run(call)
    }
  }
}

/// The commands of this plugin.
enum PathCaseCommands {
  /// All commands, in the order of the help.
  static let all: [PathCaseCommand] = Array(groups.joined())

  private static let groups: [[PathCaseCommand]] = [
    DatabaseCommands.all, GraphCommands.all, [DrawCommand.command], NetworkCommands.all, NeighborCommands.all,
    ScenarioCommand.all, FluxCommands.all, UpdateCommands.all, others,
  ]

  private static let others = [ValidateCommand.command, FreezeCommand.command, DatabaseSimulateCommand.command]
}

/// The arguments that commands share.
enum NetworkInputs {
  /// The extensions of network files.
  static let document = Parameter.Kind.document(extensions: NetworkFileFormat.extensions)

  /// The network to work on.
  static let network = Argument(
    "network", String.self, kind: document, "Id of a pathway or imported network, or a file"
  ).completedByPathways()
}

extension PathwayShelf {
  /// Opens the network to work on, and reports its warnings.
  func network(_ call: CommandCall) async throws -> OpenedNetwork {
    let network = try await network(call[NetworkInputs.network], call.context)
    for warning in network.warnings { call.warn(warning) }
    return network
  }
}

extension CommandInput {
  /// Returns the input completed with the ids of pathways and imported networks.
  func completedByPathways() -> Self { completed(by: "list", column: "id", summaryColumn: "name") }

  /// Returns the input completed with the ids of the database's processes.
  func completedByProcesses() -> Self { completed(by: "processes", column: "id", summaryColumn: "name") }

  /// Returns the input completed with the names of metabolites, which stand for their pools in all compartments.
  func completedByMetabolites() -> Self { completed(by: "metabolites", column: "name", summaryColumn: "id") }
}

extension CommandCall {
  /// Returns the text of an option; nil if it is missing or empty.
  func filled(_ option: Option<String?>) -> String? {
    self[option].flatMap { $0.isEmpty ? nil : $0 }
  }
}
