import PluginAPI

/// Labels over the picture, and the atom under the mouse.
extension ViewerController {
  /// The labels as cells of text, or drawn in the pixels if text over a picture would spoil it.
  var placedLabels: (isInPicture: Bool, cells: [LabelLayout.Placed]) {
    guard let pictureCamera, picture != nil else { return (false, []) }
    let shown = shownLabels
    if shown.isEmpty { return (false, []) }
    if showsPixels { return (true, []) }
    let layout = LabelLayout(width: geometry.size.width, height: geometry.size.height)
    return (false, layout.place(shown, from: pictureCamera, onto: viewport))
  }

  /// A Boolean value indicating whether the terminal shows real pixels: cells are many pixels wide then.
  private var showsPixels: Bool { geometry.pixelsPerCell.width > 2 }

  /// The labels of the chosen kind, preceded by that of the clicked atom.
  private var shownLabels: [SceneLabel] {
    guard let structure = molecule?.structure, let picked, (0..<structure.atoms.count).contains(picked) else {
      return labels
    }
    let residue = SceneLabel.text(ofResidue: Int(structure.atoms.residue[picked]), structure)
    let label = SceneLabel(
      text: residue + " " + structure.atomName(picked), place: SIMD3<Float>(structure.atoms.position(picked)))
    return [label] + labels
  }

  /// Returns the picture with labels in its pixels: in a system font once drawn, in the bitmap font before.
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

  /// Draws labels over a still picture in a system font, if the terminal shows pixels.
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

  /// Rebuilds the labels for the molecule, model and kind.
  func relabel() {
    labels = molecule.map { SceneLabel.labels(labelKind, in: mode, of: $0.structure, model: model) } ?? []
  }

  /// Looks up the atom at a cell in the last picture, in the background, since the drawing thread may hold the picture.
  func pick(at position: Point) -> [Effect] {
    guard molecule != nil, picture != nil else { return [] }
    let cell = geometry.pixelsPerCell
    let (x, y) = (position.x * cell.width + cell.width / 2, position.y * cell.height + cell.height / 2)
    let worker = self.worker
    return [
      .compute(EffectID(Self.pickingName, generation: shownLoading), label: "looking") { _ in worker.atom(x: x, y: y) }
    ]
  }

  /// Receives the atom that was found; a click on nothing clears the picked atom.
  func takePicked(_ atom: Int?, generation: Int) -> [Effect] {
    guard generation == shownLoading else { return [] }
    picked = atom
    if let atom, goInStrip(toAtom: atom) { return render(isMoving: false) }
    return needsStill && !isSpinning ? render(isMoving: false) : drawLabels()
  }
}

/// A picture with labels in its pixels, and its inputs.
struct LabelledPicture: Sendable {
  struct Source: Equatable, Sendable {
    var labels: [SceneLabel]
    var camera: Camera
    /// The number of the underlying picture among those the viewer has drawn.
    var drawing: Int
  }

  var source: Source
  var picture: Picture
}
