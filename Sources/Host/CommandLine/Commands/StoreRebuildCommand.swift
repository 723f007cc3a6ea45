import PluginAPI

/// `store rebuild`: runs the command 'rebuild STORE' of the store's plugin, which alone knows the source of its data.
@MainActor enum StoreRebuildCommand {
  static func command(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "store rebuild", "Rebuild a damaged store from its source files", output: .init(.any),
      effects: [.reads, .writes]
    ).taking([StoreCommands.name]).explained(
      "The command asks for confirmation unless --yes is given. It keeps the damaged file. If the plugin cannot "
        + "rebuild the store, restore a backup.",
      examples: [.init("store rebuild molecules:library --yes", "Without confirmation")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let name = try await StoreName(call.text("store"), interpreter)
      guard let command = await name.rebuildCommand(interpreter) else {
        throw ErrorReport(
          code: "host.cannot-rebuild", kind: .refused,
          "cannot rebuild '\(name.text)': it is the only copy of its data",
          advice: "restore a backup with 'workbench store restore'")
      }
      try await Question.confirm("Rebuild '\(name.text)' from its files? The damaged file is kept.", interpreter)
      try await CommandRunner(host: interpreter.session.plugins)
        .run(command, from: nil, Record(), output: ForwardedOutput(call: call))
    }
  }
}

extension StoreName {
  /// Returns the command that rebuilds the store, as `plugin.command`; nil if its plugin has none.
  @MainActor func rebuildCommand(_ interpreter: CommandInterpreter) -> String? {
    let contributions = interpreter.session.plugins.contributions.first { $0.plugin.id == plugin }
    return contributions?.commandNames.contains("rebuild " + store) == true ? plugin + ".rebuild " + store : nil
  }
}

/// A receiver that passes everything on to the call of another command.
private struct ForwardedOutput: CommandOutput {
  let call: CommandCall

  func emit(_ value: Value) async throws { try await call.emit(value) }
  func report(_ progress: Progress) { call.report(progress) }
  func warn(_ diagnostic: Diagnostic) { call.warn(diagnostic) }
  func request(_ request: CommandRequest) async throws -> Value { try await call.request(request) }
}
