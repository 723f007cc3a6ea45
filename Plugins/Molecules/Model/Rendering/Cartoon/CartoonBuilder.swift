/// Builds the mesh and the sticks of a cartoon from traces.
///
/// Helices are flat bands with round rims, strands boxes that end in an arrow, everything else a tube. Corners carry
/// the atom of their residue; they are white until colored.
struct CartoonBuilder {
  let style: CartoonStyle
  private let round: RibbonMesher
  private let box = RibbonMesher(profile: .box)
  private var mesh = TriangleMesh()
  private var sticks: [Cylinder] = []

  init(style: CartoonStyle) {
    self.style = style
    round = RibbonMesher(profile: .rounded(corners: style.corners))
    mesh.isClosed = true
  }

  /// Returns the mesh of ribbons and bases, and the sticks between them.
  ///
  /// - Complexity: O(residues × cuts × corners).
  static func build(_ traces: [BackboneTrace], style: CartoonStyle) -> (mesh: TriangleMesh, sticks: [Cylinder]) {
    var builder = CartoonBuilder(style: style)
    // An upper bound, as if all were round with extra cuts for ends; memory that is never written costs nothing.
    let corners = traces.reduce(0) { $0 + $1.nodes.count } * (style.cuts + 2) * style.corners
    builder.mesh.reserveCapacity(corners: corners, triangles: 2 * corners)
    for trace in traces where trace.nodes.count > 1 {
      switch trace.polymer {
      case .protein: builder.addProtein(trace)
      case .nucleic: builder.addNucleic(trace)
      }
    }
    return (builder.mesh, builder.sticks)
  }

  // MARK: Proteins

  private mutating func addProtein(_ trace: BackboneTrace) {
    let path = RibbonPath(trace)
    let strands = Self.strands(trace)
    let end = Float(trace.nodes.count - 1)
    var position: Float = 0
    for strand in strands {
      let from = max(0, Float(strand.lowerBound) - 0.5)
      let to = min(end, Float(strand.upperBound) + 0.5)
      addRound(trace, path, from: position, to: from)
      addStrand(trace, path, from: from, to: to)
      position = to
    }
    addRound(trace, path, from: position, to: end)
  }

  /// Returns the node ranges of the strands; single residues are not strands.
  static func strands(_ trace: BackboneTrace) -> [ClosedRange<Int>] {
    var strands: [ClosedRange<Int>] = []
    var start: Int?
    for index in 0...trace.nodes.count {
      let isStrand = index < trace.nodes.count && trace.nodes[index].shape == .strand
      if isStrand, start == nil { start = index }
      if !isStrand, let first = start {
        if index - first > 1 { strands.append(first...index - 1) }
        start = nil
      }
    }
    return strands
  }

  /// Adds tubes and helices between two positions.
  private mutating func addRound(_ trace: BackboneTrace, _ path: RibbonPath, from: Float, to: Float) {
    let rings = rings(trace, path, from: from, to: to) { position in
      let flatness = Self.flatness(trace, at: position)
      return SIMD2(
        style.tubeRadius + (style.helixWidth - style.tubeRadius) * flatness,
        style.tubeRadius + (style.helixHeight - style.tubeRadius) * flatness)
    }
    round.add(rings, to: &mesh)
  }

  /// Returns the degree to which a position is helix, 0 to 1; it changes smoothly halfway between two residues.
  private static func flatness(_ trace: BackboneTrace, at position: Float) -> Float {
    let index = min(max(0, Int(position)), trace.nodes.count - 2)
    let here: Float = trace.nodes[index].shape == .helix ? 1 : 0
    let next: Float = trace.nodes[index + 1].shape == .helix ? 1 : 0
    let t = min(max((position - Float(index) - 0.15) / 0.7, 0), 1)
    return here + (next - here) * t * t * (3 - 2 * t)
  }

  private mutating func addStrand(_ trace: BackboneTrace, _ path: RibbonPath, from: Float, to: Float) {
    let neck = max(from, to - style.arrowLength)
    let band = rings(trace, path, from: from, to: neck) { _ in SIMD2(style.strandWidth, style.strandHeight) }
    box.add(band, to: &mesh)
    let tip = style.tubeRadius * 0.5
    var head = rings(trace, path, from: neck, to: to) { position in
      let share = (to - position) / (to - neck)
      return SIMD2(tip + (style.arrowWidth - tip) * share, style.strandHeight)
    }
    if let first = head.first, let last = head.last {
      let length = (last.frame.position - first.frame.position).length
      let slope = length > 0.1 ? (tip - style.arrowWidth) / length : 0
      for index in head.indices { head[index].slope = slope }
    }
    box.add(head, to: &mesh)
  }

