import PluginAPI

/// The screen that shows and rotates a molecule.
@MainActor final class ViewerController: Controller {
  let context: any PluginContext
  let worker: RenderWorker

  var target: MoleculeTarget
  /// The shown molecule; nil if there is none.
  var molecule: Molecule?
  /// The number of loads so far, for recognizing stale ones.
  var loading = 0
  /// The load that produced the shown molecule.
  var shownLoading = 0
  var isLoading = false
  var isLibraryOpen = false
  var message = ""

  /// The whole screen.
  var screen = ScreenGeometry(size: Size(width: 0, height: 0))
  /// The part of the screen with the picture.
  var geometry = ScreenGeometry(size: Size(width: 0, height: 0))
  /// The camera; nil until the scene to frame is ready.
  var camera: Camera? { didSet { if camera == nil { framing += 1 } } }
  /// The number of frames requested so far, for dropping stale ones.
  private(set) var framing = 0
  /// The camera's motions that wait for its frame.
  var waitingMoves: [(inout Camera) -> Void] = []
  var mode = RenderMode.ballAndStick {
    // Atoms have labels only if they are drawn.
    didSet { if mode != oldValue, labelKind == .atoms { relabel() } }
  }
  /// The mode the user chose; nil to use each molecule's default.
  var chosenMode: RenderMode?
  var scheme: ColorScheme?
  var model = 0
  /// The copies of the model to show.
  var copies = SceneCopies.deposited
  /// The settings of light, outlines and fog.
  var effects = RenderEffects()
  /// The current selection and the named ones.
  var selection = ViewerSelection()
  var isSpinning = false
  /// A Boolean value indicating whether the models are shown one after the other.
  var isPlaying = false
  var isVisible = true
  var drag: Drag?

  var queue = RenderQueue<RenderRequest>()
  var prepared: PreparedScene?
  var picture: Picture?
  /// The quality of pictures during motion, adapted to the last drawing time.
  var movingQuality = RenderQuality.moving
  /// The camera of the picture, for the labels on it.
  var pictureCamera: Camera?
  /// The number of pictures drawn so far.
  var drawnPictures = 0
  /// The labels as last drawn in the pixels of a picture.
  var labelledPicture: LabelledPicture?
  var labelKind = LabelKind.none
  var labels: [SceneLabel] = []
  /// The clicked atom.
  var picked: Int?
  /// A Boolean value indicating whether the shown picture lacks smooth edges.
  var needsStill = false
  /// The work that was announced and has not ended, and its last reported progress in hundredths.
  var announced: (id: EffectID, hundredths: Int)?
  /// The state saved in an earlier run, until a molecule is shown.
  var kept: ViewerState?
  /// The viewpoint of the next frame; nil to look along the shortest axis of the scene.
  var pose: ViewerState.Pose?

  /// The source of the shown molecule.
  var shownPlace: MoleculePlace?
  /// The session to open once the library is ready.
  var waitingSession: String?
  /// The flip animation when the library closes.
  var flip = Flip()
  /// A Boolean value indicating whether the library covers this screen.
  var isLibraryShown = false
  /// The sequence below the picture.
  var strip = SequenceStrip()
  /// The molecules shown together with this one.
  var structures = StructureSet()
  /// The structures still to be added.
  var waitingStructures: [WaitingStructure] = []
  /// A Boolean value indicating whether the molecule loaded by a session will be visible.
  var waitingVisibility = true
  /// The undo and redo history.
  var history = ViewerHistory()

  init(_ request: ScreenRequest, _ context: any PluginContext) {
    self.context = context
    worker = RenderWorker { context.now() }
    if let word = request.arguments["document"]?.text {
      target = .word(word)
    } else if let id = request.arguments["molecule"]?.integer {
      target = .number(id)
    } else {
      target = .lastViewed
    }
    let documents = request.arguments["documents"]?.list?.compactMap(\.text) ?? []
    waitingStructures = documents.dropFirst().map { WaitingStructure(target: .word($0)) }
  }

  var title: String {
    guard let molecule else { return "Molecules" }
    let code = molecule.structure.metadata.entryID
    return [code, molecule.displayTitle].filter { !$0.isEmpty }.uniqued().joined(separator: "  ")
  }

  var status: [StyledText.Run] {
    guard let molecule else { return isLoading ? [.init("loading", .secondary)] : [] }
    let atoms = prepared?.atomCount ?? molecule.structure.models[safe: model]?.atoms.count ?? 0
    var texts = [mode.title, "\(atoms) \(atoms == 1 ? "atom" : "atoms")"]
    let models = molecule.structure.models.count
    if models > 1 { texts.append("model \(model + 1)/\(models)") }
    if let scheme { texts.append("by \(scheme.title)") }
    if copies != .deposited { texts.append(copies.title) }
    if labelKind != .none { texts.append("\(labelKind.rawValue) labelled") }
    if !structures.isEmpty { texts.append("\(structures.others.count + 1) together") }
    texts += selectionStatus
    if isSpinning { texts.append("spinning") }
    if isPlaying { texts.append("playing") }
    if strip.isShown { texts.append(strip.hasFocus ? "tab to the picture" : "tab to the sequence") }
    if let note = prepared?.note, prepared?.key.mode == mode { texts.append(note) }
    if let picked, let text = AtomDescription.text(picked, of: molecule.structure) { texts.append(text) }
    return texts.enumerated().map { .init($0.element, $0.offset == 0 ? .plain : .secondary) }
  }

  var view: any View {
    let labels = placedLabels
    let viewer = ViewerView(
      picture: picture.map { labels.isInPicture ? labelled($0) : $0 }, labels: labels.cells,
      legend: scheme == nil ? nil : prepared?.legend, message: message, title: title, fields: fields)
    return flip.turned(withStrip(viewer))
  }

