import PluginAPI

/// The result of the tool `links`, while it is collected.
@MainActor final class ToolLinks {
  /// A command that asks a service for an id of a namespace.
  private struct ServiceCommand {
    var namespace: ReferenceNamespace
    var method: String
    var arguments: Record
    /// The argument for the id.
    var parameter = "code"
  }

  /// The commands that get an id from a service, if there are such commands.
  private static let services: [ServiceCommand] = [
    .init(namespace: .pdb, method: "molecules.page", arguments: ["service": "rcsb"]),
    .init(namespace: .pdb, method: "molecules.fetch", arguments: ["service": "rcsb"]),
    .init(namespace: .uniprot, method: "molecules.page", arguments: ["service": "alphafold"]),
    .init(namespace: .uniprot, method: "molecules.fetch", arguments: ["service": "alphafold"]),
    .init(namespace: .pubchem, method: "molecules.page", arguments: ["service": "pubchem"]),
    .init(namespace: .pubchem, method: "molecules.fetch", arguments: ["service": "pubchem"]),
  ]

  private let text: String
  private let references: [Reference]
  private var found: [Value] = []
  private var unread: [Value] = []

  /// Creates the result for an id.
  init(_ text: String) {
    self.text = text
    references = Reference.references(in: text)
  }

  /// The forms of the id to search for, in lower case.
  var forms: Set<String> { Set([text.lowercased()] + references.flatMap(\.forms)) }

  /// Adds the rows of a list that have the id.
  func add(_ rows: LinkedRows, of list: IDList) {
    if rows.count == 0 { return }
    var commands = Record()
    for taker in list.takers {
      // A command may take the ids more than once, such as those of two molecules.
      commands[taker.method] = .list((commands[taker.method]?.list ?? []) + [.text(taker.parameter)])
    }
    var entry: Record = ["list": .text(list.entry.method), "rows": .list(rows.rows), "commands": .record(commands)]
    if rows.count > rows.rows.count { entry["more"] = .integer(rows.count - rows.rows.count) }
    found.append(.record(entry))
  }

  /// Adds a list that cannot be read, such as that of a server without a login.
  func add(_ error: any Error, of list: IDList) {
    unread.append(["list": .text(list.entry.method), "problem": .text(ErrorReport(error).message)])
  }

  /// Returns the result.
  ///
  /// - Parameter find: Returns the command with a method; nil if it may not be used.
  func result(find: (String) -> CommandEntry?) -> Value {
    var result: Record = [
      "id": .text(text), "references": .list(references.map { .text($0.text) }), "found": .list(found),
    ]
    let commands = references.flatMap { reference in
      Self.services.filter { $0.namespace == reference.namespace }.compactMap { command -> Value? in
        guard let entry = find(command.method) else { return nil }
        var arguments = command.arguments
        arguments[command.parameter] = .text(reference.id)
        let names = Set((entry.declaration.arguments + entry.declaration.options).map(\.name))
        guard names.isSuperset(of: arguments.names) else { return nil }
        return [
          "command": .text(entry.method), "arguments": .record(arguments),
          "tool": entry.changesSomething ? "write" : "read",
        ]
      }
    }
    if !commands.isEmpty { result["services"] = .list(commands) }
    if !unread.isEmpty { result["unread"] = .list(unread) }
    if found.isEmpty { result["note"] = "no stored data has this id; 'find' searches for commands, not for data" }
    return .record(result)
  }
}
