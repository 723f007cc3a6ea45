import PluginAPI

/// The molecule that a viewer shows, the ones shown together with it, and how they are drawn.
@MainActor struct ViewerScene {
  private let context: any PluginContext
  /// The shown molecule; nil if there is none.
  private(set) var molecule: Molecule?
  /// The source of the shown molecule.
  private(set) var place: MoleculePlace?
  /// The number of molecules shown so far.
  private(set) var number = 0
  private(set) var mode = RenderMode.ballAndStick
  /// The mode the user chose; nil to use each molecule's default.
  private var chosenMode: RenderMode?
  private(set) var scheme: ColorScheme?
  private(set) var model = 0
  /// The copies of the model to show.
  private(set) var copies = SceneCopies.deposited
  /// The settings of light, outlines and fog.
  private(set) var effects = RenderEffects()
  private(set) var labelKind = LabelKind.none
  private(set) var labels: [SceneLabel] = []
  /// The atoms of the molecule that its last picture shows; nil until there is one.
  private var drawn: DrawnAtoms?
  /// The clicked atom.
  private(set) var picked: Int?
  /// The current selection and the named ones.
  private(set) var selection = ViewerSelection()
  /// The molecules shown together with this one.
  private(set) var structures = StructureSet()
  /// The sequence below the picture.
  private(set) var strip = SequenceStrip()

  init(_ context: any PluginContext) {
    self.context = context
  }

  // MARK: The molecule

  /// Shows a molecule alone.
  ///
  /// - Parameters:
  ///   - place: Its source.
  ///   - earlier: The view of it saved in an earlier run or session; nil for the default.
  ///   - isVisible: False to hide it, as a session may.
  mutating func show(_ molecule: Molecule, from place: MoleculePlace?, as earlier: ViewerState?, isVisible: Bool) {
    // A selection belongs to one molecule; named ones are shared.
    if earlier == nil, place != self.place { selection.clear() }
    (self.molecule, self.place, picked, drawn) = (molecule, place, nil, nil)
    number += 1
    structures.begin(with: molecule, isVisible: isVisible)
    if let earlier {
      (chosenMode, scheme, effects, labelKind) = (earlier.mode, earlier.scheme, earlier.effects, earlier.labels)
    }
    copies = earlier?.copies.flatMap { SceneCopies($0, of: molecule.structure) } ?? .deposited
    model = min(earlier?.model ?? 0, max(0, molecule.structure.models.count - 1))
    mode = chosenMode ?? firstMode(of: molecule)
    relabel()
  }

  /// Shows no molecule.
  mutating func clear() { molecule = nil }

  /// Returns the mode in which the model is drawn until the user chooses one.
  private func firstMode(of molecule: Molecule) -> RenderMode {
    let counts = molecule.counts
    return context[FirstPicture.setting].mode(
      of: molecule.structure, model: model, atomCount: counts.atoms, bondCount: counts.bonds)
  }

  // MARK: The style

  /// Draws in a mode; returns false if it is the current one.
  mutating func choose(_ chosen: RenderMode) -> Bool {
    chosenMode = chosen
    if chosen == mode { return false }
    mode = chosen
    return true
  }

  /// Returns the mode some steps from the current one, cyclically.
  func mode(after step: Int) -> RenderMode { RenderMode.allCases.cyclic(mode, step) }

  /// The color scheme in use: the chosen one, or the default of mode and molecule.
  var shownScheme: ColorScheme {
    if let scheme { return scheme }
    guard let structure = molecule?.structure, structure.models.indices.contains(model) else { return .element }
    return MoleculeGeometry.standardScheme(of: structure, model: model, mode: mode)
  }

  /// Chooses the scheme of a name, or steps on from the current one.
  mutating func choose(color scheme: ColorScheme?, step: Int) {
    self.scheme = scheme ?? ColorScheme.allCases.cyclic(shownScheme, step)
  }

  /// Shows the next or previous model; returns false if there is one only.
  mutating func stepModel(_ step: Int) -> Bool {
    guard hasSeveralModels, let count = molecule?.structure.models.count else { return false }
    model = ((model + step) % count + count) % count
    picked = nil
    return true
  }

