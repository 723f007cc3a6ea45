import PluginAPI

extension PluginCommands {
  private static let stateSchema = ValueSchema.record([
    .init("id", .text, "the plugin's id"), .init("state", .text, "what may be done with it now"),
    .init("path", .text, "the library"),
  ])

  private static func state(_ plugin: CatalogedPlugin) -> Value {
    ["id": .optional(plugin.id), "state": .text(plugin.state.rawValue), "path": .text(plugin.path)]
  }

  static func install(_ session: HostSession) -> HostCommand {
    let schema = ValueSchema.record([
      .init("id", .text, "the plugin's id"), .init("version", .text, "major.minor.patch"),
      .init("path", .text, "the library, where it lies now"), .init("sha256", .text, "of the library"),
      .init("replaced", .optional(.text), "the version that was installed before"),
    ])
    let declaration = CommandDescription(
      "plugin install", "installs a plugin for this user", output: .init(schema), effects: [.reads, .writes]
    ).taking(
      [
        Parameter(
          "path", .inputFile(extensions: ["so"]), "the library, a folder with it (and resources/), or a built package",
          isRequired: true)
      ], options: [replaceOption]
    ).explained(
      "The library is checked, opened once in a child process, copied with its resources and enabled. A plugin of the "
        + "same id is replaced at once; its stores stay. One that ships with the program is replaced only if '--replace' "
        + "names it; 'plugin remove' brings it back.",
      examples: [
        .init("install .build/release/libTides.so", "installs a library"),
        .init("install ~/tides", "installs what a package built"),
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
      .init("id", .text, "the plugin's id"), .init("removed", .text, "what was removed"),
    ])
    let declaration = CommandDescription(
      "plugin remove", "removes a plugin of this user; its stores stay", output: .init(schema),
      effects: [.reads, .writes]
    ).taking([idParameter]).explained(examples: [.init("remove tides", "removes plugin 'tides'")])
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
      "plugin enable", "lets a plugin be used that was disabled or dropped into the plugin folder",
      output: .init(stateSchema), effects: [.reads, .writes]
    ).taking([idParameter], options: [replaceOption])
      .explained(examples: [.init("enable tides", "lets plugin 'tides' be used")])
    return HostCommand(declaration) { call in
      let id = call.text("id")
      let replaced = call["replace"].text
      let enabled = try await MainActor.run { try session.plugins.enable(id, replacing: replaced) }
      if let replaced { warnOfReplacement(replaced, call) }
      try await call.emit(state(enabled))
    }
  }

  private static let replaceOption = Parameter(
    "replace", .text, "id of the plugin of the program that it may replace, with its stores")

  private static func warnOfReplacement(_ id: String, _ call: CommandCall) {
    call.warn(
      Diagnostic(
        .note, code: "host.bundled-replaced", "this plugin now replaces the bundled plugin '\(id)' and uses its stores",
        advice: "to go back to the bundled one run: workbench plugin remove \(id)"))
  }

  static func disable(_ session: HostSession) -> HostCommand {
    let declaration = CommandDescription(
      "plugin disable", "keeps a plugin from being used", output: .init(stateSchema), effects: [.reads, .writes]
    ).taking([idParameter]).explained(examples: [.init("disable molecules", "keeps plugin 'molecules' from being used")]
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
      "plugin unquarantine", "lets a plugin in again that crashed", output: .init(stateSchema),
      effects: [.reads, .writes]
    ).taking([idParameter]).explained(examples: [.init("unquarantine tides", "tries plugin 'tides' again")])
    return HostCommand(declaration) { call in
      let id = call.text("id")
      try await call.emit(state(try await MainActor.run { try session.plugins.unquarantine(id) }))
    }
  }
}
