import PluginAPI

/// The commands `plugin …`.
enum PluginCommands {
  /// Returns all of them, in the order help shows them.
  static func commands(_ session: HostSession) -> [HostCommand] {
    [
      list(session), info(session), why(session), enable(session), disable(session), verify(session), probe(session),
      unquarantine(session),
    ]
  }

  static let idParameter = Parameter("id", .text, "Plugin id", isRequired: true)

  static func list(_ session: HostSession) -> HostCommand {
    let declaration = CommandDescription(
      "plugin list", "List all plugins found, including unusable ones",
      output: .init(PluginDescriptionValue.listSchema, typeName: "host.plugin-list")
    ).explained(
      "States are ready, disabled, quarantined (after a crash), refused and shadowed (by another plugin with the same "
        + "id). Plugins run with your rights. Libraries run in the program's process, or in separate processes with "
        + "'--isolate'; programs always have separate processes.",
      examples: [.init("list", "Plugins with their states")])
    return HostCommand(declaration) { call in
      let (catalog, isIsolating) = await (session.plugins.catalog, session.plugins.isIsolating)
      let lock = PluginLock(data: session.folders.data)
      try await call.emit(PluginDescriptionValue.list(catalog, lock, isIsolating: isIsolating))
    }
  }

  static func info(_ session: HostSession) -> HostCommand {
    let declaration = CommandDescription(
      "plugin info", "Show the details of a plugin",
      output: .init(PluginDescriptionValue.infoSchema, typeName: "host.plugin-info")
    ).taking([idParameter]).explained(examples: [.init("info molecules", "Version, origin and contents of a plugin")])
    return HostCommand(declaration) { call in
      let id = call.text("id")
      let value = try await MainActor.run {
        let plugin = try session.plugins.cataloged(id)
        let lock = PluginLock(data: session.folders.data)
        return PluginDescriptionValue.info(
          plugin, session.plugins.contributions(of: id), lock, isIsolating: session.plugins.isIsolating)
      }
      try await call.emit(value)
    }
  }

  static func why(_ session: HostSession) -> HostCommand {
    let schema = ValueSchema.record([
      .init("command", .text, "Command"), .init("plugin", .text, "Id of its plugin"),
      .init("path", .text, "Library of the plugin"), .init("source", .text, "Kind of folder the plugin is in"),
      .init("summary", .text, "Summary of the command"),
    ])
    let declaration = CommandDescription(
      "plugin why", "Show which plugin provides a command", output: .init(schema)
    ).taking([Parameter("command", .text, "Command", isRequired: true, isRepeatable: true)])
      .explained(examples: [.init("why molecules list", "Origin of 'molecules list'")])
    return HostCommand(declaration) { call in
      let arguments = call.texts("command")
      let value = try await MainActor.run { try origin(of: arguments, session) }
      try await call.emit(value)
    }
  }

  @MainActor private static func origin(of arguments: [String], _ session: HostSession) throws -> Value {
    let plugin = try session.plugins.cataloged(arguments.first ?? "")
    let id = plugin.id ?? ""
    if let error = plugin.error { throw error }
    let contributions = session.plugins.contributions(of: id)
    let known = contributions?.commandNames ?? []
    let name = arguments.dropFirst().joined(separator: " ")
    guard !name.isEmpty else {
      throw CommandLineError.unfinishedCommand(id, known: known, hasScreen: false)
    }
    guard let command = contributions?.command(name) else {
      throw PluginHostError.unknownCommand(plugin: id, command: name, known: known)
    }
    return [
      "command": .text(id + " " + name), "plugin": .text(id), "path": .text(plugin.path),
      "source": .text(plugin.source.rawValue), "summary": .text(command.summary),
    ]
  }
}
