import PluginAPI

/// The state of the sequence below the picture: chain, residue, and keyboard focus.
///
/// While the strip has the focus, the keys for turning move along the sequence.
struct SequenceStrip: Equatable, Sendable {
  /// The molecule and model of the rows.
  struct Source: Equatable, Sendable {
    /// The number of the molecule among those shown by a viewer.
    var molecule: Int
    /// The model index, 0-based.
    var model: Int
  }

  var isShown = false
  var hasFocus = false
  /// The chains; empty while they are unknown or if there is no polymer.
  private(set) var rows: [SequenceRow] = []
  /// The molecule and model of the rows; nil if there are none.
  private(set) var source: Source?
  /// The index of the shown chain.
  private(set) var row = 0
  /// The index of the cursor's residue in the chain.
  private(set) var column = 0

  var current: SequenceRow? { rows[safe: row] }
  var place: SequenceRow.Place? { current?.places[safe: column] }

  /// Replaces the rows by those of a molecule; the cursor keeps its position if possible.
  mutating func take(_ rows: [SequenceRow], from source: Source) {
    let isSame = self.source?.molecule == source.molecule
    (self.rows, self.source) = (rows, source)
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

  // MARK: Input

  /// Shows and focuses the strip, or hides it if it has the focus.
  mutating func toggle() {
    if isShown, !hasFocus {
      hasFocus = true
    } else {
      isShown.toggle()
      hasFocus = isShown
    }
  }

  /// Performs an action of the viewer while the strip has the focus.
  ///
  /// - Parameter width: The columns of the screen.
  /// - Returns: False for actions that still belong to the picture.
  mutating func perform(_ action: ViewerAction, _ arguments: Record, width: Int) -> Bool {
    guard isShown else { return false }
    if action == .nextMode {
      hasFocus.toggle()
      return true
    }
    guard hasFocus else { return false }
    if action == .turn || action == .pan {
      let step = action == .turn ? 1 : 10
      let right = arguments[MoleculeArgument.right] ?? 0
      let down = arguments[MoleculeArgument.down] ?? -(arguments[MoleculeArgument.up] ?? 0)
      if right != 0 { move(by: right > 0 ? step : -step) } else { changeChain(by: down > 0 ? 1 : -1) }
      return true
    }
    guard action == .molecule else { return false }
    move(by: max(1, width - 4) * ((arguments[MoleculeArgument.step] ?? 1) > 0 ? 1 : -1))
    return true
  }

  /// Handles a key without an action; returns false if it means nothing to the strip.
  mutating func handle(_ key: Key) -> Bool {
    guard isShown else { return false }
    switch key {
    case Key(.tab), Key(.tab, .shift): hasFocus.toggle()
    case Key(.escape) where hasFocus: hasFocus = false
    case Key(.home) where hasFocus: go(toColumn: 0)
    case Key(.end) where hasFocus: go(toColumn: (current?.places.count ?? 1) - 1)
    default: return false
    }
    return true
  }
}
