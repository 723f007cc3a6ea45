import Glibc
import PluginAPI

/// `tour`: the first steps.
@MainActor enum TourCommand {
  static func commands(_ interpreter: CommandInterpreter) -> [HostCommand] {
    let declaration = CommandDescription(
      "tour", "Show the first steps with Workbench", output: .init(Tour.schema, typeName: "host.tour"), effects: []
    ).explained(
      "On a terminal a screen shows one step at a time; otherwise all of them are printed.",
      examples: [.init("tour", "Five short steps"), .init("tour --plain", "All steps as text")])
    return [
      HostCommand(declaration) { [unowned interpreter] call in
        let options = await interpreter.options
        let hasScreen =
          isatty(STDIN_FILENO) == 1 && isatty(StandardOutput.descriptor) == 1 && options.outputFile == nil
          && !options.isPlain && !options.noInput && options.format == .text
        guard hasScreen else {
          let keys = HostSettings.keys(interpreter.session.settings)
          return try await call.emit(Tour.value(keys: keys))
        }
        _ = try await interpreter.screens.run(ScreenLaunch(screen: Tour.screen), interpreter)
      }
    ]
  }
}