  // MARK: Nucleic acids

  private mutating func addNucleic(_ trace: BackboneTrace) {
    let path = RibbonPath(trace)
    let end = Float(trace.nodes.count - 1)
    let band = rings(trace, path, from: 0, to: end) { _ in SIMD2(style.nucleicWidth, style.nucleicHeight) }
    round.add(band, to: &mesh)
    for base in trace.bases {
      guard let anchor = base.outline.first else { continue }
      let atom = trace.nodes[base.node].atom
      sticks.append(
        Cylinder(
          start: path.frame(at: Float(base.node) + 0.5).position, end: anchor, radius: style.baseStickRadius,
          startColor: .white, endColor: .white, startAtom: atom, endAtom: base.atom))
      mesh.append(BaseSlab.mesh(base, height: style.baseHeight, margin: style.baseMargin))
    }
  }

  // MARK: Cuts

  /// Returns the cuts between two positions, both included; none if they are the same.
  private func rings(
    _ trace: BackboneTrace, _ path: RibbonPath, from: Float, to: Float, size: (Float) -> SIMD2<Float>
  ) -> [RibbonMesher.Ring] {
    guard to - from > 1e-3 else { return [] }
    let count = max(1, Int(((to - from) * Float(style.cuts)).rounded()))
    var rings: [RibbonMesher.Ring] = []
    rings.reserveCapacity(count + 1)
    for cut in 0...count {
      let position = cut == count ? to : from + (to - from) * Float(cut) / Float(count)
      let frame = path.frame(at: position, last: rings.last?.frame.across ?? SIMD3(1, 0, 0))
      let size = size(position)
      rings.append(
        RibbonMesher.Ring(frame: frame, width: size.x, height: size.y, atom: trace.atom(at: position)))
    }
    return rings
  }
}

/// The sizes of a cartoon in ångström, as half widths and half heights, and its level of detail.
struct CartoonStyle: Equatable, Sendable {
  var tubeRadius: Float = 0.3
  var helixWidth: Float = 1.3
  var helixHeight: Float = 0.27
  var strandWidth: Float = 1.1
  var strandHeight: Float = 0.32
  /// The half width of an arrow at its widest.
  var arrowWidth: Float = 1.95
  /// The length of an arrow in residues.
  var arrowLength: Float = 1.6
  var nucleicWidth: Float = 1.15
  var nucleicHeight: Float = 0.34
  /// The radius of the stick between backbone and base.
  var baseStickRadius: Float = 0.26
  /// The half thickness of a base, and how far it extends beyond the centers of its atoms.
  var baseHeight: Float = 0.34
  var baseMargin: Float = 0.45
  /// The number of cuts per residue.
  var cuts = 8
  /// The number of corners of a round profile.
  var corners = 16

  init() {}

  /// Returns the style whose mesh is drawn fast enough for that many residues: coarser for more residues.
  static func suited(toResidues count: Int) -> CartoonStyle {
    var style = CartoonStyle()
    if count > 8000 {
      (style.cuts, style.corners) = (3, 6)
    } else if count > 2500 {
      (style.cuts, style.corners) = (4, 8)
    } else if count > 800 {
      (style.cuts, style.corners) = (6, 12)
    }
    return style
  }
}

/// Adds a profile along a path to a mesh, as closed pieces with ends.
///
/// Corners are white until colored.
private struct RibbonMesher {
  /// One cut across a ribbon.
  struct Ring: Equatable, Sendable {
    var frame: RibbonPath.Frame
    /// The half width and half height in ångström.
    var width: Float
    var height: Float
    /// The growth of the half width along the line, in ångström per ångström; the lighting of slanting rims follows it.
    var slope: Float = 0
    var atom: Int32
  }

  let profile: RibbonProfile

  /// Adds the piece between the first ring and the last, closed at both ends; fewer than two rings add nothing.
  func add(_ rings: [Ring], to mesh: inout TriangleMesh) {
    guard rings.count > 1, let first = rings.first, let last = rings.last else { return }
    let starts = rings.map { ring in addRing(ring, facing: nil, to: &mesh) }
    for (one, other) in zip(starts, starts.dropFirst()) { join(one, other, in: &mesh) }
    close(first, facing: -first.frame.along, in: &mesh)
    close(last, facing: last.frame.along, in: &mesh)
  }

