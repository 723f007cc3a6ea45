import PluginAPI

/// A previously visited pathway as it was left.
@MainActor struct PathwayVisit {
  /// The word that identifies it in commands.
  let word: String
  /// Its heading.
  let title: String
  let content: PathwayContent
  /// Its network and controllers as they were left; nil if the visit is so old that it must be reopened.
  fileprivate(set) var area: ContentArea?

  init(_ area: ContentArea) {
    (word, title, content) = (area.network.word, area.network.title, area.shown)
    self.area = area
  }
}

/// The history of visited pathways, the latest last.
///
/// The latest are kept as they were left, so following a link loses no observations, overlays or moved nodes. For older
/// ones only the name is remembered.
@MainActor struct PathwayVisits {
  /// The maximum number of visits kept: users may follow cycles of links indefinitely.
  private static let most = 200
  /// The maximum number of visits kept whole: a large network has some ten megabytes of pictures.
  private static let mostWhole = 8

  private var visits: [PathwayVisit] = []

  var last: PathwayVisit? { visits.last }

  /// Adds a pathway that is left.
  ///
  /// - Returns: The effects that cancel the work of a visit too old to be kept whole.
  mutating func append(_ visit: PathwayVisit) -> [Effect] {
    visits.append(visit)
    visits.removeFirst(max(0, visits.count - Self.most))
    let index = visits.count - 1 - Self.mostWhole
    guard visits.indices.contains(index), let area = visits[index].area else { return [] }
    visits[index].area = nil
    return area.pause()
  }

  mutating func removeLast() { if !visits.isEmpty { visits.removeLast() } }
}

/// The persistent state of the pathway screen: the last word shown, and the view of each pathway.
struct PathwayState: Sendable {
  /// The pathway or file shown last; nil if there was none.
  var word: String?
  var content = PathwayContent.graph
  /// The last view of each pathway, the latest last.
  private(set) var places: [(word: String, place: GraphPlace)] = []

  /// The maximum number of views remembered.
  private static let mostPlaces = 40

  init() {}

  /// Reads a state; nil if the bytes do not encode one.
  init?(_ bytes: [UInt8]) {
    guard let value = try? Value(decoding: bytes), value.record != nil else { return nil }
    word = value["word"].text
    content = value["content"].text.flatMap(PathwayContent.init(rawValue:)) ?? .graph
    places = (value["places"].list ?? []).suffix(Self.mostPlaces).compactMap { entry in
      entry["word"].text.map { ($0, GraphPlace(entry["place"])) }
    }
  }

  /// Returns the last view of a pathway.
  func place(of word: String) -> GraphPlace? { places.first { Identifier($0.word) == Identifier(word) }?.place }

  /// Remembers the view of a pathway.
  mutating func keep(_ place: GraphPlace, of word: String) {
    places.removeAll { Identifier($0.word) == Identifier(word) }
    places.append((word, place))
    places.removeFirst(max(0, places.count - Self.mostPlaces))
  }

  /// The encoded state.
  var bytes: [UInt8] {
    var record: Record = ["content": .text(content.rawValue)]
    if let word { record["word"] = .text(word) }
    record["places"] = .list(places.map { ["word": .text($0.word), "place": $0.place.value] })
    return Value.record(record).encoded()
  }
}
