import PluginAPI

/// The screen that shows and rotates a molecule.
@MainActor final class ViewerController: Controller {
  private static let rendering: EffectID = "render"
  private static let picking: EffectID = "pick"
  private static let settling: EffectID = "settle"

  private var scene: ViewerScene
  private var pictures = ViewerPictures()
  private lazy var loading = ViewerLoading(self, request, context, announcements)

  private let request: ScreenRequest
  private let context: any PluginContext
  private let announcements: ViewerAnnouncements
  private let worker: RenderWorker
  /// The whole screen; the picture may have only a part of it.
  private var screen = ScreenGeometry(size: Size(width: 0, height: 0))
  private var isVisible = true
  /// The motions that run until they are stopped.
  private var motions: Set<Motion> = []
  private var drag: Drag?
  /// The flip animation when the library closes.
  private var flip = Flip()
  /// A Boolean value indicating whether the library covers this screen.
  private var isLibraryShown = false
  /// The undo and redo history.
  private var history = ViewerHistory()

  init(_ request: ScreenRequest, _ context: any PluginContext) {
    self.request = request
    self.context = context
    scene = ViewerScene(context)
    announcements = ViewerAnnouncements(context)
    worker = RenderWorker { context.now() }
  }

  var isLoading: Bool { loading.isLoading }

  /// The questions the viewer asks.
  var sheets: ViewerSheets { ViewerSheets(self, scene, loading) }

  // MARK: What is seen

  /// The content of the screen.
  var content: ViewerContent { ViewerContent(scene: scene, pictures: pictures) }

  /// A Boolean value indicating whether there is a molecule to show.
  var hasMolecule: Bool { scene.molecule != nil }

  var title: String { content.title }

  var status: [StyledText.Run] {
    if !hasMolecule { return isLoading ? [.init("loading", .secondary)] : [] }
    return content.status(runningMotions.map(\.rawValue)).enumerated().map {
      .init($0.element, $0.offset == 0 ? .plain : .secondary)
    }
  }

  var view: any View {
    let content = self.content
    return flip.turned(showsStrip ? StripBelow(view: content.view, strip: scene.stripView) : content.view)
  }

  // MARK: Events and messages

  func start() -> [Effect] { loading.start() }

