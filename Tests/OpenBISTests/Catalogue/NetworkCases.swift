import Foundation
import PluginAPI
import PluginNet
import PluginSimulation
import PluginStore
import PluginTesting
import TestSupport
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// Cases 49 to 53: trust, broken connections, damaged files, two users.
struct NetworkCases {
  private func login(_ user: LabUser, _ options: String = "") async -> ErrorReport? {
    await user.report("login \(user.server.url) --user alice --password-stdin \(options)")
  }

  @Test func `case 49: an untrusted certificate is refused until the user agrees to its key`() async throws {
    let user = try await LabUser { $0.security = .on }
    let report = try #require(await login(user))
    #expect(report.code == "openbis.untrusted" && report.kind == .refused && report.exitStatus == 7)
    #expect(report.message.contains("127.0.0.1:\(user.server.port)"))
    #expect(user.server.callCount == 0 && user.plugin.answers.questions.count == 1)
    user.plugin.answers.say("n")
    #expect(await login(user)?.code == "openbis.untrusted" && user.server.callCount == 0)
    let pin = try #require(report.details["pin"]?.text)
    #expect(user.plugin.answers.questions.allSatisfy { $0.title.contains(pin) && !$0.isSecret })
    user.plugin.answers.say("y")
    #expect(await login(user) == nil)
    try await user.run("sync")
    #expect(try await user.canBrowse())
    // One question is enough.
    #expect(await login(user) == nil && user.plugin.answers.questions.count == 3)
    // A script gives the key itself.
    let script = try await LabUser(server: user.server)
    #expect(await login(script, "--trust \(pin)") == nil && script.plugin.answers.questions.isEmpty)
    let wrong = try await LabUser(server: user.server)
    #expect(await login(wrong, "--trust AAAA\(pin.dropFirst(4))")?.code == "openbis.untrusted")
  }

  @Test(arguments: [SimulatorConfiguration.Security.expired, .wrongHost])
  func `case 49: a certificate that has expired or belongs to another host is refused`(
    _ security: SimulatorConfiguration.Security
  ) async throws {
    let user = try await LabUser { $0.security = security }
    let report = try #require(await login(user))
    #expect(report.code == "openbis.untrusted" && user.server.callCount == 0, "\(report.message)")
  }

