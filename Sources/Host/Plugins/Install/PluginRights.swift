import PluginAPI

/// The rights that a plugin has, and the effects that its commands declare.
struct PluginRights: Sendable, Hashable {
  /// The command line of a program; nil for a library, which runs in the host's process.
  let run: [String]?
  /// The names of the commands with each effect.
  private let commands: [CommandDescription.Effect: [String]]
  private let stores: [String]

  init(_ contributions: StoredContributions, run: [String]?) {
    self.run = run
    var commands: [CommandDescription.Effect: [String]] = [:]
    for command in contributions.commands {
      for effect in command.effects { commands[effect, default: []].append(command.name) }
    }
    self.commands = commands
    stores = contributions.stores.map(\.name)
  }

  /// The declared effects, in a fixed order.
  var effects: [String] { CommandDescription.Effect.allCases.filter { commands[$0] != nil }.map(\.rawValue) }

  /// A sentence about what the plugin can do, whatever it declares.
  var sentence: String { Self.sentence(run: run) }

  /// Returns a sentence about what a plugin can do.
  ///
  /// - Parameter run: The command line of a program; nil for a library.
  static func sentence(run: [String]?) -> String {
    let reach = "can read, change and send everything that you can"
    guard let run else { return "it is a library that runs inside this program and \(reach)" }
    let line = run.map(FilePath.quoted).joined(separator: " ")
    return "it is a program in a process of its own (\(StyledTextWriter.harmless(line))) that \(reach)"
  }

  /// The effects that its commands declare, with their names: `writes (import, edit), network (sync)`.
  var declared: String { Self.text(of: self, CommandDescription.Effect.allCases) }

  private static func text(of rights: PluginRights, _ effects: [CommandDescription.Effect]) -> String {
    effects.compactMap { effect in rights.commands[effect].map { "\(effect.rawValue) (\(shortened($0)))" } }
      .joined(separator: ", ")
  }

  private static let mostNames = 6

  private static func shortened(_ names: [String]) -> String {
    if names.count <= mostNames { return names.joined(separator: ", ") }
    let remaining = names.count - mostNames + 1
    return names.prefix(mostNames - 1).joined(separator: ", ") + " and \(remaining) more"
  }

  /// Returns the rights that a plugin has in addition to those of an earlier version; empty for none.
  func added(to old: PluginRights) -> String {
    var parts: [String] = []
    if run == nil, old.run != nil { parts.append("it now runs inside this program") }
    if let run, run != old.run { parts.append("it now runs '\(run.map(FilePath.quoted).joined(separator: " "))'") }
    let effects = CommandDescription.Effect.allCases.filter { commands[$0] != nil && old.commands[$0] == nil }
    if !effects.isEmpty { parts.append(Self.text(of: self, effects)) }
    let newStores = stores.filter { !old.stores.contains($0) }
    if !newStores.isEmpty { parts.append("stores (" + newStores.joined(separator: ", ") + ")") }
    return StyledTextWriter.harmless(parts.joined(separator: ", "))
  }
}