  /// The fields for linear reading.
  private var fields: [Outline.Field] {
    guard let molecule else { return [] }
    var fields = [Outline.Field("drawn as", mode.title), Outline.Field("atoms", "\(molecule.counts.atoms)")]
    if !molecule.bonds.isEmpty { fields.append(Outline.Field("bonds", "\(molecule.counts.bonds)")) }
    fields.append(Outline.Field("model", "\(model + 1) of \(molecule.counts.models)"))
    fields.append(Outline.Field("colours", prepared?.legend?.text ?? shownScheme.title))
    if copies != .deposited { fields.append(Outline.Field("copies", copies.title)) }
    if let picked, let text = AtomDescription.text(picked, of: molecule.structure) {
      fields.append(Outline.Field("atom", text))
    }
    return fields
  }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry): return resize(geometry)
    case .visible(let isVisible):
      self.isVisible = isVisible
      let timers = (isSpinning ? [spinTimer] : []) + (isPlaying ? [playTimer] : [])
      return timers + (isVisible ? turnToFront() : [])
    case .key(let key):
      if let effects = handleInStrip(key) { return effects }
      return key == Key(.escape) && selection.shown != nil ? clearSelection() : nil
    case .mouse(let mouse): return handleInStrip(mouse) ?? recorded(mouse)
    default: return nil
    }
  }

  /// Starts the flip animation where the library was shown before.
  private func turnToFront() -> [Effect] {
    defer { isLibraryShown = false }
    return isLibraryShown ? flip.begin(context) : []
  }

  private func resize(_ geometry: ScreenGeometry) -> [Effect] {
    let isFirst = loading == 0
    screen = geometry
    self.geometry = pictureGeometry(of: geometry)
    movingQuality = .moving
    if isFirst { return load(target) }
    return render(isMoving: false)
  }

  func receive(_ message: Message) -> [Effect] {
    if let effects = flip.receive(message, at: context.now()) { return effects }
    if let effects = receiveSession(message) ?? receiveSequence(message) ?? receiveStructures(message) {
      return effects
    }
    switch message {
    case .finished(let id, let result): return finished(id, result)
    case .failed(let id, let report): return failed(id, report)
    case .cancelled(let id): return cancelled(id)
    case .progress(let id, let progress): return progressed(id, progress)
    case .timer(let id): return timer(id)
    case .answered(Self.modeSheet, let answer): return recorded { choose(mode: answer) } ?? []
    case .answered(Self.selectionPrompt, let answer), .answered(Self.setSheet, let answer):
      return recorded { select(answer) } ?? []
    case .answered(Self.setPrompt, let answer): return keepSelection(as: answer)
    case .returned("library", let value): return value.integer.map { load(.number($0)) } ?? []
    default: return []
    }
  }

  private func finished(_ id: EffectID, _ result: (any Sendable)?) -> [Effect] {
    switch (id.name, result) {
    case (Self.openingName, _):
      isLibraryOpen = true
      return id.generation == loading ? load(target) : []
    case (Self.loadingName, let loaded as LoadedTarget): return take(loaded, generation: id.generation)
    case (Self.renderingName, let drawn as RenderResult): return take(drawn, generation: id.generation)
    case (Self.labelingName, let labelled as LabelledPicture):
      // The labels of an earlier picture may arrive last.
      if labelled.source == labelSource { labelledPicture = labelled }
      return []
    case (Self.pickingName, let atom as Int?): return takePicked(atom, generation: id.generation)
    default: return []
    }
  }

  private func failed(_ id: EffectID, _ report: ErrorReport) -> [Effect] {
    switch id.name {
    case Self.openingName, Self.loadingName: return loadingEnded(id, saying: report.description)
    case Self.renderingName: return renderingEnded(id.generation)
    default: return []
    }
  }

  private func cancelled(_ id: EffectID) -> [Effect] {
    switch id.name {
    case Self.openingName, Self.loadingName: return loadingEnded(id, saying: "loading was cancelled")
    case Self.renderingName: return renderingCancelled(id.generation)
    default: return []
    }
  }

  private func timer(_ id: EffectID) -> [Effect] {
    switch id {
    case Self.spinning: return spin()
    case Self.playing: return play()
    case Self.settling: return needsStill && drag == nil && !isSpinning ? render(isMoving: false) : []
    default: return []
    }
  }

  /// The state of the view: molecule, viewpoint and style.
  var state: ViewerState {
    ViewerState(
      molecule: molecule?.id, model: model, mode: chosenMode, scheme: scheme, pose: camera?.pose ?? pose,
      labels: labelKind,
      copies: copies == .deposited ? nil : copies.word, effects: effects, selection: selection.text,
      sets: selection.definitions)
  }

  func saveState() -> [UInt8] { molecule == nil ? kept?.bytes ?? [] : state.bytes }

  func restore(_ state: [UInt8]) {
    kept = ViewerState(state)
    if let kept { selection.restore(text: kept.selection, sets: kept.sets) }
  }
}

extension ViewerController {
  static let openingName = "open-library"
  static let loadingName = "load"
  static let renderingName = "render"
  static let pickingName = "pick"
  static let labelingName = "draw-labels"
  static let spinning: EffectID = "spin"
  static let playing: EffectID = "play"
  static let settling: EffectID = "settle"
  static let modeSheet: EffectID = "mode"
}

extension Array where Element: Equatable {
  /// Returns the elements in order, each once.
  fileprivate func uniqued() -> [Element] {
    enumerated().filter { !self[..<$0.offset].contains($0.element) }.map(\.element)
  }
}

extension Array {
  /// Accesses the element at an index, or nil outside the array.
  subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
