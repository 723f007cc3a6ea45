import PluginAPI
import PluginTesting
import Testing

@testable import Molecules

/// Tests of selections on the screen.
@MainActor struct ViewerSelectionTests {
  private func viewer(_ document: Value = "b-dna") async throws -> (ScreenDriver, ViewerController, TestPlugin) {
    let plugin = try await LibraryFixture.plugin(starters: true)
    let driver = try plugin.screen("viewer", ["document": document], size: Size(width: 40, height: 16))
    await driver.settle()
    return (driver, try #require(driver.controller as? ViewerController), plugin)
  }

  @Test func `a selection is highlighted and counted in the status, and Escape clears it`() async throws {
    let (driver, controller, _) = try await viewer()
    let plain = controller.content.pictures.picture
    driver.press("/")
    driver.answer("chain A and resi 1-2")
    #expect(controller.content.pictures.picture != plain && controller.content.pictures.picture?.size == plain?.size)
    let status = controller.status.map(\.text)
    #expect(status.contains { $0.hasPrefix("selected ") && $0.hasSuffix(" atoms of 2 residues") })
    driver.press("escape")
    #expect(controller.content.pictures.picture == plain)
    #expect(!controller.status.contains { $0.text.hasPrefix("selected") })
    driver.press("escape")
    #expect(driver.unhandled.count == 1)
  }

  @Test func `a malformed selection prompts again with its error`() async throws {
    let (driver, controller, _) = try await viewer()
    driver.press("/")
    driver.answer("chian A")
    let prompt = try #require(driver.lastPrompt)
    #expect(prompt.text == "chian A" && prompt.title.contains("column 1") && prompt.title.contains("'chain'"))
    #expect(controller.content.scene.selection.shown == nil)
    driver.answer("chain A")
    #expect(controller.content.scene.selection.text == "chain A")
    driver.press("/")
    #expect(try #require(driver.lastPrompt).text == "chain A")
    driver.answer(nil)
    #expect(controller.content.scene.selection.text == "chain A")
    driver.press("/")
    driver.answer("  ")
    #expect(controller.content.scene.selection.shown == nil)
  }

  @Test func `selecting all or no atoms dims nothing`() async throws {
    let (driver, controller, _) = try await viewer()
    // A mode that draws every atom: in a cartoon all selected atoms would be sticks.
    driver.press("1")
    await driver.settle()
    let plain = controller.content.pictures.picture
    driver.perform(ActionInvocation("select", ["selection": "all"]))
    #expect(controller.content.pictures.picture == plain)
    driver.perform(ActionInvocation("select", ["selection": "none"]))
    #expect(controller.content.pictures.picture == plain)
    #expect(controller.status.contains { $0.text == "'none' selects no atoms" })
  }

  @Test func `selections are stored by name and used in others`() async throws {
    let (driver, controller, _) = try await viewer()
    driver.perform(ActionInvocation("keep-selection"))
    driver.perform(ActionInvocation("choose-selection"))
    driver.press("/")
    driver.answer("chain A")
    driver.perform(ActionInvocation("keep-selection"))
    driver.answer("strand1")
    #expect(controller.content.scene.selection.definitions == ["strand1=chain A"])
    driver.perform(ActionInvocation("keep-selection"))
    driver.answer("water")
    #expect(controller.content.scene.selection.definitions.count == 1)
    driver.press("/")
    driver.answer("strand1 and resi 1")
    #expect(controller.content.scene.selection.text == "strand1 and resi 1")
    driver.perform(ActionInvocation("choose-selection"))
    driver.answer("strand1")
    #expect(controller.content.scene.selection.text == "strand1")
  }

  @Test func `the selection and named ones are restored at the next start`() async throws {
    let (driver, controller, plugin) = try await viewer()
    driver.press("/")
    driver.answer("chain A")
    driver.perform(ActionInvocation("keep-selection"))
    driver.answer("mine")
    let second = try plugin.screen("viewer", size: Size(width: 40, height: 16))
    let next = try #require(second.controller as? ViewerController)
    next.restore(controller.saveState())
    await second.settle()
    #expect(
      next.content.scene.selection.text == "chain A" && next.content.scene.selection.definitions == ["mine=chain A"])
    #expect(next.status.contains { $0.text.hasPrefix("selected") })
  }

  @Test func `another molecule has no selection but the same named ones`() async throws {
    let (driver, controller, _) = try await viewer()
    driver.press("/")
    driver.answer("element C")
    driver.perform(ActionInvocation("keep-selection"))
    driver.answer("carbon")
    driver.press("n")
    await driver.settle()
    #expect(
      controller.content.scene.selection.shown == nil
        && controller.content.scene.selection.definitions == ["carbon=element C"])
    #expect(!controller.status.contains { $0.text.hasPrefix("selected") })
  }

  @Test func `a reloaded molecule keeps its selection`() async throws {
    let (driver, controller, _) = try await viewer()
    driver.press("/")
    driver.answer("chain A")
    let id = try #require(controller.content.scene.molecule?.id)
    driver.receive(.returned(screen: "library", .integer(id)))
    await driver.settle()
    #expect(controller.content.scene.selection.text == "chain A")
  }
}
