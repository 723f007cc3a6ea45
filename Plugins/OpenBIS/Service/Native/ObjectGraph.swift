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
    let (index, owner) = (Int32(truncatingIfNeeded: entries.count), Int(node.index))
    entries.append(entry)
    let last = chains[owner].last
    if last < 0 { chains[owner].first = index } else { entries[Int(last)].next = index }
    chains[owner].last = index
  }

  // MARK: Reading

  private func first(_ member: GraphMember, _ content: Content, of node: Node) -> Entry? {
    var index = chains[Int(node.index)].first
    while index >= 0 {
      let entry = entries[Int(index)]
      if entry.member == member, entry.content == content { return entry }
      index = entry.next
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
    var index = chains[Int(node.index)].first
    while index >= 0 {
      let entry = entries[Int(index)]
      switch entry.content {
      case .text: body(entry.member, .text(Text(entry: Int(index))))
      case .integer: body(entry.member, .integer(entry.value))
      case .node: body(entry.member, .node(Node(index: Int32(truncatingIfNeeded: entry.value))))
      }
      index = entry.next
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
  private var nodes: [Int32] = []
  private var others: [Int: Int32] = [:]

  func node(_ id: Int) -> Int32? {
    if id >= 0, id < nodes.count { return nodes[id] < 0 ? nil : nodes[id] }
    return others[id]
  }

  mutating func insert(_ node: Int32, id: Int) -> Bool {
    if self.node(id) != nil { return false }
    if id >= 0, id < min(Self.placed, 2 * nodes.count + 1024) {
      while nodes.count <= id {
        nodes.append(others.isEmpty ? -1 : others.removeValue(forKey: nodes.count) ?? -1)
      }
      nodes[id] = node
    } else {
      others[id] = node
    }
    return true
  }
}

/// The members of V3 objects that are used; all others are only scanned for objects.
enum GraphMember: UInt8, Sendable, CaseIterable {
  case none
  case id, fetchOptions, objects, totalCount
  // Texts, or the objects that hold them.
  case permId, identifier, code, description, userId, label, dataType, name, match, path, downloadUrl, remoteUrl
  case objectKind, operationKind, objectPermId, objectIdentifier, dataSetPermId, dataStoreId
  case sessionName
  // Relations.
  case type, space, project, experiment, sample, container, containers, parents, children, components, registrator
  case dataStore, propertyAssignments, vocabulary, terms, propertyType
  // Numbers and truth values.
  case registrationDate, modificationDate, lastModificationTimeStamp, ordinal, directory, fileLength, checksumCRC32
  case validFromDate, validToDate, accessDate
  // Maps of texts.
  case properties, propertyKey, propertyValue

  /// A Boolean value indicating whether a bare whole number as its value is a reference.
  var isRelation: Bool {
    switch self {
    case .permId, .identifier, .code, .objectPermId, .objectIdentifier, .dataSetPermId, .dataStoreId, .type, .space,
      .project, .experiment, .sample, .container, .containers, .parents, .children, .components, .registrator,
      .dataStore, .propertyAssignments, .vocabulary, .terms, .propertyType:
      true
    case .none, .id, .fetchOptions, .objects, .totalCount, .description, .userId, .label, .dataType, .name, .match,
      .path, .downloadUrl, .remoteUrl, .objectKind, .operationKind, .sessionName, .registrationDate,
      .modificationDate, .lastModificationTimeStamp, .ordinal, .directory, .fileLength, .checksumCRC32,
      .validFromDate, .validToDate, .accessDate, .properties, .propertyKey, .propertyValue:
      false
    }
  }

  /// The name in the response; nil for the case that is not a member.
  var name: String? {
    switch self {
    case .none, .propertyKey, .propertyValue: nil
    case .id: "@id"
    case .fetchOptions, .objects, .totalCount, .permId, .identifier, .code, .description, .userId, .label, .dataType,
      .name, .match, .path, .downloadUrl, .remoteUrl, .objectKind, .operationKind, .objectPermId, .objectIdentifier,
      .dataSetPermId, .dataStoreId, .sessionName, .type, .space, .project, .experiment, .sample, .container,
      .containers, .parents, .children, .components, .registrator, .dataStore, .propertyAssignments, .vocabulary,
      .terms, .propertyType, .registrationDate, .modificationDate, .lastModificationTimeStamp, .ordinal, .directory,
      .fileLength, .checksumCRC32, .validFromDate, .validToDate, .accessDate, .properties:
      "\(self)"
    }
  }

  /// Finds the member of a name; `none` if it is not used.
  @inline(__always)
  init(_ name: JSONText) {
    self = GraphMemberTable.shared.member(name.bytes)
  }
}

/// A table of members for fast lookups: the first eight bytes and the length choose a slot, then all bytes are
/// compared.
private struct GraphMemberTable: Sendable {
  static let shared = GraphMemberTable()

  private struct Slot: Sendable {
    var member = GraphMember.none
    var count: UInt8 = 0
    /// The offset of the name in ``names``.
    var start: UInt16 = 0
  }

  private static let size = 256
  private var slots = Array(repeating: Slot(), count: size)
  private var names: [UInt8] = []

  init() {
    for member in GraphMember.allCases {
      guard let name = member.name.map({ Array($0.utf8) }) else { continue }
      var slot = name.withUnsafeBufferPointer(Self.slot)
      while slots[slot].member != .none { slot = (slot + 1) % Self.size }
      slots[slot] = Slot(member: member, count: UInt8(name.count), start: UInt16(names.count))
      names += name
    }
  }

  @inline(__always)
  func member(_ name: UnsafeBufferPointer<UInt8>) -> GraphMember {
    slots.withUnsafeBufferPointer { slots in
      names.withUnsafeBufferPointer { names in
        var index = Self.slot(name)
        while true {
          let slot = slots[index]
          if slot.member == .none { return .none }
          if Int(slot.count) == name.count, Self.isEqual(name, names, Int(slot.start)) { return slot.member }
          index = (index + 1) % Self.size
        }
      }
    }
  }

  @inline(__always)
  private static func isEqual(
    _ name: UnsafeBufferPointer<UInt8>, _ names: UnsafeBufferPointer<UInt8>, _ start: Int
  ) -> Bool {
    for index in name.indices where name[index] != names[start + index] { return false }
    return true
  }

  @inline(__always)
  private static func slot(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    var word = UInt64(truncatingIfNeeded: name.count)
    if name.count >= 8, let start = name.baseAddress {
      word = word &* 31 ^ UnsafeRawPointer(start).loadUnaligned(as: UInt64.self)
    } else {
      for byte in name { word = (word << 8) &+ UInt64(byte) }
    }
    return Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 56)
  }
}

extension NativeObject {
  /// Creates an object from a response; nil if it has neither permId nor code.
  init?(_ kind: NativeKind, _ node: ObjectGraph.Node, in graph: ObjectGraph) {
    self.init(kind: kind, permID: "", code: "")
    graph.forEach(of: node) { member, value in
      switch value {
      case .text(let text): take(member, graph.string(text))
      case .integer(let number): take(member, number)
      case .node(let other): take(member, other, in: graph)
      }
    }
    if permID.isEmpty || kind == .space { permID = code }
    if permID.isEmpty { return nil }
    if code.isEmpty { code = permID }
    properties = graph.pairs(of: node).map {
      NativeProperty(code: $0.code, value: PropertyText.readable($0.value))
    }
    if space == nil {
      space = graph.node(.project, of: node).flatMap { graph.node(.space, of: $0) }.flatMap(graph.code)
    }
  }

  private mutating func take(_ member: GraphMember, _ text: String) {
    switch member {
    case .permId: permID = text
    case .code: code = text
    case .identifier: identifier = text
    case .description: description = text
    default: break
    }
  }

  private mutating func take(_ member: GraphMember, _ number: Int) {
    switch member {
    case .registrationDate: registeredAt = number
    case .modificationDate: modifiedAt = number
    default: break
    }
  }

  private mutating func take(_ member: GraphMember, _ node: ObjectGraph.Node, in graph: ObjectGraph) {
    switch member {
    case .permId: permID = graph.key(node) ?? ""
    case .identifier: identifier = graph.key(node) ?? ""
    case .type: type = graph.code(node) ?? ""
    case .space: space = graph.code(node)
    case .project: project = graph.permID(node)
    case .experiment: experiment = graph.permID(node)
    case .sample: sample = graph.permID(node)
    case .container: container = graph.permID(node)
    case .containers: container = container ?? graph.permID(node)
    case .parents: if let parent = graph.permID(node) { parents.append(parent) }
    case .registrator: registrator = graph.text(.userId, of: node) ?? ""
    case .dataStore: dataStore = graph.code(node)
    default: break
    }
  }
}

extension ObjectGraph {
  /// Returns the text of an id object.
  func key(_ id: Node) -> String? { text(.permId, of: id) ?? text(.identifier, of: id) ?? text(.code, of: id) }

  /// Returns the code of an object.
  func code(_ node: Node) -> String? { text(.code, of: node) ?? permID(node) }

  /// Returns the permId of an object, given as an id object or as text.
  func permID(_ node: Node) -> String? { self.node(.permId, of: node).flatMap(key) ?? text(.permId, of: node) }
}
