/// Parts drawn in many placements without copying: an assembly of chains, the mates in a crystal.
struct InstancedScene: Sendable {
  /// A geometry and its placements.
  struct Part: Sendable {
    let geometry: SceneGeometry
    let placements: [Placement]

    /// Creates a part; placements with numbers that cannot be drawn are dropped.
    init(_ geometry: SceneGeometry, at placements: [Placement] = [.identity]) {
      self.geometry = geometry
      self.placements = placements.filter(\.isDrawable)
    }

    fileprivate var isEmpty: Bool { geometry.isEmpty || placements.isEmpty }
  }

  private(set) var parts: [Part]
  /// The bounds of its anchors.
  let bounds: SceneBounds

  /// Creates a scene of parts.
  init(_ parts: [Part]) {
    self.parts = parts.filter { !$0.isEmpty }
    bounds = Self.bounds(of: self.parts)
  }

  /// Creates a scene that shows another in one placement, unchanged by default.
  init(_ scene: Scene, at placement: Placement = .identity) {
    parts = [Part(SceneGeometry(scene), at: [placement])].filter { !$0.isEmpty }
    bounds = placement == .identity ? scene.bounds : Self.bounds(of: parts)
  }

  /// Creates a scene that combines several others; a single one is unchanged.
  init(joining scenes: [InstancedScene]) {
    let seen = scenes.filter { !$0.parts.isEmpty }
    if seen.count == 1 {
      self = seen[0]
    } else {
      self.init(seen.flatMap(\.parts))
    }
  }

  /// Adds a part that does not affect the bounds.
  mutating func add(_ part: Part) {
    if !part.isEmpty { parts.append(part) }
  }

  /// A Boolean value indicating whether the scene has no sticks.
  var isSolid: Bool { parts.allSatisfy { $0.geometry.sticks.sticks.isEmpty } }

  /// The number of balls, sticks and triangles in all placements.
  var primitiveCount: Int {
    parts.reduce(0) { sum, part in
      let geometry = part.geometry
      let own = geometry.ballCount + geometry.sticks.sticks.count + geometry.mesh.triangles.count
      return sum + own * part.placements.count
    }
  }

  /// The number of anchors that suffice for the bounds of a scene.
  private static let mostAnchors = 1 << 17

  /// Returns the bounds of parts in their placements.
  private static func bounds(of parts: [Part]) -> SceneBounds {
    SceneBounds { body in forEachAnchor(of: parts, body) }
  }

  /// Calls `body` with the position and radius of the anchors of parts: balls and corners if there are few, else the
  /// bounding balls of runs and some of the corners.
  private static func forEachAnchor(of parts: [Part], _ body: (SIMD3<Float>, Float) -> Void) {
    let count = parts.reduce(0) { $0 + $1.geometry.anchorCount * $1.placements.count }
    let step = count / mostAnchors + 1
    for part in parts {
      let anchors = count <= mostAnchors ? part.geometry.anchors : part.geometry.coarseAnchors(step)
      for placement in part.placements {
        for anchor in anchors { body(placement(SIMD3(anchor.x, anchor.y, anchor.z)), anchor.w) }
      }
    }
  }

  /// Returns the box along the axes of the screen around the rotated scene; nil if there is nothing to draw.
  ///
  /// - Complexity: O(n) in the number of primitives.
  func box(turnedBy orientation: Rotation) -> SceneBox? {
    let matrix = orientation.matrix
    var box: SceneBox?
    Self.forEachAnchor(of: parts) { point, reach in
      let turned = matrix * point
      let (low, high) = (turned - reach, turned + reach)
      guard let known = box else {
        box = SceneBox(low: low, high: high)
        return
      }
      box = SceneBox(low: pointwiseMin(known.low, low), high: pointwiseMax(known.high, high))
    }
    return box
  }

  /// Returns the distance of the farthest surface from an axis, in ångström.
  ///
  /// - Parameters:
  ///   - axis: The direction of the axis, of length one.
  ///   - point: A point on it.
  /// - Complexity: O(n) in the number of primitives.
  func reach(fromAxis axis: SIMD3<Float>, through point: SIMD3<Float>) -> Float {
    var farthest: Float = 0
    Self.forEachAnchor(of: parts) { position, reach in
      let delta = position - point
      farthest = max(farthest, (delta - axis * (delta * axis).sum()).length + reach)
    }
    return farthest
  }

  /// Creates a scene of copies of a model's scene.
  ///
  /// - Parameters:
  ///   - scene: The model as deposited, its primitives named by atom indices of the structure.
  ///   - copies: The placements of groups of atoms.
  /// - Complexity: O(primitives) for each group of the copies; the number of copies does not matter.
  init(_ scene: Scene, copies: AssemblyInstances) {
    self.init(
      copies.groups.map { group in
        Part(SceneGeometry(scene.restricted(to: group.atoms)), at: group.transforms.map { Placement($0) })
      })
  }
}

