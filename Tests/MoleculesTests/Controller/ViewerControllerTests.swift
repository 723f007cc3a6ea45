import Foundation
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import Molecules

/// Tests of keys, modes, models and states of the viewer.
@MainActor struct ViewerControllerTests {
  private func viewer(
    _ arguments: Record = ["document": "caffeine"], size: Size = Size(width: 60, height: 20)
  ) async throws -> (ScreenDriver, ViewerController, TestPlugin) {
    let plugin = try await LibraryFixture.plugin(starters: true)
    let driver = try plugin.screen("viewer", arguments, size: size)
    await driver.settle()
    let controller = try #require(driver.controller as? ViewerController)
    return (driver, controller, plugin)
  }

  @Test func `the first start shows the first molecule, and the next one the last viewed`() async throws {
    let plugin = try await LibraryFixture.plugin(starters: true)
    let first = try plugin.screen("viewer")
    await first.settle()
    #expect(first.controller.title.contains("B-DNA"))
    _ = try await plugin.run("open", ["molecule": "caffeine"])
    let second = try plugin.screen("viewer")
    await second.settle()
    #expect(second.controller.title.contains("CAFFEINE"))
  }

  @Test func `showing a molecule makes it the last viewed`() async throws {
    let (_, controller, plugin) = try await viewer()
    let store = try MoleculeLibrary(plugin.context).store
    #expect(try await store.snapshot().lastViewed == controller.content.scene.molecule?.id)
  }

