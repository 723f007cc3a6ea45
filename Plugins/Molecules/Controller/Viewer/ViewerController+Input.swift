import PluginAPI

extension ViewerController {
  /// Performs an action without recording it for undo.
  func act(_ invocation: ActionInvocation) -> [Effect] {
    if let effects = actInStrip(invocation) { return effects }
    let arguments = Value.record(invocation.arguments)
    switch invocation.action {
    case "turn":
      return move { $0.turn(right: arguments.float("right"), down: arguments.float("down")) }
    case "pan":
      return move { $0.move(by: SIMD2(arguments.float("right"), arguments.float("up"))) }
    case "zoom": return move { $0.zoom(by: arguments.float("factor")) }
    case "roll": return move { $0.roll(degrees: arguments.float("degrees")) }
    case "reset": return showAll(from: nil)
    case "spin": return toggleSpin()
    case "choose-mode": return [modeSheet]
    case "mode": return choose(mode: arguments["mode"].text)
    case "select": return arguments["selection"].text.map { select($0) } ?? askSelection()
    case "clear-selection": return clearSelection()
    case "keep-selection": return askSetName()
    case "choose-selection": return chooseSet()
    case "color": return choose(color: arguments["scheme"].text, step: arguments["step"].integer ?? 1)
    case "next-mode": return nextMode(arguments["step"].integer ?? 1)
    case "label": return nextLabel()
    case "model": return stepModel(arguments["step"].integer ?? 1)
    case "play": return togglePlay()
    case "assembly": return stepCopies(arguments["step"].integer ?? 1)
    case "occlusion": return toggle(\.hasOcclusion)
    case "outline": return toggle(\.hasOutlines)
    case "fog": return toggle(\.hasFog)
    case "molecule": return load(.neighbor(of: molecule?.id, step: arguments["step"].integer ?? 1))
    case "library": return showLibrary()
    case "details": return details
    case "sequence": return toggleStrip()
    case "structures": return structuresSheet
    case "add": return askStructure
    case "save-session": return askSession(toSave: true)
    case "open-session": return askSession(toSave: false)
    case "about": return [MoleculesAbout.screen]
    default: return []
    }
  }

  /// Moves the camera and draws; while the camera waits for its frame, the motion waits too.
  private func move(_ change: @escaping (inout Camera) -> Void) -> [Effect] {
    guard var moved = camera else {
      if molecule != nil { waitingMoves.append(change) }
      return []
    }
    change(&moved)
    if moved == camera { return [] }
    camera = moved
    return render(isMoving: true)
  }

  // MARK: Mouse

