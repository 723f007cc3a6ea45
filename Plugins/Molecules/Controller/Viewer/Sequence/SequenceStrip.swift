/// The state of the sequence below the picture: chain, residue, and keyboard focus.
struct SequenceStrip: Equatable, Sendable {
  /// The molecule and model of the rows.
  struct Key: Equatable, Sendable {
    /// The number of the molecule among those loaded by a viewer.
    var loading: Int
    /// The model index, 0-based.
    var model: Int
  }

  var isShown = false
  var hasFocus = false
  /// The chains; empty while they are unknown or if there is no polymer.
  private(set) var rows: [SequenceRow] = []
  /// The molecule and model of the rows; nil if there are none.
  private(set) var key: Key?
  /// The index of the shown chain.
  private(set) var row = 0
  /// The index of the cursor's residue in the chain.
  private(set) var column = 0

  var current: SequenceRow? { rows[safe: row] }
  var place: SequenceRow.Place? { current?.places[safe: column] }

  /// Replaces the rows by those of a molecule; the cursor keeps its position if possible.
  mutating func take(_ rows: [SequenceRow], _ key: Key) {
    let isSame = self.key?.loading == key.loading
    (self.rows, self.key) = (rows, key)
    row = isSame ? min(row, max(0, rows.count - 1)) : 0
    column = isSame ? min(column, max(0, (current?.places.count ?? 1) - 1)) : 0
  }

  /// Moves along the chain, stopping at its ends.
  mutating func move(by count: Int) {
    let last = max(0, (current?.places.count ?? 1) - 1)
    column = min(max(0, column + min(max(count, -last), last)), last)
  }

  /// Moves to an index of the shown chain.
  mutating func go(toColumn column: Int) {
    guard let places = current?.places, places.indices.contains(column) else { return }
    self.column = column
  }

  /// Moves to the next or previous chain, cyclically, keeping the index of the residue.
  mutating func changeChain(by step: Int) {
    if rows.isEmpty { return }
    row = ((row + step) % rows.count + rows.count) % rows.count
    column = min(column, max(0, (current?.places.count ?? 1) - 1))
  }

  /// Moves to a residue of the structure.
  ///
  /// - Returns: True if it is in one of the chains.
  mutating func go(toResidue residue: Int) -> Bool {
    for (index, row) in rows.enumerated() {
      guard let place = row.places.firstIndex(where: { $0.residue == residue }) else { continue }
      (self.row, column) = (index, place)
      return true
    }
    return false
  }
}
