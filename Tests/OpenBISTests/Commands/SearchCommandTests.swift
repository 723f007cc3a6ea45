import PluginAPI
import PluginTesting
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

@Suite(.timeLimit(.minutes(5))) struct SearchCommandTests {
  private static func plain(_ user: LabUser) async throws {
    try await user.run("login \(user.server.url) --user alice --password-stdin --native")
    try await user.run("sync --no-index")
  }

  @Test func `a search on the server requires all words`() async throws {
    let user = try await LabUser(.plain) { $0.entities = 300 }
    try await Self.plain(user)
    let one = try await user.run("search 'S17' --remote").value.list ?? []
    #expect(!one.isEmpty)
    let result = try await user.run("search 'S17 zzzznothing' --remote")
    #expect(result.value.list?.isEmpty == true && result.diagnostics.map(\.code).contains("openbis.nothing-found"))
  }

  @Test func `many entities are returned in parts, each once`() async throws {
    let user = try await LabUser(.plain) { $0.entities = 2500 }
    try await Self.plain(user)
    let word = "sample"
    let all = try await user.run("search \(word) --limit 1000000")
    let parts = all.values.map { $0.list?.count ?? 0 }
    #expect(parts.count > 1 && parts.allSatisfy { $0 <= 1000 })
    let ids = all.values.flatMap { $0.list ?? [] }.compactMap { $0["permId"].text }
    #expect(Set(ids).count == ids.count && ids.count > 2000)
    let some = try await user.run("search \(word) --limit 50").value.list ?? []
    #expect(some.count == 50)
  }

  @Test(arguments: ["", "--native"])
  func `a search for parts of words in an empty cache fails, and one for words reports the empty cache`(
    _ options: String
  ) async throws {
    let user = try await LabUser.loggedIn(.plain, options) { $0.entities = 50 }
    let report = await user.report("search sample --anywhere")
    #expect(report?.code == "openbis.indexing" && report?.exitStatus == 1)
    #expect(report?.advice?.contains("workbench openbis sync") == true)
    #expect(try await user.codes("search sample") == ["openbis.nothing-found", "openbis.never-synced"])
    try await user.run("sync")
    #expect(try await user.run("search sample --anywhere").value.list?.isEmpty == false)
  }

  @Test func `an incomplete index is an error for a search for parts of words`() async throws {
    let user = try await LabUser(.plain) { $0.entities = 22_000 }
    try await Self.plain(user)
    let report = await user.report("search qqqqq --anywhere")
    #expect(report?.code == "openbis.indexing" && report?.exitStatus == 1)
    let count = report?.details["entities"]?.integer ?? 0
    #expect((1...22_100).contains(count))
    try await user.run("sync")
    let result = try await user.run("search qqqqq --anywhere")
    #expect(result.value.list?.isEmpty == true && result.diagnostics.map(\.code) == ["openbis.nothing-found"])
  }
}