  var hasSeveralModels: Bool { (molecule?.structure.models.count ?? 0) > 1 }

  /// Shows the next or previous assembly or crystal copies; returns false if there are none.
  mutating func stepCopies(_ step: Int, in structure: Structure) -> Bool {
    let all = SceneCopies.all(of: structure)
    guard all.count > 1 else { return false }
    copies = all.cyclic(copies, step)
    return true
  }

  mutating func toggle(_ effect: WritableKeyPath<RenderEffects, Bool>) { effects[keyPath: effect].toggle() }

  /// Changes the molecules shown together with this one.
  mutating func changeStructures(_ change: (inout StructureSet) -> Void) { change(&structures) }

  // MARK: Selections

  /// Picks the clicked atom; nil for none.
  mutating func pick(_ atom: Int?) { picked = atom }

  /// Shows a selection; clears it for a blank text.
  mutating func select(_ text: String) throws(SelectionError) { try selection.show(text) }

  mutating func clearSelection() { selection.clear() }

  /// Stores the current selection under a name.
  mutating func keepSelection(as name: String) throws(SelectionError) { try selection.keep(as: name) }

  /// Restores the selections of a saved view.
  mutating func restoreSelection(of state: ViewerState) { selection.restore(text: state.selection, sets: state.sets) }

  // MARK: Labels

  /// Shows the next kind of labels; returns a note if they cannot be shown.
  mutating func stepLabels() -> Diagnostic? {
    labelKind = LabelKind.allCases.cyclic(labelKind, 1)
    relabel()
    return labelNote
  }

  /// Takes the drawn atoms of a picture; only they have labels.
  ///
  /// - Returns: A note if the chosen labels are missing from now on.
  mutating func take(_ drawn: DrawnAtoms?) -> Diagnostic? {
    if self.drawn == drawn { return nil }
    let earlier = labelNote
    self.drawn = drawn
    relabel()
    return labelNote == earlier ? nil : labelNote
  }

  /// A note if the chosen labels cannot be shown.
  var labelNote: Diagnostic? { drawn.flatMap { labelKind.note(on: $0, labels: labels) } }

  /// Rebuilds the labels for the kind and the drawn atoms.
  private mutating func relabel() {
    guard let structure = molecule?.structure, let drawn else { return labels = [] }
    labels = SceneLabel.labels(labelKind, of: structure, drawn: drawn)
  }

  /// The labels of the chosen kind, preceded by that of the clicked atom.
  var shownLabels: [SceneLabel] {
    guard let structure = molecule?.structure, let picked,
      drawn?.all[picked] ?? false || stripMarks.contains(where: { Int($0.atom) == picked })
    else { return labels }
    let residue = SceneLabel.text(ofResidue: Int(structure.atoms.residue[picked]), structure)
    let label = SceneLabel(
      text: residue + " " + structure.atomName(picked), place: position(ofAtom: picked, in: structure))
    return [label] + labels
  }

  /// Returns the position of an atom in the picture, in ångström.
  private func position(ofAtom atom: Int, in structure: Structure) -> SIMD3<Float> {
    drawn?.position(ofAtom: atom, in: structure) ?? SIMD3<Float>(structure.atoms.position(atom))
  }

  // MARK: The sequence

  var stripSource: SequenceStrip.Source { SequenceStrip.Source(molecule: number, model: model) }

  /// The residue at the cursor of the strip, if it belongs to what is shown.
  private var stripResidue: (structure: Structure, place: SequenceRow.Place)? {
    guard let structure = molecule?.structure, strip.source == stripSource, let place = strip.place else { return nil }
    return (structure, place)
  }

  var stripView: SequenceStripView {
    var view = SequenceStripView(isActive: strip.hasFocus)
    view.row = strip.current
    view.column = strip.column
    view.position = (strip.row + 1, strip.rows.count)
    view.residue = stripResidue.map { "\($0.structure.residueName($0.place.residue)) \($0.place.number)" } ?? ""
    view.message =
      strip.source == nil ? "Reading the sequence …" : "No sequence: there is no protein or nucleic acid here"
    return view
  }

