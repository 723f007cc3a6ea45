/// The parts of the scene in addition to the active molecule.
struct SceneExtras: Sendable {
  /// The molecules shown together with it.
  var others: [ShownStructure] = []
  /// A Boolean value indicating whether the active molecule itself is visible.
  var isFirstVisible = true
  /// Balls that mark atoms; they are not part of the molecule.
  var marks: [Sphere] = []
}

/// The active molecule, before it is drawn.
struct FirstStructure {
  /// The model as deposited.
  var scene: Scene
  /// The placements of its copies; nil for the model as deposited.
  var copies: AssemblyInstances?
  /// The highlighted atoms; nil for none.
  var chosen: AtomSelection?
  /// The screen's background.
  var background = RGBColor.black

  /// The scene as shown, with unselected parts faded.
  fileprivate var shown: Scene { faded(scene) }

  /// Returns a scene with its unselected parts faded to the background, if there is a selection.
  fileprivate func faded(_ scene: Scene) -> Scene {
    chosen.map { scene.highlighting($0, on: background) } ?? scene
  }
}

extension SceneExtras {
  /// Returns the scene of the molecule together with those of the visible other ones.
  ///
  /// - Parameters:
  ///   - first: The active molecule, on which keys act.
  ///   - mode: The drawing mode of all of them.
  ///   - isCancelled: Returns true if the scene is no longer needed.
  /// - Returns: The scene, each molecule a part of its own; nil if it was canceled.
  /// - Complexity: That of building the scenes of the others.
  func scene(_ first: FirstStructure, mode: RenderMode, _ isCancelled: () -> Bool) -> InstancedScene? {
    var scenes: [InstancedScene] = []
    if isFirstVisible {
      scenes.append(first.copies.map { InstancedScene(first.shown, copies: $0) } ?? InstancedScene(first.shown))
    }
    for other in others where other.isVisible {
      guard let scene = other.scene(mode, isCancelled) else { return nil }
      // If some atoms are highlighted, the other molecules are not.
      scenes.append(InstancedScene(first.faded(scene), at: other.motion.map { Placement($0) } ?? .identity))
    }
    return InstancedScene(joining: scenes)
  }

  /// Returns the number of visible atoms, given those of the first molecule.
  func atomCount(_ first: Int) -> Int {
    others.reduce(isFirstVisible ? first : 0) { $0 + ($1.isVisible ? $1.molecule.counts.atoms : 0) }
  }
}

extension ShownStructure {
  /// Returns its scene in its placement; its atoms have no numbers there, since numbers belong to the first molecule.
  fileprivate func scene(_ mode: RenderMode, _ isCancelled: () -> Bool) -> Scene? {
    let scheme: ColorScheme? = if case .scheme(let scheme) = coloring { scheme } else { nil }
    let geometry = MoleculeGeometry(
      molecule.structure, model: 0, bonds: molecule.bonds(ofModel: 0), mode: mode, scheme: scheme)
    let work = DrawingThreads.shared.work
    let made = SceneBuilder(mode: mode, scheme: scheme).scene(of: geometry, work: work) { _ in !isCancelled() }
    guard var scene = made else { return nil }
    scene.forget(color: coloring == .single ? color : nil)
    return scene
  }
}

extension Scene {
  /// Removes the atom numbers, and colors everything if a color is given.
  fileprivate mutating func forget(color: RGBColor?) {
    for index in spheres.indices {
      spheres[index].atom = -1
      if let color { spheres[index].color = color }
    }
    for index in cylinders.indices {
      (cylinders[index].startAtom, cylinders[index].endAtom) = (-1, -1)
      if let color { (cylinders[index].startColor, cylinders[index].endColor) = (color, color) }
    }
    mesh.forget(color: color)
  }
}

extension TriangleMesh {
  fileprivate mutating func forget(color: RGBColor?) {
    for index in atoms.indices { atoms[index] = -1 }
    guard let color else { return }
    for index in colors.indices { colors[index] = color }
  }
}
