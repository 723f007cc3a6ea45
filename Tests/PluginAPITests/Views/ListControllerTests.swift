import PluginAPI
import Testing

/// Screens with one list.
@MainActor struct ListControllerTests {
  private let ports = PortsController()

  private func effects(_ key: String) -> Int? { ports.handle(ViewSamples.key(key))?.count }

  init() { _ = ports.handle(.resize(ScreenGeometry(size: Size(width: 40, height: 4)))) }

  @Test func `rows are read at the start and after a notification`() {
    #expect(ports.start().count == 1)
    #expect(ports.receive(.notification(Notification(topic: "x.y", plugin: "x", payload: .null))).count == 1)
    #expect(ports.receive(.timer("other")).isEmpty)
  }

  @Test func `only selecting another row reports a change, and Enter opens the row`() {
    ports.list.rows = ViewSamples.ports.rows
    #expect(effects("down") == 1 && ports.seen == ["hel"])
    #expect(effects("up") == 1 && effects("up") == 0 && ports.seen == ["hel", "new"])
    #expect(effects("enter") == 1 && ports.opened == ["new"])
    #expect(effects("x") == nil)
  }

  @Test func `the mouse acts only within the list's rectangle`() {
    ports.list.rows = ViewSamples.ports.rows
    func press(y: Int) -> Event { .mouse(Mouse(.press(clicks: 1), at: Point(x: 1, y: y))) }
    #expect(ports.handle(press(y: 0)) == nil)
    #expect(ports.handle(press(y: 2))?.count == 1)
    #expect(ports.list.selectedID == "hel")
  }

  @Test func `an open filter receives typed text`() {
    ports.list.rows = ViewSamples.ports.rows
    #expect(!ports.wantsText)
    #expect(effects("/") == 0 && ports.wantsText)
  }

  @Test func `the right arrow on a disclosure mark opens its row`() {
    ports.list.rows = ViewSamples.ports.rows
    ports.list.select("hel")
    #expect(effects("right") == 1 && ports.opened == ["hel"])
  }
}

@MainActor private final class PortsController: ListController {
  var list = ListState()
  var seen: [String] = []
  var opened: [String] = []

  var title: String { "Ports" }
  var view: any View { ListView("Ports", list) }

  func listRect(in screen: Rect) -> Rect { screen.split(top: 1).1 }
  func reload() -> [Effect] { [.quit] }

  func selectionDidChange() -> [Effect] {
    seen.append(list.selectedID ?? "none")
    return [.quit]
  }

  func openRow(_ id: String) -> [Effect] {
    opened.append(id)
    return [.quit]
  }
}