  func handle(_ mouse: Mouse) -> [Effect]? {
    switch mouse.action {
    case .press(let clicks):
      if mouse.button == .left, ViewerView.infoCorner(of: geometry.size).contains(mouse.position) {
        return showLibrary()
      }
      if clicks == 2, mouse.button == .left {
        drag = nil
        // The first of the two clicks was not meant for the atom under it.
        picked = nil
        return drawLabels() + [.cancel(EffectID(Self.pickingName, generation: shownLoading)), modeSheet]
      }
      drag = Drag(mouse)
      return []
    case .drag: return dragged(to: mouse.position)
    case .release:
      let hadDrag = drag != nil
      let isClick = drag?.hasMoved == false && mouse.button == .left
      drag = nil
      if hadDrag, isClick { return pick(at: mouse.position) }
      return hadDrag && needsStill && !isSpinning ? render(isMoving: false) : []
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
    let way = drag.move(to: position, pixelsPerCell: geometry.pixelsPerCell)
    self.drag = drag
    if way == .zero { return [] }
    switch drag.kind {
    case .turning: return move { $0.turn(right: way.x, down: way.y) }
    case .shifting:
      let viewport = self.viewport
      let shorter = min(Float(viewport.width), Float(viewport.height) * viewport.pixelAspect)
      guard shorter > 0 else { return [] }
      return move { $0.move(by: SIMD2(way.x, -way.y * viewport.pixelAspect) / shorter) }
    }
  }

  // MARK: Modes, colors, models

  private var modeSheet: Effect {
    .choose(
      Self.modeSheet,
      ChoiceRequest(
        "Draw as", choices: RenderMode.allCases.map { .init(id: $0.name, title: $0.title, detail: $0.summary) },
        selected: mode.name))
  }

  /// Chooses the mode of a name; nil, as after a dismissed sheet, changes nothing.
  func choose(mode name: String?) -> [Effect] {
    guard let chosen = name.flatMap(RenderMode.init(name:)) else { return [] }
    chosenMode = chosen
    if chosen == mode { return [] }
    mode = chosen
    return showAllUnlessAimed()
  }

  /// The color scheme in use: the chosen one, or the default of mode and molecule.
  var shownScheme: ColorScheme {
    if let scheme { return scheme }
    guard let structure = molecule?.structure, structure.models.indices.contains(model) else { return .element }
    return MoleculeGeometry.standardScheme(of: structure, model: model, mode: mode)
  }

  /// Chooses the scheme of a name, or steps on from the current one.
  private func choose(color name: String?, step: Int) -> [Effect] {
    let all = ColorScheme.allCases
    let place = (all.firstIndex(of: shownScheme) ?? 0) + step
    scheme = name.flatMap(ColorScheme.init(rawValue:)) ?? all[(place % all.count + all.count) % all.count]
    return changedScene()
  }

  private func nextMode(_ step: Int) -> [Effect] {
    let all = RenderMode.allCases
    let place = (all.firstIndex(of: mode) ?? 0) + step
    return choose(mode: all[(place % all.count + all.count) % all.count].name)
  }

  private func stepModel(_ step: Int) -> [Effect] {
    guard let count = molecule?.structure.models.count, count > 1 else {
      return [.status(Diagnostic(.note, code: "molecules.one-model", "there is one model only"))]
    }
    model = ((model + step) % count + count) % count
    picked = nil
    relabel()
    return changedScene() + updateStrip()
  }

  private func changedScene() -> [Effect] {
    movingQuality = .moving
    return render(isMoving: false)
  }

  // MARK: Spinning

  var spinTimer: Effect {
    isVisible && isSpinning ? .timer(Self.spinning, seconds: 1.0 / 30, repeats: true) : .cancel(Self.spinning)
  }

  private func toggleSpin() -> [Effect] {
    isSpinning.toggle()
    return [spinTimer] + (!isSpinning && needsStill ? render(isMoving: false) : [])
  }

  /// Rotates by one step; a slow machine rotates in larger steps of time instead of building a longer queue.
  func spin() -> [Effect] {
    guard isSpinning, isVisible, queue.pending == nil, camera != nil else { return [] }
    return move { $0.turn(right: 1.2, down: 0) }
  }

  // MARK: Playing

  var playTimer: Effect {
    isVisible && isPlaying ? .timer(Self.playing, seconds: 0.2, repeats: true) : .cancel(Self.playing)
  }

  private func togglePlay() -> [Effect] {
    guard isPlaying || (molecule?.structure.models.count ?? 0) > 1 else { return stepModel(1) }
    isPlaying.toggle()
    return [playTimer]
  }

  /// Shows the next model from the same viewpoint; a slow machine shows fewer per second.
  func play() -> [Effect] {
    guard isPlaying, isVisible else { return [.cancel(Self.playing)] }
    return queue.isIdle ? stepModel(1) : []
  }

  // MARK: Copies and effects

  private func stepCopies(_ step: Int) -> [Effect] {
    guard let structure = molecule?.structure else { return [] }
    let all = SceneCopies.all(of: structure)
    guard all.count > 1 else {
      return [.status(Diagnostic(.note, code: "molecules.no-assembly", "the file states no assembly and no crystal"))]
    }
    let place = all.firstIndex(of: copies) ?? 0
    copies = all[((place + step) % all.count + all.count) % all.count]
    return showAll(from: turn)
  }

  private func toggle(_ effect: WritableKeyPath<RenderEffects, Bool>) -> [Effect] {
    effects[keyPath: effect].toggle()
    return render(isMoving: false)
  }

  // MARK: Other screens

  private func showLibrary() -> [Effect] {
    isLibraryShown = true
    let arguments: Record = ["returns": true, "flips": true, "selected": .optional(molecule?.id)]
    return [.push(ScreenRequest("library", arguments: arguments))]
  }

  private var details: [Effect] {
    guard let id = molecule?.id else {
      return [
        .status(
          Diagnostic(
            .note, code: "molecules.not-in-library", "the file is not in the library",
            advice: "import it to see what is known of it"))
      ]
    }
    return [.push(ScreenRequest("detail", arguments: ["molecule": .integer(id), "model": .integer(model + 1)]))]
  }
}

extension Value {
  /// Returns the number in a field; 0 if there is none.
  fileprivate func float(_ name: String) -> Float { Float(self[name].number ?? 0) }
}

extension RenderMode {
  /// A short description.
  fileprivate var summary: String {
    switch self {
    case .ballAndStick: "atoms small, bonds as sticks"
    case .spacefilling: "atoms as large as they are"
    case .cylinders: "bonds only"
    case .sticks: "bonds thick, atoms no thicker"
    case .backbone: "the line of each chain"
    case .cartoon: "helices, strands and bases"
    case .surface: "as far as water gets"
    }
  }
}
