import PluginAPI

/// The commands `plugin …`.
enum PluginCommands {
  /// Returns all of them, in the order help shows them.
  static func commands(_ session: HostSession) -> [HostCommand] {
    [
      list(session), info(session), why(session), install(session), remove(session), enable(session),
      disable(session), verify(session), probe(session), unquarantine(session),
    ]
  }

  static let idParameter = Parameter("id", .text, "the plugin's id", isRequired: true)

  static func list(_ session: HostSession) -> HostCommand {
    let declaration = CommandDescription(
      "plugin list", "lists all plugins found, also those that cannot be used",
      output: .init(PluginDescriptionValue.listSchema, typeName: "host.plugin-list")
    ).explained(
      "State is ready, disabled, quarantined (it crashed and is set aside), refused or shadowed (another of the same "
        + "id comes first). All plugins run inside the program, with the rights of the user.",
      examples: [.init("list", "shows every plugin with its state")])
    return HostCommand(declaration) { call in
      try await call.emit(PluginDescriptionValue.list(await session.plugins.catalog))
    }
  }

  static func info(_ session: HostSession) -> HostCommand {
    let declaration = CommandDescription(
      "plugin info", "shows what is known of a plugin",
      output: .init(PluginDescriptionValue.infoSchema, typeName: "host.plugin-info")
    ).taking([idParameter]).explained(examples: [.init("info molecules", "shows version, origin and what it offers")])
    return HostCommand(declaration) { call in
      let id = call.text("id")
      let value = try await MainActor.run {
        let plugin = try session.plugins.cataloged(id)
        let lock = PluginLock(data: session.folders.data)
        return PluginDescriptionValue.info(plugin, session.plugins.contributions(of: id), lock[id])
      }
      try await call.emit(value)
    }
  }

  static func why(_ session: HostSession) -> HostCommand {
    let schema = ValueSchema.record([
      .init("command", .text, "the command"), .init("plugin", .text, "the id of the plugin that has it"),
      .init("path", .text, "the plugin's library"), .init("source", .text, "where it was found"),
      .init("summary", .text, "what the command does"),
    ])
    let declaration = CommandDescription(
      "plugin why", "tells which plugin a command comes from", output: .init(schema)
    ).taking([Parameter("command", .text, "the words of the command", isRequired: true, isRepeatable: true)])
      .explained(examples: [.init("why molecules list", "tells where 'molecules list' comes from")])
    return HostCommand(declaration) { call in
      let words = call.texts("command")
      let value = try await MainActor.run { try origin(of: words, session) }
      try await call.emit(value)
    }
  }

  @MainActor private static func origin(of words: [String], _ session: HostSession) throws -> Value {
    let plugin = try session.plugins.cataloged(words.first ?? "")
    let id = plugin.id ?? ""
    if let error = plugin.error { throw error }
    let contributions = session.plugins.contributions(of: id)
    let known = contributions?.commandNames ?? []
    let name = words.dropFirst().joined(separator: " ")
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
