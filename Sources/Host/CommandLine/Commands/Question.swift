import Glibc
import PluginAPI

/// Asks the user.
enum Question {
  /// Asks the user for confirmation.
  ///
  /// - Throws: ``ErrorReport`` of kind refused if the user does not agree or cannot be asked.
  @MainActor static func confirm(_ text: String, _ interpreter: CommandInterpreter) async throws {
    if interpreter.options.assumeYes { return }
    guard interpreter.streams.inputIsTerminal, !interpreter.options.noInput else {
      throw ErrorReport(
        code: "host.not-confirmed", kind: .refused,
        "this command needs confirmation, and there is no terminal to ask on",
        advice: "confirm with '--yes'")
    }
    try interpreter.streams.error.write(text + " [y/N] ")
    try interpreter.streams.error.flush()
    let answer = try await interpreter.session.loop.compute("question") { _ in readLine() ?? "" }
    guard ["y", "yes"].contains(answer.lowercased()) else {
      throw ErrorReport(code: "host.not-confirmed", kind: .refused, "canceled by the answer to the question")
    }
  }
}
