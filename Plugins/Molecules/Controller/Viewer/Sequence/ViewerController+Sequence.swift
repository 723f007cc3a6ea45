import PluginAPI

/// The sequence below the picture, and the mark in the picture of its cursor's residue.
///
/// While the strip has the keyboard focus, the keys for turning move along the sequence, and Enter centers the residue.
extension ViewerController {
  static let readingSequence = "sequence"

  /// Returns the geometry of the picture, without the rows of the strip.
  func pictureGeometry(of screen: ScreenGeometry) -> ScreenGeometry {
    var geometry = screen
    if showsStrip(on: screen) { geometry.size.height -= SequenceStripView.height }
    return geometry
  }

  /// Returns true if the strip is shown; a screen without room for both shows the picture.
  private func showsStrip(on screen: ScreenGeometry) -> Bool {
    strip.isShown && screen.size.height >= SequenceStripView.height + 4
  }

  /// Returns the view of the molecule with the strip below it, if shown.
  func withStrip(_ view: ViewerView) -> any View {
    showsStrip(on: screen) ? StripBelow(view: view, strip: stripView) : view
  }

  private var stripView: SequenceStripView {
    var view = SequenceStripView(isActive: strip.hasFocus)
    view.row = strip.current
    view.column = strip.column
    view.position = (strip.row + 1, strip.rows.count)
    view.residue = residueName ?? ""
    view.message =
      strip.key == nil ? "reading the sequence …" : "no protein or nucleic acid here, so there is no sequence"
    return view
  }

  /// The name of the cursor's residue, as `THR 12`.
  private var residueName: String? {
    guard let structure = molecule?.structure, strip.key == stripKey, let place = strip.place else { return nil }
    return "\(structure.residueName(place.residue)) \(place.number)"
  }

  private var stripKey: SequenceStrip.Key { SequenceStrip.Key(loading: shownLoading, model: model) }

  // MARK: Showing

  /// Shows and focuses the strip, or hides it if it has the focus.
  func toggleStrip() -> [Effect] {
    if strip.isShown, !strip.hasFocus {
      strip.hasFocus = true
      return updateStrip() + render(isMoving: false)
    }
    strip.isShown.toggle()
    strip.hasFocus = strip.isShown
    geometry = pictureGeometry(of: screen)
    movingQuality = .moving
    return updateStrip() + render(isMoving: false)
  }

  /// Reads the sequences of the shown molecule, unless they are loaded.
  func updateStrip() -> [Effect] {
    guard strip.isShown, let structure = molecule?.structure, strip.key != stripKey else { return [] }
    let (key, model) = (stripKey, self.model)
    return [
      .compute(EffectID(Self.readingSequence, generation: key.loading), label: "reading the sequence") { _ in
        ReadSequence(key: key, rows: SequenceRow.all(of: structure, model: model))
      }
    ]
  }

  /// Handles a message about the strip; returns nil for other messages.
  func receiveSequence(_ message: Message) -> [Effect]? {
    guard case .finished(let id, let result) = message, id.name == Self.readingSequence,
      let read = result as? ReadSequence
    else { return nil }
    guard read.key == stripKey else { return updateStrip() }
    strip.take(read.rows, read.key)
    return render(isMoving: false)
  }

  /// The marks of the atoms of the cursor's residue: balls around them, in a color not used otherwise.
  var stripMarks: [Sphere] {
    guard strip.isShown, strip.key == stripKey, let structure = molecule?.structure, let place = strip.place else {
      return []
    }
    let share: Float = mode == .spacefilling || mode == .surface ? 1.08 : 0.55
    return structure.residues[place.residue].atoms.map { atom in
      Sphere(
        center: SIMD3<Float>(structure.atoms.position(atom)),
        radius: ElementStyle.vanDerWaalsRadius(of: structure.atoms.element[atom].rawValue) * share,
        color: Self.markColor, atom: Int32(truncatingIfNeeded: atom))
    }
  }