  @Test func `case 49: a key other than the trusted one stops everything, and nothing is sent`() async throws {
    let user = try await LabUser { $0.security = .on }
    user.plugin.answers.say("y")
    #expect(await login(user) == nil)
    try await user.run("sync")
    let (before, port) = (try await user.content(), user.server.port)
    await user.server.stop()
    var configuration = SimulatorConfiguration()
    (configuration.security, configuration.port) = (.on, port)
    let impostor = try SimulatorServer(configuration)
    user.plugin.answers.say("y", "y")
    for line in ["sync", "sync --full"] {
      let report = try #require(await user.report(line))
      #expect(
        report.code == "net.other-key" && report.message.contains("127.0.0.1"), "\(report.code) \(report.message)")
    }
    #expect(await login(user)?.code == "openbis.changed-key")
    #expect(impostor.callCount == 0 && user.plugin.answers.questions.count == 1)
    #expect(try await user.content() == before)
    #expect(try await user.canBrowse())
    await impostor.stop()
  }

  @Test(.enabled(if: TLSServer.isAvailable), arguments: ["-tls1", "-tls1_1"])
  func `case 49: a server that supports only old protocols is refused`(_ version: String) async throws {
    let server = try TLSServer([:], options: [version, "-cipher", "ALL:@SECLEVEL=0"])
    let user = try await LabUser()
    user.plugin.answers.say("y")
    let report = try #require(await user.report("login \(server.address) --user alice --password-stdin"))
    #expect(report.message.contains("localhost"), "\(report.code) \(report.message)")
    #expect(user.plugin.answers.questions.isEmpty)
    #expect(try await user.accounts().isEmpty)
  }

  @Test(arguments: [
    ("http://lab.invalid", "lab.invalid"), ("http://127.0.0.1:1", "127.0.0.1"),
  ])
  func `case 50: without a connection cached data is shown with the reason`(_ base: String, _ host: String) async throws
  {
    let home = CacheFolder()
    let user = try await LabUser.synced(.demo, home: home.path)
    let before = try await user.content()
    var account = try #require(try await user.accounts().first)
    account.server = ServerAddress(base: base)
    try await user.servers.update(account)
    let next = try await LabUser(server: user.server, home: home.path)
    try next.plugin.context.set("connect-deadline", to: 0.5)
    let result = try await next.run("drill PROBES")
    let warning = try #require(result.diagnostics.first { $0.code == "openbis.offline" })
    #expect(warning.message.contains("cached") && warning.advice?.contains(host) == true, "\(warning)")
    #expect(result.value.list?.isEmpty == false)
    let report = try #require(await next.report("sync"))
    #expect(report.kind == .network && report.exitStatus == 6)
    #expect(try await next.content() == before)
  }

  @Test func `case 50: a refusal shows that a server is reachable, and a protocol error changes nothing`() async throws
  {
    let user = try await LabUser.loggedIn()
    let laboratory = Laboratory()
    let browser = try await LabBrowser(user.plugin.context, laboratory)
    func reach(after error: any Error) async -> Bool {
      _ = await errorOf { try await browser.notingReach { throw error } }
      return laboratory.isReachable(browser.account.id)
    }
    let place = RPCTarget(method: "drill", server: "http://lab:80")
    #expect(await !reach(after: RPCError.unreached(place, .unknownHost("lab"))))
    #expect(await !reach(after: RPCError.protocolBroken(place, reason: "it is none")))
    #expect(await reach(after: RPCError.sessionEnded(place, wasRenewed: false)))
    #expect(await reach(after: RPCError.protocolBroken(place, reason: "it is none")))
  }

  @Test func `case 50: a captive portal is reported, and the cache stays`() async throws {
    let user = try await LabUser.synced(.demo)
    let before = try await user.content()
    for fault in [SimulatorFault.htmlPage, .redirectOtherHost] {
      user.server.heal()
      user.server.add(SimulatorFaultRule(fault))
      let report = try #require(await user.report("sync"))
      #expect(report.kind == .network || report.kind == .refused, "\(report.code)")
      let result = try await user.run("drill PROBES")
      #expect(result.diagnostics.contains { $0.code == "openbis.offline" }, "\(fault): \(result.diagnostics)")
      #expect(result.value.list?.isEmpty == false)
      #expect(try await user.content() == before)
      #expect(try await user.canBrowse())
    }
  }

  @Test func `case 51: a full disk rolls the response back, and the sync resumes when there is space`() async throws {
    var configuration = SimulatorConfiguration(shape: .plain)
    (configuration.entities, configuration.categories) = (3000, 3)
    let lab = HastyLab(try SimulatorServer(configuration))
    let pages = try await lab.cache.write { try $0.value("PRAGMA page_count").integer ?? 0 }
    func limit(_ count: Int) async throws {
      try await lab.cache.write { try $0.execute("PRAGMA max_page_count = \(count)") }
    }
    try await limit(pages + 120)
    let error = await errorOf { try await lab.sync() }
    #expect(codeOf(error) == "store.disk-full", "\(codeOf(error))")
    let content = try lab.content()
    // Only whole responses: the navigation, and possibly a category.
    #expect([3, 1003, 2003].contains(content.entities.count), "\(content.entities.count)")
    #expect(try lab.cache.check(in: lab.folder) == [])
    try await limit(1 << 30)
    try await lab.sync()
    let other = HastyLab(lab.server)
    try await other.sync()
    #expect(try lab.content() == other.content())
  }

  @Test func `case 51: a cache locked by another process is an error after a timeout`() async throws {
    let lab = HastyLab(try SimulatorServer())
    try await lab.sync()
    let cache = lab.folder.store(.init(lockTimeoutInSeconds: 0.2))
    let other = SQLiteStore(name: "entities", path: lab.folder.file, migrations: EntityMigrations.all)
    let (held, mayGo) = (Door(), DispatchSemaphore(value: 0))
    let holder = Task.detached {
      try await other.write { connection in
        try connection.execute("UPDATE setting SET value = value")
        held.open()
        mayGo.wait()
      }
    }
    await held.wait()
    let error = await errorOf { try await cache.saveState([1]) }
    #expect(codeOf(error) == "store.locked")
    #expect((error as? any ReportableError)?.report.message.contains("another process") == true)
    // Reading continues to work.
    #expect(try await cache.navigation().count == 2)
    mayGo.signal()
    try await holder.value
    try await cache.saveState([1])
    await cache.close()
    await other.close()
  }

  @Test func `case 51: a damaged cache is set aside and rebuilt`() async throws {
    let home = CacheFolder()
    let user = try await LabUser.synced(.demo, home: home.path)
    let (before, path) = (try await user.content(), try await user.cachePath())
    for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    for index in bytes.indices.dropFirst(100) where index % 7 != 0 { bytes[index] = 0x5A }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let next = try await LabUser(server: user.server, home: home.path)
    let report = try #require(await next.report("roots"))
    #expect(report.code == "openbis.cache-rebuilt" && report.kind == .unusableInput)
    #expect(report.message.contains(path + ".damaged-1") && report.advice?.contains("sync") == true)
    #expect(FileManager.default.fileExists(atPath: path + ".damaged-1"))
    try await next.run("sync")
    #expect(try await next.content() == before)
  }

  @Test func `case 51: a cache of an older version is migrated, and one of a newer version is left untouched`()
    async throws
  {
    let home = CacheFolder()
    let user = try await LabUser.loggedIn(.demo, home: home.path)
    let path = try await user.cachePath()
    // The state before the first version is empty.
    let caches = URL(fileURLWithPath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: caches, withIntermediateDirectories: true)
    #expect(FileManager.default.createFile(atPath: path, contents: Data()))
    try await user.run("sync")
    #expect(try await user.canBrowse())
    let version = EntityMigrations.all.count + 1
    let newer = EntityMigrations.all + [Migration(version, "of tomorrow", sql: "CREATE TABLE tomorrow (id INTEGER)")]
    let store = SQLiteStore(name: "entities", path: path, migrations: newer)
    try await store.write { _ in }
    await store.close()
    let next = try await LabUser(server: user.server, home: home.path)
    for line in ["sync", "roots", "detail X --cached"] {
      let report = try #require(await next.report(line))
      #expect(report.code == "store.newer-schema" && report.message.contains("\(version)"), "\(report.code)")
    }
    #expect(!FileManager.default.fileExists(atPath: path + ".damaged-1"))
    let again = SQLiteStore(name: "entities", path: path, migrations: newer)
    #expect(try await again.read { try $0.value("SELECT count(*) FROM entity").integer ?? 0 } > 500)
    await again.close()
  }

  @Test func `case 53: two users have separate caches, and a full sync removes what one may not see`()
    async throws
  {
    let user = try await LabUser(.yeastlab) {
      $0.users = [.init(name: "alice", password: "wonderland"), .init(name: "bob", password: "wonderland")]
      $0.dialect = .mid
    }
    try await user.logIn()
    try await user.run("sync")
    try await user.logIn(user: "bob")
    try await user.run("sync")
    let accounts = try await user.accounts().map(\.id)
    #expect(accounts.count == 2)
    let alice = try #require(accounts.first { $0.contains("alice") })
    let bob = try #require(accounts.first { $0.contains("bob") })
    let before = try await user.content(alice)
    #expect(try await user.content(bob) == before)
    let hidden = Set(user.server.permIDs(0..<40))
    user.server.hide(hidden, from: "bob")
    try await user.run("sync --full --account \(bob)")
    try await user.run("sync --full --account \(alice)")
    #expect(try await user.content(alice) == before)
    let left = try await user.content(bob).entities.keys
    #expect(Set(left).isDisjoint(with: hidden) && left.count == before.entities.count - hidden.count)
  }
}