  func end() {
    announcements.end(.loading)
    announcements.end(.drawing)
  }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      screen = geometry
      return layOut()
    case .visible(let isVisible):
      self.isVisible = isVisible
      return runningMotions.map { timer(of: $0) } + (isVisible ? turnToFront() : [])
    case .key(let key):
      if let effects = inStrip({ $0.handle(key) }) { return effects }
      return key == Key(.escape) && scene.selection.shown != nil ? clearSelection() : nil
    case .mouse(let mouse): return handleInStrip(mouse) ?? recorded(mouse)
    default: return nil
    }
  }

  /// Starts the flip animation where the library was shown before.
  private func turnToFront() -> [Effect] {
    defer { isLibraryShown = false }
    return isLibraryShown ? flip.begin(context) : []
  }

  /// Divides the screen between picture and strip, and draws.
  private func layOut() -> [Effect] {
    var geometry = screen
    if showsStrip { geometry.size.height -= SequenceStripView.height }
    pictures.layOut(in: geometry)
    return render()
  }

  func receive(_ message: Message) -> [Effect] {
    if let effects = flip.receive(message, at: context.now()) { return effects }
    switch message {
    case .finished(ViewerLoading.openingLibrary): return loading.libraryOpened()
    case .failed(ViewerLoading.openingLibrary, let report): return loading.libraryFailed(.failed(report))
    case .cancelled(ViewerLoading.openingLibrary): return loading.libraryFailed(.canceled)
    case .emitted(let id, let value): return sheets.superposed(id, value)
    case .timer(Motion.spinning.timer): return spin()
    case .timer(Motion.playing.timer): return play()
    case .timer(Self.settling): return pictures.needsStill && drag == nil && !isSpinning ? render() : []
    case .returned("library", let value):
      if let id = value["add"].integer { return loading.add(.number(id)) }
      return value.integer.map { loading.load(.number($0)) } ?? []
    default: return []
    }
  }

  // MARK: What was loaded

  /// Shows a molecule alone, in place of the one before.
  ///
  /// - Parameters:
  ///   - place: Its source.
  ///   - earlier: The saved view of it; nil for the default.
  ///   - isVisible: False to hide it, as a session may.
  func show(
    _ molecule: Molecule, from place: MoleculePlace?, as earlier: ViewerState?, isVisible: Bool
  ) -> [Effect] {
    scene.show(molecule, from: place, as: earlier, isVisible: isVisible)
    history = ViewerHistory()
    if !scene.hasSeveralModels { motions.remove(.playing) }
    pictures.look(atNewMoleculeFrom: earlier?.pose)
    return render() + updateStrip()
  }

  /// Removes the molecule and its picture.
  func clear() {
    scene.clear()
    pictures.clear()
  }

  /// Shows a message, unless there is a molecule.
  func say(_ text: String) {
    if !hasMolecule { pictures.show(message: text) }
  }

  /// Changes the molecules shown together with the active one.
  func changeStructures(_ change: (inout StructureSet) -> Void) { scene.changeStructures(change) }

  // MARK: The state

  /// The state of the view: molecule, viewpoint and style.
  var state: ViewerState { scene.state(from: pictures.viewpoint) }

  /// The shown molecules as saved in a session; nil if there is none that could be loaded again.
  var session: (places: [MoleculePlace], view: Value)? { scene.session(from: pictures.viewpoint) }

  func saveState() -> [UInt8] { hasMolecule ? state.bytes : loading.saveState() }

  func restore(_ state: [UInt8]) { loading.restore(ViewerState(state)) }

  /// Restores the selections of a saved view.
  func restoreSelection(of state: ViewerState) { scene.restoreSelection(of: state) }

  // MARK: Actions

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard let action = ViewerAction(rawValue: invocation.action) else { return [] }
    // Undo and redo are not changes to record.
    if action == .undo || action == .redo { return act(action, invocation.arguments) }
    return recorded(kind: action.isContinuous ? action.rawValue : nil) { act(action, invocation.arguments) } ?? []
  }

  /// Performs an action without recording it for undo.
  private func act(_ action: ViewerAction, _ arguments: Record) -> [Effect] {
    if let effects = inStrip({ $0.perform(action, arguments, width: screen.size.width) }) { return effects }
    let step = arguments[MoleculeArgument.step] ?? 1
    switch action {
    case .undo: return self.step(history.undo(from: state), "nothing to undo")
    case .redo: return self.step(history.redo(from: state), "nothing to redo")
    case .turn:
      return move {
        $0.turn(right: arguments.float(MoleculeArgument.right), down: arguments.float(MoleculeArgument.down))
      }
    case .pan:
      return move { $0.move(by: SIMD2(arguments.float(MoleculeArgument.right), arguments.float(MoleculeArgument.up))) }
    case .zoom: return move { $0.zoom(by: arguments.float(MoleculeArgument.factor)) }
    case .roll: return move { $0.roll(degrees: arguments.float(MoleculeArgument.degrees)) }
    case .reset: return showAll(from: nil)
    case .spin: return toggleSpin()
    case .chooseMode: return scene.strip.isShown && scene.strip.hasFocus ? lookAtResidue() : [sheets.mode]
    case .mode: return arguments[MoleculeArgument.mode].map { draw(as: $0) } ?? []
    case .nextMode: return draw(as: scene.mode(after: step))
    case .select: return arguments[MoleculeArgument.selection].map(sheets.select) ?? sheets.askSelection()
    case .clearSelection: return clearSelection()
    case .keepSelection: return sheets.askSetName()
    case .chooseSelection: return sheets.chooseSet()
    case .color:
      scene.choose(color: arguments[MoleculeArgument.scheme], step: step)
      return changedScene()
    case .label: return (scene.stepLabels().map { [Effect.status($0)] } ?? []) + drawLabels()
    case .model: return stepModel(step)
    case .play: return togglePlay()
    case .assembly: return stepCopies(step)
    case .occlusion: return toggle(\.hasOcclusion)
    case .outline: return toggle(\.hasOutlines)
    case .fog: return toggle(\.hasFog)
    case .molecule: return loading.load(.neighbor(of: scene.molecule?.id, step: step))
    case .library: return showLibrary()
    case .details: return [details]
    case .sequence: return toggleStrip()
    case .structures: return [sheets.structures]
    case .add: return [sheets.askStructure]
    case .saveSession: return [sheets.askToSave]
    case .openSession: return [sheets.askToOpen]
    case .about: return [MoleculesAbout.screen]
    }
  }

  func draw(as mode: RenderMode) -> [Effect] { scene.choose(mode) ? showAllUnlessAimed() : [] }

  func select(_ text: String) throws(SelectionError) -> [Effect] {
    let before = scene.selection.version
    try scene.select(text)
    return scene.selection.version == before ? [] : render()
  }

  /// Stores the current selection under a name.
  func keepSelection(as name: String) throws(SelectionError) { try scene.keepSelection(as: name) }

  private func clearSelection() -> [Effect] {
    guard scene.selection.shown != nil else { return [] }
    scene.clearSelection()
    return render()
  }

  private func stepModel(_ step: Int) -> [Effect] {
    guard scene.stepModel(step) else {
      return [.status(Diagnostic(.note, code: "molecules.one-model", "the molecule has only one model"))]
    }
    return showAllUnlessAimed() + updateStrip()
  }

  private func stepCopies(_ step: Int) -> [Effect] {
    guard let structure = scene.molecule?.structure else { return [] }
    guard scene.stepCopies(step, in: structure) else {
      return [
        .status(Diagnostic(.note, code: "molecules.no-assembly", "the file has neither assemblies nor a crystal"))
      ]
    }
    return showAllAgain()
  }

  private func toggle(_ effect: WritableKeyPath<RenderEffects, Bool>) -> [Effect] {
    scene.toggle(effect)
    return render()
  }

  private func changedScene() -> [Effect] {
    pictures.sceneChanged()
    return render()
  }

  private func showLibrary() -> [Effect] {
    isLibraryShown = true
    let request = ScreenRequest("library").with(MoleculeArgument.returns, true).with(MoleculeArgument.flips, true)
    return [.push(request.with(MoleculeArgument.selected, scene.molecule?.id))]
  }

  private var details: Effect {
    guard let id = scene.molecule?.id else {
      return .status(
        Diagnostic(
          .note, code: "molecules.not-in-library", "the file is not in the library",
          advice: "import it to see its details"))
    }
    return .push(
      ScreenRequest("detail").with(MoleculeArgument.molecule, id).with(MoleculeArgument.model, scene.model + 1))
  }

  // MARK: Undoing

  /// Records the view before a possible change.
  func recorded(kind: String? = nil, _ change: () -> [Effect]?) -> [Effect]? {
    let (before, number) = (state, scene.number)
    let effects = change()
    if scene.molecule != nil, scene.number == number, state != before {
      history.note(before, kind: kind, at: context.now())
    }
    return effects
  }

  /// Handles the mouse; a drag is one change.
  private func recorded(_ mouse: Mouse) -> [Effect]? {
    if case .press = mouse.action { history.endRun() }
    let kind = if case .scroll = mouse.action { "zoom" } else { "drag" }
    return recorded(kind: kind) { handle(mouse) }
  }

  /// Restores a view of the shown molecule.
  private func step(_ state: ViewerState?, _ otherwise: String) -> [Effect] {
    guard let state else {
      return [.status(Diagnostic(.note, code: "molecules.nothing-to-undo", otherwise))]
    }
    guard let molecule = scene.molecule else { return [] }
    let notes = scene.restore(state, of: molecule).map { [Effect.status($0)] } ?? []
    pictures.look(from: state.pose)
    return notes + render() + updateStrip()
  }

  // MARK: The camera and the mouse

  private func move(_ change: @escaping (inout Camera) -> Void) -> [Effect] {
    scene.molecule != nil && pictures.move(change) ? render(isMoving: true) : []
  }

  /// Draws the whole scene in a new frame.
  ///
  /// - Parameter pose: The viewpoint; nil to look along the shortest axis of the scene.
  private func showAll(from pose: ViewerState.Pose?) -> [Effect] {
    pictures.frame(from: pose)
    return render()
  }

  /// Draws the whole scene in a new frame, without turning it.
  func showAllAgain() -> [Effect] { showAll(from: pictures.turn) }

  /// Draws the whole scene, unless the user has zoomed, panned or aimed the view.
  func showAllUnlessAimed() -> [Effect] {
    pictures.camera?.showsAll ?? false ? showAllAgain() : changedScene()
  }

  private func handle(_ mouse: Mouse) -> [Effect]? {
    switch mouse.action {
    case .press(let clicks):
      if mouse.button == .left, ViewerView.infoCorner(of: pictures.geometry.size).contains(mouse.position) {
        return showLibrary()
      }
      if clicks == 2, mouse.button == .left {
        drag = nil
        // The first of the two clicks was not meant for the atom under it.
        scene.pick(nil)
        return drawLabels() + [.cancel(Self.picking), sheets.mode]
      }
      drag = Drag(mouse)
      return []
    case .drag: return dragged(to: mouse.position)
    case .release:
      guard let drag else { return [] }
      self.drag = nil
      if !drag.hasMoved, mouse.button == .left { return pick(at: mouse.position) }
      return pictures.needsStill && !isSpinning ? render() : []
    case .scroll(let steps):
      let factor = Float(ViewerActions.zoomStep)
      return move { camera in
        for _ in 0..<min(steps.magnitude, 20) { camera.zoom(by: steps < 0 ? factor : 1 / factor) }
      }
    @unknown default: return nil
    }
  }

  /// Rotates by one degree per pixel about the axes of the screen, or shifts along with the mouse.
  private func dragged(to position: Point) -> [Effect] {
    guard var drag else { return [] }
    let motion = drag.move(to: position, pixelsPerCell: pictures.geometry.pixelsPerCell)
    self.drag = drag
    if motion == .zero { return [] }
    switch drag.kind {
    case .turning: return move { $0.turn(right: motion.x, down: motion.y) }
    case .shifting:
      let viewport = pictures.viewport
      let shorter = min(Float(viewport.width), Float(viewport.height) * viewport.pixelAspect)
      guard shorter > 0 else { return [] }
      return move { $0.move(by: SIMD2(motion.x, -motion.y * viewport.pixelAspect) / shorter) }
    }
  }

  /// Looks up the atom at a cell in the last picture, in the background, since the drawing thread may hold the picture.
  private func pick(at position: Point) -> [Effect] {
    guard scene.molecule != nil, pictures.picture != nil else { return [] }
    let cell = pictures.geometry.pixelsPerCell
    let (x, y) = (position.x * cell.width + cell.width / 2, position.y * cell.height + cell.height / 2)
    let (worker, number) = (self.worker, scene.number)
    return [
      compute(Self.picking, "finding the atom") { _ in
        worker.atom(x: x, y: y)
      } then: {
        $0.take(picked: $1, of: number)
      }
    ]
  }

  /// Takes the atom that was found; a click on nothing clears the picked atom.
  private func take(picked atom: Int?, of number: Int) -> [Effect] {
    guard number == scene.number else { return [] }
    scene.pick(atom)
    if let atom, scene.goInStrip(toAtom: atom) { return render() }
    return pictures.needsStill && !isSpinning ? render() : drawLabels()
  }

  // MARK: Spinning and playing

  private var runningMotions: [Motion] { Motion.allCases.filter(motions.contains) }

  private var isSpinning: Bool { motions.contains(.spinning) }

  private func timer(of motion: Motion) -> Effect {
    isVisible && motions.contains(motion)
      ? .timer(motion.timer, seconds: motion.stepInSeconds, repeats: true) : .cancel(motion.timer)
  }

  /// Starts or stops a motion.
  private func toggle(_ motion: Motion) -> Effect {
    if motions.remove(motion) == nil { motions.insert(motion) }
    return timer(of: motion)
  }

  private func toggleSpin() -> [Effect] {
    [toggle(.spinning)] + (!isSpinning && pictures.needsStill ? render() : [])
  }

  /// Rotates by one step; a slow machine rotates in larger steps of time instead of building a longer queue.
  private func spin() -> [Effect] {
    guard isSpinning, isVisible, !pictures.isWaiting, pictures.camera != nil else { return [] }
    return move { $0.turn(right: 1.2, down: 0) }
  }

  private func togglePlay() -> [Effect] {
    guard motions.contains(.playing) || scene.hasSeveralModels else { return stepModel(1) }
    return [toggle(.playing)]
  }

  /// Shows the next model in the same frame, so that nothing jumps; a slow machine shows fewer per second.
  private func play() -> [Effect] {
    guard motions.contains(.playing), isVisible else { return [.cancel(Motion.playing.timer)] }
    guard pictures.isIdle, scene.stepModel(1) else { return [] }
    return changedScene() + updateStrip()
  }

  // MARK: Drawing

  /// Draws the current state.
  ///
  /// - Parameter isMoving: True if more will follow soon: then speed matters more than smooth edges.
  func render(isMoving: Bool = false) -> [Effect] {
    guard let request = pictures.request(scene, isMoving: isMoving) else { return [] }
    // The request may take the place of a drawing that is no longer needed.
    announcements.end(.drawing)
    return [draw(request)]
  }

  private func draw(_ request: RenderRequest) -> Effect {
    if request.prepared == nil { announcements.start(.drawing) }
    let (worker, published) = (self.worker, announcements.progress(of: .drawing))
    return compute(Self.rendering, "drawing") { progress in
      try worker.draw(request, AnnouncedProgress(host: progress, published: published))
    } then: {
      $0.take($1)
    } failed: {
      $0.drawingFailed($1)
    }
  }

  /// Shows a drawn picture, and draws the next one if there is one.
  func take(_ result: RenderResult) -> [Effect] {
    let hasMoved = pictures.take(result, of: scene)
    let notes = scene.take(pictures.prepared?.drawn).map { [Effect.status($0)] } ?? []
    return notes + drawingEnded(result, hasMoved: hasMoved)
  }

  /// Draws what follows a picture.
  private func drawingEnded(_ result: RenderResult, hasMoved: Bool) -> [Effect] {
    if let next = pictures.drawingEnded() {
      announcements.end(.drawing)
      return [draw(next)]
    }
    if result.isDraft, pictures.needsStill, !isSpinning,
      let request = pictures.request(scene, isMoving: false)
    {
      // Observers see the draft and the still picture after it as one drawing.
      announcements.restart(.drawing)
      return [draw(request)]
    }
    announcements.end(.drawing)
    if hasMoved { return render(isMoving: true) }
    return pictures.needsStill ? [.timer(Self.settling, seconds: 0.2, repeats: false)] : drawLabels()
  }

  private func drawingFailed(_ failure: Load.Failure) -> [Effect] {
    var effects: [Effect] = []
    if case .canceled = failure, !pictures.isWaiting {
      if isSpinning { effects.append(toggle(.spinning)) }
      pictures.drawingCanceled(of: scene)
    }
    announcements.end(.drawing)
    return effects + (pictures.drawingEnded().map { [draw($0)] } ?? [])
  }

  /// Draws labels over a still picture in a system font, if the terminal shows pixels.
  private func drawLabels() -> [Effect] {
    guard !isSpinning, let request = pictures.labelRequest(scene) else { return [] }
    let drawing = compute("draw-labels", "labels") { _ in
      LabeledPicture(request.source, over: request.picture)
    } then: {
      $0.pictures.take($1, of: $0.scene)
    }
    return [drawing]
  }

  // MARK: The sequence

  /// A Boolean value indicating whether the strip is shown; a screen without room for both shows the picture.
  private var showsStrip: Bool { scene.strip.isShown && screen.size.height >= SequenceStripView.height + 4 }

  private func toggleStrip() -> [Effect] {
    scene.changeStrip { $0.toggle() }
    return updateStrip() + layOut()
  }

  /// Reads the sequences of the shown molecule, unless they are loaded.
  private func updateStrip() -> [Effect] {
    let (source, model) = (scene.stripSource, scene.model)
    guard scene.strip.isShown, let structure = scene.molecule?.structure, scene.strip.source != source else {
      return []
    }
    let reading = compute("sequence", "reading the sequence") { _ in
      SequenceRow.all(of: structure, model: model)
    } then: {
      $0.take($1, from: source)
    }
    return [reading]
  }

  private func take(_ rows: [SequenceRow], from source: SequenceStrip.Source) -> [Effect] {
    guard source == scene.stripSource else { return updateStrip() }
    scene.changeStrip { $0.take(rows, from: source) }
    return render()
  }

  /// Changes the strip, and draws if its cursor moved; returns nil if the strip does not handle the input.
  private func inStrip(_ change: (inout SequenceStrip) -> Bool) -> [Effect]? {
    let before = scene.strip
    guard scene.changeStrip(change) else { return nil }
    return (before.row, before.column) == (scene.strip.row, scene.strip.column) ? [] : render()
  }

  /// Handles the mouse over the strip; returns nil elsewhere, or if a button was pressed elsewhere.
  private func handleInStrip(_ mouse: Mouse) -> [Effect]? {
    let y = mouse.position.y - pictures.geometry.size.height
    guard showsStrip, drag == nil, y >= 0 else { return nil }
    let column = scene.stripView.column(x: mouse.position.x, y: y, width: screen.size.width)
    return inStrip { strip in
      switch mouse.action {
      case .scroll(let steps): strip.move(by: steps)
      case .press where mouse.button == .left:
        strip.hasFocus = true
        if let column { strip.go(toColumn: column) }
      default: break
      }
      return true
    }
  }

  /// Centers the view on the residue at the cursor of the strip.
  private func lookAtResidue() -> [Effect] {
    guard pictures.camera != nil, let center = scene.stripCenter else { return [] }
    let hasMoved = pictures.move {
      $0.look(at: center)
      $0.pan = .zero
    }
    return hasMoved ? render() : []
  }
}