  /// Adds the corners of a ring and returns the index of the first.
  private func addRing(_ ring: Ring, facing: SIMD3<Float>?, to mesh: inout TriangleMesh) -> UInt32 {
    let start = UInt32(truncatingIfNeeded: mesh.positions.count)
    for corner in profile.corners {
      let flat = profile.position(corner, width: ring.width, height: ring.height)
      let position = ring.frame.position + ring.frame.across * flat.x + ring.frame.normal * flat.y
      let sideways = ring.frame.across * corner.outwards.x + ring.frame.normal * corner.outwards.y
      let outwards = sideways - ring.frame.along * (ring.slope * abs(corner.outwards.x))
      let growth = profile.growth(corner)
      _ = mesh.addThinCorner(
        position, normal: facing ?? outwards.normalized,
        outwards: ring.frame.across * growth.x + ring.frame.normal * growth.y,
        halfThickness: min(ring.width, ring.height), atom: ring.atom)
    }
    return start
  }

  private func join(_ one: UInt32, _ other: UInt32, in mesh: inout TriangleMesh) {
    let count = UInt32(profile.corners.count)
    for corner in 0..<count where profile.isJoined[Int(corner)] {
      let next = (corner + 1) % count
      mesh.addTriangle(one + corner, one + next, other + next)
      mesh.addTriangle(one + corner, other + next, other + corner)
    }
  }

  /// Adds the flat end at a ring.
  private func close(_ ring: Ring, facing: SIMD3<Float>, in mesh: inout TriangleMesh) {
    let start = addRing(ring, facing: facing, to: &mesh)
    let isFront = (facing * ring.frame.along).sum() > 0
    // The doubled corners of a box coincide; every other one is enough.
    let step: UInt32 = profile.isJoined.allSatisfy { $0 } ? 1 : 2
    let corners = stride(from: 0, to: UInt32(profile.corners.count), by: Int(step)).map { start + $0 }
    for index in 1..<corners.count - 1 {
      if isFront {
        mesh.addTriangle(corners[0], corners[index], corners[index + 1])
      } else {
        mesh.addTriangle(corners[0], corners[index + 1], corners[index])
      }
    }
  }
}

/// The outline of a ribbon's cross section, with its normals.
///
/// Corners run round from `across` to `normal`; their unit is half widths and half heights.
private struct RibbonProfile: Equatable, Sendable {
  /// One corner of the outline.
  struct Corner: Equatable, Sendable {
    /// -1 and 1 at the ends of the flat side, 0 never.
    var sideways: Float
    /// The rounding that is added to it: cosine and sine for a round rim, in half heights.
    var rim: SIMD2<Float>
    /// The normal of the surface: across and normal.
    var outwards: SIMD2<Float>
  }

  var corners: [Corner]
  /// True for each corner that is joined to the next one; the others only change the direction of the light at an edge.
  var isJoined: [Bool]

  /// Returns a flat band with round rims, or a round tube if width and height are equal.
  ///
  /// - Parameter corners: an even number of corners, 6 at least.
  static func rounded(corners count: Int) -> RibbonProfile {
    precondition(count >= 6 && count % 2 == 0, "a round profile has an even number of corners, 6 at least")
    let corners = (0..<count).map { index in
      let column = Rotation(about: SIMD3(0, 0, 1), degrees: (Float(index) + 0.5) * 360 / Float(count)).matrix.first
      let direction = SIMD2(column.x, column.y)
      return Corner(sideways: direction.x < 0 ? -1 : 1, rim: direction, outwards: direction)
    }
    return RibbonProfile(corners: corners, isJoined: Array(repeating: true, count: count))
  }

  /// A box with sharp edges.
  static let box: RibbonProfile = {
    let points: [SIMD2<Float>] = [SIMD2(1, -1), SIMD2(1, 1), SIMD2(-1, 1), SIMD2(-1, -1)]
    let faces: [SIMD2<Float>] = [SIMD2(1, 0), SIMD2(0, 1), SIMD2(-1, 0), SIMD2(0, -1)]
    var corners: [Corner] = []
    for (index, face) in faces.enumerated() {
      for point in [points[index], points[(index + 1) % 4]] {
        corners.append(Corner(sideways: point.x, rim: SIMD2(0, point.y), outwards: face))
      }
    }
    return RibbonProfile(corners: corners, isJoined: (0..<8).map { $0 % 2 == 0 })
  }()

  /// A Boolean value indicating whether the rims are round: then the flat part is narrower than the band by its height.
  private var isRound: Bool { isJoined.allSatisfy { $0 } }

