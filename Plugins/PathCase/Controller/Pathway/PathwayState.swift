import PluginAPI

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
