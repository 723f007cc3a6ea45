import PluginAPI
import PluginTesting
import PluginText
import Synchronization
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// Screens, commands, cache and a server together, as in normal use.
@MainActor @Suite(.timeLimit(.minutes(5))) struct ScreensFlowTests {
  private static let resources =
    #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 } + "/Plugins/OpenBIS/Resources"

  private func plugin(at server: SimulatorServer, _ backEnd: Account.BackEnd = .tablesV1) async throws -> TestPlugin {
    let test = try await TestPlugin(OpenBISPlugin(), resources: Self.resources, isOffline: false)
    let address = try #require(ServerAddress(server.url))
    var account = Account(id: Account.id(of: "alice", at: address), server: address, user: "alice")
    account.backEnd = backEnd
    account.dataStore = "DSS1"
    account.dataStores = ["DSS1"]
    let servers = try ServersStore.of(test.context)
    try await servers.keep(account)
    try await servers.setCurrent(account.id)
    try LabAccess.credentials(test.context).keep(Secret("wonderland"), as: .password, of: account.id)
    return test
  }

  /// Lets commands run until their changes reach the screen.
  private func settle(_ screen: ScreenDriver, _ test: TestPlugin) async {
    await screen.settle()
    test.context.loop.advance(by: 0.2)
    await screen.settle()
  }

  @Test func `a server is refreshed, browsed and searched, and browsed from the cache after it stops`() async throws {
    let server = try SimulatorServer(.init(shape: .demo))
    let test = try await plugin(at: server)
    let loaded = try test.plugin.makeController(ScreenRequest("browser"), test.context)
    _ = try await loaded.startLoaded(Size(width: 70, height: 14))
    #expect(loaded.text(Size(width: 70, height: 14)).contains("loading from the server …"))
    let screen = try test.screen("browser", size: Size(width: 70, height: 14))
    await settle(screen, test)
    #expect(screen.text.contains("›"), "\(screen.text)")
    screen.press("enter")
    await settle(screen, test)
    let list = screen.text
    #expect(screen.controller.title.contains(" › "))
    screen.press("down", "enter")
    await settle(screen, test)
    let deeper = screen.controller.title
    #expect(screen.controller.status.allSatisfy { !$0.text.contains("offline") })

    await server.stop()
    screen.press("escape", "escape", "enter")
    await settle(screen, test)
    #expect(screen.text == list || screen.text.contains(list.prefix(40)), "\(screen.text)")
    screen.press("down", "enter")
    await settle(screen, test)
    #expect(screen.controller.title == deeper)
    #expect(screen.controller.status.first?.text == "offline · o to go online")
  }

  @Test func `details with properties and an image are fetched from the server`() async throws {
    let server = try SimulatorServer(.init(shape: .demo))
    let test = try await plugin(at: server)
    _ = try await test.run("sync", ["no-index": true])
    let servers = try ServersStore.of(test.context)
    let account = try #require(try await servers.accounts().first)
    let cache = EntityStore(path: servers.cachePath(of: account.id))
    let category = try #require(try await cache.navigation().first)
    let root = try #require(try await cache.children(of: category.permID, 0..<1).rows.first)
    let request = ScreenRequest("detail", arguments: ["perm-id": .text(root.permID), "account": .text(account.id)])
    let loaded = try test.plugin.makeController(request, test.context)
    _ = try await loaded.startLoaded(Size(width: 70, height: 30))
    #expect(loaded.text(Size(width: 70, height: 30)).contains("no details yet"))
    let screen = try test.screen("detail", request.arguments, size: Size(width: 70, height: 30))
    await settle(screen, test)
    let entity = try #require(try await cache.entity(root.permID))
    #expect(entity.flags.contains(.detailed))
    let label = try #require(entity.properties?.first?.label)
    #expect(screen.text.contains(SanitizedText.line(label)), "\(screen.text)")
    await cache.close()
    await server.stop()
  }

  @Test func `V3 objects are browsed with the bundled mapping`() async throws {
    let server = try SimulatorServer(.init(shape: .demo))
    let test = try await plugin(at: server, .native)
    let screen = try test.screen("browser", size: Size(width: 70, height: 14))
    await settle(screen, test)
    #expect(screen.text.contains("›"), "\(screen.text)")
    for depth in 1...3 {
      screen.press("enter")
      await settle(screen, test)
      #expect(screen.controller.title.split(separator: "›").count == depth + 1, "\(screen.text)")
      screen.press("down")
    }
    #expect(screen.controller.status.allSatisfy { !$0.text.contains("offline") })
    await server.stop()
  }

  @Test func `a search reaches the server`() async throws {
    let server = try SimulatorServer(.init(shape: .demo))
    let test = try await plugin(at: server)
    let screen = try test.screen("search", size: Size(width: 70, height: 14))
    await screen.settle()
    screen.type("no such thing")
    screen.advance(by: 1.1)
    await settle(screen, test)
    #expect(
      screen.text.contains("the server found nothing") || screen.text.contains("found by the server"), "\(screen.text)")
    await server.stop()
  }

  @Test func `irregularities in a server's rows are reported to screens once`() async throws {
    let server = try SimulatorServer(.init(shape: .demo))
    let test = try await plugin(at: server)
    let account = try #require(try await ServersStore.of(test.context).accounts().first)
    func codes(isInteractive: Bool) async throws -> [String] {
      let told = ToldOutput()
      let arguments: Record = ["account": .text(account.id), "full": true, "if-due": false, "no-index": true]
      try await test.plugin.makeCommand("sync", test.context).run(
        CommandCall(
          arguments: arguments, context: test.context, presentation: .init(isInteractive: isInteractive), output: told))
      return told.codes.withLock { $0 }
    }
    #expect(try await codes(isInteractive: true).contains("openbis.children-dropped"))
    #expect(try await !codes(isInteractive: true).contains("openbis.children-dropped"))
    #expect(try await codes(isInteractive: false).contains("openbis.children-dropped"))
    await server.stop()
  }
}

/// An output that collects a command's warnings.
private final class ToldOutput: CommandOutput {
  let codes = Mutex<[String]>([])

  func emit(_ value: Value) async throws {}
  func report(_ progress: Progress) {}
  func warn(_ diagnostic: Diagnostic) { codes.withLock { $0.append(diagnostic.code) } }
}
