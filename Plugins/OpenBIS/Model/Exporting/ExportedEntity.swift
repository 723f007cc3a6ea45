/// An entity with what an export says of it.
struct ExportedEntity: Sendable, Hashable {
  /// An image, where its bytes are, and the bytes if the export shall hold them.
  struct Image: Sendable, Hashable {
    var image: EntityImage
    /// The bytes; nil where they are not at hand.
    var bytes: [UInt8]?
  }

  var entity: Entity
  /// 0 for the entity the export begins with.
  var depth = 0
  /// The ids of its children, in the order of lists.
  var children = PackedTexts()
  /// What the children are called, in the same order; ids stand for those beyond its end.
  var childTitles: [String] = []
  var images: [Image] = []

  /// Creates an entity without children and images.
  init(_ entity: Entity) {
    self.entity = entity
  }
}

/// Writes entities one after the other, so that an export of any size takes the memory of one entity.
protocol EntityExport {
  /// What stands before the first entity.
  mutating func begin() -> [UInt8]

  /// The bytes of the next entity.
  mutating func add(_ exported: ExportedEntity) -> [UInt8]

  /// What stands behind the last entity.
  mutating func end() -> [UInt8]
}

/// What an export is of.
struct ExportOrigin: Sendable, Hashable {
  /// The entity it begins with.
  var root: String
  /// What that is called.
  var title: String
  /// The server it came from.
  var server: String
  /// When it was made, ISO 8601.
  var madeAt: String
}