  private static let markColor = RGBColor(0xFF40FF)

  // MARK: Keys and mouse

  /// Performs an action in the strip while it has the focus; returns nil for actions that still belong to the picture.
  func actInStrip(_ invocation: ActionInvocation) -> [Effect]? {
    guard strip.isShown else { return nil }
    if invocation.action == "next-mode" { return toggleFocus() }
    guard strip.hasFocus else { return nil }
    let arguments = invocation.arguments
    switch invocation.action {
    case "turn", "pan":
      let step = invocation.action == "turn" ? 1 : 10
      let right = arguments["right"]?.number ?? 0
      let down = arguments["down"]?.number ?? -(arguments["up"]?.number ?? 0)
      if right != 0 { return moved { $0.move(by: right > 0 ? step : -step) } }
      return moved { $0.changeChain(by: down > 0 ? 1 : -1) }
    case "molecule":
      let page = max(1, screen.size.width - 4) * ((arguments["step"]?.integer ?? 1) > 0 ? 1 : -1)
      return moved { $0.move(by: page) }
    case "choose-mode": return lookAtResidue()
    default: return nil
    }
  }

  private func toggleFocus() -> [Effect] {
    strip.hasFocus.toggle()
    return []
  }

  /// Handles a key without an action; returns nil if it means nothing to the strip.
  func handleInStrip(_ key: Key) -> [Effect]? {
    guard strip.isShown else { return nil }
    if key == Key(.tab) || key == Key(.tab, .shift) { return toggleFocus() }
    guard strip.hasFocus else { return nil }
    switch key {
    case Key(.escape): return toggleFocus()
    case Key(.home): return moved { $0.go(toColumn: 0) }
    case Key(.end): return moved { $0.go(toColumn: ($0.current?.places.count ?? 1) - 1) }
    default: return nil
    }
  }

  /// Handles the mouse over the strip; returns nil elsewhere, or if a button was pressed elsewhere.
  func handleInStrip(_ mouse: Mouse) -> [Effect]? {
    guard showsStrip(on: screen), drag == nil, mouse.position.y >= geometry.size.height else { return nil }
    switch mouse.action {
    case .scroll(let steps): return moved { $0.move(by: steps) }
    case .press where mouse.button == .left:
      strip.hasFocus = true
      let row = mouse.position.y - geometry.size.height
      guard let place = stripView.place(x: mouse.position.x, y: row, width: screen.size.width) else { return [] }
      return moved { $0.go(toColumn: place) }
    default: return []
    }
  }

  private func moved(_ change: (inout SequenceStrip) -> Void) -> [Effect] {
    let before = strip
    change(&strip)
    return strip == before ? [] : render(isMoving: false)
  }

  /// Centers the view on the cursor's residue.
  private func lookAtResidue() -> [Effect] {
    guard let structure = molecule?.structure, strip.key == stripKey, let place = strip.place, camera != nil else {
      return []
    }
    let atoms = structure.residues[place.residue].atoms
    if atoms.isEmpty { return [] }
    let sum = atoms.reduce(SIMD3<Double>.zero) { $0 + structure.atoms.position($1) }
    camera?.look(at: SIMD3<Float>(sum / Double(atoms.count)))
    camera?.pan = .zero
    return render(isMoving: false)
  }

  /// Moves the cursor to the residue of an atom, as after a click on it.
  ///
  /// - Returns: True if the strip has that residue.
  func goInStrip(toAtom atom: Int) -> Bool {
    guard strip.isShown, strip.key == stripKey, let structure = molecule?.structure,
      (0..<structure.atoms.count).contains(atom)
    else { return false }
    return strip.go(toResidue: Int(structure.atoms.residue[atom]))
  }
}

/// The sequences of a molecule's model.
struct ReadSequence: Sendable {
  var key: SequenceStrip.Key
  var rows: [SequenceRow]
}
