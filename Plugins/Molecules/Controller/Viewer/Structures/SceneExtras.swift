/// What is drawn besides the molecule that keys act on.
struct SceneExtras: Sendable {
  /// Molecules that are shown together with it.
  var others: [ShownStructure] = []
  /// Whether the molecule itself is seen.
  var isFirstVisible = true
  /// Balls that mark atoms; they are no part of the molecule.
  var marks: [Sphere] = []
}

/// The molecule that keys act on, before it is drawn.
struct FirstStructure {
  /// Its model as it is in the file.
  var scene: Scene
  /// Where the copies of it lie; nil for the model as it is.
  var copies: AssemblyInstances?
  /// The atoms that stand out; nil for all alike.
  var chosen: AtomSelection?
  /// The screen's background.
  var background = RGBColor.black

  /// The scene as it is shown: what is not chosen is faded.
  fileprivate var shown: Scene { faded(scene) }

  /// Returns a scene with its unselected parts faded to the background, if there is a selection.
  fileprivate func faded(_ scene: Scene) -> Scene {
    chosen.map { scene.highlighting($0, on: background) } ?? scene
  }
}

extension SceneExtras {
  /// The scene of the molecule together with those of the others that are seen.
  ///
  /// - Parameters:
  ///   - first: The molecule that keys act on.
  ///   - mode: How all of them are drawn.
  ///   - isCancelled: Tells whether nobody waits for it any more.
  /// - Returns: The scene, each molecule a part of its own; nil if it was cancelled.
  /// - Complexity: that of making the scenes of the others.
  func scene(_ first: FirstStructure, mode: RenderMode, _ isCancelled: () -> Bool) -> InstancedScene? {
    var scenes: [InstancedScene] = []
    if isFirstVisible {
      scenes.append(first.copies.map { InstancedScene(first.shown, copies: $0) } ?? InstancedScene(first.shown))
    }
    for other in others where other.isVisible {
      guard let scene = other.scene(mode, isCancelled) else { return nil }
      // Where some atoms stand out, all others do not.
      scenes.append(InstancedScene(first.faded(scene), at: other.motion.map { Placement($0) } ?? .identity))
    }
    return InstancedScene(joining: scenes)
  }

  /// The number of atoms that are seen, those of the first given.
  func atomCount(_ first: Int) -> Int {
    others.reduce(isFirstVisible ? first : 0) { $0 + ($1.isVisible ? $1.molecule.counts.atoms : 0) }
  }
}

extension ShownStructure {
  /// Its scene where it is shown; its atoms have no numbers there, since numbers are those of the first molecule.
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
  /// Forgets which atoms are shown, and colours all of it if a colour is given.
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
