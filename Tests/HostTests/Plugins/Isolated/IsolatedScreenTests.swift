import Foundation
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import Host

/// Screens whose controllers are in a child process.
@MainActor @Suite(.timeLimit(.minutes(5))) struct IsolatedScreenTests {
  /// Opens the screen and waits for its first load.
  private func opened(_ library: ContainedLibrary) async throws -> ScreenDriver {
    let screen = try library.plugin.screen("ports", size: Size(width: 40, height: 12))
    await screen.settle()
    return screen
  }

  @Test func `a screen is drawn with its styles, cursor, wide characters and picture`() async throws {
    let screen = try await opened(ContainedLibrary())
    #expect(screen.text.hasPrefix("40x12\n first 界é\n loaded start 界é"))
    #expect(screen.frame[1, 1].style == .accent && screen.frame[8, 1].glyph == Cell.continuation)
    #expect(screen.frame.cursor == Point(x: 2, y: 1))
    #expect(screen.controller.title == "Ports (2)")
    #expect(screen.controller.status == [StyledText.Run("last: loaded start", .accent)])
    screen.press("p")
    let placed = try #require(screen.frame.pictures.first)
    #expect(placed.rect == Rect(x: 20, y: 1, width: 8, height: 4))
    #expect(placed.picture.pixels.prefix(8) == [0, 200, 30, 255, 7, 200, 30, 255])
    #expect(screen.outline.fields == [Outline.Field("picture", "shown")])
    #expect(screen.outline.items.first?.action == ActionInvocation("load"))
    screen.close()
  }

  @Test func `events that the controller does not handle are left to the interface`() async throws {
    let screen = try await opened(ContainedLibrary())
    screen.send(.key(Key(.character("z"))))
    screen.send(.key(Key(.character("Z"))))
    screen.send(.paste("text"))
    #expect(screen.unhandled.contains(.key(Key(.character("Z")))))
    #expect(!screen.unhandled.contains(.key(Key(.character("z")))))
    #expect(screen.text.contains("zet") && screen.text.contains("pasted text"))
    screen.close()
  }

  @Test func `effects with functions of the controller run in the child`() async throws {
    let library = try await ContainedLibrary()
    library.plugin.context.answer("contained.unit") { _ in "fathom" }
    let screen = try await opened(library)
    screen.press("c", "l", "k")
    await screen.settle()
    for line in ["sum 55", "loaded Brest", "unit fathom"] { #expect(screen.text.contains(line)) }
    screen.press("f")
    await screen.settle()
    #expect(screen.outline.text.last?.hasPrefix("plugin 'contained' failed in 'Failing': ContainedError") == true)
    #expect(screen.failures.map(\.code) == ["host.plugin-threw"])
    screen.press("a")
    screen.answer("Cork")
    screen.press("o")
    screen.answer("b")
    #expect(screen.text.contains("asked Cork") && screen.text.contains("chose b"))
    screen.close()
  }

  @Test func `superseded work is dropped, and canceled work is reported once`() async throws {
    let screen = try await opened(ContainedLibrary())
    screen.press("w")
    await screen.settle()
    #expect(screen.text.contains("loaded Hull") && !screen.text.contains("canceled"))
    screen.press("s")
    await screen.settle()
    #expect(screen.controller.title == "Ports (4)" && screen.text.contains("canceled"))
    screen.close()
  }

  @Test func `a change without an event is shown`() async throws {
    let screen = try await opened(ContainedLibrary())
    screen.press("t")
    await until { screen.text.contains("later") }
    #expect(screen.controller.title == "Ports (3)")
    screen.close()
  }

  @Test func `notifications and the state of the last run reach the controller`() async throws {
    let library = try await ContainedLibrary()
    let screen = try library.plugin.screen("ports", size: Size(width: 40, height: 12))
    screen.controller.restore(Array("one,two".utf8))
    screen.receive(.notification(Notification(topic: "contained.told", plugin: "contained", payload: "news")))
    #expect(screen.text.contains("two") && screen.text.contains("restored") && screen.text.contains("heard news"))
    #expect(String(decoding: screen.controller.saveState(), as: UTF8.self) == "one,two,restored,heard news")
    screen.close()
  }

  @Test func `a controller that cannot be created fails with the plugin's error`() async throws {
    let library = try await ContainedLibrary()
    do {
      _ = try library.plugin.screen("ports", ["document": "missing"])
      Issue.record("the screen opened")
    } catch {
      let report = ErrorReport(error)
      #expect(report.code == "host.plugin-threw" && report.message.contains("there is no such port"))
    }
    #expect(try await library.process() > 0)
  }

  @Test func `a crash is shown on the screen, and Enter starts it again`() async throws {
    let library = try await ContainedLibrary()
    let screen = try await opened(library)
    screen.press("x")
    #expect(screen.text.contains("SIGILL") && screen.text.contains("Enter starts it again"))
    #expect(
      screen.outline.text.joined().contains("the isolated process of plugin 'contained' ended during screen 'ports'"))
    let notes = screen.requests.compactMap { if case .status(let diagnostic) = $0 { diagnostic.code } else { nil } }
    #expect(notes == ["host.plugin-ended"])
    screen.send(.key(Key(.character("z"))))
    #expect(screen.text.contains("SIGILL") && screen.unhandled.contains(.key(Key(.character("z")))))
    #expect(
      polls { library.plugin.context.logLines.contains { $0.message.contains("ended during screen 'ports'") } })
    screen.press("enter")
    await screen.settle()
    #expect(screen.text.hasPrefix("40x12\n first 界é\n loaded start 界é"))
    screen.close()
  }

  @Test func `a child that is killed while nothing happens is noticed`() async throws {
    let library = try await ContainedLibrary()
    let screen = try await opened(library)
    kill(try await library.process(), SIGKILL)
    await until { screen.text.contains("SIGKILL") }
    screen.close()
  }

  @Test func `a hung child is ended at its time limit`() async throws {
    var limits = ProgramLimits.library
    limits.screenSeconds = 0.3
    let library = try await ContainedLibrary(limits: limits)
    let screen = try await opened(library)
    screen.press("h")
    #expect(screen.outline.text.joined().contains("did not respond within 0.3 s during screen 'ports'"))
    #expect(try await library.process() > 0)
    screen.press("enter")
    await screen.settle()
    #expect(screen.text.contains("loaded start"))
    screen.close()
  }
}
