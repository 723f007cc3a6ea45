import PluginAPI

/// An entity as it is kept: all that was ever said of it.
///
/// nil means that no answer said it yet; "" that it is known to be empty.
struct Entity: Sendable, Hashable {
  var permID: String
  /// The server's own words, byte for byte; nil if none came.
  var refcon: String?
  var category = ""
  var summaryHeader = ""
  var summary = ""
  var identifier: String?
  var properties: [Property]?
  var images: [EntityImage]?
  /// How many entities are listed below it; nil if nothing was said of children yet.
  var childCount: Int?
  var flags: EntityFlags = []
  /// When a server last spoke of it.
  var updatedAt: Instant?

  /// The heading people read: its header, else its id.
  var title: String { summaryHeader.isEmpty ? permID : summaryHeader }
}

/// What holds of an entity.
struct EntityFlags: OptionSet, Sendable, Hashable {
  let rawValue: Int

  /// Only its id is known: some other entity lists it as its child.
  static let notLoaded = EntityFlags(rawValue: 1)
  /// Listed under its category on the first screen.
  static let rootLevel = EntityFlags(rawValue: 2)
  /// A navigation entity: one of the rows of NAVIGATION or CATEGORIES, or the top of a mapping.
  static let navigation = EntityFlags(rawValue: 4)
  /// Its last CHILDREN cell could not be read; the children shown are those before.
  static let childrenUnreadable = EntityFlags(rawValue: 8)
  /// The server was asked for it and said nothing: it may have been deleted.
  static let missingOnServer = EntityFlags(rawValue: 16)
  /// Its details were asked for and came.
  static let detailed = EntityFlags(rawValue: 32)

  /// What each is called by commands and in exports.
  static let named: [(name: String, flag: EntityFlags)] = [
    ("notLoaded", .notLoaded), ("root", .rootLevel), ("navigation", .navigation),
    ("childrenUnreadable", .childrenUnreadable), ("missingOnServer", .missingOnServer), ("detailed", .detailed),
  ]

  /// The names of those that are set.
  var names: [String] { Self.named.filter { contains($0.flag) }.map(\.name) }
}

/// An entity as lists show it.
struct EntitySummary: Sendable, Hashable {
  var permID: String
  var category: String
  var summaryHeader: String
  var summary: String
  /// nil if nothing was said of children yet.
  var childCount: Int?
  var flags: EntityFlags

  /// The line people read: its header, else its id.
  var title: String { summaryHeader.isEmpty ? permID : summaryHeader }
}

/// What is sent to a server to name an entity.
struct EntityReference: Sendable, Hashable {
  var permID: String
  /// The text of the last REFCON; "" if there was none.
  var refcon: String
}
