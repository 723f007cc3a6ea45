/// A set of atoms of a structure, one bit for each atom of all its models.
struct AtomSelection: Equatable, Sendable {
  /// The number of atoms of the structure, selected or not.
  let atomCount: Int
  /// The bits, atom 0 in the lowest bit of the first word; bits beyond the last atom are 0.
  private(set) var words: [UInt64]

  /// Creates a set without atoms.
  init(atomCount: Int) {
    self.atomCount = atomCount
    words = [UInt64](repeating: 0, count: (atomCount + 63) / 64)
  }

  /// Creates the set of a range of atoms, 0-based.
  init(atomCount: Int, range: Range<Int>) {
    self.init(atomCount: atomCount)
    insert(range)
  }

  /// Creates the set of the atoms of a range for which a closure returns true.
  @inline(__always)
  init(atomCount: Int, range: Range<Int>, where isSelected: (Int) -> Bool) {
    self.init(atomCount: atomCount)
    precondition(range.lowerBound >= 0 && range.upperBound <= atomCount, "atoms are counted from 0 to \(atomCount) - 1")
    var atom = range.lowerBound
    while atom < range.upperBound {
      let word = atom >> 6
      let end = min(range.upperBound, (word + 1) << 6)
      var bits: UInt64 = 0
      while atom < end {
        if isSelected(atom) { bits |= 1 << UInt64(atom & 63) }
        atom += 1
      }
      words[word] |= bits
    }
  }

  /// Returns true if an atom is selected; atoms that the structure does not have are not.
  subscript(atom: Int) -> Bool {
    atom >= 0 && atom < atomCount && words[atom >> 6] & (1 << UInt64(atom & 63)) != 0
  }

  /// The number of selected atoms.
  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// The first selected atom, or nil.
  var first: Int? {
    words.firstIndex { $0 != 0 }.map { $0 << 6 + words[$0].trailingZeroBitCount }
  }

  /// The selected atoms in ascending order, 0-based.
  var atoms: [Int] {
    var all: [Int] = []
    all.reserveCapacity(count)
    forEach { all.append($0) }
    return all
  }

  /// Calls `body` with every selected atom in ascending order.
  @inline(__always)
  func forEach(_ body: (Int) -> Void) {
    for (index, word) in words.enumerated() {
      var remaining = word
      while remaining != 0 {
        body(index << 6 + remaining.trailingZeroBitCount)
        remaining &= remaining - 1
      }
    }
  }

  /// Returns the number of selected atoms within a range.
  func count(in range: Range<Int>) -> Int {
    var sum = 0
    Self.forEachMask(range) { word, mask in sum += (words[word] & mask).nonzeroBitCount }
    return sum
  }

  /// Returns true if any atom of a range is selected.
  func intersects(_ range: Range<Int>) -> Bool {
    var bits: UInt64 = 0
    Self.forEachMask(range) { word, mask in bits |= words[word] & mask }
    return bits != 0
  }

  /// Selects an atom.
  mutating func insert(_ atom: Int) { words[atom >> 6] |= 1 << UInt64(atom & 63) }

  /// Selects a range of atoms.
  mutating func insert(_ range: Range<Int>) {
    Self.forEachMask(range) { word, mask in words[word] |= mask }
  }

  /// Adds the atoms of another set.
  mutating func formUnion(_ other: AtomSelection) {
    precondition(atomCount == other.atomCount, "two sets of atoms are of the same structure")
    for index in words.indices { words[index] |= other.words[index] }
  }

  /// Removes the atoms that are not in another set.
  mutating func formIntersection(_ other: AtomSelection) {
    precondition(atomCount == other.atomCount, "two sets of atoms are of the same structure")
    for index in words.indices { words[index] &= other.words[index] }
  }

  /// Removes the atoms of another set.
  mutating func subtract(_ other: AtomSelection) {
    precondition(atomCount == other.atomCount, "two sets of atoms are of the same structure")
    for index in words.indices { words[index] &= ~other.words[index] }
  }

  /// Calls `body` with the words that a range touches and the bits of the range in each.
  @inline(__always)
  private static func forEachMask(_ range: Range<Int>, _ body: (Int, UInt64) -> Void) {
    guard !range.isEmpty else { return }
    let last = (range.upperBound - 1) >> 6
    for word in (range.lowerBound >> 6)...last {
      var mask = UInt64.max
      if word == range.lowerBound >> 6 { mask &= UInt64.max << UInt64(range.lowerBound & 63) }
      if word == last { mask &= UInt64.max >> UInt64(63 - (range.upperBound - 1) & 63) }
      body(word, mask)
    }
  }
}