  /// Returns the position of a corner relative to the line, across and normal, for half width and half height in
  /// ångström.
  @inline(__always)
  func position(_ corner: Corner, width: Float, height: Float) -> SIMD2<Float> {
    let flat = isRound ? max(0, width - height) : width
    return SIMD2(corner.sideways * flat + corner.rim.x * height, corner.rim.y * height)
  }

  /// Returns the motion of a corner, across and normal, if half width and half height both grow by 1.
  @inline(__always)
  func growth(_ corner: Corner) -> SIMD2<Float> {
    SIMD2(isRound ? corner.rim.x : corner.sideways, corner.rim.y)
  }
}

/// The flat prism that represents the base of a nucleotide.
enum BaseSlab {
  /// Returns the closed prism over the outline of a base, slightly larger than it; its corners carry the atom of the
  /// base.
  ///
  /// - Parameters:
  ///   - base: the base; an outline of fewer than three corners gives an empty mesh.
  ///   - height: half the thickness in ångström.
  ///   - margin: the distance by which the corners are moved away from the middle, in ångström.
  static func mesh(_ base: BackboneTrace.Base, height: Float, margin: Float) -> TriangleMesh {
    let outline = base.outline
    guard outline.count > 2 else { return TriangleMesh() }
    let middle = outline.reduce(SIMD3<Float>.zero, +) / Float(outline.count)
    let normal = normal(of: outline, around: middle)
    guard normal != .zero else { return TriangleMesh() }
    let rim = outline.map { corner in
      let delta = corner - middle
      let flat = delta - normal * (delta * normal).sum()
      return RimPoint(position: middle + flat + flat.normalized * margin, outwards: flat.normalized)
    }
    var slab = SlabMesh(normal: normal, height: height, atom: base.atom)
    for side in [Float(1), -1] { slab.addFace(rim, around: middle, side) }
    for index in rim.indices { slab.addSide(rim[index], rim[(index + 1) % rim.count]) }
    return slab.mesh
  }

  /// Returns the normal about which the outline runs counterclockwise.
  ///
  /// - Source: M. E. Newell: the sum of the vector products of neighboring corners is twice the area's vector.
  private static func normal(of outline: [SIMD3<Float>], around middle: SIMD3<Float>) -> SIMD3<Float> {
    var sum = SIMD3<Float>.zero
    for index in outline.indices {
      sum += (outline[index] - middle).cross(outline[(index + 1) % outline.count] - middle)
    }
    return sum.normalized
  }
}

/// A point on the outline of a slab, and the direction away from the slab's middle.
private struct RimPoint {
  let position: SIMD3<Float>
  let outwards: SIMD3<Float>
}

/// The faces and sides of a slab.
private struct SlabMesh {
  private(set) var mesh = TriangleMesh()
  let normal: SIMD3<Float>
  /// Half the thickness in ångström.
  let height: Float
  let atom: Int32

  init(normal: SIMD3<Float>, height: Float, atom: Int32) {
    (self.normal, self.height, self.atom) = (normal, height, atom)
    mesh.isClosed = true
  }

  /// Adds a corner of the upper (1) or the lower (-1) face.
  private mutating func addCorner(_ point: RimPoint, _ side: Float, facing: SIMD3<Float>) -> UInt32 {
    mesh.addThinCorner(
      point.position + normal * (side * height), normal: facing, outwards: point.outwards + normal * side,
      halfThickness: height, atom: atom)
  }

  mutating func addFace(_ rim: [RimPoint], around middle: SIMD3<Float>, _ side: Float) {
    let facing = normal * side
    let center = addCorner(RimPoint(position: middle, outwards: .zero), side, facing: facing)
    let corners = rim.map { addCorner($0, side, facing: facing) }
    for index in corners.indices {
      let (one, next) = (corners[index], corners[(index + 1) % corners.count])
      if side > 0 { mesh.addTriangle(center, one, next) } else { mesh.addTriangle(center, next, one) }
    }
  }

  mutating func addSide(_ one: RimPoint, _ next: RimPoint) {
    let facing = (next.position - one.position).cross(normal).normalized
    let corners = [(one, Float(-1)), (next, -1), (next, 1), (one, 1)].map { addCorner($0, $1, facing: facing) }
    mesh.addTriangle(corners[0], corners[1], corners[2])
    mesh.addTriangle(corners[0], corners[2], corners[3])
  }
}

extension BackboneTrace {
  /// Returns the scene's number of the residue at a position along the nodes.
  fileprivate func atom(at position: Float) -> Int32 {
    let node = polymer == .protein ? Int(position.rounded()) : min(Int(position), nodes.count - 2)
    return nodes[min(max(0, node), nodes.count - 1)].atom
  }
}
