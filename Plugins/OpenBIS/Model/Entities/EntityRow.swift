import PluginAPI

/// The data of one entity in one response; columns missing in the response are nil and change nothing.
///
/// - Source: the app's readme, section "iPad Data Model"; it lists the column names.
struct EntityRow: Sendable, Hashable {
  /// PERM_ID: identifies the entity permanently; opaque, compared byte by byte, never empty.
  var permID: String
  /// REFCON: the server's own reference, as text; sent back unchanged.
  var refcon: String?
  /// CATEGORY: the group of the entity in lists.
  var category: String?
  /// SUMMARY_HEADER: first line in lists, heading of details.
  var summaryHeader: String?
  /// SUMMARY: second line in lists.
  var summary: String?
  /// IDENTIFIER: shown in details.
  var identifier: String?
  /// CHILDREN: the ids of the entities listed below it, in the server's order.
  var children: Children?
  /// The ids of entities that list this one, reported by the child itself; from V3 servers only, never from tables.
  var parents: PackedTexts?
  /// PROPERTIES, in the server's order.
  var properties: [Property]?
  /// IMAGES, or the older IMAGE_URL.
  var images: [EntityImage]?
  /// ROOT_LEVEL: true if it is listed under its category on the first screen.
  ///
  /// "false" and "0" mean false here; in the app any text meant true.
  var isRootLevel: Bool?
  /// The V3 object it was made from; nil for tables, groups and files.
  var object: ObjectStamp?
  /// DELETED: the server no longer has the entity; all other columns are meaningless then.
  var isDeleted = false

  /// The content of a CHILDREN cell.
  enum Children: Sendable, Hashable {
    /// These ids; elements of the cell that are not ids are left out.
    case ids(PackedTexts)
    /// An unreadable cell: the children known before are kept, and the entity is flagged.
    case unreadable
  }

  /// Creates a row with the id only.
  init(_ permID: String) {
    self.permID = permID
  }
}

/// The kind and state of a V3 object, for comparing a cache with its server.
struct ObjectStamp: Sendable, Hashable {
  var kind: NativeKind
  /// The time of its last change, in milliseconds since 1970; 0 if unknown.
  var modifiedAt: Int
}

/// A property of an entity.
struct Property: Model, Hashable {
  /// The server's name of the property.
  var key: String
  /// The name shown to people.
  var label: String
  /// The value as text, possibly of several lines, HTML, and of any size; "" if empty.
  var value: String

  /// The id of the entity that the value names, as the value of a SAMPLE property does; nil if it names none.
  var linkedID: String? {
    guard value.utf8.count < 100, !value.contains(where: \.isWhitespace) else { return nil }
    return Refcon.object(of: value) == nil ? nil : value
  }

  static let typeName = "openbis.property"
  static let fields = Fields<Property> {
    Field("key", \.key, "Name that the server uses")
    Field("label", \.label, "Label for people")
    Field("value", \.value as any KeyPath<Property, String> & Sendable, "Value as text; HTML is unchanged")
  }
}

/// An image of an entity.
struct EntityImage: Model, Hashable {
  /// The part of the display that shows the image.
  enum Role: String, Sendable, Hashable, CaseIterable, FieldValue {
    /// A prominent position; at most one image.
    case marquee
    /// A tiled display.
    case tiled
  }

  /// The location of the image's bytes.
  enum Source: Sendable, Hashable {
    /// An address as the server wrote it: possibly relative to the server, possibly of a foreign host.
    case address(String)
    /// Bytes included in the row.
    case bytes([UInt8])
    /// An image in the store, by its SHA-256 in hexadecimal digits. Never in a row from a server.
    case stored(String)
    /// A specification that cannot be used, with the reason.
    case unusable(String)
  }

  var role: Role
  var source: Source
  /// The format named by the server, such as `PNG`, or "" for none; the bytes decide.
  var format: String = ""

  static let typeName = "openbis.image"
  static let fields = Fields<EntityImage> {
    Field("role", \.role, "Use of the image: main image or tile")
    Field("address", \.address, "Address as the server wrote it; null if the server sent the bytes")
    Field("sha256", \.digest, "SHA-256 of bytes that the server sent, in hexadecimal digits")
    Field("problem", \.problem, "Reason why it cannot be shown; null if it can")
  }

  var address: String? { if case .address(let text) = source { text } else { nil } }
  private var digest: String? { if case .stored(let digest) = source { digest } else { nil } }
  var problem: String? {
    switch source {
    case .unusable(let reason): reason
    case .bytes: "its bytes are not stored"
    case .address, .stored: nil
    }
  }
}

extension [EntityImage] {
  /// The images with the prominent one first, and the others in their order.
  var inOrder: [EntityImage] { filter { $0.role == .marquee } + filter { $0.role != .marquee } }
}

/// The kind of a request, which determines the meaning of its rows beyond their columns.
enum ResponseKind: Sendable, Hashable {
  /// The navigation entities: those missing in the rows are no longer navigation, unless there are no rows at all.
  case navigation
  /// The roots of a navigation entity that changed since a time; nil for those of all navigation entities.
  case roots(of: String?)
  /// The children of an entity.
  case drill(of: String)
  /// All of these entities; one missing in the rows is marked as missing on the server, unless it is a category.
  case details(of: [String])
  /// The results of a search on the server.
  case search
  /// V3 objects.
  case objects
}

/// The rows of one response, streamed while the response arrives.
///
/// The producer runs ahead by a few batches at most and then waits, so that memory does not grow with the response.
protocol RowSource: Sendable {
  /// Waits for the next rows on the calling thread, which must not be one of Swift's; returns nil after the last rows.
  ///
  /// - Throws: The error that broke the response, all of which is discarded then; `CancellationError` soon after a
  ///   cancellation.
  func next() throws -> [EntityRow]?
}

/// The changes that a response made to the cached entities.
struct AppliedRows: Sendable, Hashable {
  /// The number of entities that were unknown before, or known by id only.
  var added = 0
  /// The number of entities that changed, including changes of their children.
  var changed = 0
  var unchanged = 0
  /// The number of entities that the server reported as deleted.
  var removed = 0
  /// The number of deletions of unknown entities.
  var ignoredDeletions = 0
  /// The number of navigation entities that were deleted or are no longer listed.
  var lostNavigation = 0
  /// True if the list of the requested category changed without the rows of the entities concerned.
  var lacksRows = false
  /// The ids of entities whose details were requested but not returned.
  var missing: [String] = []
  var warnings: [Diagnostic] = []

  /// The number of rows applied.
  var count: Int { added + changed + unchanged + removed + ignoredDeletions }
}