  @Test func `a file is shown without being imported`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = try LibraryFixture.file("PEPTIDE", named: "peptide.pdb", in: plugin)
    let driver = try plugin.screen("viewer", ["document": .text(path)])
    await driver.settle()
    #expect(driver.controller.title == "1ABC  PEPTIDE")
    #expect(try await plugin.run("list").value.table?.rowCount == 0)
  }

  @Test func `the picture has the pixels of the screen`() async throws {
    let (driver, controller, _) = try await viewer()
    #expect(controller.content.pictures.picture?.size == Size(width: 60, height: 40))
    driver.resize(31, 7)
    #expect(controller.content.pictures.picture?.size == Size(width: 31, height: 14))
    let picture = try #require(driver.frame.pictures.first)
    #expect(picture.rect == Rect(x: 0, y: 0, width: 31, height: 7))
  }

  @Test(arguments: [
    ("left", "right"), ("h", "l"), ("up", "down"), ("k", "j"), ("<", ">"), ("shift-left", "shift-right"),
    ("shift-up", "shift-down"), ("H", "L"), ("K", "J"), ("+", "-"),
  ])
  func `a key moves the camera and the opposite one moves it back`(key: String, back: String) async throws {
    let (driver, controller, _) = try await viewer()
    let before = try #require(controller.content.pictures.camera?.pose)
    let picture = controller.content.pictures.picture
    driver.press(key, key)
    let moved = try #require(controller.content.pictures.camera?.pose)
    #expect(moved != before)
    #expect(controller.content.pictures.picture != picture)
    driver.press(back, back)
    let after = try #require(controller.content.pictures.camera?.pose)
    let distance = after.orientation - before.orientation
    #expect((distance * distance).sum() < 1e-8 && abs(after.zoom - before.zoom) < 1e-5)
    let shift = after.pan - before.pan
    #expect((shift * shift).sum() < 1e-10)
  }

  @Test func `reset restores the first view`() async throws {
    let (driver, controller, _) = try await viewer()
    let before = controller.content.pictures.camera
    driver.press("left", "+", "L", "<")
    #expect(controller.content.pictures.camera != before)
    driver.press("r")
    #expect(controller.content.pictures.camera == before)
  }

  @Test func `the mode sheet selects the current mode and draws in the chosen one`() async throws {
    let (driver, controller, _) = try await viewer()
    #expect(controller.content.scene.mode == .ballAndStick)
    for mode in [RenderMode.spacefilling, .cylinders, .ballAndStick] {
      let picture = controller.content.pictures.picture
      let current = controller.content.scene.mode
      driver.press("m")
      guard let request = driver.lastChoice else {
        Issue.record("no sheet was asked for")
        return
      }
      #expect(request.selected == current.name)
      #expect(request.choices.map(\.id) == RenderMode.allCases.map(\.name))
      driver.answer(mode.name)
      #expect(controller.content.scene.mode == mode)
      #expect(controller.content.pictures.picture != picture)
      #expect(driver.controller.status.first?.text == mode.title)
    }
    let camera = controller.content.pictures.camera
    driver.press("m")
    driver.answer(nil)
    #expect(controller.content.scene.mode == .ballAndStick && controller.content.pictures.camera == camera)
  }

  @Test func `large molecules are drawn spacefilling until the user chooses a mode`() async throws {
    let (driver, controller, _) = try await viewer(["document": "buckminster"])
    #expect(controller.content.scene.mode == .ballAndStick)
    driver.press("2", "n")
    await driver.settle()
    #expect(controller.content.scene.mode == .spacefilling)
  }

  @Test func `the color key cycles through the schemes`() async throws {
    let (driver, controller, _) = try await viewer(["document": "caffeine"])
    var seen: [ColorScheme?] = [controller.content.scene.scheme]
    for _ in ColorScheme.allCases {
      driver.press("c")
      seen.append(controller.content.scene.scheme)
    }
    let expected: [ColorScheme?] = ColorScheme.allCases.dropFirst().map { $0 } + [.element]
    #expect(seen.first == .some(nil) && Array(seen.dropFirst()) == expected)
  }

  @Test func `the next scheme of a cartoon follows the one it is first drawn in`() async throws {
    let (driver, controller, _) = try await viewer(["document": "b-dna"])
    driver.press("6", "c")
    #expect(controller.content.scene.mode == .cartoon && controller.content.scene.scheme == .entity)
  }

  @Test func `next and previous cycle through the library`() async throws {
    let (driver, controller, plugin) = try await viewer()
    let count = try #require(try await plugin.run("list").value.table?.rowCount)
    let first = controller.content.scene.molecule?.id
    var seen: [Int?] = []
    for _ in 0..<count {
      driver.press("n")
      await driver.settle()
      seen.append(controller.content.scene.molecule?.id)
    }
    #expect(Set(seen).count == count && seen.last == first)
    driver.press("p")
    await driver.settle()
    #expect(controller.content.scene.molecule?.id == seen[count - 2])
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data is absent"))
  func `models cycle, and the status shows the model's number`() async throws {
    let path = try #require(SharedData.molecules).appendingPathComponent("pdb/1lcd.pdb.gz").path
    let (driver, controller, _) = try await viewer(["document": .text(path)])
    #expect(controller.status.map(\.text).contains("model 1/3"))
    let picture = controller.content.pictures.picture
    driver.press("[")
    #expect(controller.status.map(\.text).contains("model 3/3"))
    #expect(controller.content.pictures.picture != picture)
    driver.press("]")
    #expect(controller.content.scene.model == 0)
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data is absent"))
  func `models play in turn until stopped`() async throws {
    let path = try #require(SharedData.molecules).appendingPathComponent("pdb/1lcd.pdb.gz").path
    let (driver, controller, _) = try await viewer(["document": .text(path)])
    driver.press("P")
    driver.advance(by: 0.5)
    #expect(controller.content.scene.model == 2)
    #expect(controller.status.map(\.text).contains("playing"))
    driver.press("P")
    driver.advance(by: 1)
    #expect(controller.content.scene.model == 2)
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data is absent"))
  func `assemblies and crystal copies cycle and fit in the view`() async throws {
    let path = try #require(SharedData.molecules).appendingPathComponent("pdb/1crn.pdb").path
    let (driver, controller, _) = try await viewer(["document": .text(path)])
    let (picture, radius) = (
      controller.content.pictures.picture, controller.content.pictures.prepared?.bounds.radius ?? 0
    )
    var seen: [String] = []
    repeat {
      driver.press("a")
      seen.append(controller.content.scene.copies.word)
    } while controller.content.scene.copies != .deposited && seen.count < 9
    #expect(seen == ["1", "unit-cell", "neighbors", "none"])
    #expect(controller.content.pictures.picture == picture)
    driver.press("A", "A")
    #expect(
      controller.content.scene.copies == .choice(.unitCell) && controller.status.map(\.text).contains("unit cell"))
    #expect((controller.content.pictures.prepared?.bounds.radius ?? 0) > radius)
  }

  @Test func `effects can be switched off and on, and are restored`() async throws {
    let (driver, controller, plugin) = try await viewer()
    let whole = controller.content.pictures.picture
    var pictures: Set<Picture?> = [whole]
    for key in ["o", "O", "f"] {
      driver.press(key)
      pictures.insert(controller.content.pictures.picture)
    }
    #expect(pictures.count == 4)
    let second = try plugin.screen("viewer", size: Size(width: 60, height: 20))
    let next = try #require(second.controller as? ViewerController)
    // The molecule is loaded when the driver settles.
    next.restore(controller.saveState())
    await second.settle()
    #expect(next.content.scene.effects == RenderEffects(hasOcclusion: false, hasOutlines: false, hasFog: false))
    for key in ["o", "O", "f"] { driver.press(key) }
    #expect(controller.content.pictures.picture == whole)
  }

  @Test func `spinning turns the molecule over time and stops on request or while hidden`() async throws {
    let (driver, controller, _) = try await viewer()
    let start = controller.content.pictures.camera
    driver.advance(by: 1)
    #expect(controller.content.pictures.camera == start)
    driver.press("s")
    driver.advance(by: 0.5)
    let turned = controller.content.pictures.camera
    #expect(turned != start)
    driver.send(.visible(false))
    driver.advance(by: 0.5)
    #expect(controller.content.pictures.camera == turned)
    driver.send(.visible(true))
    driver.advance(by: 0.5)
    #expect(controller.content.pictures.camera != turned)
    driver.press("s")
    let end = controller.content.pictures.camera
    driver.advance(by: 1)
    #expect(controller.content.pictures.camera == end)
    #expect(controller.content.pictures.needsStill == false)
  }

  @Test func `molecule, camera and mode are restored at the next start`() async throws {
    let (driver, controller, plugin) = try await viewer()
    driver.press("left", "up", "+", "L", "3", "c")
    let state = controller.saveState()
    let second = try plugin.screen("viewer", size: Size(width: 60, height: 20))
    let next = try #require(second.controller as? ViewerController)
    // The library is opened first, which the driver does not do before it settles.
    next.restore(state)
    await second.settle()
    #expect(next.content.scene.molecule?.id == controller.content.scene.molecule?.id)
    #expect(next.content.scene.mode == .cylinders && next.content.scene.scheme == controller.content.scene.scheme)
    let (old, new) = (
      try #require(controller.content.pictures.camera?.pose), try #require(next.content.pictures.camera?.pose)
    )
    let distance = old.orientation - new.orientation
    #expect((distance * distance).sum() < 1e-8 && abs(old.zoom - new.zoom) < 1e-5)
    let shift = old.pan - new.pan
    #expect((shift * shift).sum() < 1e-8)
  }

  @Test func `a slow molecule turns without smooth edges and is smoothed at rest`() async throws {
    let (driver, controller, _) = try await viewer()
    driver.press("left")
    #expect(!controller.content.pictures.needsStill)
    let pictures = controller.content.pictures
    _ = controller.take(
      RenderResult(
        prepared: try #require(pictures.prepared), camera: try #require(pictures.camera), framing: 0,
        viewport: pictures.viewport, quality: .coarse, isDraft: false, picture: try #require(pictures.picture),
        seconds: 1))
    driver.press("left")
    #expect(controller.content.pictures.needsStill)
    let rough = controller.content.pictures.picture
    driver.advance(by: 0.3)
    #expect(!controller.content.pictures.needsStill)
    #expect(controller.content.pictures.picture != rough)
  }

  @Test(arguments: [[], [0xFF], [0xA0], Array("nonsense".utf8)] as [[UInt8]])
  func `unreadable states are ignored`(bytes: [UInt8]) async throws {
    let (_, controller, _) = try await viewer()
    controller.restore(bytes)
    #expect(controller.content.scene.molecule != nil)
  }

  @Test func `an unknown document is reported instead of the picture`() async throws {
    let (driver, controller, _) = try await viewer(["document": "cafeine, 1"])
    #expect(controller.content.scene.molecule == nil)
    #expect(driver.text.contains("no molecule or file 'cafeine, 1' found"))
  }

  @Test func `an empty library shows what to do`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let driver = try plugin.screen("viewer")
    await driver.settle()
    #expect(driver.text.contains("library is empty"))
    driver.press("left", "m", "s", "c", "]", "n", "d", "r")
    await driver.settle()
    #expect(driver.text.contains("library is empty"))
  }
}
