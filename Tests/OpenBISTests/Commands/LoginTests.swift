import Foundation
import PluginAPI
import PluginNet
import PluginServer
import PluginSimulation
import PluginTesting
import TestSupport
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// Logging in and out: the account's user, and the files left behind.
@Suite(.timeLimit(.minutes(10)))
struct LoginTests {
  private static let users = [
    SimulatorConfiguration.User(name: "alice", password: "wonderland"), .init(name: "bob-b", password: "wonderland"),
  ]

  /// Returns the path of a file with the token of a user's session.
  private func tokenFile(_ name: String, _ user: LabUser) async throws -> String {
    let connection = RPCConnection(ServerAddress(base: user.server.url), HTTPClient(.init(isOffline: false)))
    let token = try await RPCSession(connection, user: name, key: .password(Secret("wonderland"))).login()
    let path = user.plugin.context.folders.cache + "/\(name).txt"
    try FileManager.default.createDirectory(
      atPath: user.plugin.context.folders.cache, withIntermediateDirectories: true)
    try Data(token.text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Returns the names of the files with secrets.
  private func kept(_ user: LabUser) -> [String] {
    let folder = user.plugin.context.folders.state + "/sessions"
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  @Test func `two users with tokens have separate accounts, caches and files`() async throws {
    let user = try await LabUser { $0.users = Self.users }
    for name in ["alice", "bob-b"] {
      let file = try await tokenFile(name, user)
      let result = try await user.run("login \(user.server.url) --token-file \(file)")
      #expect(result.value["user"].text == name && result.value["usesAccessToken"] == true)
    }
    let ids = try await user.accounts().map(\.id)
    #expect(Set(ids).count == 2 && kept(user) == ids.map { $0 + ".token" }.sorted())
    #expect(Set(try ids.map { try user.servers.cachePath(of: $0) }).count == 2)
  }

  @Test func `an account is found by its user, unless the user has several`() throws {
    func account(_ id: String, _ user: String, at server: String) throws -> Account {
      Account(id: id, server: try #require(ServerAddress(server)), user: user)
    }
    let registry = ServersSnapshot(accounts: [
      try account("a1", "alice", at: "http://one.example"), try account("b1", "bob", at: "http://one.example"),
      try account("b2", "bob", at: "http://two.example"),
    ])
    #expect(try LabBrowser.account("alice", in: registry).id == "a1")
    #expect(try LabBrowser.account("two.example", in: registry).id == "b2")
    for (word, message) in [("bob", "'bob' matches 2 accounts"), ("carl", "no account matches 'carl'")] {
      let report = #expect(throws: ErrorReport.self) { try LabBrowser.account(word, in: registry) }
      #expect(report?.message == message)
    }
  }

  @Test func `a failed login stores nothing`() async throws {
    let user = try await LabUser()
    for method in ["listAggregationServices", "isSessionActive"] {
      user.server.add(SimulatorFaultRule(.emptyBody, on: method))
    }
    #expect(await user.report("login \(user.server.url) --user alice --password-stdin") != nil)
    #expect(user.server.log.first == "login")
    let file = try await tokenFile("alice", user)
    #expect(await user.report("login \(user.server.url) --token-file \(file)") != nil)
    #expect(try await user.accounts().isEmpty && kept(user).isEmpty)
  }

  @Test func `logging out deletes token and password regardless of the server's response`() async throws {
    for fault in [SimulatorFault.emptyBody, .sessionTextOtherClass, .htmlPage, .notFoundMethod] {
      let user = try await LabUser.loggedIn()
      #expect(kept(user).count == 2)
      user.server.add(SimulatorFaultRule(fault, on: "logout"))
      let codes = try await user.codes("logout")
      #expect(codes.count == 1 && ["openbis.session-not-ended", "openbis.offline"].contains(codes[0]), "\(fault)")
      #expect(kept(user).isEmpty, "\(fault)")
      #expect(await user.report("sync")?.code == "openbis.session-ended")
    }
    let user = try await LabUser.loggedIn()
    await user.server.stop()
    #expect(try await user.codes("logout") == ["openbis.offline"])
    #expect(kept(user).isEmpty)
  }

  @Test func `a session renewed after a logout in another process is not stored`() async throws {
    let user = try await LabUser.loggedIn()
    let id = try await user.accounts()[0].id
    try LabAccess.credentials(user.plugin.context).forget(id)
    user.server.expireSessions()
    // The session in memory still knows the password, as in a syncing process.
    try await user.run("sync")
    #expect(user.server.log.contains("login") && kept(user).isEmpty)
  }

  @Test func `a new token replaces session and password, and its expiry is announced`() async throws {
    let user = try await LabUser(.plain)
    let result = try await user.run(
      "login \(user.server.url) --user alice --password-stdin --native --new-token laptop --days 30")
    #expect(result.value["usesAccessToken"] == true && result.diagnostics.isEmpty)
    let id = try await user.accounts()[0].id
    #expect(kept(user) == [id + ".token"])
    let token = try #require(try LabAccess.credentials(user.plugin.context).secret(.token, of: id))
    #expect(SessionToken(token).isPersonal)
    // The session by which it was created has ended, and the token works.
    #expect(user.server.log.contains("logout"))
    try await user.run("sync")
    #expect(user.server.log.filter { $0 == "login" }.count == 1)
    let short = try await user.run(
      "login \(user.server.url) --user alice --password-stdin --native --new-token laptop --days 3")
    #expect(short.diagnostics.map(\.code) == ["openbis.token-ends"])
    #expect(try await user.codes("sync") == ["openbis.token-ends"])
    #expect(try await user.codes("logout").isEmpty && kept(user).isEmpty)
  }

  @Test func `a token cannot create another, and a server without V3 creates none`() async throws {
    let user = try await LabUser()
    let file = try await tokenFile("alice", user)
    let report = await user.report("login \(user.server.url) --token-file \(file) --new-token x")
    #expect(report?.code == "openbis.token-by-token" && report?.kind == .usage)
    user.server.add(SimulatorFaultRule(.notFoundMethod, on: "createPersonalAccessTokens"))
    let missing = await user.report("login \(user.server.url) --user alice --password-stdin --new-token x")
    #expect(missing?.code == "openbis.no-method")
    #expect(try await user.accounts().isEmpty && kept(user).isEmpty)
  }

  @Test(.enabled(if: TLSServer.isAvailable, "openssl is not installed"))
  func `a data store with its own key needs separate confirmation`() async throws {
    let identity = try TLSServer([:])
    var configuration = HTTPServer.Configuration()
    configuration.certificate = Array(try Data(contentsOf: identity.certificate))
    configuration.key = Array(
      try Data(contentsOf: identity.certificate.deletingLastPathComponent().appendingPathComponent("key.pem")))
    let store = try LabFixture(configuration) { _ in .result("null") }
    let address = "https://localhost:" + (store.address.base.split(separator: ":").last ?? "")
    let lab = try LabFixture { call in
      call.method == "listAggregationServices"
        ? .result(
          #"[{"@type":"X","@id":1,"dataStoreCode":"D","dataStoreBaseUrl":"\#(address)","#
            + #""serviceKey":"ipad-read-service-v1","label":"L","type":"REPORT"}]"#)
        : .result(#""anna-170000000000x00ff""#)
    }
    let user = try await LabUser()
    let line = "login \(lab.address.base) --user anna --password-stdin"
    let refused = try await user.run(line)
    #expect(refused.diagnostics.map(\.code) == ["openbis.untrusted"])
    #expect(refused.diagnostics.first?.advice?.contains("--trust \(identity.pin)") == true)
    #expect(try await user.servers.snapshot().trustedKeys.isEmpty)
    #expect(try await user.codes(line + " --trust \(identity.pin)").isEmpty)
    #expect(try await user.servers.snapshot().trustedKeys.map(\.pin) == [identity.pin])
    #expect(store.calls.isEmpty)
  }

  @Test(arguments: [
    "https://anna:s3cret@lab.example.org", "anna:s3cret@lab.example.org", "https://anna:s3?cret@lab.example.org",
    "ftp://anna:s3cret@lab.example.org/?token=s3cret", "https://s3cret@lab.example.org",
  ])
  func `an address is shown without its password`(address: String) async throws {
    let user = try await LabUser()
    try await user.logIn()
    for line in ["login \(address) --user anna --password-stdin", "roots --account \(address)"] {
      let report = try #require(await user.report(line))
      let words = "\(report.message) \(report.advice ?? "") \(report.details.fields)"
      #expect(!words.contains("cret") && !words.contains("anna:") && words.contains("lab.example.org"), "\(words)")
    }
  }

  // MARK: Sessions at the server

  @Test func `a new login ends the previous session, and a failed login leaves none`() async throws {
    let user = try await LabUser { $0.faults = [SimulatorFaultRule(.sessionLimit)] }
    for _ in 0..<6 { try await user.logIn() }
    #expect(user.server.sessionCount(of: "alice") == 1)
    let id = try #require(try await user.accounts().first?.id)
    let kept = try LabAccess.credentials(user.plugin.context).secret(.token, of: id)
    user.server.add(SimulatorFaultRule(.emptyBody, on: "listAggregationServices"))
    #expect(await user.report("login \(user.server.url) --user alice --password-stdin") != nil)
    user.server.heal()
    #expect(user.server.sessionCount(of: "alice") == 1)
    let after = try LabAccess.credentials(user.plugin.context).secret(.token, of: id)
    #expect(kept != nil && after == kept)
    // The stored session is still valid.
    user.server.forgetCalls()
    try await user.run("sync")
    #expect(!user.server.log.contains("login"))
    try await user.run("logout")
    #expect(user.server.sessionCount(of: "alice") == 0)
  }

  @Test func `a session started by another process is reused`() async throws {
    let home = CacheFolder()
    let first = try await LabUser.loggedIn(home: home.path)
    let second = try await LabUser(server: first.server, home: home.path)
    try await second.run("sync")
    first.server.expireSessions()
    first.server.forgetCalls()
    try await first.run("sync")
    try await second.run("sync")
    #expect(first.server.log.filter { $0 == "login" }.count == 1 && first.server.sessionCount(of: "alice") == 1)
  }

  @Test func `a user without roles is logged in with a note, and refusals are reported`() async throws {
    let user = try await LabUser { $0.faults = [SimulatorFaultRule(.notAllowed)] }
    let result = try await user.run("login \(user.server.url) --user alice --password-stdin")
    #expect(result.diagnostics.map(\.code).contains("openbis.no-rights") && result.value["backEnd"] == .null)
    #expect(try await user.accounts().count == 1 && user.server.sessionCount(of: "alice") == 1)
    let report = await user.report("sync")
    #expect(report?.code == "openbis.not-allowed" && report?.exitStatus == 7)
    user.server.heal()
    try await user.logIn()
    #expect(try await user.run("sync").value["entities"].integer ?? 0 > 0)
  }

  @Test func `a kind that the user may not read does not stop the others, and is requested again`() async throws {
    let user = try await LabUser.loggedIn(.plain, "--native") { $0.entities = 50 }
    user.server.add(SimulatorFaultRule(.notAllowed, on: "searchDataSets"))
    let result = try await user.run("sync")
    #expect(result.diagnostics.map(\.code).contains("openbis.kind-not-allowed"))
    let count = result.value["entities"].integer ?? 0
    #expect(count >= 50)
    user.server.heal()
    #expect(try await user.run("sync").value["entities"].integer ?? 0 > count)
  }

  @Test func `a user who may not list spaces sees the other kinds`() async throws {
    let user = try await LabUser.loggedIn(.plain, "--native") { $0.entities = 50 }
    user.server.add(SimulatorFaultRule(.notAllowed, on: "searchSpaces"))
    let result = try await user.run("sync")
    #expect(result.diagnostics.map(\.code).contains("openbis.kind-not-allowed"))
    #expect(result.value["entities"].integer ?? 0 >= 50)
  }

  @Test func `tokens are listed without their text, and a revoked one is refused`() async throws {
    let user = try await LabUser()
    try await user.run("login \(user.server.url) --user alice --password-stdin --new-token laptop")
    let token = try #require(
      try LabAccess.credentials(user.plugin.context).secret(.token, of: try await user.accounts()[0].id))
    try await user.run("login \(user.server.url) --user alice --password-stdin")
    let listed = try #require(try await user.run("token list").value.table)
    #expect(listed.rowCount == 1 && listed.row(0)["name"]?.text == "laptop")
    let id = try #require(listed.row(0)["id"]?.text)
    #expect(id == token.fingerprint && !"\(listed)".contains(token.text))
    #expect(await user.report("token revoke phone")?.code == "openbis.no-token")
    #expect(try await user.run("token revoke \(id)").value["name"].text == "laptop")
    #expect(try await user.run("token list").value.table?.rowCount == 0)
    let connection = RPCConnection(ServerAddress(base: user.server.url), HTTPClient(.init(isOffline: false)))
    #expect(try await !RPCSession(connection, user: "alice", key: .none, token: token).isActive())
  }
}
