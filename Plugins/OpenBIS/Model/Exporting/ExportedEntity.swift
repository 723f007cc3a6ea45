/// An entity with its exported data.
struct ExportedEntity: Sendable, Hashable {
  /// An image, the location of its bytes, and the bytes themselves if the export includes them.
  struct Image: Sendable, Hashable {
    var image: EntityImage
    /// The bytes; nil if they are unavailable.
    var bytes: [UInt8]?
  }

  var entity: Entity
  /// The distance from the entity the export begins with, which has depth 0.
  var depth = 0
  /// The ids of its children, in list order.
  var children = PackedTexts()
  /// The titles of the children, in the same order; children beyond its end are titled by their ids.
  var childTitles: [String] = []
  var images: [Image] = []

  /// Creates an entity without children and images.
  init(_ entity: Entity) {
    self.entity = entity
  }
}

/// A writer of entities one after the other, so that an export of any size takes the memory of one entity.
protocol EntityExport {
  /// Returns the bytes before the first entity.
  mutating func begin() -> [UInt8]

  /// Returns the bytes of the next entity.
  mutating func add(_ exported: ExportedEntity) -> [UInt8]

  /// Returns the bytes after the last entity.
  mutating func end() -> [UInt8]
}

/// The origin of an export.
struct ExportOrigin: Sendable, Hashable {
  /// The entity it begins with.
  var root: String
  /// The title of that entity.
  var title: String
  /// The server it came from.
  var server: String
  /// The time of the export, in ISO 8601.
  var madeAt: String
}
