import PluginAPI

/// The crystal of a structure: its frame and the operators of its space group.
struct Crystal: Equatable, Sendable {
  let frame: CrystalFrame
  /// The operators, the identity first.
  let operators: [SymmetryOperator]
  /// A Boolean value indicating whether the file states the operators; else they are derived from the name of the space
  /// group.
  let isStated: Bool

  /// Creates the crystal of a structure; nil if the file has no cell, or a space group that is neither written out nor
  /// known.
  init?(_ structure: Structure) {
    let metadata = structure.metadata
    guard let cell = metadata.cell, let frame = CrystalFrame(cell) else { return nil }
    self.frame = frame
    let stated = metadata.symmetryOperators.compactMap { SymmetryOperator($0)?.inCell }
    isStated = !stated.isEmpty && stated.count == metadata.symmetryOperators.count && stated.contains(.identity)
    if isStated {
      var known: Set<SymmetryOperator> = [.identity]
      operators = [.identity] + stated.filter { known.insert($0).inserted }
      return
    }
    let isRhombohedral = cell.a == cell.b && cell.b == cell.c && cell.alpha == cell.beta && cell.beta == cell.gamma
    guard let known = SpaceGroupTable.operators(metadata.spaceGroup, isRhombohedral: isRhombohedral) else { return nil }
    operators = known
  }

  /// Returns the contents of one cell: each operator's copy of the asymmetric unit, moved so that its center lies in
  /// the cell.
  func unitCell(_ structure: Structure, model: Int = 0) -> AssemblyInstances {
    let center = Self.sphere(structure, model).center
    let unit = [Transform.identity] + structure.pendingNCSTransforms
    let transforms = operators.flatMap { symmetry in
      unit.map { inner -> Transform in
        let motion = symmetry.transform(in: frame).after(inner)
        let cell = frame.toFractional.apply(motion.apply(center)).rounded(.down)
        return Transform(translation: -frame.toCartesian.apply(cell)).after(motion)
      }
    }
    return .copies(of: structure, model: model, by: transforms)
  }

  /// Returns the copies of a model that are near it, excluding the model itself.
  ///
  /// - Parameter distance: In Å; a copy is a neighbor if one of its atoms is within this distance of one of the
  ///   model's.
  /// - Complexity: linear in the atoms for each copy whose bounding sphere is close enough.
  func neighbors(_ structure: Structure, model: Int = 0, within distance: Double) -> AssemblyInstances {
    .copies(of: structure, model: model, by: neighborTransforms(structure, model, distance))
  }

  private func neighborTransforms(_ structure: Structure, _ model: Int, _ distance: Double) -> [Transform] {
    let (center, radius) = Self.sphere(structure, model)
    let atoms = structure.models[model].atoms
    let points = atoms.map { SIMD3<Float>(structure.atoms.position($0)) }
    let grid = PointGrid(points, edge: Float(max(distance, 3)))
    let reach = frame.reach(2 * radius + distance)
    let home = frame.toFractional.apply(center)
    var found: [Transform] = []
    for symmetry in operators {
      let image = frame.toFractional.apply(symmetry.transform(in: frame).apply(center))
      let low = (home - reach - image).rounded(.up)
      let high = (home + reach - image).rounded(.down)
      // A cell far smaller than its content is implausible and would have too many copies.
      let counts = high - low + 1
      guard counts.min() > 0, counts.x * counts.y * counts.z <= 4096 else { continue }
      for x in stride(from: low.x, through: high.x, by: 1) {
        for y in stride(from: low.y, through: high.y, by: 1) {
          for z in stride(from: low.z, through: high.z, by: 1) {
            let cells = SIMD3(x, y, z)
            if symmetry == .identity, cells == .zero { continue }
            let transform = symmetry.transform(in: frame, cells: cells)
            let step = transform.apply(center) - center
            guard (step * step).sum() <= (2 * radius + distance) * (2 * radius + distance) else { continue }
            if Self.touches(points, grid, transform, distance) { found.append(transform) }
          }
        }
      }
    }
    return found
  }

  /// Returns true if a copy of some points comes within a distance of the points.
  private static func touches(
    _ points: [SIMD3<Float>], _ grid: PointGrid, _ transform: Transform, _ distance: Double
  ) -> Bool {
    let limit = Float(distance * distance)
    for point in points {
      let image = SIMD3<Float>(transform.apply(SIMD3<Double>(point)))
      var isNear = false
      grid.forEachPoint(near: image, within: Float(distance)) { other in
        let step = points[other] - image
        if (step * step).sum() <= limit { isNear = true }
      }
      if isNear { return true }
    }
    return false
  }

