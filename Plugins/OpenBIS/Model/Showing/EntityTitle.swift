import PluginText

/// The titles of entities for people.
enum EntityTitle {
  /// Returns the title of a child of which only the id is known.
  static func notLoaded(_ permID: String) -> String { "(not loaded) " + SanitizedText.line(permID) }

  /// Returns the line of an entity in lists: its header, else its id.
  static func line(_ summary: EntitySummary) -> String {
    summary.flags.contains(.notLoaded) ? notLoaded(summary.permID) : SanitizedText.line(summary.title)
  }

  /// Returns the heading of an entity's details.
  static func heading(_ entity: Entity) -> String {
    entity.flags.contains(.notLoaded) ? notLoaded(entity.permID) : SanitizedText.line(entity.title)
  }

  /// Returns a mark for an entity with unusual flags; "" for none.
  static func mark(_ flags: EntityFlags) -> String {
    var marks: [String] = []
    // Servers have no details of navigation entities, so a missing response says nothing about them.
    if flags.contains(.missingOnServer), !flags.contains(.navigation) { marks.append("maybe deleted") }
    if flags.contains(.childrenUnreadable) { marks.append("children unreadable") }
    return marks.joined(separator: ", ")
  }
}
