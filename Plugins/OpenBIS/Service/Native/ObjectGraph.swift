import PluginJSON

/// The objects of an answer of V3, each once, with what is wanted of them.
///
/// An object is written in full where it is met first; later it is only its number, also inside of itself. Here both are
/// the same node. Memory grows with the answer, a page; what is wanted lies in a few arrays, no object has one of its own.
/// - Source: openBIS V3, whose objects are written by Jackson with object ids; checked with its own classes.
struct ObjectGraph: Sendable {
  /// An object.
  struct Node: Sendable, Hashable {
    fileprivate(set) var index: Int32

    /// No object.
    static let none = Node(index: -1)
  }

  private enum Content: UInt8, Sendable {
    case text, integer, node
  }

  /// What an object has in one place; the next one of the same object follows by number.
  private struct Entry: Sendable {
    /// A place in ``texts``, a number, or a node.
    var value: Int
    var length: UInt32
    var next: Int32
    var member: GraphMember
    var content: Content
  }

  private struct Chain: Sendable {
    var first: Int32 = -1
    var last: Int32 = -1
  }

  private var chains: [Chain] = []
  private var entries: [Entry] = []
  private var texts: [UInt8] = []
  private var ids = NodeNumbers()

  /// How many objects there are.
  var count: Int { chains.count }

  /// Creates an empty graph.
  init() {}

  // MARK: Building

  /// Adds an object.
  mutating func addNode() -> Node {
    chains.append(Chain())
    return Node(index: Int32(truncatingIfNeeded: chains.count - 1))
  }

  /// Notes an object's number in the answer; says whether it is the first of that number.
  mutating func register(_ node: Node, id: Int) -> Bool { ids.insert(node.index, id: id) }

  /// The object of a number, finished or not; nil if there was none so far.
  func node(id: Int) -> Node? { ids.node(id).map { Node(index: $0) } }

  /// Adds a text.
  mutating func add(_ text: UnsafeBufferPointer<UInt8>, _ member: GraphMember, to node: Node) {
    add(
      Entry(
        value: texts.count, length: UInt32(truncatingIfNeeded: text.count), next: -1, member: member, content: .text),
      to: node)
    texts.append(contentsOf: text)
  }

  /// Adds a whole number.
  mutating func add(_ number: Int, _ member: GraphMember, to node: Node) {
    add(Entry(value: number, length: 0, next: -1, member: member, content: .integer), to: node)
  }

  /// Adds a relation.
  mutating func add(_ other: Node, _ member: GraphMember, to node: Node) {
    add(Entry(value: Int(other.index), length: 0, next: -1, member: member, content: .node), to: node)
  }

  private mutating func add(_ entry: Entry, to node: Node) {
    let (place, owner) = (Int32(truncatingIfNeeded: entries.count), Int(node.index))
    entries.append(entry)
    let last = chains[owner].last
    if last < 0 { chains[owner].first = place } else { entries[Int(last)].next = place }
    chains[owner].last = place
  }

  // MARK: Reading

  private func first(_ member: GraphMember, _ content: Content, of node: Node) -> Entry? {
    var place = chains[Int(node.index)].first
    while place >= 0 {
      let entry = entries[Int(place)]
      if entry.member == member, entry.content == content { return entry }
      place = entry.next
    }
    return nil
  }

  private func text(_ entry: Entry) -> String {
    String(decoding: texts[entry.value..<(entry.value + Int(entry.length))], as: UTF8.self)
  }

  /// The text an object has there itself; nil if there is none.
  func text(_ member: GraphMember, of node: Node) -> String? { first(member, .text, of: node).map(text) }

  /// The whole number, 0 and 1 for no and yes; nil if there is none.
  func integer(_ member: GraphMember, of node: Node) -> Int? { first(member, .integer, of: node)?.value }

  /// The object in that place, the first of several; nil if there is none.
  func node(_ member: GraphMember, of node: Node) -> Node? {
    first(member, .node, of: node).map { Node(index: Int32(truncatingIfNeeded: $0.value)) }
  }

  /// All objects in that place, in order.
  func nodes(_ member: GraphMember, of node: Node) -> [Node] {
    var found: [Node] = []
    forEach(of: node) { other, value in if other == member, case .node(let node) = value { found.append(node) } }
    return found
  }

  /// What an object has in a place.
  enum Value {
    case text(ObjectGraph.Text)
    case integer(Int)
    case node(Node)
  }

  /// A text that is not made yet.
  struct Text {
    fileprivate let entry: Int
  }

  /// Makes a text.
  func string(_ text: Text) -> String { self.text(entries[text.entry]) }

  /// Calls back with all an object has, in the order of the answer.
  func forEach(of node: Node, _ body: (GraphMember, Value) -> Void) {
    var place = chains[Int(node.index)].first
    while place >= 0 {
      let entry = entries[Int(place)]
      switch entry.content {
      case .text: body(entry.member, .text(Text(entry: Int(place))))
      case .integer: body(entry.member, .integer(entry.value))
      case .node: body(entry.member, .node(Node(index: Int32(truncatingIfNeeded: entry.value))))
      }
      place = entry.next
    }
  }

  /// The texts of a map, in order; several texts of one key are joined with line feeds.
  ///
  /// An object stands for what people know it by: its identifier, else its code.
  func pairs(of node: Node) -> [NativeProperty] {
    var found: [NativeProperty] = []
    var hasValue = true
    forEach(of: node) { member, value in
      if member == .propertyKey, case .text(let text) = value {
        // A key without value is no property.
        if !hasValue { found.removeLast() }
        found.append(NativeProperty(code: string(text), value: ""))
        hasValue = false
      } else if member == .propertyValue, !found.isEmpty, let shown = shown(value) {
        found[found.count - 1].value += (hasValue ? "\n" : "") + shown
        hasValue = true
      }
    }
    if !hasValue { found.removeLast() }
    return found
  }

  /// The text of a property's value.
  private func shown(_ value: Value) -> String? {
    switch value {
    case .text(let text): string(text)
    case .node(let node): text(.identifier, of: node) ?? self.node(.identifier, of: node).flatMap(key) ?? code(node)
    case .integer: nil
    }
  }
}

/// Finds nodes by the numbers an answer gives them: small ones by place, others by looking up.
private struct NodeNumbers: Sendable {
  /// Numbers go up from 1 in an honest answer, so that this costs less than looking up.
  private static let placed = 1 << 22
  private var places: [Int32] = []
  private var others: [Int: Int32] = [:]

  func node(_ id: Int) -> Int32? {
    if id >= 0, id < places.count { return places[id] < 0 ? nil : places[id] }
    return others[id]
  }

  mutating func insert(_ node: Int32, id: Int) -> Bool {
    if self.node(id) != nil { return false }
    if id >= 0, id < min(Self.placed, 2 * places.count + 1024) {
      while places.count <= id {
        places.append(others.isEmpty ? -1 : others.removeValue(forKey: places.count) ?? -1)
      }
      places[id] = node
    } else {
      others[id] = node
    }
    return true
  }
}