  /// The center of the cursor's residue; nil if it has no atoms.
  var stripCenter: SIMD3<Float>? {
    guard let (structure, place) = stripResidue else { return nil }
    let atoms = structure.residues[place.residue].atoms
    if atoms.isEmpty { return nil }
    let sum = atoms.reduce(SIMD3<Float>.zero) { $0 + position(ofAtom: $1, in: structure) }
    return sum / Float(atoms.count)
  }

  /// The marks of the atoms of the cursor's residue: balls around them, in a color not used otherwise.
  var stripMarks: [Sphere] {
    guard strip.isShown, let (structure, place) = stripResidue else { return [] }
    let share: Float = mode == .spacefilling || mode == .surface ? 1.08 : 0.55
    return structure.residues[place.residue].atoms.map { atom in
      Sphere(
        center: position(ofAtom: atom, in: structure),
        radius: ElementStyle.vanDerWaalsRadius(of: structure.atoms.element[atom].rawValue) * share,
        color: Self.markColor, atom: Int32(truncatingIfNeeded: atom))
    }
  }

  private static let markColor = RGBColor(0xFF40FF)

  /// Changes the strip, and returns the result of the change.
  mutating func changeStrip<Result>(_ change: (inout SequenceStrip) -> Result) -> Result { change(&strip) }

  /// Moves the cursor of the strip to the residue of an atom, as after a click on it.
  ///
  /// - Returns: True if the strip has that residue.
  mutating func goInStrip(toAtom atom: Int) -> Bool {
    guard strip.isShown, strip.source == stripSource, let structure = molecule?.structure,
      (0..<structure.atoms.count).contains(atom)
    else { return false }
    return strip.go(toResidue: Int(structure.atoms.residue[atom]))
  }

  // MARK: Drawing and saving

  /// The parameters of the scene on a background.
  func key(on background: RGBColor) -> SceneKey {
    SceneKey(
      loading: number, model: model, mode: mode, scheme: scheme, copies: copies, selection: selection.version,
      others: structures.version, background: background)
  }

  /// The parts of the scene in addition to the active molecule.
  var extras: SceneExtras {
    SceneExtras(others: structures.others, isFirstVisible: structures.isFirstVisible, marks: stripMarks)
  }

  /// Returns the state of the view from a viewpoint.
  func state(from pose: ViewerState.Pose?) -> ViewerState {
    ViewerState(
      molecule: molecule?.id, model: model, mode: chosenMode, scheme: scheme, pose: pose, labels: labelKind,
      copies: copies == .deposited ? nil : copies.word, effects: effects, selection: selection.text,
      sets: selection.definitions)
  }

  /// Returns the places of the shown molecules and their views from a viewpoint; nil if nothing is shown that could be
  /// loaded again.
  func session(from pose: ViewerState.Pose?) -> (places: [MoleculePlace], view: Value)? {
    guard let place else { return nil }
    var view = state(from: pose).value.record ?? Record()
    view["others"] = .list(structures.others.map(\.view))
    view["visible"] = .bool(structures.isFirstVisible)
    return ([place] + structures.others.map(\.place), .record(view))
  }

  /// Restores a view of the shown molecule, except for the viewpoint.
  ///
  /// - Returns: A note if its labels are missing from now on.
  mutating func restore(_ state: ViewerState, of molecule: Molecule) -> Diagnostic? {
    let earlier = labelNote
    model = min(state.model, max(0, molecule.counts.models - 1))
    chosenMode = state.mode
    mode = state.mode ?? firstMode(of: molecule)
    scheme = state.scheme
    effects = state.effects
    copies = state.copies.flatMap { SceneCopies($0, of: molecule.structure) } ?? .deposited
    picked = nil
    if selection.text != state.selection { restoreSelection(of: state) }
    labelKind = state.labels
    relabel()
    return labelNote == earlier ? nil : labelNote
  }
}

/// The content of a viewer's screen: the molecules and their picture, with the texts about them.
@MainActor struct ViewerContent {
  let scene: ViewerScene
  let pictures: ViewerPictures

