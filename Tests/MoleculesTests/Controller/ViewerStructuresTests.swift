import Foundation
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import Molecules

/// Tests of several molecules in one picture.
@MainActor struct ViewerStructuresTests {
  private func viewer(
    _ arguments: Record = ["document": "caffeine"], on plugin: TestPlugin? = nil
  ) async throws -> (ScreenDriver, ViewerController, TestPlugin) {
    let host: TestPlugin
    if let plugin { host = plugin } else { host = try await LibraryFixture.plugin(starters: true) }
    let driver = try host.screen("viewer", arguments, size: Size(width: 60, height: 20))
    await driver.settle()
    return (driver, try #require(driver.controller as? ViewerController), host)
  }

  private func add(_ word: String, _ driver: ScreenDriver) async {
    driver.perform(ActionInvocation("add"))
    driver.answer(word)
    await driver.settle()
  }

  @Test func `all documents given as arguments are shown together`() async throws {
    let (driver, controller, _) = try await viewer([
      "document": "caffeine", "documents": ["caffeine", "b-dna", "no such molecule", "buckminster"],
    ])
    #expect(controller.content.scene.molecule?.displayTitle.hasPrefix("CAFFEINE") == true)
    #expect(controller.content.scene.structures.others.count == 2)
    let atoms = try #require(controller.content.pictures.prepared).atomCount
    #expect(atoms == 24 + (controller.content.scene.structures.others.reduce(0) { $0 + $1.molecule.counts.atoms }))
    #expect(driver.controller.status.map(\.text).contains("3 together"))
    #expect(controller.balls.count == atoms)
  }

  @Test func `a molecule is added from the library and the whole scene is framed`() async throws {
    let (driver, controller, plugin) = try await viewer()
    let before = try #require(controller.content.pictures.camera)
    let library = try plugin.screen("library", ["returns": true])
    await library.settle()
    library.press("down", "w")
    guard case .pop(let value)? = library.requests.last else {
      Issue.record("nothing was given back")
      return
    }
    #expect(value == ["add": 1])
    driver.receive(.returned(screen: "library", value))
    await driver.settle()
    #expect(controller.content.scene.structures.others.map(\.place) == [.library(1)])
    #expect(controller.content.scene.molecule?.displayTitle.hasPrefix("CAFFEINE") == true)
    #expect(try #require(controller.content.pictures.camera).extent.x > before.extent.x)
  }

  @Test func `each added molecule has a color that can be changed`() async throws {
    let (driver, controller, _) = try await viewer()
    await add("b-dna", driver)
    let own = try #require(controller.content.scene.structures.others.first).color
    #expect(controller.balls.last?.color == own.packed)
    #expect(controller.balls.last?.atom == -1)
    driver.press("W")
    driver.answer("0")
    driver.answer("scheme:chain")
    #expect(controller.content.scene.structures.others[0].coloring == .scheme(.chain))
    #expect(Set(controller.balls.suffix(500).map(\.color)).count > 1)
    driver.press("W")
    driver.answer("0")
    driver.answer("single")
    #expect(controller.balls.last?.color == own.packed)
  }

  @Test func `the color of an added molecule differs from those of the first one's chains`() async throws {
    let (driver, controller, _) = try await viewer(["document": "b-dna"])
    let count = try #require(controller.content.scene.molecule).counts.chains
    #expect(count == 2)
    await add("caffeine", driver)
    await add("buckminster", driver)
    let colors = (0..<count).map(ColorTable.chainColor) + controller.content.scene.structures.others.map(\.color)
    #expect(Set(colors).count == 4)
  }

  @Test func `each molecule is hidden, shown and removed in the sheet`() async throws {
    let (driver, controller, _) = try await viewer()
    let alone = controller.balls
    #expect(!alone.isEmpty)
    await add("b-dna", driver)
    driver.press("W")
    guard let request = driver.lastChoice else {
      Issue.record("no sheet was asked for")
      return
    }
    #expect(request.choices.count == 3 && request.choices[1].title.hasPrefix("● "))
    driver.answer("0")
    driver.answer("toggle")
    #expect(controller.balls == alone)
    driver.press("W")
    driver.answer("-1")
    #expect(controller.content.pictures.prepared?.scene.parts.isEmpty == true)
    driver.press("W")
    driver.answer("0")
    driver.answer("toggle")
    #expect(controller.balls.count == controller.content.scene.structures.others[0].molecule.counts.atoms)
    driver.press("W")
    driver.answer("0")
    driver.answer("remove")
    driver.press("W")
    driver.answer("-1")
    #expect(controller.content.scene.structures.isEmpty && controller.balls == alone)
    driver.press("W")
    driver.answer(nil)
    #expect(controller.balls == alone)
  }

  @Test func `a hidden molecule has neither labels nor a legend`() async throws {
    let (driver, controller, _) = try await viewer()
    await add("b-dna", driver)
    driver.perform(ActionInvocation("color", ["scheme": "element"]))
    driver.press("t", "t", "t")
    #expect(controller.content.scene.labels.count == 24 && controller.content.pictures.prepared?.legend != nil)
    driver.press("W")
    driver.answer("-1")
    #expect(controller.content.scene.labels.isEmpty && controller.content.pictures.prepared?.legend == nil)
  }

  @Test func `a motion moves a molecule onto the first one`() async throws {
    let (driver, controller, _) = try await viewer()
    await add("b-dna", driver)
    let before = try #require(controller.balls.first { $0.part == 1 }?.center)
    let number = controller.content.scene.structures.others[0].number
    driver.receive(
      .emitted(
        EffectID("superpose-\(number)"),
        ["rmsd": 1.2345, "atoms": 20, "rotation": [[0, -1, 0], [1, 0, 0], [0, 0, 1]], "translation": [1, 2, 3]]))
    let after = try #require(controller.balls.first { $0.part == 1 }?.center)
    #expect((after - SIMD3(1 - before.y, 2 + before.x, 3 + before.z)).length < 1e-3)
    let told = driver.requests.compactMap { if case .status(let told) = $0 { told.message } else { nil } }
    #expect(
      told.last == "superposed on the first: RMSD 1.234 Å over 20 atoms" || told.last?.contains("1.235 Å") == true)
    driver.press("W")
    driver.answer("0")
    driver.answer("release")
    #expect(controller.balls.first { $0.part == 1 }?.center == before)
    for broken in [["rotation": .null], ["rotation": [[1]], "translation": [1, 2, 3]]] as [Value] {
      driver.receive(.emitted(EffectID("superpose-\(number)"), broken))
      #expect(controller.content.scene.structures.others[0].motion == nil)
    }
  }