  /// Returns a bounding sphere about the mean of a model's atoms.
  private static func sphere(_ structure: Structure, _ model: Int) -> (center: SIMD3<Double>, radius: Double) {
    let atoms = structure.models[model].atoms
    guard !atoms.isEmpty else { return (.zero, 0) }
    let center = atoms.reduce(SIMD3<Double>.zero) { $0 + structure.atoms.position($1) } / Double(atoms.count)
    let square = atoms.reduce(0.0) { most, atom in
      let step = structure.atoms.position(atom) - center
      return max(most, (step * step).sum())
    }
    return (center, square.squareRoot())
  }
}

/// The conversions between fractional coordinates of a cell and Cartesian ones in Å.
struct CrystalFrame: Equatable, Sendable {
  /// From fractions of the cell edges to Å: a along x, b in the xy plane.
  let toCartesian: Transform
  /// From Å to fractions of the cell edges.
  let toFractional: Transform

  /// Creates the frame of a cell; nil if its edges and angles span no volume.
  ///
  /// - Source: Protein Data Bank Contents Guide 3.30, SCALEn.
  init?(_ cell: UnitCell) {
    let (alpha, beta, gamma) = (Self.cosine(cell.alpha), Self.cosine(cell.beta), Self.cosine(cell.gamma))
    let sine = (1 - gamma * gamma).squareRoot()
    let height = 1 - alpha * alpha - beta * beta - gamma * gamma + 2 * alpha * beta * gamma
    guard cell.a > 0, cell.b > 0, cell.c > 0, sine > 1e-6, height > 1e-9, (cell.a * cell.b * cell.c).isFinite else {
      return nil
    }
    let xz = cell.c * beta
    let yz = cell.c * (alpha - beta * gamma) / sine
    let zz = cell.c * height.squareRoot() / sine
    let (xy, yy) = (cell.b * gamma, cell.b * sine)
    toCartesian = Transform(row0: SIMD3(cell.a, xy, xz), row1: SIMD3(0, yy, yz), row2: SIMD3(0, 0, zz))
    toFractional = Transform(
      row0: SIMD3(1 / cell.a, -xy / (cell.a * yy), (xy * yz - xz * yy) / (cell.a * yy * zz)),
      row1: SIMD3(0, 1 / yy, -yz / (yy * zz)), row2: SIMD3(0, 0, 1 / zz))
  }

  /// Returns the number of cell edges along each axis that a sphere of a radius in Å can reach from its center.
  func reach(_ radius: Double) -> SIMD3<Double> {
    radius * SIMD3(toFractional.row0.length, toFractional.row1.length, toFractional.row2.length)
  }

  /// Returns the cosine of an angle in degrees, exactly 0 for 90.
  ///
  /// - Source: the Taylor series of the sine of the complement; the first term left out is below 1e-16.
  static func cosine(_ degrees: Double) -> Double {
    var reduced = (90 - degrees).remainder(dividingBy: 360)
    if reduced > 90 { reduced = 180 - reduced }
    if reduced < -90 { reduced = -180 - reduced }
    let angle = reduced * .pi / 180
    var sum = 0.0
    for term in stride(from: 12, through: 0, by: -1) {
      let n = Double(2 * term)
      sum = 1 - angle * angle / ((n + 2) * (n + 3)) * sum
    }
    return angle * sum
  }
}

/// An operator of a crystal's space group.
struct SymmetryEntry: Model {
  private let number: Int
  private let text: String
  private let isStated: Bool

  /// Returns the operators of the space group, the identity first; none if the file has no crystal.
  static func all(of structure: Structure) -> [SymmetryEntry] {
    guard let crystal = Crystal(structure) else { return [] }
    return crystal.operators.enumerated().map { index, symmetryOperator in
      SymmetryEntry(number: index + 1, text: symmetryOperator.text, isStated: crystal.isStated)
    }
  }

  static let typeName = "molecules.symmetry-operator"
  static let fields = Fields<SymmetryEntry> {
    Field("number", \.number, "Index in the list, from 1", heading: "Number")
    Field("operator", \.text, "Operator in fractions of the cell edges, such as -x,y+1/2,-z", heading: "Operator")
    Field("stated", \.isStated, "True if the file states the operator", heading: "Stated")
  }
}