  /// The picture with its labels and legend, or the message in its place.
  var view: ViewerView {
    let shown = pictures.shown(scene)
    return ViewerView(
      picture: shown.picture, labels: shown.labels, legend: scene.scheme == nil ? nil : pictures.prepared?.legend,
      message: pictures.message, title: title, fields: fields)
  }

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
    var texts = [scene.mode.title, "\(atomCount) \(atomCount == 1 ? "atom" : "atoms")"]
    let models = molecule.structure.models.count
    if models > 1 { texts.append("model \(scene.model + 1)/\(models)") }
    if let scheme = scene.scheme { texts.append("by \(scheme.title)") }
    if scene.copies != .deposited { texts.append(scene.copies.title) }
    if !scene.labels.isEmpty { texts.append("\(scene.labelKind.rawValue) labeled") }
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
    var fields = [Outline.Field("drawn as", scene.mode.title), Outline.Field("atoms", "\(atomCount)")]
    if !molecule.bonds.isEmpty { fields.append(Outline.Field("bonds", "\(molecule.counts.bonds)")) }
    fields.append(Outline.Field("model", "\(scene.model + 1) of \(molecule.counts.models)"))
    fields.append(Outline.Field("colors", pictures.prepared?.legend?.text ?? scene.shownScheme.title))
    if scene.copies != .deposited { fields.append(Outline.Field("copies", scene.copies.title)) }
    if let pickedText { fields.append(Outline.Field("atom", pickedText)) }
    return fields
  }

  /// The number of atoms in the last picture; before the first one, of the model in all alternate locations.
  private var atomCount: Int {
    pictures.prepared?.atomCount ?? scene.molecule?.structure.models[safe: scene.model]?.atoms.count ?? 0
  }

  private var selectionStatus: String? {
    guard scene.selection.shown != nil, let prepared = pictures.prepared, let count = prepared.selected,
      prepared.key.selection == scene.selection.version
    else { return nil }
    if count.atoms == 0 { return "'\(scene.selection.text)' selects no atoms" }
    let atoms = "\(count.atoms) \(count.atoms == 1 ? "atom" : "atoms")"
    let residues = "\(count.residues) \(count.residues == 1 ? "residue" : "residues")"
    return "selected \(atoms) of \(residues)"
  }

  private var pickedText: String? {
    guard let picked = scene.picked, let molecule = scene.molecule else { return nil }
    return AtomDescription.text(picked, of: molecule.structure)
  }
}

/// The selection on the screen, and the named ones.
struct ViewerSelection: Equatable {
  /// The current selection; nil for none.
  private(set) var shown: Selection?
  /// The named selections, which new ones may use.
  private(set) var sets = SelectionSets()
  /// The number of changes, which distinguishes scenes of different selections.
  private(set) var version = 0

  /// The text of the current selection; empty for none.
  var text: String { shown?.text ?? "" }

  /// Shows a selection; clears it for a blank text.
  fileprivate mutating func show(_ text: String) throws(SelectionError) {
    if text.allSatisfy(\.isWhitespace) { return clear() }
    shown = try Selection(text, sets: sets)
    version += 1
  }

  fileprivate mutating func clear() {
    if shown != nil { version += 1 }
    shown = nil
  }

  /// Stores the current selection under a name.
  fileprivate mutating func keep(as name: String) throws(SelectionError) { try sets.define(name, as: text) }

  /// Restores the selections of an earlier run; those that can no longer be read are dropped.
  fileprivate mutating func restore(text: String, sets definitions: [String]) {
    for definition in definitions { try? sets.define(definition) }
    try? show(text)
  }

  /// The texts of the named selections, for the next run.
  var definitions: [String] { sets.definitions.map { "\($0.name)=\($0.text)" } }
}

extension Array where Element: Equatable {
  /// Returns the element some steps from another one, cyclically; from the first one if that is missing.
  fileprivate func cyclic(_ element: Element, _ step: Int) -> Element {
    self[(((firstIndex(of: element) ?? 0) + step) % count + count) % count]
  }
}

extension Array {
  /// Accesses the element at an index, or nil outside the array.
  subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
