import PluginAPI
import PluginTesting
import Testing

@testable import Molecules

/// Tests of the mouse in the viewer.
@MainActor struct ViewerMouseTests {
  private func viewer(size: Size = Size(width: 60, height: 20)) async throws -> (ScreenDriver, ViewerController) {
    let plugin = try await LibraryFixture.plugin(starters: true)
    let driver = try plugin.screen("viewer", ["document": "caffeine"], size: size)
    await driver.settle()
    return (driver, try #require(driver.controller as? ViewerController))
  }

  private func mouse(
    _ action: Mouse.Action, _ x: Int, _ y: Int, _ button: Mouse.Button = .left, _ modifiers: Key.Modifiers = []
  ) -> Event {
    .mouse(Mouse(action, button: button, at: Point(x: x, y: y), modifiers: modifiers))
  }

  @Test func `a drag of one pixel turns by one degree about the axes of the screen`() async throws {
    let (driver, controller) = try await viewer()
    var expected = try #require(controller.content.pictures.camera)
    driver.send(mouse(.press(clicks: 1), 10, 5))
    driver.send(mouse(.drag, 17, 8))
    driver.send(mouse(.release, 17, 8))
    // A cell of half-blocks is one pixel wide and two high.
    expected.turn(right: 7, down: 6)
    #expect(controller.content.pictures.camera == expected)
  }

  @Test(
    arguments: [(Mouse.Button.right, Key.Modifiers()), (.left, .control), (.middle, .shift)]
      as [(Mouse.Button, Key.Modifiers)])
  func `a drag that began as a shift remains a shift`(button: Mouse.Button, modifiers: Key.Modifiers) async throws {
    let (driver, controller) = try await viewer()
    let before = try #require(controller.content.pictures.camera)
    driver.send(mouse(.press(clicks: 1), 10, 5, button, modifiers))
    driver.send(mouse(.drag, 14, 5, .left))
    driver.send(mouse(.drag, 14, 7, .none))
    let after = try #require(controller.content.pictures.camera)
    #expect(after.orientation == before.orientation)
    // 60 × 20 cells are 60 × 40 pixels: the shorter side has 40.
    #expect(abs(after.pan.x - before.pan.x - 4.0 / 40) < 1e-6)
    #expect(abs(after.pan.y - before.pan.y + 4.0 / 40) < 1e-6)
  }

  @Test func `a drag that began as a turn remains a turn, whatever is pressed later`() async throws {
    let (driver, controller) = try await viewer()
    let before = try #require(controller.content.pictures.camera)
    driver.send(mouse(.press(clicks: 1), 10, 5))
    driver.send(mouse(.drag, 14, 5, .right, .control))
    let after = try #require(controller.content.pictures.camera)
    #expect(after.pan == before.pan)
    #expect(after.orientation != before.orientation)
  }

  @Test func `a drag without a press, or after the release, does nothing`() async throws {
    let (driver, controller) = try await viewer()
    let before = controller.content.pictures.camera
    driver.send(mouse(.drag, 14, 5))
    driver.send(mouse(.press(clicks: 1), 10, 5))
    driver.send(mouse(.release, 10, 5))
    driver.send(mouse(.drag, 20, 9))
    #expect(controller.content.pictures.camera == before)
  }

  @Test func `the wheel zooms in upwards and out downwards`() async throws {
    let (driver, controller) = try await viewer()
    driver.send(mouse(.scroll(-2), 10, 5, .none))
    #expect(abs((controller.content.pictures.camera?.zoom ?? 0) - 1.15 * 1.15) < 1e-4)
    driver.send(mouse(.scroll(2), 10, 5, .none))
    #expect(abs((controller.content.pictures.camera?.zoom ?? 0) - 1) < 1e-4)
    driver.send(mouse(.scroll(Int.max), 10, 5, .none))
    #expect((controller.content.pictures.camera?.zoom ?? 0) > 0)
  }

  @Test func `a double click opens the mode sheet and does not turn`() async throws {
    let (driver, controller) = try await viewer()
    let before = controller.content.pictures.camera
    driver.click(x: 20, y: 8, clicks: 1)
    driver.click(x: 20, y: 8, clicks: 2)
    guard let request = driver.lastChoice else {
      Issue.record("no sheet was asked for")
      return
    }
    #expect(request.title == "Draw as")
    #expect(request.selected == "ball-and-stick")
    #expect(controller.content.pictures.camera == before)
  }

  @Test func `only the lower right corner opens the library`() async throws {
    let (driver, _) = try await viewer()
    for (x, y) in [(50, 17), (59, 17), (50, 19), (59, 19)] {
      let count = driver.pushed.count
      driver.click(x: x, y: y)
      #expect(driver.pushed.count == count + 1)
      #expect(driver.pushed.last?.screen == "library")
    }
    let count = driver.pushed.count
    for (x, y) in [(49, 19), (59, 16), (0, 0)] { driver.click(x: x, y: y) }
    #expect(driver.pushed.count == count)
  }

  @Test func `the molecule chosen in the library is shown`() async throws {
    let (driver, controller) = try await viewer()
    driver.receive(.returned(screen: "library", 1))
    await driver.settle()
    #expect(controller.content.scene.molecule?.id == 1)
    driver.receive(.returned(screen: "library", .null))
    #expect(controller.content.scene.molecule?.id == 1)
  }

  @Test(arguments: [(0, 0), (1, 1), (2, 1), (1, 3), (3, 2), (9, 3), (12, 4), (200, 60)])
  func `every screen size is drawn`(width: Int, height: Int) async throws {
    let (driver, controller) = try await viewer(size: Size(width: width, height: height))
    #expect(driver.frame.frameSize == Size(width: width, height: height))
    driver.press("left", "+", "m", "s")
    driver.advance(by: 0.2)
    driver.click(x: width - 1, y: height - 1)
    #expect((controller.content.pictures.picture != nil) == (width > 0 && height > 0))
    driver.resize(0, 0)
    driver.resize(40, 10)
    #expect(controller.content.pictures.picture?.size == Size(width: 40, height: 20))
  }
}
