/// What a server says of one entity in one answer: columns that the answer does not have are nil and change nothing.
///
/// - Source: the app's readme, section "iPad Data Model"; the column names stand there.
struct EntityRow: Sendable, Hashable {
  /// PERM_ID: names the entity for ever; opaque, compared byte by byte, never empty.
  var permID: String
  /// REFCON: the server's own words, as text; sent back unchanged.
  var refcon: String?
  /// CATEGORY: by which entities are grouped in lists.
  var category: String?
  /// SUMMARY_HEADER: first line in lists, heading of details.
  var summaryHeader: String?
  /// SUMMARY: second line in lists.
  var summary: String?
  /// IDENTIFIER: shown in details.
  var identifier: String?
  /// CHILDREN: the ids the entity lists below it, in the server's order.
  var children: Children?
  /// The ids of entities below which this one is to be listed, told by itself; a V3 server says so, tables never do.
  var parents: PackedTexts?
  /// PROPERTIES, in the server's order.
  var properties: [Property]?
  /// IMAGES, or the older IMAGE_URL.
  var images: [EntityImage]?
  /// ROOT_LEVEL: whether it is listed under its category on the first screen.
  ///
  /// "false" and "0" mean no here, which is not what the app did: any text meant yes.
  var isRootLevel: Bool?
  /// The object of V3 it was made of; nil for tables, groups and files.
  var object: ObjectStamp?
  /// DELETED: the server has it no more; all other columns mean nothing then.
  var isDeleted = false

  /// What a CHILDREN cell says.
  enum Children: Sendable, Hashable {
    /// These ids; elements of the cell that were no ids are left out.
    case ids(PackedTexts)
    /// The cell could not be read: what was known before stays, and the entity is marked.
    case unreadable
  }

  /// Creates a row that says nothing but the id.
  init(_ permID: String) {
    self.permID = permID
  }
}

/// The kind and state of an object of V3, by which a cache is compared with its server.
struct ObjectStamp: Sendable, Hashable {
  var kind: NativeKind
  /// The time of its last change, in milliseconds since 1970; 0 if the server did not say.
  var modifiedAt: Int
}

/// A property of an entity.
struct Property: Sendable, Hashable {
  /// The server's name for it.
  var key: String
  /// What people read.
  var label: String
  /// The value as text, with several lines, HTML, of any size; "" for nothing.
  var value: String
}

/// An image of an entity.
struct EntityImage: Sendable, Hashable {
  /// Where it is shown.
  enum Role: String, Sendable, Hashable, CaseIterable {
    /// In a prominent place; at most one.
    case marquee
    /// In a tiled display.
    case tiled
  }

  /// Where its bytes are.
  enum Source: Sendable, Hashable {
    /// At an address, as the server wrote it: maybe relative to the server, maybe of a foreign host.
    case address(String)
    /// They came with the row.
    case bytes([UInt8])
    /// In the store, under this SHA-256 in hexadecimal digits. Never in a row from a server.
    case stored(String)
    /// Nowhere: the specification cannot be used, for this reason.
    case unusable(String)
  }

  var role: Role
  var source: Source
  /// The format the server named, such as `PNG`, "" for none; what the bytes say decides.
  var format: String = ""
}
