/// A reaction as an Escher file has it.
struct EscherReaction {
  /// A piece of a way between two nodes of the file.
  struct Segment {
    var id: String
    var from: String
    var to: String
    var curve: GraphCurve
  }

  var key: String
  var midmarker: String
  var node: GraphNode
  var isReversible = false
  /// Each metabolite once.
  private(set) var participants: [(id: Identifier, coefficient: Double)] = []
  var segments: [Segment] = [] {
    didSet { if let last = segments.last { ends.insert([last.from, last.to]) } }
  }
  private var listed: Set<Identifier> = []
  private var ends: Set<[String]> = []
  private var markers: [FrozenPath.Point: String] = [:]

  init(key: String, midmarker: String, node: GraphNode) {
    self.key = key
    self.midmarker = midmarker
    self.node = node
  }

  /// Adds a metabolite, used up if below 0; clones of a listed one add nothing.
  mutating func add(_ id: Identifier, _ coefficient: Double) {
    if listed.insert(id).inserted { participants.append((id, coefficient)) }
  }

  /// Whether there is a segment between two nodes.
  func has(_ from: String, _ to: String) -> Bool { ends.contains([from, to]) }

  /// The marker at a place; nil if there is none yet.
  func marker(at place: FrozenPath.Point) -> String? { markers[place] }

  /// Notes a marker; false if it was there already.
  mutating func note(_ id: String, at place: FrozenPath.Point) -> Bool {
    markers.updateValue(id, forKey: place) == nil
  }
}
