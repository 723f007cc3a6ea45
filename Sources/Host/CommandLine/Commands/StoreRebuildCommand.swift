import PluginAPI

/// `store rebuild`: runs the command 'rebuild STORE' of the store's plugin, which alone knows the source of its data.
@MainActor enum StoreRebuildCommand {
  static func command(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "store rebuild", "rebuilds a damaged store from the files it was made from", output: .init(.any),
      effects: [.reads, .writes]
    ).taking([StoreCommands.name]).explained(
      "Asks first, unless --yes is given; the damaged file is kept. A store whose plugin has no command 'rebuild STORE' "
        + "can only be restored from a backup.",
      examples: [.init("store rebuild molecules:library --yes", "without a question")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let name = try await StoreName(call.text("store"), interpreter)
      guard let command = await name.rebuildCommand(interpreter) else {
        throw ErrorReport(
          code: "host.cannot-rebuild", kind: .refused,
          "'\(name.text)' cannot be rebuilt: it is the only copy of its data",
          advice: "restore a backup with 'workbench store restore'")
      }
      try await Question.confirm("Rebuild '\(name.text)' from its files?", interpreter)
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
