/// One position of a polymer in the coordinates, over all models; with several residues if the file has more than one
/// kind.
struct CIFPosition: Equatable {
  var number: Int32
  var insertionCode: UInt8
  /// The residue names at the position, in order of appearance.
  var names: [String]
}

/// The sequence of a polymer and the indices of its residues with coordinates.
struct CIFSequence: Equatable {
  /// The residue names, including residues without coordinates.
  private(set) var names: [String]
  /// The index in `names` of each position, 0-based, ascending.
  private(set) var places: [Int]

  /// Finds the indices of positions in a stated sequence.
  ///
  /// Runs of consecutive residue numbers are searched literally; if one is missing the sequences are aligned. A residue
  /// missing in the stated sequence is inserted, so that every position has its own index.
  init(stated: [String], positions: [CIFPosition]) {
    names = stated
    places = []
    if stated.isEmpty {
      names = positions.map { $0.names[0] }
      places = Array(names.indices)
    } else if !findRuns(positions) {
      align(positions)
    }
  }

  /// Locates positions run by run; returns false if one is not in the sequence after the previous run.
  private mutating func findRuns(_ positions: [CIFPosition]) -> Bool {
    var start = 0
    while start < positions.count {
      var end = start + 1
      while end < positions.count, Self.isNext(positions[end], after: positions[end - 1]) { end += 1 }
      let first = places.last.map { $0 + 1 } ?? 0
      let gap = start > 0 ? Int(positions[start].number) - Int(positions[start - 1].number) : Int(positions[0].number)
      guard let place = place(of: positions[start..<end], from: first, likely: first + max(gap, 1) - 1) else {
        places = []
        return false
      }
      places += place..<place + (end - start)
      start = end
    }
    return true
  }

  private static func isNext(_ position: CIFPosition, after before: CIFPosition) -> Bool {
    position.number == before.number || position.number == before.number &+ 1
  }

  private func place(of run: ArraySlice<CIFPosition>, from first: Int, likely: Int) -> Int? {
    func matches(_ place: Int) -> Bool {
      place + run.count <= names.count && zip(run, names[place...]).allSatisfy { $0.names.contains($1) }
    }
    if matches(likely) { return likely }
    guard first + run.count <= names.count else { return nil }
    return (first...names.count - run.count).first(where: matches)
  }

  /// Aligns positions with the sequence; unmatched ones are inserted or replace a name.
  private mutating func align(_ positions: [CIFPosition]) {
    let stated = names
    guard SequenceAlignment.isPossible(positions.count, stated.count) else {
      names = positions.map { $0.names[0] }
      places = Array(names.indices)
      return
    }
    let alignment = SequenceAlignment(
      positions.map { SubstitutionScores.code(ofResidue: $0.names[0]) }, stated.map(SubstitutionScores.code))
    names = []
    var next = 0
    var pairs = alignment.pairs[...]
    for (index, position) in positions.enumerated() {
      var name = position.names[0]
      if let pair = pairs.first, Int(pair.x) == index {
        pairs.removeFirst()
        names += stated[next..<Int(pair.y)]
        next = Int(pair.y) + 1
        if position.names.contains(stated[Int(pair.y)]) { name = stated[Int(pair.y)] }
      }
      places.append(names.count)
      names.append(name)
    }
    names += stated[next...]
  }
}
