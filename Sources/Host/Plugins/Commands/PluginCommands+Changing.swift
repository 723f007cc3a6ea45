import PluginAPI

extension PluginCommands {
  private static let stateSchema = ValueSchema.record([
    .init("id", .text, "Plugin id"), .init("state", .text, "New state"),
    .init("path", .text, "Path of the library"),
  ])

  private static func state(_ plugin: CatalogedPlugin) -> Value {
    ["id": .optional(plugin.id), "state": .text(plugin.state.rawValue), "path": .text(plugin.path)]
  }

  static func install(_ session: HostSession) -> HostCommand {
    let schema = ValueSchema.record([
      .init("id", .text, "Plugin id"), .init("version", .text, "major.minor.patch"),
      .init("path", .text, "Path of the installed library"), .init("sha256", .text, "SHA-256 of the library"),
      .init("replaced", .optional(.text), "Version installed before"),
    ])
    let declaration = CommandDescription(
      "plugin install", "Install a plugin for this user", output: .init(schema), effects: [.reads, .writes]
    ).taking(
      [
        Parameter(
          "path", .inputFile(extensions: ["so"]), "Library, folder with a library and resources/, or built package",
          isRequired: true)
      ], options: [replaceOption]
    ).explained(
      "The command checks the library, opens it in a child process, copies it with its resources and enables it. It "
        + "replaces a plugin with the same id and keeps its stores. Replacing a bundled plugin requires '--replace'; "
        + "'plugin remove' restores the bundled one.",
      examples: [
        .init("install .build/release/libTides.so", "Install a library"),
        .init("install ~/tides", "Install the library built in a package"),
      ])
    return HostCommand(declaration, opensPipes: true) { call in
      let path = call.text("path")
      let replaced = call["replace"].text
      let installer = await session.plugins.installer
      let outcome = try await call.compute("installing '\(path)'") { _ in
        try installer.install(path, replacing: replaced)
      }
      await session.plugins.forgetCatalog()
      if let replaced { warnOfReplacement(replaced, call) }
      try await call.emit([
        "id": .text(outcome.id), "version": .text(outcome.version), "path": .text(outcome.path),
        "sha256": .text(outcome.hash), "replaced": .optional(outcome.replaced),
      ])
    }
  }

  static func remove(_ session: HostSession) -> HostCommand {
    let schema = ValueSchema.record([
      .init("id", .text, "Plugin id"), .init("removed", .text, "Removed file or folder"),
    ])
    let declaration = CommandDescription(
      "plugin remove", "Remove a plugin of this user and keep its stores", output: .init(schema),
      effects: [.reads, .writes]
    ).taking([idParameter]).explained(examples: [.init("remove tides", "Remove the plugin 'tides'")])
    return HostCommand(declaration) { call in
      let id = call.text("id")
      let removed = try await MainActor.run {
        let plugin = try session.plugins.cataloged(id)
        let path = try session.plugins.installer.remove(plugin, id: id)
        session.plugins.forgetCatalog()
        return path
      }
      try await call.emit(["id": .text(id), "removed": .text(removed)])
    }
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

  private static func warnOfReplacement(_ id: String, _ call: CommandCall) {
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
