import PluginText

/// What entities are called where people read of them.
enum EntityTitle {
  /// A child of which only the id is known.
  static func notLoaded(_ permID: String) -> String { "(not loaded) " + SanitizedText.line(permID) }

  /// The line of an entity in lists: its header, else its id.
  static func line(_ summary: EntitySummary) -> String {
    summary.flags.contains(.notLoaded) ? notLoaded(summary.permID) : SanitizedText.line(summary.title)
  }

  /// The heading of an entity's details.
  static func heading(_ entity: Entity) -> String {
    entity.flags.contains(.notLoaded) ? notLoaded(entity.permID) : SanitizedText.line(entity.title)
  }

  /// What is said of an entity whose flags tell that something is not as usual; "" for nothing.
  static func mark(_ flags: EntityFlags) -> String {
    var marks: [String] = []
    // Servers have no details of navigation entities: saying nothing of them means nothing.
    if flags.contains(.missingOnServer), !flags.contains(.navigation) { marks.append("maybe deleted") }
    if flags.contains(.childrenUnreadable) { marks.append("children unreadable") }
    return marks.joined(separator: ", ")
  }
}
