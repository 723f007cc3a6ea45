/// The flat prism that represents the base of a nucleotide.
enum BaseSlab {
  /// Returns the closed prism over the outline of a base, slightly larger than it; its corners carry the atom of the
  /// base.
  ///
  /// - Parameters:
  ///   - base: the base; an outline of fewer than three corners gives an empty mesh.
  ///   - height: half the thickness in ångström.
  ///   - margin: how far the corners are moved away from the middle, in ångström.
  static func mesh(_ base: BackboneTrace.Base, height: Float, margin: Float) -> TriangleMesh {
    let outline = base.outline
    guard outline.count > 2 else { return TriangleMesh() }
    let middle = outline.reduce(SIMD3<Float>.zero, +) / Float(outline.count)
    let normal = normal(of: outline, around: middle)
    guard normal != .zero else { return TriangleMesh() }
    let rim = outline.map { corner in
      let way = corner - middle
      let flat = way - normal * (way * normal).sum()
      return RimPoint(place: middle + flat + flat.normalized * margin, outwards: flat.normalized)
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
  let place: SIMD3<Float>
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
      point.place + normal * (side * height), normal: facing, outwards: point.outwards + normal * side,
      halfThickness: height, atom: atom)
  }

  mutating func addFace(_ rim: [RimPoint], around middle: SIMD3<Float>, _ side: Float) {
    let facing = normal * side
    let center = addCorner(RimPoint(place: middle, outwards: .zero), side, facing: facing)
    let corners = rim.map { addCorner($0, side, facing: facing) }
    for index in corners.indices {
      let (one, next) = (corners[index], corners[(index + 1) % corners.count])
      if side > 0 { mesh.addTriangle(center, one, next) } else { mesh.addTriangle(center, next, one) }
    }
  }

  mutating func addSide(_ one: RimPoint, _ next: RimPoint) {
    let facing = (next.place - one.place).cross(normal).normalized
    let corners = [(one, Float(-1)), (next, -1), (next, 1), (one, 1)].map { addCorner($0, $1, facing: facing) }
    mesh.addTriangle(corners[0], corners[1], corners[2])
    mesh.addTriangle(corners[0], corners[2], corners[3])
  }
}
