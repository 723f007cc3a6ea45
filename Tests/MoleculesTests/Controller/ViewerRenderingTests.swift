import PluginAPI
import PluginTesting
import Testing

@testable import Molecules

/// Tests of overlapping renderings and loads, cancellation and their notifications.
@MainActor struct ViewerRenderingTests {
  /// Returns a viewer whose effects are performed by the test, so that results can be late.
  private func viewer(_ document: String = "caffeine") async throws -> (ViewerController, TestPlugin) {
    let plugin = try await LibraryFixture.plugin(starters: true)
    _ = try await plugin.run("list")
    let controller = ViewerController(
      ScreenRequest("viewer", arguments: ["document": .text(document)]), plugin.context)
    // The library is open.
    _ = controller.receive(.finished(ViewerLoading.openingLibrary))
    return (controller, plugin)
  }

  private func works(_ effects: [Effect]?) -> [Load] {
    (effects ?? []).compactMap { if case .load(let load) = $0 { load } else { nil } }
  }

  private func notes(_ effects: [Effect]) -> [String] {
    effects.compactMap { if case .status(let note) = $0 { note.message } else { nil } }
  }

  /// Returns the topics of the notifications that an action sends.
  private func topics(_ plugin: TestPlugin, _ action: () async throws -> Void) async throws -> [String] {
    let count = plugin.context.notifications.count
    try await action()
    return plugin.context.notifications.dropFirst(count).map { String($0.topic.dropFirst("molecules.".count)) }
      .filter { ViewerTopic(rawValue: $0) != nil }
  }

  /// Chooses a molecule in the library, and returns the effects that follow.
  private func choose(_ id: Int, _ controller: ViewerController) -> [Effect] {
    controller.receive(.returned(screen: "library", .integer(id)))
  }

  private func start(_ controller: ViewerController) -> [Effect] {
    _ = controller.handle(.resize(ScreenGeometry(size: Size(width: 40, height: 12))))
    return controller.start()
  }

  private func finish(_ load: Load, _ controller: ViewerController) async throws -> [Effect] {
    let completion =
      switch load.work {
      case .concurrent(let work): try await work(QuietProgress())
      case .blocking(let work): try work(QuietProgress())
      @unknown default: throw CancellationError()
      }
    return controller.complete(completion)
  }

  private func fail(_ load: Load, _ failure: Load.Failure, _ controller: ViewerController) throws -> [Effect] {
    let failed = try #require(load.failed)
    return controller.complete(failed(failure))
  }

  /// Performs all work of effects and of those that follow.
  private func finishAll(_ effects: [Effect]?, _ controller: ViewerController) async throws {
    var effects = effects ?? []
    while let work = works(effects).first { effects = try await finish(work, controller) }
  }

  /// Returns a viewer that shows a molecule and has no work running.
  private func shown(_ document: String = "caffeine") async throws -> (ViewerController, TestPlugin) {
    let (controller, plugin) = try await viewer(document)
    try await finishAll(start(controller), controller)
    #expect(controller.content.pictures.picture != nil)
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
    func picture(on background: Color) async throws -> Picture? {
      let geometry = ScreenGeometry(
        size: Size(width: 40, height: 12), pixelsPerCell: Size(width: 1, height: 2), background: background)
      try await finishAll(controller.handle(.resize(geometry)), controller)
      return controller.content.pictures.picture
    }
    for selection in [nil, "element N"] {
      if let selection {
        let effects = controller.perform(ActionInvocation("select", ["selection": .text(selection)]))
        try await finishAll(effects, controller)
      }
      let dark = try brightness(await picture(on: .rgb(0, 0, 0)))
      let light = try brightness(await picture(on: .rgb(255, 255, 255)))
      #expect(light > dark + 30)
    }
  }

