import PluginAPI
import PluginTesting
import Synchronization
import Testing

@testable import OpenBIS

@MainActor @Suite struct ServersControllerTests {
  let plugin = ScreensPlugin()
  let test: TestPlugin

  init() async throws {
    test = try await TestPlugin(plugin, isOffline: false)
    plugin.answer("servers") { _ in
      [
        .table(
          Table(columns: [
            .init("account", .texts(["anna-lab", "bob-other"])),
            .init("server", .texts(["https://lab.example", "https://other.example"])),
            .init("user", .texts(["anna", "bob\u{1B}[31m"])), .init("backEnd", .values([.text("tables-v1"), .null])),
            .init("usesAccessToken", .values([.bool(false), .bool(true)])),
            .init("isCurrent", .values([.bool(true), .bool(false)])),
          ]))
      ]
    }
  }

  private func servers() async throws -> ScreenDriver {
    let screen = try test.screen("servers", Record(), size: Size(width: 70, height: 8))
    await screen.settle()
    return screen
  }

  private func popped(_ screen: ScreenDriver) -> Value? {
    if case .pop(let value)? = screen.requests.last { value } else { nil }
  }

  @Test func `servers and users are listed, and the current one is marked and selected`() async throws {
    let screen = try await servers()
    #expect(screen.text.hasPrefix("▌ https://lab.example"))
    #expect(screen.text.contains("anna · tables-v1"))
    #expect(screen.text.contains("in use"))
    #expect(screen.text.contains("bob\u{FFFD}[31m · token"))
  }

  @Test func `a list that is not a table is ignored`() async throws {
    let screen = try await servers()
    screen.receive(.emitted("servers", "x"))
    #expect(screen.text.hasPrefix("▌ https://lab.example") && screen.text.contains("https://other.example"))
  }

  @Test func `enter switches to another account`() async throws {
    let screen = try await servers()
    screen.press("down", "enter")
    await screen.settle()
    #expect(plugin.calls.last == .init(name: "servers", arguments: ["use": "bob-other"]))
    #expect(popped(screen) == ["changed": true])
  }

  @Test func `a login asks for server and user, the command for the password`() async throws {
    let screen = try await servers()
    screen.press("a")
    screen.answer("https://new.example")
    screen.answer("carl")
    await screen.settle()
    #expect(plugin.calls.last == .init(name: "login", arguments: ["url": "https://new.example", "user": "carl"]))
    #expect(popped(screen) == ["changed": true])
  }

  @Test func `a whole address can be pasted, and a wrong password is asked for again`() async throws {
    let screen = try await servers()
    screen.press("a")
    guard case .question(let question)? = screen.requests.last, case .line(let prompt) = question.form else {
      Issue.record("nothing is asked")
      return
    }
    #expect(prompt.text.isEmpty)
    screen.answer("https://new.example/openbis")
    screen.answer("carl")
    let plugin = plugin
    let logins = Mutex(0)
    plugin.answer("login") { _ in
      let isFirst = logins.withLock { count in
        count += 1
        return count == 1
      }
      if isFirst { throw ErrorReport(code: "openbis.login-failed", kind: .refused, "login failed") }
      return []
    }
    await screen.settle()
    #expect(
      plugin.calls.filter { $0.name == "login" }.map(\.arguments)
        == Array(repeating: ["url": "https://new.example/openbis", "user": "carl"], count: 2))
    #expect(popped(screen) == ["changed": true])
  }

  @Test func `case 49: a key that is not confirmed is reported, and nothing changes`() async throws {
    plugin.answer("login") { _ in
      throw ErrorReport(code: "openbis.untrusted", kind: .refused, "the certificate of 'new.example' is not trusted")
    }
    let screen = try await servers()
    screen.press("a")
    screen.answer("https://new.example")
    screen.answer("carl")
    await screen.settle()
    let notices = screen.requests.compactMap { if case .status(let notice) = $0 { notice } else { nil } }
    #expect(notices.last?.message == "the certificate of 'new.example' is not trusted")
    #expect(popped(screen) == nil)
  }

  @Test func `case 49: a changed key of a server is refused with an explanation`() async throws {
    plugin.answer("login") { _ in
      throw ErrorReport(
        code: "openbis.changed-key", kind: .refused, "'lab.example' has the key X, not the trusted Y",
        details: ["shown": "X"])
    }
    let screen = try await servers()
    screen.press("l")
    await screen.settle()
    #expect(screen.pushed.last?.screen == "text")
    #expect(
      screen.pushed.last?.arguments["text"]?.text?.contains("somebody may be intercepting the connection") == true)
    #expect(!screen.requests.contains { if case .question = $0 { true } else { false } })
    #expect(plugin.calls.count { $0.name == "login" } == 1)
  }

  @Test func `logging out asks whether to delete the cached data too`() async throws {
    let screen = try await servers()
    screen.press("x")
    screen.answer("logout")
    await screen.settle()
    #expect(plugin.calls.contains(.init(name: "logout", arguments: ["account": "anna-lab"])))
    screen.press("x")
    screen.answer("forget")
    await screen.settle()
    #expect(plugin.calls.contains(.init(name: "logout", arguments: ["forget": true, "account": "anna-lab"])))
    screen.press("escape")
    #expect(popped(screen) == ["changed": true])
  }

  @Test func `without a server the screen says how to begin`() async throws {
    plugin.answer("servers") { _ in [.table(Table(columns: [.init("account", .texts([]))]))] }
    let screen = try await servers()
    #expect(screen.text.contains("you are not logged in to any server: press a to log in"))
  }
}
