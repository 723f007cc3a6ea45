import PluginAPI
import PluginTesting
import Testing

@testable import Molecules

/// Tests of overlapping renderings and loads, late results, cancellation and their notifications.
@MainActor struct ViewerRenderingTests {
  /// Returns a viewer whose effects are performed by the test, so that results can be late.
  private func viewer() async throws -> (ViewerController, TestPlugin) {
    let plugin = try await LibraryFixture.plugin(starters: true)
    _ = try await plugin.run("list")
    let controller = ViewerController(ScreenRequest("viewer", arguments: ["document": "caffeine"]), plugin.context)
    return (controller, plugin)
  }

  private typealias Work = (id: EffectID, run: @Sendable (any WorkProgress) throws -> any Sendable)

  private func works(_ effects: [Effect]?) -> [Work] {
    (effects ?? []).compactMap { effect in
      if case .compute(let id, _, let work) = effect { (id, work) } else { nil }
    }
  }

  private func topics(_ effects: [Effect]) -> [String] {
    effects.compactMap { if case .notify(let topic, _) = $0 { topic } else { nil } }
  }

  private func finish(_ work: Work, _ controller: ViewerController) throws -> [Effect] {
    controller.receive(.finished(work.id, try work.run(QuietProgress())))
  }

  /// Returns a viewer that shows caffeine and has no work running.
  private func shown() async throws -> (ViewerController, TestPlugin) {
    let (controller, plugin) = try await viewer()
    controller.isLibraryOpen = true
    var effects = controller.handle(.resize(ScreenGeometry(size: Size(width: 40, height: 12)))) ?? []
    while let work = works(effects).first { effects = try finish(work, controller) }
    #expect(controller.picture != nil)
    return (controller, plugin)
  }

  /// Returns the mean of the colors of the covered pixels, 0 to 255.
  private func brightness(_ picture: Picture?) throws -> Int {
    let pixels = try #require(picture).pixels
    let covered = stride(from: 0, to: pixels.count, by: 4).filter { pixels[$0 + 3] >= 128 }
    let sum = covered.reduce(0) { $0 + Int(pixels[$1]) + Int(pixels[$1 + 1]) + Int(pixels[$1 + 2]) }
    return sum / (3 * max(1, covered.count))
  }

  @Test func `far and unselected parts fade toward the screen's background`() async throws {
    let (controller, _) = try await shown()
    func picture(on background: Color) throws -> Picture? {
      let geometry = ScreenGeometry(
        size: Size(width: 40, height: 12), pixelsPerCell: Size(width: 1, height: 2), background: background)
      var effects = controller.handle(.resize(geometry)) ?? []
      while let work = works(effects).first { effects = try finish(work, controller) }
      return controller.picture
    }
    for selection in [nil, "element N"] {
      if let selection {
        var effects = controller.receive(.answered(ViewerController.selectionPrompt, selection))
        while let work = works(effects).first { effects = try finish(work, controller) }
      }
      let dark = try brightness(picture(on: .rgb(0, 0, 0)))
      let light = try brightness(picture(on: .rgb(255, 255, 255)))
      #expect(light > dark + 30)
    }
  }

