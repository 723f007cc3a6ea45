/// A ball of the scene; coordinates and radius in ångström.
struct Sphere: Equatable, Sendable {
  var center: SIMD3<Float>
  var radius: Float
  var color: RGBColor
  /// The index of the atom shown (0-based), -1 if there is none.
  var atom: Int32 = -1
  /// A Boolean value indicating whether the ball is an ion, which is never drawn smaller than two pixels.
  var isIon = false

  var isDrawable: Bool { center.isDrawable && radius > 0 && radius < coordinateLimit }
}

/// A stick of the scene with two colored halves; coordinates and radius in ångström.
struct Cylinder: Equatable, Sendable {
  var start: SIMD3<Float>
  var end: SIMD3<Float>
  var radius: Float
  var startColor: RGBColor
  var endColor: RGBColor
  /// The index of the atom of the first half (0-based), -1 if there is none.
  var startAtom: Int32 = -1
  /// The index of the atom of the second half (0-based), -1 if there is none.
  var endAtom: Int32 = -1

  var isDrawable: Bool { start.isDrawable && end.isDrawable && radius > 0 && radius < coordinateLimit }
}

/// The input of a rasterizer: balls, sticks and triangles in the coordinates of the molecule.
///
/// Primitives with a coordinate or radius that is not finite, or with a radius that is not positive, are neither drawn
/// nor included in the bounds.
struct Scene: Equatable, Sendable {
  var spheres: [Sphere] = []
  var cylinders: [Cylinder] = []
  var mesh = TriangleMesh()

  var isEmpty: Bool { spheres.isEmpty && cylinders.isEmpty && mesh.isEmpty }

  /// The number of balls, sticks and triangles together.
  var primitiveCount: Int { spheres.count + cylinders.count + mesh.triangles.count }

  /// Returns the scene with all but the selected atoms faded to a gray near the background.
  ///
  /// Parts that belong to no atom fade too.
  /// - Complexity: linear in the parts.
  func highlighting(_ selection: AtomSelection, on background: RGBColor = .black) -> Scene {
    var scene = self
    for index in scene.spheres.indices where !selection[Int(scene.spheres[index].atom)] {
      scene.spheres[index].color = scene.spheres[index].color.faded(on: background)
    }
    for index in scene.cylinders.indices {
      if !selection[Int(scene.cylinders[index].startAtom)] {
        scene.cylinders[index].startColor = scene.cylinders[index].startColor.faded(on: background)
      }
      if !selection[Int(scene.cylinders[index].endAtom)] {
        scene.cylinders[index].endColor = scene.cylinders[index].endColor.faded(on: background)
      }
    }
    let corners = min(scene.mesh.atoms.count, scene.mesh.colors.count)
    for index in 0..<corners where !selection[Int(scene.mesh.atoms[index])] {
      scene.mesh.colors[index] = scene.mesh.colors[index].faded(on: background)
    }
    return scene
  }

  /// Returns the primitives of atoms in some runs and the primitives without an atom.
  ///
  /// Sticks are kept if both of their atoms are, triangles if the atom of their first corner is.
  ///
  /// - Parameter runs: Ascending runs of atom indices (0-based).
  /// - Complexity: O(primitives + atoms).
  func restricted(to runs: [Range<Int>]) -> Scene {
    var isKept = [Bool](repeating: false, count: runs.last?.upperBound ?? 0)
    for run in runs where run.upperBound <= isKept.count {
      for atom in run { isKept[atom] = true }
    }
    func keeps(_ atom: Int32) -> Bool { atom < 0 || (Int(atom) < isKept.count && isKept[Int(atom)]) }
    var part = Scene()
    part.spheres = spheres.filter { keeps($0.atom) }
    part.cylinders = cylinders.filter { keeps($0.startAtom) && keeps($0.endAtom) }
    part.mesh = mesh
    if mesh.isComplete {
      part.mesh.triangles = mesh.triangles.filter { keeps(mesh.atoms[Int($0.x)]) }
      if part.mesh.triangles.count < mesh.triangles.count { part.mesh.isClosed = false }
    }
    return part
  }
}

/// The largest plausible coordinate in ångström, whose square stays finite; larger ones are faults of the file.
private let coordinateLimit: Float = 1e8

extension SIMD3<Float> {
  /// A Boolean value indicating whether all three coordinates can be drawn.
  var isDrawable: Bool {
    abs(x) < coordinateLimit && abs(y) < coordinateLimit && abs(z) < coordinateLimit
  }
}

