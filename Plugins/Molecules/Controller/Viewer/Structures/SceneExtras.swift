/// What is drawn besides the molecule that keys act on.
struct SceneExtras: Sendable {
  /// Molecules that are shown together with it.
  var others: [ShownStructure] = []
  /// Whether the molecule itself is seen.
  var isFirstVisible = true
  /// Balls that mark atoms; they are no part of the molecule.
  var marks: [Sphere] = []
}

extension SceneExtras {
  /// The scene of the molecule together with those of the others that are seen.
  ///
  /// - Parameters:
  ///   - first: The scene of the molecule that keys act on.
  ///   - mode: How all of them are drawn.
  ///   - isCancelled: Tells whether nobody waits for it any more.
  /// - Returns: The scene; nil if it was cancelled.
  /// - Complexity: that of making the scenes of the others.
  func scene(_ first: Scene, mode: RenderMode, _ isCancelled: () -> Bool) -> Scene? {
    var scene = isFirstVisible ? first : Scene()
    for other in others where other.isVisible {
      guard let part = other.scene(mode, isCancelled) else { return nil }
      scene.append(part)
    }
    return scene
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
    let made = SceneBuilder(mode: mode, scheme: scheme).scene(of: geometry) { _ in !isCancelled() }
    guard var scene = made else { return nil }
    scene.forget(color: coloring == .single ? color : nil)
    if let motion { scene.move(by: motion) }
    return scene
  }
}

extension Scene {
  /// Adds what another scene shows.
  mutating func append(_ other: Scene) {
    spheres += other.spheres
    cylinders += other.cylinders
    mesh.append(other.mesh)
  }

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

  /// Moves all of it.
  fileprivate mutating func move(by motion: Transform) {
    func moved(_ point: SIMD3<Float>) -> SIMD3<Float> { SIMD3<Float>(motion.apply(SIMD3<Double>(point))) }
    for index in spheres.indices { spheres[index].center = moved(spheres[index].center) }
    for index in cylinders.indices {
      (cylinders[index].start, cylinders[index].end) = (moved(cylinders[index].start), moved(cylinders[index].end))
    }
    mesh.move(by: motion)
  }
}

extension TriangleMesh {
  fileprivate mutating func forget(color: RGBColor?) {
    for index in atoms.indices { atoms[index] = -1 }
    guard let color else { return }
    for index in colors.indices { colors[index] = color }
  }

  fileprivate mutating func move(by motion: Transform) {
    var turn = motion
    turn.translation = .zero
    for index in positions.indices {
      positions[index] = SIMD3<Float>(motion.apply(SIMD3<Double>(positions[index])))
    }
    for index in normals.indices { normals[index] = SIMD3<Float>(turn.apply(SIMD3<Double>(normals[index]))) }
  }
}
