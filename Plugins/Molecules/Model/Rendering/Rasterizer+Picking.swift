extension Rasterizer {
  /// Returns the index of the atom visible at a pixel of the last picture, or nil if there is none.
  ///
  /// If one ball represents several atoms it is the first of them.
  func atom(x: Int, y: Int) -> Int? {
    guard let sample = sample(x: x, y: y) else { return nil }
    let name = owner[sample]
    guard name != Owner.none else { return nil }
    let index = Owner.index(name)
    let point = SIMD3(Float(sample % stride) + 0.5, (Float(sample / stride) + 0.5) * aspect, depth[sample])
    let atom: Int32 =
      switch name & Owner.kindBits {
      case Owner.stickBit: stickAtom(index, at: point)
      case Owner.triangleBit: triangleAtom(name, at: point)
      default: ballAtom(index)
      }
    return atom >= 0 ? Int(atom) : nil
  }

  /// Returns the index in the buffers of the sample at the center of a pixel.
  private func sample(x: Int, y: Int) -> Int? {
    guard x >= 0, y >= 0, x < width / samples, y < height / samples else { return nil }
    return (y * samples + samples / 2) * stride + x * samples + samples / 2
  }

  private func ballAtom(_ index: Int) -> Int32 {
    guard let (run, offset) = Self.run(holding: index, in: placed.ballRuns) else { return -1 }
    let level = scene.parts[Int(run.part)].geometry.balls(ofLevel: run.level)
    return level.atoms[level.range(ofRun: Int(run.run)).lowerBound + offset]
  }

  private func stickAtom(_ index: Int, at point: SIMD3<Float>) -> Int32 {
    guard let (run, offset) = Self.run(holding: index, in: placed.stickRuns) else { return -1 }
    let column = scene.parts[Int(run.part)].geometry.sticks
    let stick = column.sticks[column.range(ofRun: Int(run.run)).lowerBound + offset]
    let placed = placed.sticks[index]
    return placed.distanceAlongAxis(of: point) < placed.length / 2 ? stick.startAtom : stick.endAtom
  }

  private func triangleAtom(_ name: UInt32, at point: SIMD3<Float>) -> Int32 {
    let (number, offset) = (Owner.patch(name), Owner.placeInPatch(name))
    // An unfinished picture has patches without allotted corners.
    guard number < placed.triangleRuns.count, placed.patchStarts[number] != PlacedColumns.unplaced else { return -1 }
    let run = placed.triangleRuns[number]
    guard offset < Int(run.count) else { return -1 }
    let mesh = scene.parts[Int(run.part)].geometry.mesh
    let patch = mesh.patches[Int(run.run)]
    let local = mesh.triangles[patch.triangles.lowerBound + offset]
    let triangle = placed.triangles[Int(placed.patchStarts[number].x) + offset]
    let shares = PlacedTriangle(triangle, placed.corners.base).shares(x: point.x, y: point.y)
    let nearest = shares.x >= shares.y && shares.x >= shares.z ? local.x : shares.y >= shares.z ? local.y : local.z
    return mesh.looks[patch.corners.lowerBound + Int(nearest)].atom
  }

  /// Returns the run that contains an index, and the offset in it.
  private static func run(holding index: Int, in runs: [DrawRun]) -> (run: DrawRun, offset: Int)? {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(runs[middle].start) <= index { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let run = runs[low - 1]
    let offset = index - Int(run.start)
    return offset < Int(run.count) ? (run, offset) : nil
  }
}
