import PluginAPI

/// What the pathway screen keeps from one run to the next: what was shown, and where in each pathway one was.
struct PathwayState: Sendable {
  /// The pathway or file shown last; nil if there was none.
  var word: String?
  var content = PathwayContent.graph
  /// Where one was, the last one last.
  private(set) var places: [(word: String, place: GraphPlace)] = []

  /// The place of no more pathways is remembered.
  private static let mostPlaces = 40

  init() {}

  /// Reads a state; nil if the bytes are none.
  init?(_ bytes: [UInt8]) {
    guard let value = try? Value(decoding: bytes), value.record != nil else { return nil }
    word = value["word"].text
    content = value["content"].text.flatMap(PathwayContent.init(rawValue:)) ?? .graph
    places = (value["places"].list ?? []).suffix(Self.mostPlaces).compactMap { entry in
      entry["word"].text.map { ($0, GraphPlace(entry["place"])) }
    }
  }

  /// Where one was in a pathway.
  func place(of word: String) -> GraphPlace? { places.first { Identifier($0.word) == Identifier(word) }?.place }

  /// Remembers where one was in a pathway.
  mutating func keep(_ place: GraphPlace, of word: String) {
    places.removeAll { Identifier($0.word) == Identifier(word) }
    places.append((word, place))
    places.removeFirst(max(0, places.count - Self.mostPlaces))
  }

  /// The state as bytes.
  var bytes: [UInt8] {
    var record: Record = ["content": .text(content.rawValue)]
    if let word { record["word"] = .text(word) }
    record["places"] = .list(places.map { ["word": .text($0.word), "place": $0.place.value] })
    return Value.record(record).encoded()
  }
}
