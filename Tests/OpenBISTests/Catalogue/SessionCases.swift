import PluginAPI
import PluginSimulation
import PluginTesting
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// Cases 1 to 5: logging in, and sessions that expire.
struct SessionCases {
  @Test func `case 1: a wrong password fails the login once, and nothing is stored`() async throws {
    let user = try await LabUser()
    user.plugin.answers.inputLine = "wrong"
    let report = try #require(await user.report("login \(user.server.url) --user alice --password-stdin"))
    #expect(report.code == "openbis.login-failed" && report.kind == .refused && report.exitStatus == 7)
    #expect(report.message.contains("login failed") && report.message.contains("127.0.0.1"))
    #expect(user.server.log == ["login"])
    #expect(try await user.accounts().isEmpty)
    let credentials = LabAccess.credentials(user.plugin.context)
    #expect(
      try credentials.secret(.token, of: Account.id(of: "alice", at: try #require(ServerAddress(user.server.url))))
        == nil)
  }

  @Test func `case 2: a session that expires during a sync is renewed silently`() async throws {
    let user = try await LabUser.loggedIn(.yeastlab)
    // Preferences, spaces, navigation and six categories come before.
    user.server.add(SimulatorFaultRule(.expireSession, calls: 10...10, times: 1))
    let result = try await user.run("sync")
    let roots = user.server.log.filter { $0 == "ROOT" }.count
    #expect(roots == 13 && user.server.log.filter { $0 == "login" }.count == 1)
    #expect(user.server.callCount == 3 + 12 + 1 + 1)
    #expect(result.diagnostics.isEmpty)
    let asked = user.server.calls.filter { $0.requestKey == "ROOT" }.map { $0.parameters.last?["entities"] }
    #expect(asked[6] == asked[7] && Set(asked.map { "\(String(describing: $0))" }).count == 12)
    let undisturbed = try await LabUser.synced(.yeastlab)
    #expect(try await user.content() == undisturbed.content())
  }

  @Test func `case 3: a session that expires again at once stops the sync, and the cache stays`() async throws {
    let user = try await LabUser.synced(.yeastlab)
    let (before, state) = (try await user.content(), try await user.state())
    user.server.add(SimulatorFaultRule(.expireAlways, on: "ROOT"))
    let report = try #require(await user.report("sync --full"))
    #expect(report.code == "openbis.session-ended" && report.kind == .refused)
    #expect(report.message.contains("createReportFromAggregationService") && report.message.contains("127.0.0.1"))
    #expect(user.server.log == ["CLIENT_PREFS", "searchSpaces", "NAVIGATION", "ROOT", "login", "ROOT"])
    #expect(try await user.content() == before)
    #expect(try await user.state().completedAt == state.completedAt)
    #expect(try await user.canBrowse())
  }

  @Test func `case 4: an expired session without a password requires a login, and the cache stays`() async throws {
    let user = try await LabUser.synced(.demo, "--forget-password")
    let before = try await user.content()
    user.server.expireSessions()
    let report = try #require(await user.report("sync"))
    #expect(report.code == "openbis.session-ended" && report.advice == "log in again")
    #expect(!user.server.log.contains("login"))
    #expect(try await user.content() == before)
    #expect(try await user.canBrowse())
  }

  @Test func `case 5: another exception with the text of an expired session is an ordinary error`() async throws {
    let user = try await LabUser.synced()
    user.server.add(SimulatorFaultRule(.sessionTextOtherClass, on: "ROOT", times: nil))
    let report = try #require(await user.report("sync --full"))
    #expect(report.code == "openbis.remote-error" && report.message.contains("not logged in"), "\(report.message)")
    #expect(!user.server.log.contains("login"))
    #expect(user.server.log.filter { $0 == "ROOT" }.count == 1)
    #expect(try await user.canBrowse())
  }
}
