import PluginAPI

/// `screen …`: the lines of recordings.
@MainActor enum ScreenStepCommands {
  static func commands(_ interpreter: CommandInterpreter) -> [HostCommand] {
    ScreenStepForm.allCases.map { command($0, interpreter) }
  }

  private static func command(_ form: ScreenStepForm, _ interpreter: CommandInterpreter) -> HostCommand {
    HostCommand(form.declaration, writesOutput: true) { [unowned interpreter] call in
      switch form {
      case .start: try await start(call, interpreter)
      case .end:
        let frame = try await replay(of: interpreter).end()
        await forget(interpreter)
        try interpreter.streams.output.write(frame)
      case .action, .open, .command, .answer, .choose, .key, .type, .paste, .mouse, .resize, .cancel:
        guard let step = try ScreenStep(form, call) else { return }
        try await replay(of: interpreter).perform(step)
      }
    }
  }

  private static func start(_ call: CommandCall, _ interpreter: CommandInterpreter) throws {
    guard interpreter.scriptDepth > 0 else { throw ScreenStepError.outsideScript }
    guard interpreter.replay == nil else { throw ScreenStepError.alreadyShown }
    let size = try GlobalOption.size(call.text("size"), option: "--size", least: 1)
    let launch = ScreenLaunch(
      plugin: call["plugin"].text, screen: call["screen"].text, documents: call.texts("document"))
    try launch.activatePlugin(in: interpreter.session.plugins)
    interpreter.replay = try ScreenReplay(launch, size: size, interpreter)
  }

  private static func replay(of interpreter: CommandInterpreter) throws(ErrorReport) -> ScreenReplay {
    guard interpreter.scriptDepth > 0 else { throw ScreenStepError.outsideScript }
    guard let replay = interpreter.replay else { throw ScreenStepError.noScreens }
    return replay
  }

  private static func forget(_ interpreter: CommandInterpreter) { interpreter.replay = nil }
}
