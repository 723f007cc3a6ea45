import Foundation
import PluginAPI
import PluginNet
import PluginTesting
import Testing

@testable import OpenBIS

/// Logging in and out: whose account it is, and what is left behind.
@Suite(.timeLimit(.minutes(1)))
struct LoginTests {
  private static let users = [
    SimulatorConfiguration.User(name: "alice", password: "wonderland"), .init(name: "bob-b", password: "wonderland"),
  ]

  /// A file with a token of a user's session.
  private func tokenFile(_ name: String, _ user: LabUser) async throws -> String {
    let connection = RPCConnection(ServerAddress(base: user.server.url), HTTPClient(.init(isOffline: false)))
    let token = try await RPCSession(connection, user: name, key: .password(Secret("wonderland"))).login()
    let path = user.plugin.context.folders.cache + "/\(name).txt"
    try FileManager.default.createDirectory(
      atPath: user.plugin.context.folders.cache, withIntermediateDirectories: true)
    try Data(token.text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// The names of the files with secrets.
  private func kept(_ user: LabUser) -> [String] {
    let folder = user.plugin.context.folders.state + "/sessions"
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  @Test func `two users with tokens have accounts, caches and files of their own`() async throws {
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

  @Test func `a login that does not come to its end leaves nothing`() async throws {
    let user = try await LabUser()
    for method in ["listAggregationServices", "isSessionActive"] {
      user.server.add(SimulatorFaultRule(.emptyBody, .method(method)))
    }
    #expect(await user.report("login \(user.server.url) --user alice --password-stdin") != nil)
    #expect(user.server.log.first == "login")
    let file = try await tokenFile("alice", user)
    #expect(await user.report("login \(user.server.url) --token-file \(file)") != nil)
    #expect(try await user.accounts().isEmpty && kept(user).isEmpty)
  }

  @Test func `logging out forgets token and password whatever the server says`() async throws {
    for fault in [SimulatorFault.emptyBody, .sessionTextOtherClass, .htmlPage, .notFoundMethod] {
      let user = try await LabUser.loggedIn()
      #expect(kept(user).count == 2)
      user.server.add(SimulatorFaultRule(fault, .method("logout")))
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

  @Test func `a session renewed after a logout of another process is not kept`() async throws {
    let user = try await LabUser.loggedIn()
    let id = try await user.accounts()[0].id
    try LabAccess.credentials(user.plugin.context).forget(id)
    user.server.expireSessions()
    // The session in memory still knows the password, as in a process that syncs.
    try await user.run("sync")
    #expect(user.server.log.contains("login") && kept(user).isEmpty)
  }

  @Test(arguments: [
    "https://anna:s3cret@lab.example.org", "anna:s3cret@lab.example.org", "https://anna:s3?cret@lab.example.org",
    "ftp://anna:s3cret@lab.example.org/?token=s3cret", "https://s3cret@lab.example.org",
  ])
  func `no password in an address is shown`(address: String) async throws {
    let user = try await LabUser()
    try await user.logIn()
    for line in ["login \(address) --user anna --password-stdin", "roots --account \(address)"] {
      let report = try #require(await user.report(line))
      let words = "\(report.message) \(report.advice ?? "") \(report.details.fields)"
      #expect(!words.contains("s3") && words.contains("lab.example.org"), "\(words)")
    }
  }
}
