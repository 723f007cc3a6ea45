/// The sequence below the picture: which chain and which residue of it, and whether keys go there.
struct SequenceStrip: Equatable, Sendable {
  /// What the rows are of.
  struct Key: Equatable, Sendable {
    /// Counts the molecules a viewer has loaded.
    var loading: Int
    /// Model index, 0-based.
    var model: Int
  }

  var isShown = false
  var hasFocus = false
  /// The chains; empty as long as they are not known or where there is no polymer.
  private(set) var rows: [SequenceRow] = []
  /// What the rows are of; nil as long as there are none.
  private(set) var key: Key?
  /// The chain that is shown.
  private(set) var row = 0
  /// The residue of the chain the cursor is at.
  private(set) var column = 0

  var current: SequenceRow? { rows[safe: row] }
  var place: SequenceRow.Place? { current?.places[safe: column] }

  /// Takes the rows of a molecule; the cursor stays where it was as far as there is such a place.
  mutating func take(_ rows: [SequenceRow], _ key: Key) {
    let isSame = self.key?.loading == key.loading
    (self.rows, self.key) = (rows, key)
    row = isSame ? min(row, max(0, rows.count - 1)) : 0
    column = isSame ? min(column, max(0, (current?.places.count ?? 1) - 1)) : 0
  }

  /// Moves along the chain, not beyond its ends.
  mutating func move(by count: Int) {
    let last = max(0, (current?.places.count ?? 1) - 1)
    column = min(max(0, column + min(max(count, -last), last)), last)
  }

  /// Goes to a place of the shown chain.
  mutating func go(toColumn column: Int) {
    guard let places = current?.places, places.indices.contains(column) else { return }
    self.column = column
  }

  /// Goes to the next chain or the one before, around the ends, to the residue of the same place.
  mutating func changeChain(by step: Int) {
    if rows.isEmpty { return }
    row = ((row + step) % rows.count + rows.count) % rows.count
    column = min(column, max(0, (current?.places.count ?? 1) - 1))
  }

  /// Goes to a residue of the structure.
  ///
  /// - Returns: Whether it is in one of the chains.
  mutating func go(toResidue residue: Int) -> Bool {
    for (index, row) in rows.enumerated() {
      guard let place = row.places.firstIndex(where: { $0.residue == residue }) else { continue }
      (self.row, column) = (index, place)
      return true
    }
    return false
  }
}
