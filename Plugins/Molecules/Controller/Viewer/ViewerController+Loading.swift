import PluginAPI

extension ViewerController {
  /// Starts to load a molecule, canceling an earlier load.
  ///
  /// Unless the target is a file, the library is opened first, which fills it at the first start.
  func load(_ target: MoleculeTarget) -> [Effect] {
    if let path = SessionCommands.path(target, context) { return openSession(path) }
    var effects: [Effect] = []
    if isLoading { effects.append(.cancel(EffectID(Self.loadingName, generation: loading))) }
    self.target = target
    loading += 1
    isLoading = true
    if molecule == nil { message = "loading …" }
    if !isLibraryOpen, !target.mayBeFile { return effects + [openLibrary] }
    let library: MoleculeLibrary
    do {
      library = try MoleculeLibrary(context)
    } catch {
      isLoading = false
      message = (error as? any ReportableError)?.report.description ?? "\(error)"
      return effects
    }
    let isOpen = isLibraryOpen
    let id = EffectID(Self.loadingName, generation: loading)
    effects += announceStart("loading", id)
    effects.append(
      .compute(id, label: "loading") { progress in
        try library.loadAndWait(target, isOpen: isOpen, progress)
      })
    return effects
  }

  private var openLibrary: Effect {
    .run(EffectID(Self.openingName, generation: loading), command: "list", arguments: Record())
  }

  /// Receives a loaded molecule; a stale one is dropped.
  func take(_ loaded: LoadedTarget, generation: Int) -> [Effect] {
    guard generation == loading else { return [] }
    let end = announceEnd(EffectID(Self.loadingName, generation: generation))
    switch loaded {
    case .needsLibrary: return end + [openLibrary]
    case .emptyLibrary:
      (isLoading, molecule, picture, prepared) = (false, nil, nil, nil)
      message = "the library is empty; press i, then import a file"
      return end
    case .molecule(let molecule):
      isLoading = false
      show(molecule)
      return end + remember(molecule) + render(isMoving: false) + updateStrip() + addWaiting()
    }
  }

  private func show(_ molecule: Molecule) {
    self.molecule = molecule
    history = ViewerHistory()
    structures.clear(isFirstVisible: waitingVisibility)
    waitingVisibility = true
    let place = place(of: molecule)
    let earlier = kept.flatMap { $0.molecule == molecule.id ? $0 : nil }
    // A selection belongs to one molecule; named ones are shared.
    if earlier == nil, place != shownPlace { selection.clear() }
    shownPlace = place
    shownLoading = loading
    message = ""
    if let earlier {
      (chosenMode, scheme, effects, labelKind) = (earlier.mode, earlier.scheme, earlier.effects, earlier.labels)
    }
    copies = earlier?.copies.flatMap { SceneCopies($0, of: molecule.structure) } ?? .deposited
    if molecule.structure.models.count < 2 { isPlaying = false }
    let models = molecule.structure.models.count
    model = min(earlier?.model ?? 0, max(0, models - 1))
    mode = chosenMode ?? firstMode(of: molecule)
    // The picture stays until there is a new one, to avoid flicker.
    (camera, prepared, movingQuality, picked) = (nil, nil, .moving, nil)
    waitingMoves = []
    relabel()
    pose = earlier?.pose
    kept = nil
  }

  /// Returns the mode in which the model is drawn until the user chooses one.
  func firstMode(of molecule: Molecule) -> RenderMode {
    let counts = molecule.counts
    return FirstPicture(context).mode(
      of: molecule.structure, model: model, atomCount: counts.atoms, bondCount: counts.bonds)
  }

  private func remember(_ molecule: Molecule) -> [Effect] {
    // The last viewed molecule is already recorded.
    if target == .lastViewed { return [] }
    return molecule.id.map {
      [.run("remember", command: "open", arguments: ["molecule": .text(String($0))])]
    } ?? []
  }

  /// Records that loading ended without a molecule; the previous one stays.
  func loadingEnded(_ id: EffectID, saying text: String) -> [Effect] {
    guard id.generation == loading else { return [] }
    isLoading = false
    if molecule == nil { message = text }
    return announceEnd(id)
  }
}

extension MoleculeTarget {
  /// A Boolean value indicating whether the target can be a file, for which the library need not be opened.
  fileprivate var mayBeFile: Bool {
    if case .word = self { true } else { false }
  }
}
