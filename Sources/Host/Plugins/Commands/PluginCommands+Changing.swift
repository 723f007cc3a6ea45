import PluginAPI

extension PluginCommands {
  private static let stateSchema = ValueSchema.record([
    .init("id", .text, "Plugin id"), .init("state", .text, "New state"),
    .init("path", .text, "Path of the library"),
  ])

  private static func state(_ plugin: CatalogedPlugin) -> Value {
    ["id": .optional(plugin.id), "state": .text(plugin.state.rawValue), "path": .text(plugin.path)]
  }

  static func enable(_ session: HostSession) -> HostCommand {
    let declaration = CommandDescription(
      "plugin enable", "Enable a plugin that is disabled or was copied by hand",
      output: .init(stateSchema), effects: [.reads, .writes]
    ).taking([idParameter], options: [replaceOption])
      .explained(examples: [.init("enable tides", "Enable the plugin 'tides'")])
    return HostCommand(declaration) { call in
      let id = call.text("id")
      let replaced = call["replace"].text
      let enabled = try await MainActor.run { try session.plugins.enable(id, replacing: replaced) }
      if let replaced { warnOfReplacement(replaced, call) }
      try await call.emit(state(enabled))
    }
  }

  private static let replaceOption = Parameter(
    "replace", .text, "Id of the bundled plugin to replace; its stores pass to the new plugin")

  static func warnOfReplacement(_ id: String, _ call: CommandCall) {
    call.warn(
      Diagnostic(
        .note, code: "host.bundled-replaced", "this plugin now replaces the bundled plugin '\(id)' and uses its stores",
        advice: "restore the bundled one with 'workbench plugin remove \(id)'"))
  }

  static func disable(_ session: HostSession) -> HostCommand {
    let declaration = CommandDescription(
      "plugin disable", "Disable a plugin", output: .init(stateSchema), effects: [.reads, .writes]
    ).taking([idParameter]).explained(examples: [.init("disable molecules", "Disable the plugin 'molecules'")]
    )
    return HostCommand(declaration) { call in
      let id = call.text("id")
      let plugin = try await MainActor.run {
        try session.plugins.disable(id)
        return try session.plugins.cataloged(id)
      }
      try await call.emit(state(plugin))
    }
  }

  static func unquarantine(_ session: HostSession) -> HostCommand {
    let declaration = CommandDescription(
      "plugin unquarantine", "Re-enable a plugin that crashed", output: .init(stateSchema),
      effects: [.reads, .writes]
    ).taking([idParameter]).explained(examples: [.init("unquarantine tides", "Re-enable the plugin 'tides'")])
    return HostCommand(declaration) { call in
      let id = call.text("id")
      try await call.emit(state(try await MainActor.run { try session.plugins.unquarantine(id) }))
    }
  }
}