  @Test func `the command superpose moves an added molecule onto the first by sequence`() async throws {
    let (driver, controller, _) = try await viewer(["document": "b-dna"])
    await add("b-dna", driver)
    controller.changeStructures { $0.change(at: 0) { $0.motion = Transform(translation: SIMD3(30, 0, 0)) } }
    driver.press("W")
    driver.answer("0")
    driver.answer("superpose")
    await driver.settle()
    let motion = try #require(controller.content.scene.structures.others.first?.motion)
    let shift = motion.translation
    #expect((shift * shift).sum() < 1e-6 && abs(motion.row0.x - 1) < 1e-6 && abs(motion.row1.y - 1) < 1e-6)
  }

  @Test func `a session stores added molecules with their colors, motion and visibility`() async throws {
    let (driver, controller, plugin) = try await viewer()
    await add("b-dna", driver)
    await add("buckminster", driver)
    controller.changeStructures { structures in
      structures.change(at: 0) { $0.coloring = .scheme(.residue) }
      structures.change(at: 1) {
        $0.isVisible = false
        $0.motion = Transform(translation: SIMD3(1, 2, 3))
      }
      structures.isFirstVisible = false
    }
    driver.press("left", "+", "ctrl-s")
    let path = plugin.context.folders.cache + "/three.molsession"
    driver.answer(path)
    await driver.settle()
    let (_, other, _) = try await viewer(["document": .text(path)], on: plugin)
    #expect(other.state == controller.state)
    #expect(other.content.scene.structures.others == controller.content.scene.structures.others)
    #expect(!other.content.scene.structures.isFirstVisible)
    #expect(other.balls == controller.balls)
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data is absent"))
  func `a session stores copies and effects`() async throws {
    let file = try #require(SharedData.molecules).appendingPathComponent("pdb/1crn.pdb").path
    let (driver, controller, plugin) = try await viewer(["document": .text(file)])
    driver.press("a", "a", "o", "f", "left", "ctrl-s")
    let path = plugin.context.folders.cache + "/copies.molsession"
    driver.answer(path)
    await driver.settle()
    let (_, other, _) = try await viewer(["document": .text(path)], on: plugin)
    #expect(other.content.scene.copies == .choice(.unitCell))
    #expect(other.content.scene.effects == RenderEffects(hasOcclusion: false, hasOutlines: true, hasFog: false))
    #expect(other.state == controller.state)
    #expect(other.balls == controller.balls && other.content.pictures.picture == controller.content.pictures.picture)
  }

  @Test func `the next molecule is shown alone`() async throws {
    let (driver, controller, _) = try await viewer()
    await add("b-dna", driver)
    driver.press("n")
    await driver.settle()
    #expect(controller.content.scene.structures.isEmpty)
  }

  @Test func `no molecule can be added to an empty viewer`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let (driver, controller, _) = try await viewer([:], on: plugin)
    await add("1", driver)
    driver.press("W")
    driver.answer(nil)
    #expect(controller.content.scene.structures.isEmpty && driver.text.contains("library is empty"))
  }
}

/// A ball as drawn.
private struct DrawnBall: Equatable {
  var center: SIMD3<Float>
  var radius: Float
  var color: UInt32
  var atom: Int32
  /// The index of its part in the scene.
  var part: Int
}

extension ViewerController {
  /// All balls of the shown scene, in their placements.
  fileprivate var balls: [DrawnBall] {
    (content.pictures.prepared?.scene.parts ?? []).enumerated().flatMap { index, part in
      let finest = part.geometry.levels[0]
      return part.placements.flatMap { placement in
        finest.balls.indices.map { ball in
          let place = finest.balls[ball]
          return DrawnBall(
            center: placement(SIMD3(place.x, place.y, place.z)), radius: place.w, color: finest.colors[ball],
            atom: finest.atoms[ball], part: index)
        }
      }
    }
  }
}