  @Test func `labels on a screen of pixels are drawn in a font of the system once the picture is still`() async throws {
    let (controller, _) = try await shown()
    let geometry = ScreenGeometry(size: Size(width: 40, height: 12), pixelsPerCell: Size(width: 10, height: 20))
    var effects = controller.handle(.resize(geometry)) ?? []
    while let work = works(effects).first { effects = try finish(work, controller) }
    let plain = try #require(controller.picture)
    let drawing = works(controller.nextLabel()) + works(controller.nextLabel())
    #expect(drawing.last?.id.name == ViewerController.labelingName && controller.labelKind != .none)
    // Until they are drawn, the labels appear in the bitmap font.
    let bitmap = controller.labelled(plain)
    #expect(bitmap != plain)
    #expect(works(try finish(try #require(drawing.last), controller)).isEmpty)
    let font = controller.labelled(plain)
    let camera = try #require(controller.pictureCamera)
    let painter = LabelPainter(for: plain.size)
    #expect(font == painter.written(controller.labels, over: plain, from: camera, by: OverlayFont.draw))
    // Another view has the bitmap font until its labels are drawn.
    var moved = turn(controller)
    while let work = works(moved).first(where: { $0.id.name == ViewerController.renderingName }) {
      moved = try finish(work, controller)
    }
    let next = try #require(controller.picture)
    var expected = next
    painter.paint(controller.labels, from: try #require(controller.pictureCamera), into: &expected)
    #expect(controller.labelled(next) == expected)
  }

  private func turn(_ controller: ViewerController) -> [Effect] {
    controller.perform(ActionInvocation("turn", ["right": 5, "down": 0]))
  }

  @Test func `however fast the keys come, one picture is drawn and one waits`() async throws {
    let (controller, _) = try await shown()
    let first = works(turn(controller))
    #expect(first.count == 1)
    for _ in 0..<10 { #expect(works(turn(controller)).isEmpty) }
    let second = works(try finish(first[0], controller))
    #expect(second.count == 1)
    #expect(works(try finish(second[0], controller)).isEmpty)
    #expect(controller.queue.isIdle)
    // The picture is that of the last key: drawing the same state again produces the same bytes.
    let picture = controller.picture
    let again = works(controller.render(isMoving: false))
    _ = try finish(try #require(again.first), controller)
    #expect(controller.picture == picture)
  }

  @Test func `a picture of the mode before is dropped when it comes late`() async throws {
    let (controller, _) = try await shown()
    let before = controller.picture
    let late = try #require(works(turn(controller)).first)
    let effects = controller.perform(ActionInvocation("mode", ["mode": "cylinders"]))
    let isCancelled = effects.contains { if case .cancel(late.id) = $0 { true } else { false } }
    #expect(isCancelled)
    let next = works(controller.receive(.cancelled(late.id)))
    #expect(next.count == 1)
    _ = try finish(late, controller)
    #expect(controller.picture == before)
    _ = try finish(next[0], controller)
    #expect(controller.prepared?.key.mode == .cylinders)
    #expect(controller.picture != before)
  }

  @Test func `a picture of the size before is not shown`() async throws {
    let (controller, _) = try await shown()
    let late = try #require(works(turn(controller)).first)
    _ = controller.handle(.resize(ScreenGeometry(size: Size(width: 20, height: 10))))
    let next = works(try finish(late, controller))
    #expect(controller.picture?.size == Size(width: 40, height: 24))
    _ = try finish(try #require(next.first), controller)
    #expect(controller.picture?.size == Size(width: 20, height: 20))
  }

  @Test func `a molecule that comes late is dropped`() async throws {
    let (controller, _) = try await shown()
    let slow = try #require(works(controller.load(.number(1))).first)
    let quick = try #require(works(controller.load(.number(2))).first)
    _ = try finish(quick, controller)
    _ = try finish(slow, controller)
    #expect(controller.molecule?.id == 2)
  }

  @Test func `cancelled loading leaves what was shown`() async throws {
    let (controller, _) = try await shown()
    let id = controller.molecule?.id
    let work = try #require(works(controller.load(.number(1))).first)
    #expect(controller.isLoading)
    let effects = controller.receive(.cancelled(work.id))
    #expect(!controller.isLoading && controller.molecule?.id == id)
    #expect(topics(effects) == ["rendering-ended"])
  }

  @Test func `cancelled work ends soon`() async throws {
    let (controller, _) = try await shown()
    let load = try #require(works(controller.load(.word("b-dna"))).first)
    let draw = try #require(works(turn(controller)).first)
    #expect(throws: CancellationError.self) { try draw.run(QuietProgress(isCancelled: true)) }
    _ = load
  }

  @Test func `loading and drawing tell start, progress and end; turning tells nothing`() async throws {
    let (controller, _) = try await viewer()
    controller.isLibraryOpen = true
    var told: [String] = []
    var effects = controller.handle(.resize(ScreenGeometry(size: Size(width: 40, height: 12)))) ?? []
    told += topics(effects)
    while let work = works(effects).first {
      told += topics(controller.receive(.progress(work.id, Progress("half", fraction: 0.5))))
      told += topics(controller.receive(.progress(work.id, Progress("half", fraction: 0.501))))
      effects = try finish(work, controller)
      told += topics(effects)
    }
    let loading = ["rendering-started", "rendering-updated", "rendering-ended"]
    // The plain picture and the smooth one after it are one drawing.
    let drawing = ["rendering-started", "rendering-updated", "rendering-updated", "rendering-ended"]
    #expect(told == loading + drawing)
    let work = works(turn(controller))
    #expect(topics(try finish(work[0], controller)).isEmpty)
    let declared = Set(MoleculesPlugin().contributions.topics.map(\.name))
    #expect(declared.isSuperset(of: told))
  }

  @Test func `a drawing the user cancels is not begun again by itself`() async throws {
    let (controller, _) = try await shown()
    _ = controller.perform(ActionInvocation("spin"))
    let work = try #require(works(controller.receive(.timer(ViewerController.spinning))).first)
    let effects = controller.receive(.cancelled(work.id))
    #expect(works(effects).isEmpty)
    #expect(!controller.isSpinning && controller.queue.isIdle)
    let mode = controller.perform(ActionInvocation("mode", ["mode": "cylinders"]))
    _ = controller.receive(.cancelled(try #require(works(mode).first).id))
    #expect(controller.picture == nil)
    #expect(controller.view.outline.text == ["drawing was cancelled; r draws it again"])
    let again = works(controller.perform(ActionInvocation("reset")))
    _ = try finish(try #require(again.first), controller)
    #expect(controller.picture != nil)
  }

  @Test func `a failure of loading is told`() async throws {
    let (controller, _) = try await viewer()
    controller.isLibraryOpen = true
    let effects = controller.handle(.resize(ScreenGeometry(size: Size(width: 40, height: 12))))
    let work = try #require(works(effects).first)
    let report = ErrorReport(code: "molecules.unreadable-file", kind: .unusableInput, "it is broken")
    _ = controller.receive(.failed(work.id, report))
    #expect(controller.view.outline.text == ["it is broken"])
  }
}