/// A mesh of triangles that share corners; coordinates in ångström.
///
/// All columns have a row per corner, but `thickening` may be empty. Light and color are interpolated between corners.
/// Triangles are visible from both sides; those with a missing or non-finite corner are never drawn.
struct TriangleMesh: Equatable, Sendable {
  /// The positions of the corners.
  var positions: [SIMD3<Float>] = []
  /// The unit normals of the surface.
  var normals: [SIMD3<Float>] = []
  var colors: [RGBColor] = []
  /// The indices of the atoms shown (0-based), -1 if there is none.
  var atoms: [Int32] = []
  /// The motion of corners when thin parts are thickened; empty if no part is thin.
  ///
  /// One row per corner: the motion for each ångström added to the half thickness, then the half thickness in ångström.
  var thickening: [SIMD4<Float>] = []
  /// Three corner indices (0-based) each.
  var triangles: [SIMD3<UInt32>] = []
  /// A Boolean value indicating whether the triangles enclose solids, counterclockwise from outside: back faces are
  /// never visible.
  var isClosed = false

  var isEmpty: Bool { triangles.isEmpty }

  init() {}

  /// Creates one mesh of several, in their order.
  init(joining meshes: [TriangleMesh]) {
    reserveCapacity(
      corners: meshes.reduce(0) { $0 + $1.positions.count }, triangles: meshes.reduce(0) { $0 + $1.triangles.count },
      isThin: meshes.contains { !$0.thickening.isEmpty })
    for mesh in meshes { append(mesh) }
  }

  /// Reserves memory for a number of corners and triangles, so that nothing is moved while they are added.
  mutating func reserveCapacity(corners: Int, triangles count: Int, isThin: Bool = true) {
    positions.reserveCapacity(corners)
    normals.reserveCapacity(corners)
    colors.reserveCapacity(corners)
    atoms.reserveCapacity(corners)
    if isThin { thickening.reserveCapacity(corners) }
    triangles.reserveCapacity(count)
  }

  /// Adds a corner and returns its index.
  mutating func addCorner(
    _ position: SIMD3<Float>, normal: SIMD3<Float>, color: RGBColor, atom: Int32 = -1
  ) -> UInt32 {
    positions.append(position)
    normals.append(normal)
    colors.append(color)
    atoms.append(atom)
    return UInt32(truncatingIfNeeded: positions.count - 1)
  }

  /// Adds a corner of a thin part and returns its index.
  ///
  /// - Parameters:
  ///   - outwards: The motion of the corner for each ångström added to the half thickness of the part.
  ///   - halfThickness: In ångström, above 0.
  mutating func addThinCorner(
    _ position: SIMD3<Float>, normal: SIMD3<Float>, outwards: SIMD3<Float>, halfThickness: Float, atom: Int32
  ) -> UInt32 {
    thickening.append(SIMD4(outwards, halfThickness))
    return addCorner(position, normal: normal, color: .white, atom: atom)
  }

  /// Adds a triangle between three corners.
  mutating func addTriangle(_ first: UInt32, _ second: UInt32, _ third: UInt32) {
    triangles.append(SIMD3(first, second, third))
  }

  /// Adds all of another mesh.
  mutating func append(_ other: TriangleMesh) {
    isClosed = (isClosed || isEmpty) && (other.isClosed || other.isEmpty)
    let start = UInt32(truncatingIfNeeded: positions.count)
    if thickening.isEmpty, !other.thickening.isEmpty { thickening = allThickening }
    if !thickening.isEmpty || !other.thickening.isEmpty { thickening += other.allThickening }
    positions += other.positions
    normals += other.normals
    colors += other.colors
    atoms += other.atoms
    for triangle in other.triangles { triangles.append(triangle &+ start) }
  }

  /// The motions of all corners: zero for those of parts that are not thin.
  private var allThickening: [SIMD4<Float>] {
    thickening.isEmpty ? Array(repeating: SIMD4(0, 0, 0, .infinity), count: positions.count) : thickening
  }

  /// A Boolean value indicating whether every corner has all its columns, so that the mesh can be read without checks.
  var isComplete: Bool {
    let count = positions.count
    guard normals.count == count, colors.count == count, atoms.count == count else { return false }
    guard thickening.isEmpty || thickening.count == count else { return false }
    return triangles.allSatisfy { $0.x < count && $0.y < count && $0.z < count }
  }
}
