/// The flat prism that stands for the base of a nucleotide.
enum BaseSlab {
  /// The closed prism over the outline of a base, a little larger than it; its corners bear the atom of the base.
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
      return middle + flat + flat.normalized * margin
    }
    var mesh = TriangleMesh()
    mesh.isClosed = true
    for side in [height, -height] { addFace(rim, middle, normal, side, base.atom, to: &mesh) }
    for index in rim.indices {
      let (one, next) = (rim[index], rim[(index + 1) % rim.count])
      let outwards = (next - one).cross(normal).normalized
      let corners = [one - normal * height, next - normal * height, next + normal * height, one + normal * height]
        .map { mesh.addCorner($0, normal: outwards, color: .white, atom: base.atom) }
      mesh.addTriangle(corners[0], corners[1], corners[2])
      mesh.addTriangle(corners[0], corners[2], corners[3])
    }
    return mesh
  }

  /// The direction the outline runs round counter-clockwise about.
  ///
  /// - Source: M. E. Newell: the sum of the vector products of neighbouring corners is twice the area's vector.
  private static func normal(of outline: [SIMD3<Float>], around middle: SIMD3<Float>) -> SIMD3<Float> {
    var sum = SIMD3<Float>.zero
    for index in outline.indices {
      sum += (outline[index] - middle).cross(outline[(index + 1) % outline.count] - middle)
    }
    return sum.normalized
  }

  private static func addFace(
    _ rim: [SIMD3<Float>], _ middle: SIMD3<Float>, _ normal: SIMD3<Float>, _ side: Float, _ atom: Int32,
    to mesh: inout TriangleMesh
  ) {
    let facing = side > 0 ? normal : -normal
    let center = mesh.addCorner(middle + normal * side, normal: facing, color: .white, atom: atom)
    let corners = rim.map { mesh.addCorner($0 + normal * side, normal: facing, color: .white, atom: atom) }
    for index in corners.indices {
      let (one, next) = (corners[index], corners[(index + 1) % corners.count])
      if side > 0 { mesh.addTriangle(center, one, next) } else { mesh.addTriangle(center, next, one) }
    }
  }
}