/// A rigid motion of a part of a scene, in ångström.
struct Placement: Equatable, Sendable {
  var matrix: RotationMatrix
  var offset: SIMD3<Float>

  static let identity = Placement(
    matrix: RotationMatrix(SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)), offset: .zero)

  init(matrix: RotationMatrix, offset: SIMD3<Float>) {
    self.matrix = matrix
    self.offset = offset
  }

  /// Creates a placement from a transformation of a file.
  init(_ transform: Transform) {
    func column(_ index: Int) -> SIMD3<Float> {
      SIMD3(Float(transform.row0[index]), Float(transform.row1[index]), Float(transform.row2[index]))
    }
    self.init(
      matrix: RotationMatrix(column(0), column(1), column(2)), offset: SIMD3<Float>(transform.translation))
  }

  /// A Boolean value indicating whether every number can be drawn.
  var isDrawable: Bool {
    matrix.first.isDrawable && matrix.second.isDrawable && matrix.third.isDrawable && offset.isDrawable
  }

  /// Returns the position of a point.
  @inline(__always)
  func callAsFunction(_ point: SIMD3<Float>) -> SIMD3<Float> { matrix * point + offset }
}

/// The copies of a model to draw.
enum SceneCopies: Hashable, Sendable {
  /// The biological assembly with a name.
  case assembly(String)
  /// A choice other than an assembly.
  case choice(AssemblyInstances.Choice)

  /// The model as deposited.
  static let deposited = SceneCopies.choice(.deposited)

  /// Creates the copies that a word denotes for a structure; nil if it has no such copies.
  init?(_ word: String, of structure: Structure) {
    if word == Self.none {
      self = .deposited
    } else if structure.assemblies.contains(where: { $0.id == word }) {
      self = .assembly(word)
    } else if let choice = AssemblyInstances.Choice(rawValue: word),
      AssemblyInstances.names(for: structure).contains(word)
    {
      self = .choice(choice)
    } else {
      return nil
    }
  }

  /// An alternative word for the model as deposited.
  private static let none = "none"

  /// The word that denotes it.
  var word: String {
    switch self {
    case .choice(.deposited): Self.none
    case .choice(let choice): choice.rawValue
    case .assembly(let name): name
    }
  }

  /// The display name.
  var title: String {
    switch self {
    case .choice(.deposited): "as deposited"
    case .choice(.ncs): "with NCS copies"
    case .choice(.unitCell): "unit cell"
    case .choice(.neighbors): "crystal neighbors"
    case .assembly(let name): "assembly \(name)"
    }
  }

  /// Returns all copies of a structure, the deposited model first.
  static func all(of structure: Structure) -> [SceneCopies] {
    [.deposited]
      + AssemblyInstances.names(for: structure).compactMap { SceneCopies($0, of: structure) }
      .filter { $0 != .deposited }
  }

  /// Returns the placements of the copies; nil for the model as deposited, or if there are no such copies.
  func instances(of structure: Structure, model: Int) -> AssemblyInstances? {
    guard self != .deposited, structure.models.indices.contains(model) else { return nil }
    return AssemblyInstances.named(word, of: structure, model: model)
  }
}

extension SceneGeometry {
  /// The number of ``anchors``.
  fileprivate var anchorCount: Int {
    let solid = ballCount + mesh.positions.count
    return solid > 0 ? solid : 2 * sticks.sticks.count
  }

  /// The anchors that determine its bounds: balls and corners of triangles, or the ends of sticks if there are neither.
  fileprivate var anchors: [SIMD4<Float>] {
    let solid = levels[0].balls + ions.balls + mesh.positions.map { SIMD4($0, 0) }
    return solid.isEmpty
      ? sticks.sticks.flatMap { [SIMD4($0.start, $0.radius), SIMD4($0.end, $0.radius)] } : solid
  }

  /// Returns the bounding balls of the anchors' runs, and one corner in every `step`: the balls around patches of a
  /// mesh reach too far beyond it.
  fileprivate func coarseAnchors(_ step: Int) -> [SIMD4<Float>] {
    let corners = stride(from: 0, to: mesh.positions.count, by: step).map { SIMD4(mesh.positions[$0], 0) }
    // Few balls, such as ligands beside ribbons, are far apart: the ball around a run would reach far beyond the scene.
    let solid = (levels.count > 1 ? levels[0].runs : levels[0].balls) + ions.balls + corners
    return solid.isEmpty ? sticks.runs : solid
  }
}
