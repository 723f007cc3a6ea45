/// Spheres around atoms, which cover points of each other.
///
/// Their points are those of the method of Shrake and Rupley. A point counts as covered by the same comparison in
/// single precision for every pair; the patches only decide which pairs are compared.
struct ProbedSpheres {
  /// Four neighbors of a sphere: their centers from its own, and the least products of a center with the direction of a
  /// patch from which on the neighbor covers all or some points of the patch.
  private struct Neighbors {
    var (x, y, z) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
    var all = SIMD4<Float>.zero
    var some = SIMD4<Float>.zero
  }

  /// Four spheres that follow each other in the grid.
  private struct Quad {
    // Those after the last sphere are far from all others.
    var (x, y, z) = (SIMD4<Float>(repeating: .infinity), SIMD4<Float>.zero, SIMD4<Float>.zero)
    var radius = SIMD4<Float>.zero
  }

  private let grid: PointGrid
  private let patches: SpherePatches
  /// The centers and radii, by index.
  private let spheres: [SIMD4<Float>]
  private let largest: Float
  /// The squared distance up to which two spheres count as one.
  private let samePlace: Float
  /// The spheres in the order of the grid's members, alone and four at a time.
  private let sorted: [SIMD4<Float>]
  private let quads: [Quad]
  /// The index of each sphere among the grid's members; -1 if it is not one.
  private let memberIndices: [Int32]

  // Buffers for the neighbors of one sphere, reused for the next.
  private var found: [Int32] = []
  private var neighbors: [Neighbors] = []
  /// The number of vectors of neighbors in use.
  private var measuredCount = 0
  /// The center of each neighbor from the sphere's, and the square of its radius.
  private var covers: [SIMD4<Float>] = []
  private var nearest = [SIMD4<Float>](repeating: .zero, count: mostNearest + 1)

  /// The squared distance in Å² of bonded atoms and their other neighbors, which cover most patches.
  private static let nearestSquare: Float = 9
  private static let mostNearest = 16
  /// The neighbors whose bits fit a vector of numbers.
  private static let neighborsPerRound = 128

  /// - Parameters:
  ///   - points: The centers in Å.
  ///   - radii: The radii with that of the probe in Å, by index.
  ///   - grid: The centers, with cells of twice the largest radius.
  ///   - patches: The points of each sphere.
  ///   - samePlace: The squared distance in Å² up to which spheres do not cover each other; nil if all but the sphere
  ///     itself do.
  init(_ points: [SIMD3<Float>], radii: [Float], _ grid: PointGrid, _ patches: SpherePatches, samePlace: Float? = nil) {
    (self.grid, self.patches) = (grid, patches)
    self.samePlace = samePlace ?? -1
    largest = radii.max() ?? 0
    spheres = zip(points, radii).map { SIMD4($0, $1) }
    sorted = grid.members.map { [spheres] in spheres[Int($0)] }
    var memberIndices = [Int32](repeating: -1, count: points.count)
    for (member, index) in grid.members.enumerated() { memberIndices[Int(index)] = Int32(member) }
    self.memberIndices = memberIndices
    quads = stride(from: 0, to: sorted.count, by: 4).map { [sorted] first in
      var quad = Quad()
      for (lane, sphere) in sorted[first..<min(first + 4, sorted.count)].enumerated() {
        (quad.x[lane], quad.y[lane], quad.z[lane], quad.radius[lane]) = (sphere.x, sphere.y, sphere.z, sphere.w)
      }
      return quad
    }
  }

  /// Returns the largest number of spheres that may be compared with one.
  func candidateCount(of index: Int) -> Int {
    let sphere = spheres[index]
    return grid.pointCount(near: sphere.xyz, within: sphere.w + largest)
  }

  /// Returns the number of points of a sphere that no other covers.
  ///
  /// - Complexity: linear in the spheres around it.
  mutating func freePoints(of index: Int) -> Int {
    let sphere = spheres[index]
    var count = 0
    grid.forEachRange(near: sphere.xyz, within: sphere.w + largest) { range in
      if !range.isEmpty { find(in: range, of: sphere, memberIndices[index], &count) }
    }
    guard count > 0 else { return patches.count }
    let nearestCount = measure(count, of: sphere)
    return countFree(radius: sphere.w, nearestCount)
  }

