import PluginAPI
import PluginTesting
import Testing

struct ScreenDriverWorkTests {
  @MainActor private func screen(holds: Bool = true) async throws -> ScreenDriver {
    try await TestPlugin(WorkPlugin()).screen("work", holdsComputations: holds)
  }

  @Test @MainActor func `computed work runs at once unless held`() async throws {
    let screen = try await screen(holds: false)
    screen.press("c")
    #expect(screen.controller.title == "computed 1")
    #expect(screen.pendingWork == [])
  }

  @Test @MainActor func `a screen waits for held work until the test completes it`()
    async throws
  {
    let screen = try await screen()
    screen.press("c", "l")
    #expect(screen.pendingWork == ["compute", "load"])
    #expect(screen.controller.title == "waiting")
    await screen.completeWork("load")
    #expect(screen.controller.title == "loaded" && screen.pendingWork == ["compute"])
    await screen.completeWork("compute")
    #expect(screen.controller.title == "computed 1" && screen.pendingWork == [])
  }

  @Test @MainActor func `canceled work never runs, and the screen is notified`() async throws {
    let screen = try await screen()
    screen.press("c", "r")
    screen.cancelWork("compute")
    #expect(screen.controller.title == "compute canceled")
    screen.cancelWork("command")
    #expect(screen.controller.title == "command canceled")
    #expect(screen.pendingWork == [] && screen.failures == [])
    await screen.settle()
    #expect(screen.controller.title == "command canceled")
  }

  @Test @MainActor func `interrupted work ends at its next cancellation check`() async throws {
    let screen = try await screen()
    screen.press("c")
    await screen.interruptWork("compute")
    #expect(screen.controller.title == "compute canceled")
  }

  @Test @MainActor func `newer work of the same name replaces held work, and settling runs it`() async throws {
    let screen = try await screen()
    screen.press("c", "c")
    #expect(screen.pendingWork == ["compute"])
    await screen.settle()
    #expect(screen.controller.title == "computed 2")
  }
}

/// A plugin whose screen computes, loads and runs a command.
private final class WorkPlugin: Plugin {
  var parts: PluginParts {
    PluginParts(
      commands: [CommandPart(CommandDescription("wait", "Wait", output: .init(.text))) { try await $0.emit("done") }],
      screens: [ScreenPart(WorkController.screen) { _, _ in WorkController() }])
  }

  let identity = PluginIdentity(id: "work-tester", name: "Work", version: "1.0.0", summary: "Works on a screen")
}

@MainActor private final class WorkController: Controller {
  nonisolated static let screen = ScreenDescription(
    "work", title: "Work", summary: "Work of all kinds",
    actions: [
      ScreenAction("compute", "Compute", keys: ["c"]), ScreenAction("load", "Load", keys: ["l"]),
      ScreenAction("run", "Run", keys: ["r"]),
    ])

  private(set) var title = "waiting"
  private var count = 0

  var view: any View { TextPageView("Work", TextPageState(StyledText(title))) }

  func handle(_ event: Event) -> [Effect]? { nil }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    switch invocation.action {
    case "compute":
      count += 1
      let work = compute("compute", "Computing") { [count] progress in
        try progress.checkCancellation()
        return count
      } then: { controller, number in
        controller.title = "computed \(number)"
      } failed: { controller, failure in
        controller.title = "compute " + failure.text(ifCanceled: "canceled")
        return []
      }
      return [work]
    case "load":
      let work = load("load", "Loading") { _ in
        "loaded"
      } then: { controller, text in
        controller.title = text
      }
      return [work]
    default: return [.run("command", command: "wait", arguments: Record())]
    }
  }

  func receive(_ message: Message) -> [Effect] {
    if case .cancelled(let id) = message { title = id.name + " canceled" }
    return []
  }
}