  @Test func `labels on a pixel screen are drawn in a system font once the picture is still`() async throws {
    let (controller, _) = try await shown()
    let geometry = ScreenGeometry(size: Size(width: 40, height: 12), pixelsPerCell: Size(width: 10, height: 20))
    try await finishAll(controller.handle(.resize(geometry)), controller)
    let plain = try #require(controller.content.pictures.picture)
    let next = ActionInvocation("label")
    let drawing = works(controller.perform(next)) + works(controller.perform(next))
    #expect(drawing.last?.id == "draw-labels" && controller.content.scene.labelKind != .none)
    // Until they are drawn, the labels appear in the bitmap font.
    let bitmap = controller.content.pictures.labeled(plain, controller.content.scene)
    #expect(bitmap != plain)
    #expect(works(try await finish(try #require(drawing.last), controller)).isEmpty)
    let font = controller.content.pictures.labeled(plain, controller.content.scene)
    let camera = try #require(controller.content.pictures.pictureCamera)
    let painter = LabelPainter(for: plain.size)
    #expect(font == painter.written(controller.content.scene.labels, over: plain, from: camera, by: OverlayFont.draw))
    // Another view has the bitmap font until its labels are drawn.
    var moved = turn(controller)
    while let work = works(moved).first(where: { $0.id == "render" }) {
      moved = try await finish(work, controller)
    }
    let turned = try #require(controller.content.pictures.picture)
    var expected = turned
    painter.paint(
      controller.content.scene.labels, from: try #require(controller.content.pictures.pictureCamera), into: &expected)
    #expect(controller.content.pictures.labeled(turned, controller.content.scene) == expected)
  }

  @Test func `a clicked atom is labeled even if a note replaces the other labels`() async throws {
    let (controller, _) = try await shown("b-dna")
    let geometry = ScreenGeometry(size: Size(width: 40, height: 12), pixelsPerCell: Size(width: 10, height: 20))
    try await finishAll(controller.handle(.resize(geometry)), controller)
    let picture = try #require(controller.content.pictures.picture)
    let columns = picture.width / 10
    let cells = (0..<columns * picture.height / 20).filter { cell in
      let (x, y) = (cell % columns * 10 + 5, cell / columns * 20 + 10)
      return picture.pixels[4 * (y * picture.width + x) + 3] == 255
    }
    try #require(!cells.isEmpty)
    let middle = cells[cells.count / 2]
    for action in [Mouse.Action.press(clicks: 1), .release] {
      let mouse = Mouse(action, at: Point(x: middle % columns, y: middle / columns))
      try await finishAll(controller.handle(.mouse(mouse)), controller)
    }
    #expect(controller.content.scene.picked != nil)
    let next = ActionInvocation("label")
    for _ in 0..<2 {
      let effects = controller.perform(next)
      #expect(notes(effects).isEmpty && !controller.content.scene.labels.isEmpty)
      try await finishAll(effects, controller)
    }
    let effects = controller.perform(next)
    #expect(notes(effects) == ["no atoms are drawn individually, so none are labeled"])
    #expect(controller.content.scene.labels.isEmpty && controller.content.scene.shownLabels.count == 1)
    #expect(works(effects).map(\.id) == ["draw-labels"])
  }

  @Test func `labels that disappear because too many atoms are drawn leave a note`() async throws {
    let (controller, _) = try await shown()
    let atoms = (0...SceneLabel.mostAtoms).map { "C \($0) 0 0\n" }.joined()
    let structure = try StructureFile.read(
      bytes: Array("\(SceneLabel.mostAtoms + 1)\n\n\(atoms)".utf8), name: "many.xyz")
    var prepared = try #require(controller.content.pictures.prepared)
    prepared.drawn = DrawnAtoms(structure, model: 0, mode: .spacefilling)
    let result = RenderResult(
      prepared: prepared, camera: try #require(controller.content.pictures.camera), framing: 0,
      viewport: controller.content.pictures.viewport, quality: .still, isDraft: false,
      picture: try #require(controller.content.pictures.picture), seconds: 0)
    let next = ActionInvocation("label")
    #expect(
      notes(controller.perform(next) + controller.perform(next)).isEmpty && !controller.content.scene.labels.isEmpty)
    #expect(notes(controller.take(result)) == ["no labels of residues: more than 100000 atoms are drawn"])
    #expect(controller.content.scene.labels.isEmpty)
    // The next picture of the same scene does not repeat it.
    #expect(notes(controller.take(result)).isEmpty)
    let missing = ["no labels of atoms: more than 100000 atoms are drawn"]
    #expect(notes(controller.perform(next)) == missing)
    // None, and back.
    #expect(notes(controller.perform(next)).isEmpty)
    #expect(notes(controller.perform(ActionInvocation("undo"))) == missing)
  }

  private func turn(_ controller: ViewerController) -> [Effect] {
    controller.perform(ActionInvocation("turn", ["right": 5, "down": 0]))
  }

  @Test func `fast keys cause one drawing at a time, with one waiting`() async throws {
    let (controller, _) = try await shown()
    let first = works(turn(controller))
    #expect(first.count == 1)
    for _ in 0..<10 { #expect(works(turn(controller)).isEmpty) }
    let second = works(try await finish(first[0], controller))
    #expect(second.count == 1)
    #expect(works(try await finish(second[0], controller)).isEmpty)
    #expect(controller.content.pictures.isIdle)
    // The picture is that of the last key: drawing the same state again produces the same bytes.
    let picture = controller.content.pictures.picture
    let again = works(controller.render())
    _ = try await finish(try #require(again.first), controller)
    #expect(controller.content.pictures.picture == picture)
  }

  @Test func `a drawing in another mode replaces the current one`() async throws {
    let (controller, _) = try await shown()
    let before = controller.content.pictures.picture
    let late = try #require(works(turn(controller)).first)
    let next = works(controller.perform(ActionInvocation("mode", ["mode": "cylinders"])))
    // Work of the same name supersedes what is running, whose result the host drops.
    #expect(next.count == 1 && next.first?.id == late.id)
    #expect(controller.content.pictures.picture == before)
    _ = try await finish(next[0], controller)
    #expect(controller.content.pictures.prepared?.key.mode == .cylinders)
    #expect(controller.content.pictures.picture != before)
  }

  @Test func `a picture of the previous size is not shown`() async throws {
    let (controller, _) = try await shown()
    let late = try #require(works(turn(controller)).first)
    _ = controller.handle(.resize(ScreenGeometry(size: Size(width: 20, height: 10))))
    let next = works(try await finish(late, controller))
    #expect(controller.content.pictures.picture?.size == Size(width: 40, height: 24))
    _ = try await finish(try #require(next.first), controller)
    #expect(controller.content.pictures.picture?.size == Size(width: 20, height: 20))
  }

  @Test func `a load replaces one that is in progress`() async throws {
    let (controller, _) = try await shown()
    let slow = try #require(works(choose(1, controller)).first)
    let quick = try #require(works(choose(2, controller)).first)
    #expect(slow.id == quick.id)
    _ = try await finish(quick, controller)
    #expect(controller.content.scene.molecule?.id == 2)
  }

  @Test func `canceled loading leaves the shown molecule`() async throws {
    let (controller, plugin) = try await shown()
    let id = controller.content.scene.molecule?.id
    let work = try #require(works(choose(1, controller)).first)
    #expect(controller.isLoading)
    let told = try await topics(plugin) { _ = try fail(work, .canceled, controller) }
    #expect(!controller.isLoading && controller.content.scene.molecule?.id == id)
    #expect(told == ["rendering-ended"])
  }

  @Test func `canceled work ends soon`() async throws {
    let (controller, _) = try await shown()
    let load = try #require(works(choose(2, controller)).first)
    let draw = try #require(works(turn(controller)).first)
    guard case .blocking(let work) = draw.work else {
      Issue.record("drawing blocks a thread")
      return
    }
    #expect(throws: CancellationError.self) { _ = try work(QuietProgress(isCancelled: true)) }
    _ = load
  }

  @Test func `loading and drawing report start, progress and end, and turning reports nothing`() async throws {
    let (controller, plugin) = try await viewer()
    let told = try await topics(plugin) { try await finishAll(start(controller), controller) }
    let steps = told.filter { $0 != "rendering-updated" }
    // The plain picture and the smooth one after it are one drawing.
    #expect(steps == ["rendering-started", "rendering-ended", "rendering-started", "rendering-ended"])
    #expect(told.contains("rendering-updated"))
    let turned = try await topics(plugin) { try await finishAll(turn(controller), controller) }
    #expect(turned.isEmpty)
    let declared = Set(MoleculesPlugin().contributions.topics.map(\.name))
    #expect(declared.isSuperset(of: told))
  }

  @Test func `progress is reported in steps of one hundredth`() async throws {
    let (_, plugin) = try await viewer()
    let announcements = ViewerAnnouncements(plugin.context)
    let told = try await topics(plugin) {
      announcements.start(.loading)
      let loading = announcements.progress(of: .loading)
      func half(_ progress: PublishedProgress?) {
        progress?.report(Progress("half", fraction: 0.5))
        progress?.report(Progress("half", fraction: 0.501))
      }
      half(loading)
      announcements.end(.loading)
      half(loading)
      announcements.start(.drawing)
      half(announcements.progress(of: .drawing))
      announcements.restart(.drawing)
      half(announcements.progress(of: .drawing))
      announcements.end(.drawing)
    }
    let loading = ["rendering-started", "rendering-updated", "rendering-ended"]
    let drawing = ["rendering-started", "rendering-updated", "rendering-updated", "rendering-ended"]
    #expect(told == loading + drawing)
  }

  @Test func `a drawing canceled by the user does not restart on its own`() async throws {
    let (controller, _) = try await shown()
    _ = controller.perform(ActionInvocation("spin"))
    let work = try #require(works(controller.receive(.timer("spin"))).first)
    let effects = try fail(work, .canceled, controller)
    #expect(works(effects).isEmpty)
    #expect(!controller.status.contains { $0.text == "spinning" } && controller.content.pictures.isIdle)
    let mode = controller.perform(ActionInvocation("mode", ["mode": "cylinders"]))
    _ = try fail(try #require(works(mode).first), .canceled, controller)
    #expect(controller.content.pictures.picture == nil)
    #expect(controller.view.outline.text == ["Drawing canceled; press r to draw again"])
    let again = works(controller.perform(ActionInvocation("reset")))
    _ = try await finish(try #require(again.first), controller)
    #expect(controller.content.pictures.picture != nil)
  }

  @Test func `a failed load is reported`() async throws {
    let (controller, _) = try await viewer()
    let work = try #require(works(start(controller)).first)
    let report = ErrorReport(code: "molecules.unreadable-file", kind: .unusableInput, "it is broken")
    _ = try fail(work, .failed(report), controller)
    #expect(controller.view.outline.text == ["it is broken"])
  }
}