  /// Adds the spheres of a range that touch another one to those found.
  ///
  /// Those beside the range are compared too, as they are in the same vectors; a sphere that is found twice covers the
  /// same points.
  /// - Parameter own: The index of the other sphere among the grid's members.
  private mutating func find(in range: Range<Int>, of sphere: SIMD4<Float>, _ own: Int32, _ count: inout Int) {
    let indices = (range.lowerBound / 4)..<((range.upperBound + 3) / 4)
    if found.count < count + indices.count * 4 + 4 {
      found += [Int32](repeating: 0, count: found.count + indices.count * 4 + 64)
    }
    var next = count
    quads.withUnsafeBufferPointer { quads in
      found.withUnsafeMutableBufferPointer { found in
        var members = Int32(truncatingIfNeeded: indices.lowerBound &* 4) &+ SIMD4(0, 1, 2, 3)
        for index in indices {
          let quad = quads[index]
          let (x, y, z) = (quad.x - sphere.x, quad.y - sphere.y, quad.z - sphere.z)
          let square = x * x + y * y + z * z
          let touching = quad.radius + sphere.w
          let isFound = (square .< touching * touching) .& (square .> samePlace) .& (members .!= own)
          // Without branches, as the processor could not predict them.
          let steps = unsafeBitCast(isFound, to: SIMD4<Int32>.self)
          found[next] = members[0]
          next &-= Int(steps[0])
          found[next] = members[1]
          next &-= Int(steps[1])
          found[next] = members[2]
          next &-= Int(steps[2])
          found[next] = members[3]
          next &-= Int(steps[3])
          members = members &+ 4
        }
      }
    }
    count = next
  }

