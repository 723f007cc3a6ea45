/// Probe positions near a brick, sorted into cells of four grid points along each side.
///
/// Cells are numbered in the whole grid, so that neighboring bricks visit positions in the same order.
struct ProbeCells {
  /// The number of grid points along a cell, as a power of two.
  static let shift = 2

  /// The first cell, and the number of cells along each side.
  let first: SIMD3<Int32>
  let count: Int
  private var starts: [Int32]
  private var places: [Place] = []

  /// A probe position and its number.
  struct Place {
    var position: SIMD3<Float>
    var number: Int32
  }

  /// Creates an empty set of cells.
  init() {
    (first, count, starts) = (.zero, 1, [0, 0])
  }

  /// Sorts positions of probes near a brick into cells.
  ///
  /// - Parameters:
  ///   - rim: cells beyond the brick on each side.
  ///   - grid: the origin of the whole grid, and the length of a cell.
  init(
    around brick: SIMD3<Int32>, rim: Int, _ numbers: [Int32], of probes: ProbePlaces,
    grid: (start: SIMD3<Float>, edge: Float)
  ) {
    let rim = Int32(rim)
    first = (brick &>> Int32(Self.shift)) &- rim
    count = Int((Int32(SurfaceField.side) - 1) >> Int32(Self.shift) + 2 + 2 * rim)
    starts = Array(repeating: 0, count: count * count * count + 1)
    var cells: [Int32] = []
    cells.reserveCapacity(numbers.count)
    for number in numbers {
      let position = probes.places[Int(number)].position
      let cell = ((position - grid.start) / grid.edge).wholeBelow &- first
      let isInside = cell.min() >= 0 && cell.max() < Int32(count)
      let place = isInside ? index(Int(cell.x), Int(cell.y), Int(cell.z)) : -1
      cells.append(Int32(truncatingIfNeeded: place))
      if place >= 0 { starts[place + 1] += 1 }
    }
    for cell in 1..<starts.count { starts[cell] += starts[cell - 1] }
    var next = starts
    places = Array(repeating: Place(position: .zero, number: -1), count: Int(starts[starts.count - 1]))
    for (number, cell) in zip(numbers, cells) where cell >= 0 {
      places[Int(next[Int(cell)])] = Place(position: probes.places[Int(number)].position, number: number)
      next[Int(cell)] += 1
    }
  }

  @inline(__always)
  private func index(_ x: Int, _ y: Int, _ z: Int) -> Int { (z * count + y) * count + x }

  /// Calls `body` with the runs of positions in the cells around one.
  @inline(__always)
  func forEachRun(around cell: SIMD3<Int>, within rim: Int, _ body: (UnsafeBufferPointer<Place>) -> Void) {
    guard !places.isEmpty, cell.min() + rim >= 0, cell.max() - rim < count else { return }
    places.withUnsafeBufferPointer { places in
      for z in max(0, cell.z - rim)...min(count - 1, cell.z + rim) {
        for y in max(0, cell.y - rim)...min(count - 1, cell.y + rim) {
          let low = Int(starts[index(max(0, cell.x - rim), y, z)])
          let high = Int(starts[index(min(count - 1, cell.x + rim), y, z) + 1])
          if low < high { body(UnsafeBufferPointer(rebasing: places[low..<high])) }
        }
      }
    }
  }
}
