import PluginAPI

/// Labels over the picture, and what lies under the mouse.
extension ViewerController {
  /// Labels as cells of text, or in the pixels where text over a picture would spoil it.
  var placedLabels: (isInPicture: Bool, cells: [LabelLayout.Placed]) {
    guard let pictureCamera, picture != nil else { return (false, []) }
    let shown = shownLabels
    if shown.isEmpty { return (false, []) }
    if showsPixels { return (true, []) }
    let layout = LabelLayout(width: geometry.size.width, height: geometry.size.height)
    return (false, layout.place(shown, from: pictureCamera, onto: viewport))
  }

  /// Whether the terminal shows the pixels themselves: cells are many pixels wide then.
  private var showsPixels: Bool { geometry.pixelsPerCell.width > 2 }

  /// The labels of the kind chosen and that of the atom clicked on, which goes first.
  private var shownLabels: [SceneLabel] {
    guard let structure = molecule?.structure, let picked, (0..<structure.atoms.count).contains(picked) else {
      return labels
    }
    let residue = SceneLabel.text(ofResidue: Int(structure.atoms.residue[picked]), structure)
    let label = SceneLabel(
      text: residue + " " + structure.atomName(picked), place: SIMD3<Float>(structure.atoms.position(picked)))
    return [label] + labels
  }

  /// The picture with the labels in its pixels: in a font of the system once they are drawn, in the bitmap font before.
  func labelled(_ picture: Picture) -> Picture {
    guard let pictureCamera else { return picture }
    if let drawn = labelledPicture, drawn.source == labelSource { return drawn.picture }
    var labelled = picture
    LabelPainter(for: picture.size).paint(shownLabels, from: pictureCamera, into: &labelled)
    return labelled
  }

  /// The inputs of the labeled picture.
  var labelSource: LabelledPicture.Source? {
    pictureCamera.map { LabelledPicture.Source(labels: shownLabels, camera: $0, drawing: drawnPictures) }
  }

  /// Draws labels over a still picture in a font of the system, where the terminal shows pixels.
  func drawLabels() -> [Effect] {
    guard showsPixels, !needsStill, !isSpinning, let picture, let source = labelSource, !source.labels.isEmpty,
      labelledPicture?.source != source
    else { return [] }
    return [
      .compute(EffectID(Self.labelingName, generation: drawnPictures), label: "labels") { _ in
        let painter = LabelPainter(for: picture.size)
        return LabelledPicture(
          source: source,
          picture: painter.written(source.labels, over: picture, from: source.camera, by: OverlayFont.draw))
      }
    ]
  }

  func nextLabel() -> [Effect] {
    let all = LabelKind.allCases
    labelKind = all[((all.firstIndex(of: labelKind) ?? 0) + 1) % all.count]
    relabel()
    guard let molecule, labels.isEmpty, labelKind == .residues || labelKind == .atoms,
      (molecule.structure.models[safe: model]?.atoms.count ?? 0) > SceneLabel.mostAtoms
    else { return drawLabels() }
    return [
      .status(
        Diagnostic(
          .note, code: "molecules.too-many-labels",
          "the molecule has more than \(SceneLabel.mostAtoms) atoms, so its \(labelKind.rawValue) get no labels"))
    ]
  }

  /// Makes the labels anew for the molecule, model and kind.
  func relabel() {
    labels = molecule.map { SceneLabel.labels(labelKind, in: mode, of: $0.structure, model: model) } ?? []
  }

  /// Looks up what lies at a cell in the last picture; the drawing thread may hold it, so not here.
  func pick(at position: Point) -> [Effect] {
    guard molecule != nil, picture != nil else { return [] }
    let cell = geometry.pixelsPerCell
    let (x, y) = (position.x * cell.width + cell.width / 2, position.y * cell.height + cell.height / 2)
    let worker = self.worker
    return [
      .compute(EffectID(Self.pickingName, generation: shownLoading), label: "looking") { _ in worker.atom(x: x, y: y) }
    ]
  }

  /// Takes what was found; a click on nothing forgets what was picked before.
  func takePicked(_ atom: Int?, generation: Int) -> [Effect] {
    guard generation == shownLoading else { return [] }
    picked = atom
    if let atom, goInStrip(toAtom: atom) { return render(isMoving: false) }
    return needsStill && !isSpinning ? render(isMoving: false) : drawLabels()
  }
}

/// A picture with labels in its pixels, and what it was made of.
struct LabelledPicture: Sendable {
  struct Source: Equatable, Sendable {
    var labels: [SceneLabel]
    var camera: Camera
    /// The number of the picture below them, as the viewer counts those it drew.
    var drawing: Int
  }

  var source: Source
  var picture: Picture
}
