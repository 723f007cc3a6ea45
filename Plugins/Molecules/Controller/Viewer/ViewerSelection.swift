/// What is selected on the screen, and the selections kept by name.
struct ViewerSelection: Equatable {
  /// The selection shown; nil for none.
  private(set) var shown: Selection?
  /// The named selections, which new ones may use.
  private(set) var sets = SelectionSets()
  /// Counts the changes, so that scenes of different selections are told apart.
  private(set) var version = 0

  /// The text of the selection shown; empty for none.
  var text: String { shown?.text ?? "" }

  /// Shows a selection; nothing for a text of blanks.
  mutating func show(_ text: String) throws(SelectionError) {
    if text.allSatisfy(\.isWhitespace) { return clear() }
    shown = try Selection(text, sets: sets)
    version += 1
  }

  mutating func clear() {
    if shown != nil { version += 1 }
    shown = nil
  }

  /// Keeps the selection shown under a name.
  mutating func keep(as name: String) throws(SelectionError) { try sets.define(name, as: text) }

  /// Takes back what was kept of an earlier run; what cannot be read any more is left out.
  mutating func restore(text: String, sets definitions: [String]) {
    for definition in definitions { try? sets.define(definition) }
    try? show(text)
  }

  /// The named selections as they are written, for the next run.
  var definitions: [String] { sets.definitions.map { "\($0.name)=\($0.text)" } }
}
