import PluginAPI

/// The texts about a viewer's molecule: title, status line, and fields for linear reading.
@MainActor struct ViewerTexts {
  let scene: ViewerScene
  let pictures: ViewerPictures

  /// Code and title of the molecule.
  var title: String {
    guard let molecule = scene.molecule else { return "Molecules" }
    let (code, title) = (molecule.structure.metadata.entryID, molecule.displayTitle)
    return (code == title ? [code] : [code, title]).filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// The parts of the status line, most important first.
  ///
  /// - Parameter motion: Words for what is moving.
  func status(_ motion: [String]) -> [String] {
    guard let molecule = scene.molecule else { return [] }
    let prepared = pictures.prepared
    let atoms = prepared?.atomCount ?? molecule.structure.models[safe: scene.model]?.atoms.count ?? 0
    var texts = [scene.mode.title, "\(atoms) \(atoms == 1 ? "atom" : "atoms")"]
    let models = molecule.structure.models.count
    if models > 1 { texts.append("model \(scene.model + 1)/\(models)") }
    if let scheme = scene.scheme { texts.append("by \(scheme.title)") }
    if scene.copies != .deposited { texts.append(scene.copies.title) }
    if scene.labelKind != .none { texts.append("\(scene.labelKind.rawValue) labelled") }
    if !scene.structures.isEmpty { texts.append("\(scene.structures.others.count + 1) together") }
    if let selectionStatus { texts.append(selectionStatus) }
    texts += motion
    if scene.strip.isShown { texts.append(scene.strip.hasFocus ? "tab to the picture" : "tab to the sequence") }
    if let note = prepared?.note, prepared?.key.mode == scene.mode { texts.append(note) }
    if let pickedText { texts.append(pickedText) }
    return texts
  }

  /// The fields for linear reading.
  var fields: [Outline.Field] {
    guard let molecule = scene.molecule else { return [] }
    var fields = [Outline.Field("drawn as", scene.mode.title), Outline.Field("atoms", "\(molecule.counts.atoms)")]
    if !molecule.bonds.isEmpty { fields.append(Outline.Field("bonds", "\(molecule.counts.bonds)")) }
    fields.append(Outline.Field("model", "\(scene.model + 1) of \(molecule.counts.models)"))
    fields.append(Outline.Field("colours", pictures.prepared?.legend?.text ?? scene.shownScheme.title))
    if scene.copies != .deposited { fields.append(Outline.Field("copies", scene.copies.title)) }
    if let pickedText { fields.append(Outline.Field("atom", pickedText)) }
    return fields
  }

  private var selectionStatus: String? {
    guard scene.selection.shown != nil, let prepared = pictures.prepared, let count = prepared.selected,
      prepared.key.selection == scene.selection.version
    else { return nil }
    if count.atoms == 0 { return "'\(scene.selection.text)' selects nothing here" }
    let atoms = "\(count.atoms) \(count.atoms == 1 ? "atom" : "atoms")"
    let residues = "\(count.residues) \(count.residues == 1 ? "residue" : "residues")"
    return "selected \(atoms) of \(residues)"
  }

  private var pickedText: String? {
    guard let picked = scene.picked, let molecule = scene.molecule else { return nil }
    return AtomDescription.text(picked, of: molecule.structure)
  }
}
