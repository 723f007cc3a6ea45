import PluginAPI
import PluginTesting
import Testing

@testable import WSABI
@testable import WSABISimulator

/// A scorer that fails is reported, and no capture is lost with it.
@Suite(.timeLimit(.minutes(5)))
struct ScorerCommandTests {
  @Test(arguments: [
    ("/bin/false", "exit status 1"), ("/nowhere/scorer", "failed"), ("scorer", "not an absolute path"),
    ("/bin/true", "printed no number"),
  ])
  func `a capture whose scorer fails is stored, with a warning`(_ path: String, _ words: String) async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    try user.plugin.context.set("scorer", to: .text(path))
    let result = try await user.run("capture 1")
    #expect(result.value["captured"] == 1)
    let warning = result.diagnostics.first { $0.code == "wsabi.capture-warning" }
    #expect(warning?.severity == .warning && warning?.message.contains(words) == true)
    // A missing score is reported once, and only to a user who requested a quality.
    #expect(codes(result) == ["wsabi.capture-warning"])
    let asked = try await user.run("capture 1 --minimum-quality 1")
    #expect(codes(asked) == ["wsabi.capture-warning", "wsabi.no-quality"])
    let check = try await user.run("person check 1 --score")
    let told = check.diagnostics.filter { $0.code == "wsabi.scorer" }
    #expect(told.count == 1 && told.first?.message.contains(words) == true)
    await user.stop()
  }

  /// Returns the codes of the diagnostics, without those about dates of sensors: the clock of tests stands still.
  private func codes(_ result: CommandResult) -> [String] {
    result.diagnostics.map(\.code).filter { $0 != "wsabi.strange-answer" }
  }
}