  /// Measures the spheres that were found, as neighbors.
  ///
  /// A neighbor at n covers the directions e with n·e ≥ t: a cap of the angle α, with cos α = t / |n|. It covers all of
  /// a patch with the center c and the angle ρ if the angle of c is at most α - ρ, thus n·c ≥ |n| cos(α - ρ), and some
  /// at most if n·c ≥ |n| cos(α + ρ).
  ///
  /// A margin far above the rounding of single precision widens both limits. If two spheres are almost tangent, from
  /// outside or within, |n| sin α is the root of a difference of nearly equal numbers. The root magnifies the rounding
  /// of the difference, so that the margin is added to it, too.
  /// - Returns: The number of the nearest ones.
  private mutating func measure(_ count: Int, of sphere: SIMD4<Float>) -> Int {
    let quadCount = (count + 3) / 4
    while neighbors.count < quadCount {
      neighbors.append(Neighbors())
      covers += [.zero, .zero, .zero, .zero]
    }
    for lane in count..<(quadCount * 4) { found[lane] = found[0] }
    let (cosine, sine, own) = (patches.cosine, patches.sine, sphere.w * sphere.w)
    let (half, tolerance) = (0.5 / sphere.w, 1e-5 / sphere.w)
    let center = SIMD4(sphere.xyz, 0)
    var nearestCount = 0
    sorted.withUnsafeBufferPointer { sorted in
      found.withUnsafeBufferPointer { found in
        neighbors.withUnsafeMutableBufferPointer { neighbors in
          covers.withUnsafeMutableBufferPointer { covers in
            nearest.withUnsafeMutableBufferPointer { nearest in
              for quad in 0..<quadCount {
                let (a, b) = (sorted[Int(found[quad * 4])] - center, sorted[Int(found[quad * 4 + 1])] - center)
                let (c, d) = (sorted[Int(found[quad * 4 + 2])] - center, sorted[Int(found[quad * 4 + 3])] - center)
                let (x, y, z) = (SIMD4(a.x, b.x, c.x, d.x), SIMD4(a.y, b.y, c.y, d.y), SIMD4(a.z, b.z, c.z, d.z))
                let radius = SIMD4(a.w, b.w, c.w, d.w)
                let square = radius * radius
                let distance = x * x + y * y + z * z
                let length = distance.squareRoot()
                let t = (distance + own - square) * half
                let margin = (distance + own + square) * tolerance
                let rise = distance - t * t
                let height = (rise.replacing(with: 0, where: rise .< 0) + length * margin).squareRoot() * sine
                var all = t * cosine + height + margin
                all.replace(with: .infinity, where: t .> length * cosine)
                all.replace(with: -.infinity, where: t .<= -length - margin)
                var some = t * cosine - height - margin
                some.replace(with: -.infinity, where: t .<= length * -cosine)
                neighbors[quad] = Neighbors(x: x, y: y, z: z, all: all, some: some)
                covers[quad * 4] = SIMD4(a.x, a.y, a.z, square.x)
                covers[quad * 4 + 1] = SIMD4(b.x, b.y, b.z, square.y)
                covers[quad * 4 + 2] = SIMD4(c.x, c.y, c.z, square.z)
                covers[quad * 4 + 3] = SIMD4(d.x, d.y, d.z, square.w)
                let steps = unsafeBitCast(distance .< Self.nearestSquare, to: SIMD4<Int32>.self)
                nearest[nearestCount] = SIMD4(a.x, a.y, a.z, all[0])
                nearestCount = min(Self.mostNearest, nearestCount &- Int(steps[0]))
                nearest[nearestCount] = SIMD4(b.x, b.y, b.z, all[1])
                nearestCount = min(Self.mostNearest, nearestCount &- Int(steps[1]))
                nearest[nearestCount] = SIMD4(c.x, c.y, c.z, all[2])
                nearestCount = min(Self.mostNearest, nearestCount &- Int(steps[2]))
                nearest[nearestCount] = SIMD4(d.x, d.y, d.z, all[3])
                nearestCount = min(Self.mostNearest, nearestCount &- Int(steps[3]))
              }
            }
          }
        }
      }
    }
    measuredCount = quadCount
    return nearestCount
  }

  /// Returns the number of points that no neighbor covers.
  private func countFree(radius: Float, _ nearestCount: Int) -> Int {
    covers.withUnsafeBufferPointer { covers in
      neighbors.withUnsafeBufferPointer { neighbors in
        nearest.withUnsafeBufferPointer { nearest in
          patches.patches.withUnsafeBufferPointer { patches in
            Self.countFree(
              self.patches.centers, patches, radius: radius, nearest[..<nearestCount],
              UnsafeBufferPointer(rebasing: neighbors[..<measuredCount]), covers)
          }
        }
      }
    }
  }

  private static func countFree(
    _ centers: [SpherePatches.Centers], _ patches: UnsafeBufferPointer<SpherePatches.Patch>, radius: Float,
    _ nearest: Slice<UnsafeBufferPointer<SIMD4<Float>>>, _ neighbors: UnsafeBufferPointer<Neighbors>,
    _ covers: UnsafeBufferPointer<SIMD4<Float>>
  ) -> Int {
    var free = 0
    for (four, center) in centers.enumerated() {
      // Patches after the last are covered.
      var covered = center.missing
      for neighbor in nearest {
        let product = center.x * neighbor.x + center.y * neighbor.y + center.z * neighbor.z
        covered |= unsafeBitCast(product .>= neighbor.w, to: SIMD4<Int32>.self)
      }
      // Lane by lane: the compiler puts a vector into memory for a lane that varies.
      if covered.x == 0 {
        let direction = SIMD3(center.x.x, center.y.x, center.z.x)
        free &+= countFree(of: patches[four &* 4], direction, radius: radius, neighbors, covers)
      }
      if covered.y == 0 {
        let direction = SIMD3(center.x.y, center.y.y, center.z.y)
        free &+= countFree(of: patches[four &* 4 &+ 1], direction, radius: radius, neighbors, covers)
      }
      if covered.z == 0 {
        let direction = SIMD3(center.x.z, center.y.z, center.z.z)
        free &+= countFree(of: patches[four &* 4 &+ 2], direction, radius: radius, neighbors, covers)
      }
      if covered.w == 0 {
        let direction = SIMD3(center.x.w, center.y.w, center.z.w)
        free &+= countFree(of: patches[four &* 4 &+ 3], direction, radius: radius, neighbors, covers)
      }
    }
    return free
  }

