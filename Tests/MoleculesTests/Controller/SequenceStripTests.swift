import Foundation
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import Molecules

/// Tests of the sequence below the picture and its mark in the picture.
@MainActor struct SequenceStripTests {
  private func viewer(
    _ document: String, size: Size = Size(width: 60, height: 24)
  ) async throws -> (ScreenDriver, ViewerController) {
    let plugin = try await LibraryFixture.plugin(starters: true)
    let driver = try plugin.screen("viewer", ["document": .text(document)], size: size)
    await driver.settle()
    return (driver, try #require(driver.controller as? ViewerController))
  }

  private func lines(_ driver: ScreenDriver) -> [String] {
    driver.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func `S shows the first chain's sequence below a smaller picture, and hides it`() async throws {
    let (driver, controller) = try await viewer("b-dna")
    let before = controller.content.pictures.picture
    driver.press("S")
    #expect(controller.content.pictures.picture?.size == Size(width: 60, height: 40))
    let shown = lines(driver)
    #expect(shown[20].contains("chain A (1 of 2)") && shown[20].contains("DC 1"))
    #expect(shown[22].hasPrefix(" CGCGAATTCGCG"))
    #expect(shown[21].contains("1") && shown[21].contains("10"))
    driver.press("S")
    #expect(controller.content.pictures.picture == before)
    #expect(!driver.text.contains("chain A"))
  }

  @Test func `the residue at the cursor is marked in the picture`() async throws {
    let (driver, controller) = try await viewer("b-dna")
    driver.press("S")
    let first = controller.content.scene.stripMarks
    let firstPicture = controller.content.pictures.picture
    #expect(first.count > 10)
    driver.press("right")
    #expect(lines(driver)[20].contains("DG 2"))
    #expect(controller.content.scene.stripMarks != first)
    #expect(controller.content.pictures.picture != firstPicture)
    driver.press("left")
    #expect(controller.content.scene.stripMarks == first && controller.content.pictures.picture == firstPicture)
    driver.press("S")
    #expect(controller.content.scene.stripMarks.isEmpty)
  }

  @Test func `the label of a clicked atom that the mode hides is on its mark`() async throws {
    let (driver, controller) = try await viewer("b-dna")
    driver.press("S")
    var scene = controller.content.scene
    let structure = try #require(scene.molecule).structure
    let drawn = DrawnAtoms(structure, model: scene.model, mode: scene.mode)
    let hidden = try #require(scene.stripMarks.map { Int($0.atom) }.first { !drawn.all[$0] })
    scene.pick(hidden)
    #expect(scene.shownLabels.map(\.text) == ["DC 1 \(structure.atomName(hidden))"])
    scene.changeStrip { $0.toggle() }
    #expect(scene.shownLabels.isEmpty)
  }

  @Test func `keys move the cursor within a chain and between chains`() async throws {
    let (driver, controller) = try await viewer("b-dna")
    let camera = controller.content.pictures.camera
    driver.press("S", "left")
    #expect(controller.content.scene.strip.column == 0)
    driver.press("shift-right")
    #expect(controller.content.scene.strip.column == 10)
    driver.press("l", "l", "l")
    #expect(controller.content.scene.strip.column == 11)
    driver.press("down")
    #expect(lines(driver)[20].contains("chain B (2 of 2)") && lines(driver)[20].contains("DG 24"))
    driver.press("home", "up")
    #expect(controller.content.scene.strip.row == 0 && controller.content.scene.strip.column == 0)
    driver.press("end", "page-up")
    #expect(controller.content.scene.strip.column == 0)
    #expect(controller.content.pictures.camera == camera)
  }

  @Test func `tab switches between sequence and picture, and escape to the picture`() async throws {
    let (driver, controller) = try await viewer("b-dna")
    driver.press("S", "tab")
    let camera = controller.content.pictures.camera
    driver.press("left")
    #expect(controller.content.pictures.camera != camera && controller.content.scene.strip.column == 0)
    driver.press("tab", "right")
    #expect(controller.content.scene.strip.column == 1)
    driver.press("escape")
    #expect(!controller.content.scene.strip.hasFocus && controller.content.scene.strip.isShown)
    driver.press("escape")
    #expect(driver.unhandled.last == .key(Key(.escape)))
    driver.press("S")
    #expect(controller.content.scene.strip.hasFocus)
  }

  @Test func `a click on a letter moves the cursor there, and the wheel scrolls it`() async throws {
    let (driver, controller) = try await viewer("b-dna")
    driver.press("S", "tab")
    driver.click(x: 5, y: 22)
    #expect(controller.content.scene.strip.column == 4 && controller.content.scene.strip.hasFocus)
    driver.send(.mouse(Mouse(.scroll(2), at: Point(x: 5, y: 22))))
    #expect(controller.content.scene.strip.column == 6)
    driver.click(x: 40, y: 22)
    #expect(controller.content.scene.strip.column == 6)
  }

  @Test func `enter centers the residue and can be undone`() async throws {
    let (driver, controller) = try await viewer("b-dna")
    driver.press("S", "right", "right")
    let before = try #require(controller.content.pictures.camera)
    driver.press("enter")
    let marks = controller.content.scene.stripMarks.map(\.center)
    let middle = marks.reduce(SIMD3<Float>.zero, +) / Float(marks.count)
    let target = try #require(controller.content.pictures.camera?.target)
    #expect((target - middle).length < 0.01)
    driver.press("u")
    #expect(controller.content.pictures.camera == before)
    driver.press("enter", "tab", "r")
    #expect(controller.content.pictures.camera?.target == before.target)
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data is absent"))
  func `helices and strands are drawn below the letters`() async throws {
    let path = try #require(SharedData.molecules).appendingPathComponent("pdb/1crn.pdb").path
    let (driver, _) = try await viewer(path)
    driver.press("S")
    let shown = lines(driver)
    #expect(shown[22].hasPrefix(" TTCCPSIVARSNFNVCRLPGTPEAICATYTGCIIIPGATCPGDYAN"))
    // -EE-SSHHHHHHHHHHHTTT--HHHHHHHHS-EE-SSS---GGG--, as assigned by mkdssp.
    #expect(shown[23].hasPrefix("  ━▶ ··≈≈≈≈≈≈≈≈≈≈≈···  ≈≈≈≈≈≈≈≈· ━▶ ···   ~~~"))
    driver.press("right")
    #expect(lines(driver)[20].contains("THR 2  strand"))
  }

  @Test func `a molecule without a polymer shows a message`() async throws {
    let (driver, _) = try await viewer("caffeine")
    driver.press("S", "right", "down", "enter")
    #expect(driver.text.contains("there is no protein or nucleic acid here"))
  }

  @Test func `another molecule has its own sequence`() async throws {
    let (driver, controller) = try await viewer("b-dna")
    driver.press("S", "right", "right")
    driver.perform(ActionInvocation("molecule", ["step": 1]))
    driver.press("tab", "n")
    await driver.settle()
    #expect(controller.content.scene.strip.source?.molecule == controller.content.scene.number)
    #expect(controller.content.scene.strip.column == 0)
  }

  @Test func `a long chain scrolls so that the cursor is visible`() {
    let places = (0..<100).map { SequenceRow.Place(residue: $0, letter: "A", number: "\($0 + 1)", kind: .coil) }
    var view = SequenceStripView(row: SequenceRow(chain: "A", places: places))
    #expect(view.visible(width: 22) == 0..<20)
    view.column = 50
    #expect(view.visible(width: 22) == 40..<60)
    #expect(view.column(x: 1, y: 2, width: 22) == 40 && view.column(x: 0, y: 2, width: 22) == nil)
    view.column = 99
    #expect(view.visible(width: 22) == 80..<100)
    #expect(view.visible(width: 1).isEmpty)
  }

  @Test(arguments: [(0, 0), (1, 1), (3, 5), (12, 8), (60, 9), (200, 60)])
  func `every screen size is drawn`(width: Int, height: Int) async throws {
    let (driver, _) = try await viewer("b-dna", size: Size(width: width, height: height))
    driver.press("S", "right", "end")
    driver.click(x: 1, y: height - 2)
    #expect(driver.frame.frameSize == Size(width: width, height: height))
    #expect(!driver.outline.title.isEmpty)
  }
}
