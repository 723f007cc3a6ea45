import PluginAPI
import PluginTesting
import Testing

@testable import OpenBIS

@MainActor @Suite struct DetailControllerTests {
  let plugin = ScreensPlugin()
  let test: TestPlugin

  init() async throws {
    test = try await TestPlugin(plugin, isOffline: false)
    try await SmallLab.fill(plugin.cache)
  }

  private func details(_ id: String, _ more: Record = Record()) async throws -> ScreenDriver {
    var arguments: Record = ["perm-id": .text(id), "account": "lab"]
    for field in more.fields { arguments[field.name] = field.value }
    let screen = try test.screen("detail", arguments, size: Size(width: 60, height: 20))
    await screen.settle()
    return screen
  }

  private func changed(_ screen: ScreenDriver) async {
    test.context.notify("cache-changed", .text("lab"))
    test.context.loop.drain()
    test.context.loop.advance(by: 0.2)
    await screen.settle()
  }

  @Test func `cached details are shown at once, and missing ones requested`() async throws {
    let size = Size(width: 60, height: 20)
    let loaded = try plugin.makeController(
      ScreenRequest("detail", arguments: ["perm-id": "W1", "account": "lab"]), test.context)
    _ = try await loaded.startLoaded(size)
    #expect(loaded.title == "Well 1")
    #expect(loaded.text(size).contains("OD 600  0.4"))
    #expect(loaded.text(size).contains("Table   a  b"))
    #expect(loaded.text(size).contains("parent\n    Plate 1"))
    let screen = try await details("W1")
    #expect(plugin.newCalls() == ["detail W1"])
    let cache = plugin.cache
    var row = EntityRow("W1")
    row.properties = [Property(key: "OD", label: "OD 600", value: "0.9")]
    try await cache.take([row], .details(of: ["W1"]))
    await changed(screen)
    #expect(screen.text.contains("OD 600  0.9"))
    await screen.settle()
    #expect(plugin.newCalls().isEmpty)
    screen.press("r")
    await screen.settle()
    #expect(plugin.newCalls() == ["detail W1"])
  }

  @Test func `offline mode sends no request, and reports the reason`() async throws {
    let test = try await TestPlugin(plugin, isOffline: true)
    let screen = try test.screen("detail", ["perm-id": "W1", "account": "lab"], size: Size(width: 60, height: 20))
    screen.press("r", "o")
    await screen.settle()
    #expect(plugin.newCalls().isEmpty)
    #expect(screen.controller.status.map(\.text) == ["offline · o to go online"])
    #expect(notices(screen).map(\.code) == ["openbis.offline", "openbis.offline"])
  }

  @Test func `an unreachable server gets no request until the user goes online, and then images are loaded too`()
    async throws
  {
    try await withImages(1)
    let plugin = plugin
    plugin.setReachable(false)
    plugin.answer("image") { _ in throw ErrorReport(code: "net.refused", kind: .network, "'lab' refuses") }
    let screen = try await details("W1")
    await screen.settle()
    #expect(screen.controller.status.map(\.text) == ["offline · o to go online"])
    #expect(screen.text.contains("no image: 'lab' refuses"))
    #expect(!plugin.newCalls().contains("detail W1"))
    plugin.answer("image") { _ in [.picture(Picture(width: 2, height: 2))] }
    plugin.answer("detail") { _ in
      plugin.setReachable(true)
      return []
    }
    screen.press("o")
    await screen.settle()
    #expect(plugin.newCalls().filter { $0 == "detail W1" }.count == 1)
    #expect(screen.controller.status.isEmpty)
    #expect(screen.frame.pictures.count == 2)
  }

  @Test func `details that fail show that the server is unreachable, and are requested when it responds again`()
    async throws
  {
    let plugin = plugin
    plugin.answer("detail") { _ in
      plugin.setReachable(false)
      throw ErrorReport(code: "net.refused", kind: .network, "'lab' refuses")
    }
    let loaded = try plugin.makeController(
      ScreenRequest("detail", arguments: ["perm-id": "W1", "account": "lab"]), test.context)
    _ = try await loaded.startLoaded(Size(width: 60, height: 20))
    #expect(loaded.status.isEmpty)
    let screen = try await details("W1")
    #expect(screen.controller.status.map(\.text) == ["offline · o to go online"])
    await changed(screen)
    _ = plugin.newCalls()
    plugin.setReachable(true)
    plugin.answer("detail") { _ in [] }
    await changed(screen)
    await screen.settle()
    #expect(plugin.newCalls() == ["detail W1"])
  }

