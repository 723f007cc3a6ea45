import PluginJSON

/// Reads an answer of V3 while it arrives, in one pass and without recursion, however deep it is nested.
///
/// Each element of the answer is handed over as soon as it is complete, the same object only once.
// It belongs to the thread of all transfers until the call returns, and to the caller afterwards.
final class GraphReader: RPCResultReader, @unchecked Sendable {
  /// What the answer is.
  enum Shape: Sendable {
    /// An object with `objects` and `totalCount`.
    case search
    /// An object whose values are the elements.
    case map
    /// A list of the elements.
    case list
    /// An object whose values are texts: the pairs of the only element.
    case texts
  }

  private enum Place: UInt8 {
    case object, list, elements, pairs, pairValues
  }

  private struct Level {
    var place: Place
    /// What the level belongs to: itself if it is an object.
    var node: ObjectGraph.Node
    /// Of a list its member; of an object the one whose value is next.
    var member: GraphMember = .none
    /// Whether the object has a number: only then are whole numbers references; maps have none.
    var hasID = false
  }

  /// The objects read so far.
  private(set) var graph = ObjectGraph()
  /// The number of all there are as the server says; nil if it says none.
  private(set) var totalCount: Int?
  let channel: RowChannel?

  private let shape: Shape
  private let onElement: (ObjectGraph, ObjectGraph.Node) throws -> Void
  private var level: Level?
  private var outer: [Level] = []
  private var given: Set<ObjectGraph.Node> = []
  private var hasReferences = false

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - shape: What the answer is.
  ///   - channel: Where rows go; the transfer pauses while it is full.
  ///   - onElement: Takes each element in order; on the thread of all transfers, so it never waits.
  init(
    _ shape: Shape, channel: RowChannel? = nil,
    _ onElement: @escaping (ObjectGraph, ObjectGraph.Node) throws -> Void = { _, _ in }
  ) {
    (self.shape, self.channel, self.onElement) = (shape, channel, onElement)
  }

  func take(_ event: JSONEvent) throws -> JSONFlow {
    switch event {
    case .key(let text): return takeKey(text)
    case .null: if level == nil { throw wrongTop("nothing") }
    case .text(let text): try take(text: text.bytes)
    case .number(let text): try take(number: text)
    case .bool(let flag): try take(flag: flag)
    case .beginObject: try beginObject()
    case .beginArray: try beginArray()
    case .endObject, .endArray: try end()
    case .raw: break
    }
    return .more
  }
}

// MARK: Values

extension GraphReader {
  private func takeKey(_ text: JSONText) -> JSONFlow {
    guard let place = level?.place else { return .more }
    if place == .object {
      let member = GraphMember(text)
      level?.member = member
      // What was fetched is told again with each object; only other fetch options refer to what is in there.
      return member == .fetchOptions ? .skip : .more
    }
    // Names such as '@type' are none of the map's own.
    if text.bytes.first == UInt8(ascii: "@") { return .skip }
    if place == .pairs, let node = level?.node { graph.add(text.bytes, .propertyKey, to: node) }
    return .more
  }

  private func take(text: UnsafeBufferPointer<UInt8>) throws {
    guard let level else { throw wrongTop("a text") }
    switch level.place {
    case .object, .list: if level.member != .none { graph.add(text, level.member, to: level.node) }
    case .pairs, .pairValues: graph.add(text, .propertyValue, to: level.node)
    case .elements: throw GraphError.otherShape(expected: "an object", found: "a text")
    }
  }

  private func take(number text: JSONText) throws {
    guard let level else { throw wrongTop("a number") }
    switch level.place {
    case .pairs, .pairValues: graph.add(text.bytes, .propertyValue, to: level.node)
    case .elements: try give(try node(text, "objects"))
    case .object where level.member == .id: try register(text)
    case .object, .list:
      if level.member.isRelation, level.hasID {
        graph.add(try node(text, level.member.name ?? ""), level.member, to: level.node)
      } else if level.member == .totalCount, outer.isEmpty {
        totalCount = text.integer
      } else if level.member != .none, let number = text.integer {
        graph.add(number, level.member, to: level.node)
      }
    }
  }

  private func take(flag: Bool) throws {
    guard let level else { throw wrongTop("a truth value") }
    switch level.place {
    case .object, .list: if level.member != .none { graph.add(flag ? 1 : 0, level.member, to: level.node) }
    case .pairs, .pairValues:
      Array((flag ? "true" : "false").utf8).withUnsafeBufferPointer { graph.add($0, .propertyValue, to: level.node) }
    case .elements: throw GraphError.otherShape(expected: "an object", found: "a truth value")
    }
  }

  private func register(_ text: JSONText) throws {
    guard let node = level?.node, let id = text.integer else {
      throw GraphError.otherShape(expected: "the number of an object", found: "'\(text.string)'")
    }
    guard graph.register(node, id: id) else { throw GraphError.repeatedID(text.string) }
    level?.hasID = true
  }

  /// The object a number refers to; it may still be open.
  private func node(_ text: JSONText, _ member: String) throws -> ObjectGraph.Node {
    guard let node = text.integer.flatMap({ graph.node(id: $0) }) else {
      throw GraphError.forwardReference(member, id: text.string)
    }
    return node
  }
}

// MARK: Levels

extension GraphReader {
  private func push(_ new: Level) {
    if let level { outer.append(level) }
    level = new
  }

  private func beginObject() throws {
    guard let level else { return try beginTop() }
    if level.place == .object, level.member == .properties { return push(Level(place: .pairs, node: level.node)) }
    let node = graph.addNode()
    if level.place == .object || level.place == .list, level.member != .none {
      graph.add(node, level.member, to: level.node)
    }
    push(Level(place: .object, node: node))
  }

  private func beginTop() throws {
    let node = graph.addNode()
    switch shape {
    case .search: push(Level(place: .object, node: node))
    case .map: push(Level(place: .elements, node: node))
    case .texts: push(Level(place: .pairs, node: node))
    case .list: throw wrongTop("an object")
    }
  }

  private func beginArray() throws {
    guard let level else {
      guard case .list = shape else { throw wrongTop("a list") }
      return push(Level(place: .elements, node: graph.addNode()))
    }
    switch level.place {
    case .object where outer.isEmpty && level.member == .objects && isSearch:
      push(Level(place: .elements, node: level.node))
    case .object: push(Level(place: .list, node: level.node, member: level.member, hasID: level.hasID))
    case .pairs, .pairValues: push(Level(place: .pairValues, node: level.node))
    case .list, .elements: push(Level(place: .list, node: level.node))
    }
  }

  private var isSearch: Bool {
    if case .search = shape { true } else { false }
  }

  private func end() throws {
    guard let ended = level else { return }
    level = outer.popLast()
    if ended.place == .object, level?.place == .elements { try give(ended.node) }
    if level == nil, case .texts = shape { try onElement(graph, ended.node) }
  }

  /// Hands an element over, unless it was.
  private func give(_ node: ObjectGraph.Node) throws {
    if given.insert(node).inserted { try onElement(graph, node) }
  }

  private func wrongTop(_ found: String) -> GraphError {
    let expected =
      switch shape {
      case .search: "a result with objects"
      case .map, .texts: "an object"
      case .list: "a list"
      }
    return .otherShape(expected: expected, found: found)
  }
}
