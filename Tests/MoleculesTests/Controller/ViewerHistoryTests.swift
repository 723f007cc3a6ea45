import Foundation
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import Molecules

/// Tests of undoing and redoing changes of the view.
@MainActor struct ViewerHistoryTests {
  private func viewer(_ document: Value = "caffeine") async throws -> (ScreenDriver, ViewerController, TestPlugin) {
    let plugin = try await LibraryFixture.plugin(starters: true)
    let driver = try plugin.screen("viewer", ["document": document], size: Size(width: 60, height: 20))
    await driver.settle()
    return (driver, try #require(driver.controller as? ViewerController), plugin)
  }

  private func wait(_ plugin: TestPlugin, seconds: Int64) {
    let now = plugin.context.now()
    plugin.context.setNow(Instant(seconds: now.seconds + seconds, nanoseconds: now.nanoseconds))
  }

  /// Returns the number of times that the status line said that there is nothing to undo.
  private func refusals(of driver: ScreenDriver) -> Int {
    driver.requests.count { if case .status(let told) = $0 { told.message == "nothing to undo" } else { false } }
  }

  private func isNear(_ one: ViewerState, _ other: ViewerState) -> Bool {
    guard let first = one.pose, let second = other.pose else { return false }
    let turn = first.orientation - second.orientation
    let shift = first.pan - second.pan
    return one.mode == other.mode && one.scheme == other.scheme && one.model == other.model
      && one.copies == other.copies && one.effects == other.effects
      && (turn * turn).sum() < 1e-8 && (shift * shift).sum() < 1e-8 && abs(first.zoom - second.zoom) < 1e-4
      && first.frame == second.frame
  }

  @Test func `each change is undone and redone in order`() async throws {
    let (driver, controller, _) = try await viewer()
    var states = [controller.state]
    let pictures = [controller.content.pictures.picture]
    for key in ["left", "3", "c", "o", "+", "L", "<", "2", "f", "O"] {
      driver.press(key)
      states.append(controller.state)
    }
    #expect(Set(states.map(\.bytes)).count == states.count)
    for state in states.dropLast().reversed() {
      driver.press("u")
      #expect(isNear(controller.state, state))
    }
    #expect(controller.content.pictures.picture == pictures[0])
    driver.press("u")
    #expect(refusals(of: driver) == 1)
    for state in states.dropFirst() {
      driver.press("ctrl-r")
      #expect(isNear(controller.state, state))
    }
    driver.press("ctrl-r")
    #expect(isNear(controller.state, states[states.count - 1]))
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data is absent"))
  func `changes of copies are undone and redone with their view`() async throws {
    let path = try #require(SharedData.molecules).appendingPathComponent("pdb/1crn.pdb").path
    let (driver, controller, _) = try await viewer(.text(path))
    var states = [controller.state]
    for key in ["left", "a", "a", "+", "a"] {
      driver.press(key)
      states.append(controller.state)
    }
    #expect(states.map(\.copies) == [nil, nil, "1", "unit-cell", "unit-cell", "neighbors"])
    for state in states.dropLast().reversed() {
      driver.press("u")
      #expect(isNear(controller.state, state))
      #expect(controller.content.pictures.prepared?.key.copies == controller.content.scene.copies)
    }
    for state in states.dropFirst() {
      driver.press("ctrl-r")
      #expect(isNear(controller.state, state))
    }
  }

  @Test func `consecutive turns are one step, and turns after a pause another`() async throws {
    let (driver, controller, plugin) = try await viewer()
    let first = controller.state
    driver.press("left", "left", "up")
    let second = controller.state
    wait(plugin, seconds: 2)
    driver.press("left", "left")
    driver.press("u")
    #expect(isNear(controller.state, second))
    driver.press("u")
    #expect(isNear(controller.state, first))
  }

  @Test func `a drag is one step of the history`() async throws {
    let (driver, controller, plugin) = try await viewer()
    var states = [controller.state]
    for _ in 0..<2 {
      driver.send(.mouse(Mouse(.press(clicks: 1), at: Point(x: 10, y: 5))))
      for x in 11..<20 {
        driver.send(.mouse(Mouse(.drag, at: Point(x: x, y: 6))))
      }
      driver.send(.mouse(Mouse(.release, at: Point(x: 20, y: 6))))
      states.append(controller.state)
    }
    wait(plugin, seconds: 5)
    for state in states.dropLast().reversed() {
      driver.press("u")
      #expect(isNear(controller.state, state))
    }
    driver.press("u")
    #expect(refusals(of: driver) == 1)
  }

  @Test func `a change after an undo clears the steps to redo`() async throws {
    let (driver, controller, _) = try await viewer()
    driver.press("2", "u", "3", "ctrl-r")
    #expect(controller.content.scene.mode == .cylinders)
    driver.press("u")
    #expect(controller.content.scene.mode == .ballAndStick)
  }

  @Test func `spinning is not a step, and another molecule has its own history`() async throws {
    let (driver, controller, _) = try await viewer()
    driver.press("s")
    driver.advance(by: 1)
    driver.press("s")
    driver.press("u")
    #expect(refusals(of: driver) == 1)
    driver.press("2", "u", "ctrl-r")
    #expect(refusals(of: driver) == 1 && controller.content.scene.mode == .spacefilling)
    driver.press("n")
    await driver.settle()
    driver.press("u")
    #expect(refusals(of: driver) == 2)
  }

  @Test func `the oldest steps are dropped`() {
    var history = ViewerHistory()
    for index in 0..<ViewerHistory.limit + 5 {
      history.note(ViewerState(model: index), kind: nil, at: Instant(seconds: 0))
    }
    #expect(history.past.count == ViewerHistory.limit)
    #expect(history.past.first?.model == 5)
  }
}
