import PluginAPI

/// The oddities found while reading a table.
struct TableNotes: Sendable, Hashable {
  /// The number of rows used.
  var rows = 0
  var rowsOfOtherLength = 0
  var rowsWithoutID = 0
  var repeatedTitles: [String] = []
  var unreadableChildren = 0
  var droppedChildren = 0
  var unreadableProperties = 0
  var unreadableImages = 0

  /// The number of rows not used.
  var skippedRows: Int { rowsOfOtherLength + rowsWithoutID }

  /// Counts the oddities of a CHILDREN cell.
  mutating func take(_ children: EntityRow.Children, dropped: Int) {
    if case .unreadable = children { unreadableChildren += 1 }
    droppedChildren += dropped
  }

  /// Returns the notes as warnings, one of each kind.
  ///
  /// - Parameter place: The call to which the table responds.
  func warnings(_ place: String) -> [Diagnostic] {
    var all = repeatedTitles.map { title in
      Diagnostic(
        .warning, code: "openbis.column-twice", "\(place) has the column '\(title)' twice; the first one is used")
    }
    func add(_ count: Int, _ code: String, _ what: String) {
      if count > 0 { all.append(Diagnostic(.warning, code: "openbis." + code, "\(place) has \(count) \(what)")) }
    }
    add(rowsOfOtherLength, "row-skipped", "rows with more or fewer cells than columns; they are left out")
    add(rowsWithoutID, "row-skipped", "rows without PERM_ID; they are left out")
    add(unreadableChildren, "children-unreadable", "rows whose CHILDREN cannot be read; what was known stays")
    add(droppedChildren, "children-dropped", "children that are no ids; they are left out")
    add(unreadableProperties, "properties-unreadable", "rows whose PROPERTIES cannot be read; what was known stays")
    add(unreadableImages, "images-unreadable", "rows whose IMAGES cannot be read; what was known stays")
    return all
  }

  /// The stable error codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("openbis.column-twice", "a table has a column twice; the first one is used"),
    .init("openbis.row-skipped", "a row of a table has no id or another number of cells and is left out"),
    .init("openbis.children-unreadable", "a list of children is no JSON list; the children known before stay"),
    .init("openbis.children-dropped", "a list of children has elements that are no ids; they are left out"),
    .init("openbis.properties-unreadable", "the properties of a row are no JSON; those known before stay"),
    .init("openbis.images-unreadable", "the images of a row are no JSON; those known before stay"),
    .init("openbis.text-replaced", "a text has one half of a surrogate pair; U+FFFD takes its place"),
  ]
}
