/// Adds a profile along a path to a mesh, as closed pieces with ends.
///
/// Corners are white until colored.
struct RibbonMesher {
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
      let flat = profile.place(corner, width: ring.width, height: ring.height)
      let place = ring.frame.place + ring.frame.across * flat.x + ring.frame.normal * flat.y
      let sideways = ring.frame.across * corner.outwards.x + ring.frame.normal * corner.outwards.y
      let outwards = sideways - ring.frame.along * (ring.slope * abs(corner.outwards.x))
      let growth = profile.growth(corner)
      _ = mesh.addThinCorner(
        place, normal: facing ?? outwards.normalized,
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
