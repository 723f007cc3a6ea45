import PluginAPI
import PluginTesting
import Testing

@testable import Molecules

/// Tests of reading a web page and following its links.
@MainActor struct PageControllerTests {
  private static func page(_ title: String, _ text: String, links: [(String, String)]) -> Value {
    [
      "code": "", "title": .text(title), "abstract": "An abstract.", "address": .text("https://x.test/" + title),
      "text": .text(text),
      "links": .list(
        links.enumerated().map {
          ["number": .integer($0.offset + 1), "text": .text($0.element.0), "address": .text($0.element.1)]
        }),
    ]
  }

  private static let first = page(
    "Crambin",
    "See another[1] or the\n\npaper[2], array[0] and [x].\n" + String(repeating: "more\n", count: 40)
      + "last[3]",
    links: [("another", "https://x.test/4HHB"), ("paper", "https://y.test"), ("last", "https://z.test")])

  private func open(isOffline: Bool = false) async throws -> (ScreenDriver, ServingPlugin) {
    let plugin = ServingPlugin([
      "page": { call in
        if call.text("url") == "https://y.test" {
          throw ErrorReport(code: "net.type", kind: .network, "it is no text", advice: "open it in a browser")
        }
        let isFirst = call.text("url").isEmpty
        try await call.emit(isFirst ? Self.first : Self.page("Haemoglobin", "Red.", links: []))
      }
    ])
    let host = try await TestPlugin(plugin, isOffline: isOffline)
    let driver = try host.screen("page", ["code": "1CRN", "service": "rcsb"], size: Size(width: 60, height: 12))
    await driver.settle()
    return (driver, plugin)
  }

  @Test func `a page is shown as text with its title and address`() async throws {
    let (driver, plugin) = try await open()
    #expect(plugin.calls.first?.arguments["read"] == true && plugin.calls.first?.arguments["code"] == "1CRN")
    #expect(driver.controller.title == "Crambin")
    #expect(driver.text.contains("https://x.test/Crambin"))
    #expect(driver.text.contains("See another[1] or the"))
    #expect(driver.text.contains("paper[2], array[0] and [x]."))
  }

  @Test func `links are selected and followed, with a history to go back`() async throws {
    let (driver, plugin) = try await open()
    driver.press("tab")
    #expect(driver.controller.status.map(\.text) == ["https://x.test/4HHB"])
    driver.press("tab", "shift-tab", "enter")
    await driver.settle()
    #expect(plugin.calls.last?.arguments["url"] == "https://x.test/4HHB")
    #expect(driver.text.contains("Haemoglobin") && driver.text.contains("Red."))
    driver.press("backspace")
    await driver.settle()
    #expect(driver.text.contains("another[1]"))
    #expect(plugin.calls.count == 2)
    driver.press("backspace")
    #expect(driver.unhandled.last == .key(Key(.backspace)))
  }

  @Test func `selecting a link below the screen scrolls to it`() async throws {
    let (driver, _) = try await open()
    #expect(!driver.text.contains("last[3]"))
    driver.press("tab", "tab", "tab")
    #expect(driver.text.contains("last[3]"))
    driver.press("home")
    #expect(driver.text.contains("Crambin"))
    driver.press("end")
    #expect(driver.text.contains("last[3]"))
  }

  @Test func `a link is followed by click and by number`() async throws {
    let (driver, plugin) = try await open()
    driver.click(x: 6, y: 3)
    await driver.settle()
    #expect(plugin.calls.last?.arguments["url"] == "https://x.test/4HHB")
    driver.press("left")
    driver.press("F")
    driver.answer("3")
    await driver.settle()
    #expect(plugin.calls.last?.arguments["url"] == "https://z.test")
    driver.press("left", "F")
    driver.answer("77")
    guard case .status(let told)? = driver.requests.last else {
      Issue.record("nothing was told")
      return
    }
    #expect(told.message == "the page has no link '77'")
  }

  @Test func `an unreadable page shows the reason and keeps the history`() async throws {
    let (driver, _) = try await open()
    driver.press("tab", "tab", "enter")
    await driver.settle()
    #expect(driver.text.contains("it is no text; open it in a browser"))
    driver.press("backspace")
    #expect(driver.text.contains("another[1]"))
  }

  @Test func `B opens the shown page in a browser`() async throws {
    let (driver, plugin) = try await open()
    driver.press("B")
    await driver.settle()
    #expect(plugin.calls.last?.arguments["open"] == true && plugin.calls.last?.arguments["code"] == "1CRN")
  }

  @Test func `the screen says that the network is off`() async throws {
    let (driver, plugin) = try await open(isOffline: true)
    #expect(plugin.calls.isEmpty && driver.text.contains("The network is off"))
  }

  @Test(arguments: [(0, 0), (1, 1), (4, 2), (12, 3), (200, 60)])
  func `every screen size is drawn`(width: Int, height: Int) async throws {
    let (driver, _) = try await open()
    driver.resize(width, height)
    driver.press("tab", "page-down", "end", "home", "up")
    driver.click(x: 1, y: 1)
    #expect(driver.frame.frameSize == Size(width: width, height: height))
    #expect(driver.outline.items.count == 3)
  }
}
