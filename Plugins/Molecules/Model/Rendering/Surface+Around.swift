extension Surface {
  /// What lies around four samples of a row.
  struct Around {
    /// The least depth of the four neighbours.
    var lowest: SIMD4<Float>
    /// How much the samples lie in hollows between atoms, summed over all pairs.
    var hollows = SIMD4<Float>.zero
    /// The same for hollows between larger parts.
    var largeHollows = SIMD4<Float>.zero
    /// How steeply larger parts rise to the right and downwards.
    var slopeX = SIMD4<Float>.zero
    var slopeY = SIMD4<Float>.zero
    /// How much it is an edge of larger parts, 0 to 1: they go on to one side and end on the other.
    var edges = SIMD4<Float>.zero

    init(lowest: SIMD4<Float>) {
      self.lowest = lowest
    }
  }

  @inline(__always)
  func around(x: Int, y: Int, place: Int, z: SIMD4<Float>) -> Around {
    let step = lighting.outlineStep
    let reach = max(lighting.occlusionReach, step)
    guard isInside(x: x, y: y, reach: max(reach, Int(lighting.shapeReach))) else {
      return aroundAtBorder(x: x, y: y, z: z)
    }
    var around = Around(
      lowest: z.lower(load(place - step)).lower(load(place + step)).lower(load(place - step * stride))
        .lower(load(place + step * stride)))
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

  /// The same where some of the samples looked at lie beyond the border: the nearest ones inside stand for them.
  @inline(never)
  private func aroundAtBorder(x: Int, y: Int, z: SIMD4<Float>) -> Around {
    let step = lighting.outlineStep
    var around = Around(
      lowest: z.lower(load(x - step, y)).lower(load(x + step, y)).lower(load(x, y - step)).lower(load(x, y + step)))
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

  /// Adds what heights on two sides tell of the shape of larger parts: those across come first, those down second.
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

  /// How steeply larger parts rise between two places; steps to what lies far off count little.
  @inline(__always)
  private func slope(_ ahead: SIMD4<Float>, _ behind: SIMD4<Float>) -> SIMD4<Float> {
    let reach = lighting.shapeReach
    let (low, high) = (SIMD4<Float>(repeating: -2 * reach), SIMD4<Float>(repeating: 2 * reach))
    return (ahead.higher(low).lower(high) - behind.higher(low).lower(high)) * (0.5 / reach)
  }

  /// The depths of four samples of a row; those of the nearest ones inside where the picture ends.
  @inline(__always)
  private func load(_ x: Int, _ y: Int) -> SIMD4<Float> {
    load(min(max(y, 0), height - 1) * stride + min(max(x, 0), max(width - 4, 0)))
  }
}