  @Test func `a change of account above the details is passed on to the list`() async throws {
    let screen = try await details("W1")
    screen.receive(.returned(screen: "servers", .null))
    #expect(!screen.requests.contains { if case .pop = $0 { true } else { false } })
    screen.receive(.returned(screen: "servers", ["changed": true]))
    if case .pop(let value)? = screen.requests.last {
      #expect(value == ["changed": true])
    } else {
      Issue.record("the list does not know")
    }
  }

  @Test func `an entity is exported from its details`() async throws {
    let screen = try await details("W1")
    screen.press("e")
    screen.answer("csv")
    screen.answer("well.csv")
    await screen.settle()
    #expect(
      plugin.calls.last
        == .init(
          name: "export", arguments: ["perm-id": "W1", "format": "csv", "output": "well.csv", "account": "lab"]))
    #expect(notices(screen).last?.code == "openbis.exported")
  }

  @Test func `files are shown only for entities that may be data sets`() async throws {
    try await plugin.cache.take([EntityRow("SAMPLE.7", "A sample"), EntityRow("DATA_SET.8", "A data set")])
    for (id, isShown) in [("SAMPLE.7", false), ("PLATES", false), ("DATA_SET.8", true), ("W1", true)] {
      let screen = try await details(id)
      screen.press("f")
      #expect((screen.pushed.last?.screen == "files") == isShown, "\(id)")
      #expect((notices(screen).last?.code == "openbis.no-data-set") == !isShown, "\(id)")
    }
  }

  private func notices(_ screen: ScreenDriver) -> [Diagnostic] {
    screen.requests.compactMap { if case .status(let notice) = $0 { notice } else { nil } }
  }

  @Test func `a long value opens completely on its own page`() async throws {
    var row = EntityRow("W1")
    row.properties = [
      Property(key: "log", label: "Log", value: String(repeating: "a line of the log\n", count: 60_000))
    ]
    try await plugin.cache.take([row], .details(of: ["W1"]))
    let screen = try await details("W1")
    #expect(screen.text.contains("… press enter to show all (1.1 MB)"))
    screen.press("enter")
    let request = try #require(screen.pushed.last)
    #expect(request.screen == "text")
    #expect(request.arguments["title"] == "Log")
    #expect(request.arguments["text"]?.text?.utf8.count == 60_000 * 18)
    let page = try test.screen("text", request.arguments, size: Size(width: 40, height: 8))
    page.press("end")
    #expect(page.text.contains("a line of the log"))
  }

  @Test func `a property that names a cached entity is a link to it`() async throws {
    var row = EntityRow("W1")
    row.properties = [
      Property(key: "FROM", label: "Derived from", value: "SAMPLE.7"),
      Property(key: "OTHER", label: "Other", value: "SAMPLE.8"),
    ]
    try await plugin.cache.take([EntityRow("SAMPLE.7", "A sample"), row], .details(of: ["W1"]))
    let screen = try await details("W1")
    screen.press("enter")
    guard case .pop(let value)? = screen.requests.last else {
      Issue.record("\(screen.requests)")
      return
    }
    #expect(value == ["open": "SAMPLE.7"])
    // Nothing is known of the other one, so its value is only shown.
    screen.press("down", "enter")
    await screen.settle()
    #expect(screen.pushed.last?.arguments["text"] == "SAMPLE.8")
  }

  @Test func `children and parents link back to the list`() async throws {
    let screen = try await details("P1")
    screen.press("end", "enter")
    let parents = screen.requests.compactMap { if case .pop(let value) = $0 { value } else { nil } }
    #expect(parents == [["open": "W2"]] || parents == [["open": "P2"]] || parents == [["open": "PLATES"]])
    screen.perform(ActionInvocation("choose", ["id": "children"]))
    let last = screen.requests.last
    if case .pop(let value)? = last {
      #expect(value == ["open": "P1"])
    } else {
      Issue.record("\(String(describing: last))")
    }
  }

  @Test func `case 43: the screen of a deleted entity closes`() async throws {
    let screen = try await details("W10")
    var row = EntityRow("W10")
    row.isDeleted = true
    try await plugin.cache.take([row], .roots(of: nil))
    try await plugin.cache.take([EntityRow("P1", "Plate 1", category: "plate", children: [])], .roots(of: nil))
    await changed(screen)
    if case .pop? = screen.requests.last {} else { Issue.record("the screen stays") }
  }

  // MARK: Images

  private func withImages(_ count: Int) async throws {
    var row = EntityRow("W1", "Well 1", category: "well")
    row.images =
      (0..<count).map { EntityImage(role: .tiled, source: .address("http://lab/\($0).png")) }
      + [
        EntityImage(role: .marquee, source: .address("http://lab/big.png")),
        EntityImage(role: .tiled, source: .unusable("not base64")),
      ]
    row.properties = []
    try await plugin.cache.take([row], .details(of: ["W1"]))
  }

  @Test func `case 40: only visible images of 200 are requested, a few at a time`() async throws {
    try await withImages(199)
    let picture = Picture(width: 8, height: 8, pixels: [UInt8](repeating: 200, count: 256))
    plugin.answer("image") { _ in [.picture(picture)] }
    let size = Size(width: 60, height: 20)
    let loaded = try plugin.makeController(
      ScreenRequest("detail", arguments: ["perm-id": "W1", "account": "lab"]), test.context)
    _ = try await loaded.startLoaded(size)
    #expect(loaded.text(size).contains("loading …"))
    #expect(plugin.calls.isEmpty)
    let screen = try await details("W1")
    let first = plugin.calls.filter { $0.name == "image" }
    #expect(first.first?.arguments == ["perm-id": "W1", "number": 1, "known-details": true, "account": "lab"])
    #expect(first.count > 3 && first.count < 40)
    #expect(screen.frame.pictures.count > 1)
    screen.press("end")
    await screen.settle()
    #expect(plugin.calls.count { $0.name == "image" } > first.count)
    #expect(
      Set(plugin.calls.filter { $0.name == "image" }.map { $0.arguments["number"]?.integer }).count
        == plugin.calls.count { $0.name == "image" })
  }

  @Test func `an image that cannot be loaded shows the reason, and the others are shown`() async throws {
    try await withImages(1)
    plugin.answer("image") { arguments in
      if arguments["number"] == 1 {
        throw ErrorReport(code: "openbis.no-image", kind: .notFound, "the server answered\u{1B}[31m 404")
      }
      return [.picture(Picture(width: 2, height: 2))]
    }
    let screen = try await details("W1")
    await screen.settle()
    #expect(screen.text.contains("no image: the server answered\u{FFFD}[31m 404"))
    #expect(screen.frame.pictures.count == 1)
    #expect(screen.text.contains("no image: not"))
  }

  @Test func `an image is shown in full screen, and n shows the next`() async throws {
    try await withImages(2)
    plugin.answer("image") { arguments in
      let number = arguments["number"]?.integer ?? 0
      if number == 3 { throw ErrorReport(code: "x", kind: .network, "the server is away") }
      return [.picture(Picture(width: 10 * number, height: 10))]
    }
    let screen = try await details("W1")
    screen.press("v")
    let request = try #require(screen.pushed.last)
    #expect(request.screen == "image" && request.arguments["count"] == 4)
    let image = try test.screen("image", request.arguments, size: Size(width: 40, height: 20))
    await image.settle()
    #expect(image.frame.pictures.first?.picture.width == 10)
    image.press("n")
    await image.settle()
    #expect(image.controller.title == "Image 2 of 4")
    #expect(image.frame.pictures.first?.picture.width == 20)
    image.press("right")
    await image.settle()
    #expect(image.text.contains("the server is away"))
    image.press("p", "p", "p")
    #expect(image.controller.title == "Image 1 of 4")
  }
}
