import PluginAPI
import PluginText

/// An entity as stored: everything that the server ever reported of it.
///
/// nil means that no response reported it yet; "" that it is known to be empty.
struct Entity: Sendable, Hashable {
  var permID: String
  /// The server's reference to the entity, byte for byte; nil if none was received.
  var refcon: String?
  var category = ""
  var summaryHeader = ""
  var summary = ""
  var identifier: String?
  var properties: [Property]?
  var images: [EntityImage]?
  /// The number of entities listed below it; nil if its children are unknown.
  var childCount: Int?
  var flags: EntityFlags = []
  /// The time of the server's last report about it.
  var updatedAt: Instant?

  /// The heading for people: its header, else its id.
  var title: String { summaryHeader.isEmpty ? permID : summaryHeader }
}

/// Flags of an entity.
struct EntityFlags: OptionSet, Sendable, Hashable {
  let rawValue: Int

  /// An entity of which only the id is known: another entity lists it as a child.
  static let notLoaded = EntityFlags(rawValue: 1)
  /// An entity that is listed under its category on the first screen.
  static let rootLevel = EntityFlags(rawValue: 2)
  /// A navigation entity: one of the rows of NAVIGATION or CATEGORIES, or the top of a mapping.
  static let navigation = EntityFlags(rawValue: 4)
  /// An entity whose last CHILDREN cell was unreadable; the children shown are those received before.
  static let childrenUnreadable = EntityFlags(rawValue: 8)
  /// An entity that the server was asked for and did not return; it may have been deleted.
  static let missingOnServer = EntityFlags(rawValue: 16)
  /// An entity whose details were requested and received.
  static let detailed = EntityFlags(rawValue: 32)

  /// The name of each flag in commands and exports.
  static let named: [(name: String, flag: EntityFlags)] = [
    ("notLoaded", .notLoaded), ("root", .rootLevel), ("navigation", .navigation),
    ("childrenUnreadable", .childrenUnreadable), ("missingOnServer", .missingOnServer), ("detailed", .detailed),
  ]

  /// The names of the flags that are set.
  var names: [String] { Self.named.filter { contains($0.flag) }.map(\.name) }
}

extension EntityFlags: ReadableField {
  static var schema: ValueSchema { .list(.choice(named.map(\.name))) }
  var fieldValue: Value { .list(names.map(Value.text)) }

  static func read(_ value: Value) -> EntityFlags? {
    value.list.map { names in EntityFlags(named.filter { names.contains(.text($0.name)) }.map(\.flag)) }
  }
  /// Returns the flags; none if they are missing.
  static func content(of value: Value) -> EntityFlags { read(value) ?? [] }
}

/// An entity with the data around it, as commands emit it and exports write it.
struct EntityFamily: Model {
  /// An image and its bytes.
  struct Image: Sendable {
    var image: EntityImage
    /// The bytes; nil if they are unavailable or not part of the output.
    var bytes: [UInt8]?
  }

  var entity: Entity
  /// The ids of the entities listed below it, in list order; nil if they are unknown.
  var children: PackedTexts?
  /// The distance from the entity that an export begins with, which has depth 0.
  var depth = 0
  /// The titles of the children in exported pages; children beyond its end are titled by their ids.
  var childTitles: [String] = []
  /// The images in exports; nil if its details are not loaded.
  var images: [Image]?

  static let typeName = OpenBISValueType.entity
  static let fields = EntityColumn.fields(of: .commands)

  /// The flags in JSON exports; nil for none.
  var exportedState: EntityFlags? { entity.flags.names.isEmpty ? nil : entity.flags }
}

extension EntityFamily.Image: FieldValue {
  static var schema: ValueSchema { .map(.text) }

  /// The image as JSON exports write it: only what is known of it.
  var fieldValue: Value {
    var record: Record = ["role": .text(image.role.rawValue)]
    if !image.format.isEmpty { record["format"] = .text(image.format) }
    switch image.source {
    case .address(let address): record["address"] = .text(address)
    case .stored(let hash): record["sha256"] = .text(hash)
    case .bytes(let bytes): record["base64"] = .text(Base64.text(bytes))
    case .unusable(let reason): record["reason"] = .text(reason)
    }
    return .record(record)
  }
}

/// An entity as lists show it.
struct EntitySummary: Sendable, Hashable {
  var permID: String
  var category: String
  var summaryHeader: String
  var summary: String
  /// The number of entities listed below it; nil if its children are unknown.
  var childCount: Int?
  var flags: EntityFlags

  /// The line shown to people: its header, else its id.
  var title: String { summaryHeader.isEmpty ? permID : summaryHeader }
}

/// An entity as the lists of ids show it, which complete arguments.
struct ListedEntity: Model, Hashable {
  var summary: EntitySummary

  static let typeName = "openbis.listed-entity"
  static let fields = Fields<ListedEntity> {
    Field("permId", \.summary.permID, "Permanent id of the entity", heading: "PERM_ID")
    Field(
      "code", { Refcon.object(of: $0.summary.permID)?.permID },
      "Code of the space or data set, permId of any other object; null for groups, files and entities of tables",
      heading: "Code")
    Field("category", \.summary.category, "Category by which it is grouped; empty for none", heading: "Category")
    Field("title", \.summary.title, "First line in lists", heading: "Title")
  }
}

/// The reference by which a server identifies an entity.
struct EntityReference: Sendable, Hashable {
  var permID: String
  /// The text of the last REFCON; "" if there was none.
  var refcon: String
}

/// Some rows of a list, and the length of the list.
struct EntityPage: Sendable, Hashable {
  var rows: [EntitySummary] = []
  var total = 0
}

/// The source of a list's rows.
enum EntityListSource: Sendable, Equatable {
  /// The first screen: the server's navigation, followed by the other roots if all of the navigation are roots.
  case top
  /// The children of an entity.
  case children(String)
  /// The roots of a navigation entity with unknown children: those whose category is its label or its id.
  case category(String, label: String)

  /// Creates the source of the list below an entity.
  init(below entity: EntitySummary) {
    let isCategory = entity.flags.contains(.navigation) && entity.childCount == nil
    self = isCategory ? .category(entity.permID, label: entity.summaryHeader) : .children(entity.permID)
  }
}

/// The results of a search in the cached entities.
struct FoundEntities: Sendable, Hashable {
  /// The entities in list order, at most as many as requested.
  var rows: [EntitySummary] = []
  /// A Boolean value indicating whether there are more than requested.
  var hasMore = false
  /// The number of entities that are not indexed yet and were not searched; more may be found later.
  var notIndexed = 0
}

/// The results of a search, as ids alone.
struct FoundIDs: Sendable, Hashable {
  /// The ids in list order, at most as many as requested.
  var ids = PackedTexts()
  /// A Boolean value indicating whether there are more than requested.
  var hasMore = false
  /// The number of entities that are not indexed yet and were not searched; more may be found later.
  var notIndexed = 0
}

/// The numbers of cached entities of an account.
struct EntityCounts: Sendable, Hashable {
  /// The number of entities of which more than the id is known.
  var entities = 0
  /// The number of entities of which only the id is known.
  var notLoaded = 0
  /// The number of entities listed on the first screen.
  var roots = 0
  var navigation = 0
  var images = 0
  var imageBytes = 0
}

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

/// The type names of values of this plugin that have text renderers.
enum OpenBISValueType {
  static let account = "openbis.account"
  static let entity = "openbis.entity"
  static let entities = "openbis.entities"
  static let export = "openbis.export"
  static let mapping = "openbis.mapping"
  static let sync = "openbis.sync"
  static let tree = "openbis.tree"
}
