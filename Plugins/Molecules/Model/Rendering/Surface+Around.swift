extension Surface {
  /// The surroundings of four samples of a row.
  struct Around {
    /// The fall of the surface beside samples on the edge of a wide feature, else 0.
    var fall = SIMD4<Float>.zero
    /// The depth of the hollows between atoms, summed over all pairs.
    var hollows = SIMD4<Float>.zero
    /// The depth of the hollows between larger parts, summed over all pairs.
    var largeHollows = SIMD4<Float>.zero
    /// The slope of larger parts to the right and downward.
    var slopeX = SIMD4<Float>.zero
    var slopeY = SIMD4<Float>.zero
    /// The degree to which the samples are an edge of larger parts, 0 to 1: they continue on one side and end on the
    /// other.
    var edges = SIMD4<Float>.zero
  }

  @inline(__always)
  func around(x: Int, y: Int, place: Int, z: SIMD4<Float>) -> Around {
    let reach = max(lighting.occlusionReach, Int(lighting.shapeReach), 2 * lighting.featureStep)
    guard isInside(x: x, y: y, reach: reach) else { return aroundAtBorder(x: x, y: y, z: z) }
    var around = Around()
    if lighting.outlineFall < .infinity {
      around.fall = fall(z) { across, down in load(place + down * stride + across) }
    }
    let hollow = lighting.hollow
    for offset in pairOffsets { around.hollows += hollow(load(place + offset) - z, load(place - offset) - z) }
    let shapeHollow = lighting.shapeHollow
    for index in 0..<lighting.shapePairCount {
      let offset = Int(lighting.shapeY[index]) * stride + Int(lighting.shapeX[index])
      let (ahead, behind) = (load(place + offset) - z, load(place - offset) - z)
      around.largeHollows += shapeHollow(ahead, behind)
      addShape(index, ahead, behind, to: &around)
    }
    return around
  }

  @inline(__always)
  private func isInside(x: Int, y: Int, reach: Int) -> Bool {
    x >= reach && y >= reach && x + 3 + reach < width && y + reach < height
  }

  /// Returns the surroundings of samples at the border: samples beyond it are replaced by the nearest ones inside.
  @inline(never)
  private func aroundAtBorder(x: Int, y: Int, z: SIMD4<Float>) -> Around {
    var around = Around()
    if lighting.outlineFall < .infinity { around.fall = fall(z) { across, down in load(x + across, y + down) } }
    for pair in lighting.occlusionPairs {
      let (dx, dy) = (Int(pair.x), Int(pair.y))
      around.hollows += lighting.hollow(load(x + dx, y + dy) - z, load(x - dx, y - dy) - z)
    }
    for index in 0..<lighting.shapePairCount {
      let (dx, dy) = (Int(lighting.shapeX[index]), Int(lighting.shapeY[index]))
      let (ahead, behind) = (load(x + dx, y + dy) - z, load(x - dx, y - dy) - z)
      around.largeHollows += lighting.shapeHollow(ahead, behind)
      addShape(index, ahead, behind, to: &around)
    }
    return around
  }

  /// Returns the fall of the surface beside samples on the edge of a wide feature, 0 elsewhere.
  ///
  /// - Parameter depth: Returns the depths at an offset across and down from the samples.
  @inline(__always)
  private func fall(_ z: SIMD4<Float>, _ depth: (_ across: Int, _ down: Int) -> SIMD4<Float>) -> SIMD4<Float> {
    let step = lighting.outlineStep
    let (left, right, up, down) = (depth(-step, 0), depth(step, 0), depth(0, -step), depth(0, step))
    let least = SIMD4<Float>(repeating: lighting.outlineFall)
    // Few samples lie on an edge: the other side is examined only for those.
    guard (z - left.lower(right).lower(up.lower(down)) .> least).isAnySet else { return .zero }
    let (half, whole) = (lighting.featureStep, 2 * lighting.featureStep)
    @inline(__always)
    func fall(to neighbor: SIMD4<Float>, _ middle: SIMD4<Float>, _ end: SIMD4<Float>) -> SIMD4<Float> {
      // The other side may slope away by one sample per sample.
      let isWide = (z - middle .< least + Float(half)) .& (z - end .< least + Float(whole))
      return SIMD4<Float>.zero.replacing(with: z - neighbor, where: isWide)
    }
    return fall(to: left, depth(half, 0), depth(whole, 0))
      .higher(fall(to: right, depth(-half, 0), depth(-whole, 0)))
      .higher(fall(to: up, depth(0, half), depth(0, whole)))
      .higher(fall(to: down, depth(0, -half), depth(0, -whole)))
  }

  /// Adds the shape of larger parts derived from heights on two sides: horizontal pairs first, then vertical ones.
  @inline(__always)
  private func addShape(_ index: Int, _ ahead: SIMD4<Float>, _ behind: SIMD4<Float>, to around: inout Around) {
    if index > 1 { return }
    around.edges = around.edges.higher(lighting.edge(ahead, behind))
    if index == 0 {
      around.slopeX = slope(ahead, behind)
    } else {
      around.slopeY = slope(ahead, behind) / aspect
    }
  }

  /// Returns the slope of larger parts between two positions; steps to distant surfaces count little.
  @inline(__always)
  private func slope(_ ahead: SIMD4<Float>, _ behind: SIMD4<Float>) -> SIMD4<Float> {
    let reach = lighting.shapeReach
    let (low, high) = (SIMD4<Float>(repeating: -2 * reach), SIMD4<Float>(repeating: 2 * reach))
    return (ahead.higher(low).lower(high) - behind.higher(low).lower(high)) * (0.5 / reach)
  }

  /// Returns the depths of four samples of a row; beyond the border those of the nearest samples inside.
  @inline(__always)
  private func load(_ x: Int, _ y: Int) -> SIMD4<Float> {
    load(min(max(y, 0), height - 1) * stride + min(max(x, 0), max(width - 4, 0)))
  }
}
