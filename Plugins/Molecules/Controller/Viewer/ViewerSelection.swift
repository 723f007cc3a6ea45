/// The selection on the screen, and the named ones.
struct ViewerSelection: Equatable {
  /// The current selection; nil for none.
  private(set) var shown: Selection?
  /// The named selections, which new ones may use.
  private(set) var sets = SelectionSets()
  /// The number of changes, which distinguishes scenes of different selections.
  private(set) var version = 0

  /// The text of the current selection; empty for none.
  var text: String { shown?.text ?? "" }

  /// Shows a selection; clears it for a blank text.
  mutating func show(_ text: String) throws(SelectionError) {
    if text.allSatisfy(\.isWhitespace) { return clear() }
    shown = try Selection(text, sets: sets)
    version += 1
  }

  mutating func clear() {
    if shown != nil { version += 1 }
    shown = nil
  }

  /// Stores the current selection under a name.
  mutating func keep(as name: String) throws(SelectionError) { try sets.define(name, as: text) }

  /// Restores the selections of an earlier run; those that can no longer be read are dropped.
  mutating func restore(text: String, sets definitions: [String]) {
    for definition in definitions { try? sets.define(definition) }
    try? show(text)
  }

  /// The texts of the named selections, for the next run.
  var definitions: [String] { sets.definitions.map { "\($0.name)=\($0.text)" } }
}