  /// Returns the number of points of a patch that no neighbor covers.
  @inline(never)
  private static func countFree(
    of patch: SpherePatches.Patch, _ center: SIMD3<Float>, radius: Float, _ neighbors: UnsafeBufferPointer<Neighbors>,
    _ covers: UnsafeBufferPointer<SIMD4<Float>>
  ) -> Int {
    var missing = (patch.firstMissing, patch.lastMissing)
    var start = 0
    while start < neighbors.count {
      let end = min(neighbors.count, start + neighborsPerRound / 4)
      var all = SIMD4<Int32>.zero
      // A bit for each neighbor: its vector from below, one number for each lane.
      var (some, bit) = (SIMD4<UInt32>.zero, SIMD4<UInt32>(repeating: 1))
      for four in start..<end {
        let neighbor = neighbors[four]
        let product = neighbor.x * center.x + neighbor.y * center.y + neighbor.z * center.z
        all |= unsafeBitCast(product .>= neighbor.all, to: SIMD4<Int32>.self)
        some |= bit & unsafeBitCast(product .>= neighbor.some, to: SIMD4<UInt32>.self)
        bit = bit &+ bit
      }
      if all != .zero { return 0 }
      let (low, high) = (UInt64(some.x) | UInt64(some.y) << 32, UInt64(some.z) | UInt64(some.w) << 32)
      compare(patch, radius, low, UnsafeBufferPointer(rebasing: covers[(start * 4)...]), &missing)
      compare(patch, radius, high, UnsafeBufferPointer(rebasing: covers[(start * 4 + 2)...]), &missing)
      start = end
    }
    let both = missing.0 &+ missing.1
    return SpherePatches.Patch.size + Int(both.x + both.y + both.z + both.w)
  }

  /// Compares the points of a patch with some neighbors.
  ///
  /// - Parameters:
  ///   - bits: Their positions: 32 bits for the first of each four, from below, and 32 for the second.
  ///   - missing: -1 for each point that is covered or does not exist.
  @inline(__always)
  private static func compare(
    _ patch: SpherePatches.Patch, _ radius: Float, _ bits: UInt64, _ covers: UnsafeBufferPointer<SIMD4<Float>>,
    _ missing: inout (SIMD4<Int32>, SIMD4<Int32>)
  ) {
    let (firstX, firstY, firstZ) = (patch.firstX * radius, patch.firstY * radius, patch.firstZ * radius)
    let (lastX, lastY, lastZ) = (patch.lastX * radius, patch.lastY * radius, patch.lastZ * radius)
    var bits = bits
    while bits != 0 {
      let bit = bits.trailingZeroBitCount
      bits &= bits &- 1
      let neighbor = covers[(bit & 31) * 4 + (bit >> 5)]
      missing.0 |= cover(neighbor.x - firstX, neighbor.y - firstY, neighbor.z - firstZ, neighbor.w)
      missing.1 |= cover(neighbor.x - lastX, neighbor.y - lastY, neighbor.z - lastZ, neighbor.w)
    }
  }

  /// Returns -1 for the points that a sphere covers, by the steps from them to its center.
  @inline(__always)
  private static func cover(
    _ x: SIMD4<Float>, _ y: SIMD4<Float>, _ z: SIMD4<Float>, _ square: Float
  ) -> SIMD4<Int32> {
    unsafeBitCast((x * x + y * y + z * z) .<= square, to: SIMD4<Int32>.self)
  }
}

extension SIMD4<Float> {
  /// The first three numbers.
  fileprivate var xyz: SIMD3<Float> { SIMD3(x, y, z) }
}
