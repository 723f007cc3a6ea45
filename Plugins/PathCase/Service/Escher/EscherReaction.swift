/// A reaction of an Escher file.
struct EscherReaction {
  /// A segment between two nodes of the file.
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
  /// The metabolites, each once.
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

  /// Adds a metabolite, consumed if the coefficient is below 0; clones of a listed one add nothing.
  mutating func add(_ id: Identifier, _ coefficient: Double) {
    if listed.insert(id).inserted { participants.append((id, coefficient)) }
  }

  /// Returns whether there is a segment between two nodes.
  func has(_ from: String, _ to: String) -> Bool { ends.contains([from, to]) }

  /// Returns the marker at a position; nil if there is none yet.
  func marker(at place: FrozenPath.Point) -> String? { markers[place] }

  /// Adds a marker; returns false if there was one already.
  mutating func note(_ id: String, at place: FrozenPath.Point) -> Bool {
    markers.updateValue(id, forKey: place) == nil
  }
}