/// A motion that runs until it is stopped, by its word in the status line.
private enum Motion: String, CaseIterable {
  case spinning
  /// The models are shown one after the other.
  case playing

  var timer: EffectID {
    switch self {
    case .spinning: "spin"
    case .playing: "play"
    }
  }

  var stepInSeconds: Double {
    switch self {
    case .spinning: 1.0 / 30
    case .playing: 0.2
    }
  }
}

/// The state of a mouse drag; its kind is fixed when it begins, regardless of modifiers pressed later.
private struct Drag: Equatable {
  enum Kind: Equatable {
    case turning, shifting
  }

  let kind: Kind
  var last: Point
  /// A Boolean value indicating whether the mouse left the cell where it was pressed: if not, it was a click.
  private(set) var hasMoved = false

  /// Starts a drag.
  init(_ mouse: Mouse) {
    let shifts = mouse.button != .left || mouse.modifiers.contains(.control)
    kind = shifts ? .shifting : .turning
    last = mouse.position
  }

  /// Continues the drag to a position.
  ///
  /// - Parameter pixelsPerCell: Picture pixels in a cell.
  /// - Returns: The motion since the last position in picture pixels, x to the right and y down.
  mutating func move(to position: Point, pixelsPerCell: Size) -> SIMD2<Float> {
    if position != last { hasMoved = true }
    defer { last = position }
    return SIMD2(
      Float((position.x - last.x) * pixelsPerCell.width), Float((position.y - last.y) * pixelsPerCell.height))
  }
}

extension Record {
  /// Returns the number in an argument; 0 if there is none.
  fileprivate func float(_ argument: ScreenArgument<Double>) -> Float { Float(self[argument] ?? 0) }
}
