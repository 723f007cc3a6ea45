import PluginAPI
import PluginText

/// The content of an entity's details.
struct EntityDetails: Sendable, Equatable {
  /// An image: the picture once it is fetched, else the reason for its absence.
  struct Shown: Sendable, Equatable {
    var role: EntityImage.Role
    var picture: Picture?
    /// The text shown while there is no picture.
    var note: String
    /// A Boolean value indicating whether it can be fetched.
    var isFetched: Bool
  }

  /// A property: its label and text.
  struct Row: Sendable, Equatable {
    var label: String
    var value: ShownValue
  }

  var entity: Entity
  var rows: [Row] = []
  var images: [Shown] = []
  /// The entities that list it, as far as they are known.
  var parents: [EntitySummary] = []

  /// The text shown for an image that was not requested yet.
  static let waitingNote = "image not loaded yet"

  /// The largest number of images shown; the others are only counted.
  static let mostImages = 200

  /// Creates the texts of an entity; expensive for large values, so not for the event loop.
  init(_ entity: Entity, parents: [EntitySummary] = []) {
    self.entity = entity
    self.parents = parents
    rows = (entity.properties ?? []).map { property in
      Row(
        label: SanitizedText.line(property.label.isEmpty ? property.key : property.label),
        value: ShownValue(property.value))
    }
    images = Self.ordered(entity.images ?? []).prefix(Self.mostImages).map { image in
      if case .unusable(let reason) = image.source {
        return Shown(role: image.role, note: "no image: " + SanitizedText.line(reason), isFetched: false)
      }
      return Shown(role: image.role, note: Self.waitingNote, isFetched: true)
    }
  }

  /// Returns images in the order in which commands count them: the prominent one first.
  private static func ordered(_ images: [EntityImage]) -> [EntityImage] {
    images.filter { $0.role == .marquee } + images.filter { $0.role != .marquee }
  }

  /// The items that can be selected, from top to bottom.
  var places: [Place] {
    var places: [Place] = []
    if let marquee = images.firstIndex(where: { $0.role == .marquee }) { places.append(.image(marquee)) }
    places += rows.indices.map(Place.property)
    places += images.indices.filter { images[$0].role == .tiled }.map(Place.image)
    if (entity.childCount ?? 0) > 0 { places.append(.children) }
    places += parents.indices.map(Place.parent)
    return places
  }

  /// An item of an entity that can be selected.
  enum Place: Sendable, Hashable {
    /// An image by its index.
    case image(Int)
    /// A property by its index.
    case property(Int)
    case children
    /// A parent by its index.
    case parent(Int)

    /// The id of the item in outlines and actions.
    var id: String {
      switch self {
      case .image(let index): "image \(index)"
      case .property(let index): "property \(index)"
      case .children: "children"
      case .parent(let index): "parent \(index)"
      }
    }
  }
}
