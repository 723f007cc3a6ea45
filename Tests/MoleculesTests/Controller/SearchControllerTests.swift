import PluginAPI
import PluginTesting
import Testing

@testable import Molecules

/// Tests of typing search words, the results, and the messages without results.
@MainActor struct SearchControllerTests {
  private static let hits: Value = [
    [
      "code": "1CRN", "title": "WATER STRUCTURE OF A HYDROPHOBIC PROTEIN", "method": "X-RAY DIFFRACTION",
      "resolution": 1.5,
    ],
    ["code": "1EJG", "title": "CRAMBIN AT ULTRA-HIGH RESOLUTION", "method": "X-RAY DIFFRACTION", "resolution": 0.54],
    ["code": "9ABC", "title": "", "method": .null, "resolution": .null],
  ]

  private func search(
    isOffline: Bool = false, _ answer: @escaping ServingPlugin.Answer
  ) async throws -> (ScreenDriver, ServingPlugin) {
    let plugin = ServingPlugin(["search": answer])
    let host = try await TestPlugin(plugin, isOffline: isOffline)
    return (try host.screen("search", size: Size(width: 90, height: 16)), plugin)
  }

  @Test func `the search starts after a pause in typing`() async throws {
    let (driver, plugin) = try await search { try await $0.emit(Self.hits) }
    #expect(driver.text.contains("Type a name"))
    driver.type("cram")
    driver.advance(by: 0.3)
    driver.type("bin")
    driver.advance(by: 0.3)
    await driver.settle()
    #expect(plugin.calls.isEmpty)
    #expect(driver.text.contains("Searching"))
    driver.advance(by: 0.1)
    await driver.settle()
    #expect(plugin.calls.map(\.arguments["text"]) == ["crambin"])
    #expect(plugin.calls.first?.arguments["service"] == "rcsb")
    let lines = driver.text.split(separator: "\n").map(String.init)
    #expect(lines[0].contains("Search crambin"))
    #expect(lines.contains { $0.contains("HYDROPHOBIC") && $0.contains("1CRN") && $0.contains("X-ray 1.5 Å") })
    #expect(lines.contains { $0.contains("9ABC") })
    #expect(lines[1].contains("3 results for 'crambin'"))
  }

  @Test func `enter searches at once, and then opens the selected hit`() async throws {
    let (driver, plugin) = try await search { try await $0.emit(Self.hits) }
    driver.type("crambin")
    driver.press("enter")
    await driver.settle()
    driver.advance(by: 1)
    await driver.settle()
    #expect(plugin.calls.count == 1)
    driver.press("down", "enter")
    let request = try #require(driver.pushed.last)
    #expect(request.screen == "download")
    #expect(request.arguments["code"] == "1EJG" && request.arguments["service"] == "rcsb")
    driver.receive(.returned(screen: "download", 7))
    guard case .pop(let value)? = driver.requests.last else {
      Issue.record("the number was not given on")
      return
    }
    #expect(value == 7)
  }

  @Test func `changed text starts a new search, and stale responses are dropped`() async throws {
    let (driver, plugin) = try await search { call in
      let code: Value = .text(call.text("text").uppercased())
      try await call.emit([["code": code, "title": "T", "method": .null, "resolution": .null]])
    }
    driver.type("one")
    driver.press("enter")
    driver.type("two")
    driver.press("enter")
    await driver.settle()
    #expect(plugin.calls.map(\.arguments["text"]) == ["onetwo"])
    #expect(driver.text.contains("ONETWO") && !driver.text.contains("1CRN"))
    driver.press("backspace", "enter")
    await driver.settle()
    #expect(driver.text.contains("ONETW") && !driver.text.contains("ONETWO"))
  }

  @Test func `a search without hits suggests what to try`() async throws {
    let (driver, plugin) = try await search { try await $0.emit([]) }
    driver.type("xyzzy")
    driver.press("enter")
    await driver.settle()
    #expect(driver.text.contains("Protein Data Bank has no results for 'xyzzy'"))
    driver.press("tab")
    driver.advance(by: 1)
    await driver.settle()
    #expect(plugin.calls.last?.arguments["service"] == "pubchem")
    #expect(driver.text.contains("PubChem has no results"))
  }

  @Test func `a failed search shows advice, and enter retries it`() async throws {
    let (driver, plugin) = try await search { _ in
      throw ErrorReport(
        code: "net.unreachable", kind: .network, "the server cannot be reached", advice: "look at the network")
    }
    driver.type("crambin")
    driver.press("enter")
    await driver.settle()
    #expect(driver.text.contains("the server cannot be reached; look at the network"))
    #expect(driver.text.contains("Press enter to search again"))
    driver.press("enter")
    await driver.settle()
    #expect(plugin.calls.count == 2)
  }

  @Test func `a canceled search can be repeated`() async throws {
    let (driver, _) = try await search { try await $0.emit(Self.hits) }
    driver.type("crambin")
    driver.press("enter")
    driver.receive(.cancelled("search"))
    #expect(driver.text.contains("Search canceled"))
    driver.press("enter")
    await driver.settle()
    #expect(driver.text.contains("1EJG"))
  }

  @Test func `a single letter and an empty line show a hint instead of a search`() async throws {
    let (driver, plugin) = try await search { try await $0.emit(Self.hits) }
    driver.type("c")
    driver.advance(by: 1)
    await driver.settle()
    #expect(plugin.calls.isEmpty && driver.text.contains("Type one more letter"))
    driver.type("rambin")
    driver.press("enter")
    await driver.settle()
    driver.press("escape")
    #expect(driver.text.contains("Type a name") && !driver.text.contains("1CRN"))
    driver.press("escape")
    #expect(driver.unhandled.last == .key(Key(.escape)))
  }

  @Test func `an offline search sends no request and shows the reason`() async throws {
    let (driver, plugin) = try await search(isOffline: true) { try await $0.emit(Self.hits) }
    driver.type("crambin")
    driver.press("enter", "tab")
    driver.advance(by: 1)
    await driver.settle()
    #expect(plugin.calls.isEmpty)
    #expect(driver.text.contains("The network is off; start without --offline"))
    #expect(driver.outline.text.first?.contains("The network is off") == true)
  }

  @Test func `the linear interface prompts for text and numbers the hits`() async throws {
    let (driver, _) = try await search { try await $0.emit(Self.hits) }
    #expect(driver.outline.items.map(\.id) == ["words"])
    driver.perform(ActionInvocation("words"))
    driver.answer("crambin")
    await driver.settle()
    #expect(driver.outline.items.count == 4)
    driver.perform(try #require(driver.outline.items.last?.action))
    #expect(driver.pushed.last?.arguments["code"] == "9ABC")
  }

  @Test(arguments: [(0, 0), (1, 1), (3, 2), (12, 3), (30, 5), (200, 60)])
  func `every screen size is drawn`(width: Int, height: Int) async throws {
    let (driver, _) = try await search { try await $0.emit(Self.hits) }
    driver.resize(width, height)
    #expect(driver.frame.frameSize == Size(width: width, height: height))
    driver.type("crambin")
    driver.press("enter")
    await driver.settle()
    driver.press("down", "page-down", "up")
    driver.click(x: 2, y: 3)
    #expect(driver.frame.frameSize == Size(width: width, height: height))
  }
}
