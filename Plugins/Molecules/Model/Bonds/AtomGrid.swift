/// Atoms sorted into cubic cells for neighbor searches.
///
/// There are never more cells than atoms, however far apart the atoms are.
struct AtomGrid {
  /// The members of each occupied cell; the cells are looked up by key with open addressing, at most half full.
  private var cells: [(key: UInt64, members: Range<Int32>)] = []
  private var slots: [Int32] = []
  private let members: [Int32]
  private let keys: [SIMD3<Int32>]

  /// Sorts atoms into cells of an edge in Å.
  init(_ table: AtomTable, _ atoms: [Int32], edge: Double) {
    let keys = atoms.map { atom in
      let position = (table.position(Int(atom)) / edge).rounded(.down)
      return SIMD3(Self.place(position.x), Self.place(position.y), Self.place(position.z))
    }
    self.keys = keys
    let sorted = keys.indices.map { (key: Self.key(keys[$0]), place: Int32($0)) }
      .sorted { ($0.key, $0.place) < ($1.key, $1.place) }
    members = sorted.map(\.place)
    var start = 0
    while start < sorted.count {
      var end = start
      while end < sorted.count, sorted[end].key == sorted[start].key { end += 1 }
      cells.append((sorted[start].key, Int32(start)..<Int32(end)))
      start = end
    }
    var size = 16
    while size < 2 * cells.count { size *= 2 }
    slots = [Int32](repeating: -1, count: size)
    for cell in cells.indices { slots[slot(of: cells[cell].key)] = Int32(cell) }
  }

  /// Calls `body` for each later atom in the same cell and in the surrounding cells, so that each pair is visited once.
  ///
  /// - Parameters:
  ///   - place: The index of an atom among those given.
  ///   - most: Cells with more atoms than this are skipped.
  ///   - body: Receives the index of the other atom.
  func forEachLaterNeighbor(of place: Int, most: Int, _ body: (Int) -> Void) {
    let own = keys[place]
    for x in Int32(-1)...1 {
      for y in Int32(-1)...1 {
        for z in Int32(-1)...1 {
          let cell = slots[slot(of: Self.key(own &+ SIMD3(x, y, z)))]
          guard cell >= 0, cells[Int(cell)].members.count <= most else { continue }
          for member in cells[Int(cell)].members where members[Int(member)] > Int32(place) {
            body(Int(members[Int(member)]))
          }
        }
      }
    }
  }

  /// Returns the slot in which the cell of a key is stored or belongs.
  private func slot(of key: UInt64) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    while slots[slot] >= 0, cells[Int(slots[slot])].key != key { slot = (slot + 1) & mask }
    return slot
  }

  /// Returns a coordinate as an integer in cells; values that are too large or NaN go to the outermost cell.
  private static func place(_ value: Double) -> Int32 {
    guard value > -1e9 else { return -1_000_000_000 }
    return value < 1e9 ? Int32(value) : 1_000_000_000
  }

  /// Packs the coordinates of a cell; cells more than a million cells apart may share a key, which only costs time.
  private static func key(_ cell: SIMD3<Int32>) -> UInt64 {
    let mask: UInt64 = (1 << 21) - 1
    let x = UInt64(bitPattern: Int64(cell.x)) & mask
    let y = UInt64(bitPattern: Int64(cell.y)) & mask
    let z = UInt64(bitPattern: Int64(cell.z)) & mask
    return x << 42 | y << 21 | z
  }
}
