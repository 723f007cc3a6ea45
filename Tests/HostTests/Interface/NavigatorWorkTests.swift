import PluginAPI
import Testing

@testable import Host

@MainActor struct NavigatorWorkTests {
  @Test func `running work is shown with its progress and the key that cancels it`() async throws {
    let flow = try Flow()
    try await flow.feed("c")
    let screen = flow.screen
    #expect(screen.contains("computing the year") && screen.contains("esc cancels") && screen.contains("╭"))
    flow.plugin.gate.open()
    try await flow.feed("wait")
    #expect(flow.status.contains("finished 365") && !flow.screen.contains("esc cancels"))
  }

  @Test(arguments: ["escape", "ctrl-c"])
  func `cancellation ends blocked work at once, and its late result is dropped`(_ key: String) async throws {
    let flow = try Flow()
    let gate = flow.plugin.gate
    try await flow.feed("c \(key) wait")
    // The work is still blocked: the screen was notified before it could respond.
    #expect(gate.notes.last == "cancelled" && !gate.notes.contains { $0.hasPrefix("work") })
    #expect(!flow.navigator.isWorking)
    gate.open()
    while !gate.notes.contains("work saw cancel") { await Task.yield() }
    try await flow.feed("wait")
    #expect(!gate.notes.contains("finished 365") && !flow.screen.contains("finished"))
  }

  @Test func `the user can press keys while work runs`() async throws {
    let flow = try Flow()
    try await flow.feed("c down l")
    #expect(flow.lines[3].hasPrefix("▌ Cuxhaven") && flow.status.contains("turned 1"))
    flow.plugin.gate.open()
    try await flow.feed("wait")
  }

  @Test func `closing a screen cancels its work`() async throws {
    let flow = try Flow(atHome: true)
    try await flow.feed("enter c")
    #expect(flow.navigator.isWorking)
    flow.navigator.back()
    #expect(!flow.navigator.isWorking)
    flow.plugin.gate.open()
    while !flow.plugin.gate.notes.contains("work saw cancel") { await Task.yield() }
    try await flow.feed("wait")
    #expect(!flow.plugin.gate.notes.contains("finished 365"))
  }

  @Test func `quitting while work runs asks for confirmation`() async throws {
    let flow = try Flow()
    try await flow.feed("c q")
    #expect(flow.screen.contains("Quit and cancel running work?"))
    try await flow.feed("enter q 2")
    #expect(flow.navigator.exitStatus == 0)
    flow.plugin.gate.open()
  }

  @Test func `a command's values reach the screen in order before its end`() async throws {
    let flow = try Flow()
    try await flow.feed("r wait")
    #expect(flow.plugin.gate.notes.suffix(2) == ["got 2", "got 2"])
  }

  @Test func `a command's question appears over the screen without blocking it`() async throws {
    let flow = try Flow()
    try await flow.feed("W wait")
    #expect(flow.screen.contains("The harbour master's word"))
    try await flow.feed("type:rain")
    #expect(flow.screen.contains("••••") && !flow.screen.contains("rain"))
    try await flow.feed("enter wait")
    #expect(flow.plugin.gate.notes.last == "got 4" && !flow.screen.contains("harbour master"))
  }

  @Test func `a dismissed question returns no answer`() async throws {
    let flow = try Flow()
    try await flow.feed("W wait escape wait")
    #expect(flow.plugin.gate.notes.last == "got 0" && !flow.navigator.isWorking)
  }

  @Test func `notifications also update the progress`() async throws {
    let flow = try Flow()
    let context = try flow.session.plugins.activated("tides").context
    context.notify("drawing-started", ["label": "drawing the tide", "fraction": 0])
    context.notify("drawing-updated", ["fraction": 0.25])
    try await flow.feed("down")
    #expect(flow.screen.contains("drawing the tide") && flow.screen.contains("25 %"))
    context.notify("drawing-ended", [:])
    try await flow.feed("wait")
    #expect(!flow.screen.contains("drawing the tide"))
  }

  @Test func `the progress bar stops when its end is notified after the work ended`() async throws {
    let flow = try Flow()
    let context = try flow.session.plugins.activated("tides").context
    try await flow.feed("c")
    context.notify("drawing-started", ["label": "drawing the tide"])
    try await flow.feed("down")
    flow.plugin.gate.open()
    while !flow.plugin.gate.notes.contains("finished 365") { await Task.yield() }
    #expect(flow.navigator.isAnimated)
    context.notify("drawing-ended", [:])
    try await flow.feed("wait")
    #expect(!flow.navigator.isAnimated)
  }

  @Test func `frames are drawn only on demand`() async throws {
    let flow = try Flow()
    try await flow.feed("wait")
    let before = flow.display.frameCount
    try await flow.feed("wait wait")
    // A wait is a few turns of the loop: no frame requests the next one.
    #expect(flow.display.frameCount - before <= 12)
  }
}
