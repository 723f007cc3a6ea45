import PluginJSON

/// The objects of a V3 response, each once, with the members that are used.
///
/// A response writes an object in full at its first occurrence, and only its number later, even inside the object
/// itself. Here both are the same node. Memory grows with the response, which is a page. All members are stored in a
/// few arrays shared by the objects.
/// - Source: openBIS V3, which writes objects with Jackson's object ids; verified with its own classes.
struct ObjectGraph: Sendable {
  /// A reference to an object.
  struct Node: Sendable, Hashable {
    fileprivate(set) var index: Int32

    /// A reference to no object.
    static let none = Node(index: -1)
  }

  private enum Content: UInt8, Sendable {
    case text, integer, node
  }

  /// One value of an object's member; entries of the same object are linked by index.
  private struct Entry: Sendable {
    /// An offset in ``texts``, a number, or a node.
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

  /// The number of objects.
  var count: Int { chains.count }

  /// Creates an empty graph.
  init() {}

  // MARK: Building

  /// Adds an object.
  mutating func addNode() -> Node {
    chains.append(Chain())
    return Node(index: Int32(truncatingIfNeeded: chains.count - 1))
  }

  /// Registers an object's number in the response; returns true if the number was unused.
  mutating func register(_ node: Node, id: Int) -> Bool { ids.insert(node.index, id: id) }

  /// Returns the object with a number, finished or not; nil if there was none so far.
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

  /// Returns the text of an object's member; nil if there is none.
  func text(_ member: GraphMember, of node: Node) -> String? { first(member, .text, of: node).map(text) }

  /// Returns the whole number of a member, with 0 and 1 for false and true; nil if there is none.
  func integer(_ member: GraphMember, of node: Node) -> Int? { first(member, .integer, of: node)?.value }

  /// Returns the object of a member, the first of several; nil if there is none.
  func node(_ member: GraphMember, of node: Node) -> Node? {
    first(member, .node, of: node).map { Node(index: Int32(truncatingIfNeeded: $0.value)) }
  }

  /// Returns all objects of a member, in order.
  func nodes(_ member: GraphMember, of node: Node) -> [Node] {
    var found: [Node] = []
    forEach(of: node) { other, value in if other == member, case .node(let node) = value { found.append(node) } }
    return found
  }

  /// A value of an object's member.
  enum Value {
    case text(ObjectGraph.Text)
    case integer(Int)
    case node(Node)
  }

  /// A text that is not decoded yet.
  struct Text {
    fileprivate let entry: Int
  }

  /// Decodes a text.
  func string(_ text: Text) -> String { self.text(entries[text.entry]) }

  /// Calls `body` with all members of an object, in the order of the response.
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

  /// Returns the texts of a map, in order; several texts of one key are joined with line feeds.
  ///
  /// An object is represented by its identifier, else by its code.
  func pairs(of node: Node) -> [NativeProperty] {
    var found: [NativeProperty] = []
    var hasValue = true
    forEach(of: node) { member, value in
      if member == .propertyKey, case .text(let text) = value {
        // A key without a value is not a property.
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

  /// Returns the text of a property's value.
  private func shown(_ value: Value) -> String? {
    switch value {
    case .text(let text): string(text)
    case .node(let node): text(.identifier, of: node) ?? self.node(.identifier, of: node).flatMap(key) ?? code(node)
    case .integer: nil
    }
  }
}

/// The nodes by the numbers that a response gives them: small numbers in an array, others in a dictionary.
private struct NodeNumbers: Sendable {
  /// The limit of numbers stored in the array; usual responses number objects from 1, so that this is cheaper than a
  /// dictionary.
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
