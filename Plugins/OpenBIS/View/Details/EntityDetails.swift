import PluginAPI
import PluginText

/// What the details of an entity show.
struct EntityDetails: Sendable, Equatable {
  /// An image: the picture once it is there, else why not.
  struct Shown: Sendable, Equatable {
    var role: EntityImage.Role
    var picture: Picture?
    /// What stands in its place while there is no picture.
    var note: String
    /// Whether it can be fetched.
    var isFetched: Bool
  }

  /// A property: what it is called and its text.
  struct Row: Sendable, Equatable {
    var label: String
    var value: ShownValue
  }

  var entity: Entity
  var rows: [Row] = []
  var images: [Shown] = []
  /// The entities that list it, as far as they are known.
  var parents: [EntitySummary] = []

  /// What stands for an image that was not asked for yet.
  static let waitingNote = "image not loaded yet"

  /// No more images are shown; the rest is counted.
  static let mostImages = 200

  /// Makes the texts of an entity; heavy for large values, so not for the event loop.
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

  /// Images in the order commands count them: the prominent one first.
  private static func ordered(_ images: [EntityImage]) -> [EntityImage] {
    images.filter { $0.role == .marquee } + images.filter { $0.role != .marquee }
  }

  /// What can be selected, in order from above.
  var places: [Place] {
    var places: [Place] = []
    if let marquee = images.firstIndex(where: { $0.role == .marquee }) { places.append(.image(marquee)) }
    places += rows.indices.map(Place.property)
    places += images.indices.filter { images[$0].role == .tiled }.map(Place.image)
    if (entity.childCount ?? 0) > 0 { places.append(.children) }
    places += parents.indices.map(Place.parent)
    return places
  }

  /// Something of an entity that can be selected.
  enum Place: Sendable, Hashable {
    /// An image by its number.
    case image(Int)
    /// A property by its number.
    case property(Int)
    case children
    /// A parent by its number.
    case parent(Int)

    /// Names the place in outlines and actions.
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
