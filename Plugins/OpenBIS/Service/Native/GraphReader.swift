import PluginAPI
import PluginJSON

/// A parser of a V3 response while it arrives, in one pass and without recursion, however deeply it is nested.
///
/// Each element is passed to the handler as soon as it is complete, the same object only once.
// It belongs to the thread of all transfers until the call returns, and to the caller afterwards.
final class GraphReader: RPCResultReader, @unchecked Sendable {
  let channel: RowChannel?
  private var parser: GraphParser

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - shape: The structure of the response.
  ///   - channel: The channel for rows; the transfer pauses while it is full.
  ///   - onElement: Receives each element in order; called on the thread of all transfers, so it must not wait.
  init(
    _ shape: GraphParser.Shape, channel: RowChannel? = nil,
    _ onElement: @escaping GraphParser.Handler = { _, _ in }
  ) {
    self.channel = channel
    parser = GraphParser(shape, onElement)
  }

  /// The objects read so far.
  var graph: ObjectGraph { parser.graph }

  /// The total number of elements reported by the server; nil if it is not reported.
  var totalCount: Int? { parser.totalCount }

  func take(_ event: JSONEvent) throws -> JSONFlow { try parser.take(event) }
}

/// A parser that assembles the events of a V3 response into a graph: the state of a ``GraphReader``.
struct GraphParser {
  /// The structure of a response.
  enum Shape: Sendable {
    /// An object with `objects` and `totalCount`.
    case search
    /// An object whose values are the elements.
    case map
    /// A list of the elements.
    case list
    /// An object whose values are texts: the pairs of a single element.
    case texts
  }

  /// A function that receives each element, with everything read up to its end.
  typealias Handler = (ObjectGraph, ObjectGraph.Node) throws -> Void

  private enum Context: UInt8 {
    /// Outside of all values.
    case top
    case object, list, elements, pairs, pairValues
  }

  private struct Level {
    var context: Context
    /// The node that the level belongs to; of an object the object itself.
    var node = ObjectGraph.Node.none
    /// The member of a list; of an object, the member whose value is next.
    var member = GraphMember.none
    /// A Boolean value indicating whether the object has a number: only then are whole numbers references; maps have
    /// none.
    var hasID = false
  }

  /// The objects read so far.
  private(set) var graph = ObjectGraph()
  /// The total number of elements reported by the server; nil if it is not reported.
  private(set) var totalCount: Int?

  private let shape: Shape
  private let onElement: Handler
  private var level = Level(context: .top)
  private var outer: [Level] = []
  private var given: Set<ObjectGraph.Node> = []
  /// A Boolean value indicating whether a search's list of objects was read; a response without one is useless.
  private var hasObjects = false

  /// Creates a parser that has read nothing.
  init(_ shape: Shape, _ onElement: @escaping Handler) {
    (self.shape, self.onElement) = (shape, onElement)
  }

  /// Processes the next event.
  ///
  /// - Throws: ``GraphError``, `UselessResult` for a search's result without objects, errors of the handler.
  @inline(__always)
  mutating func take(_ event: JSONEvent) throws -> JSONFlow {
    switch event {
    case .key(let text): return takeKey(text)
    case .null: if level.context == .top { throw wrongTop("nothing") }
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

extension GraphParser {
  private mutating func takeKey(_ text: JSONText) -> JSONFlow {
    if level.context == .object {
      let member = GraphMember(text)
      level.member = member
      // The fetch options are repeated with each object; only other fetch options refer to their content.
      return member == .fetchOptions ? .skip : .more
    }
    // Names such as '@type' do not belong to the map itself.
    if text.bytes.first == UInt8(ascii: "@") { return .skip }
    if level.context == .pairs { graph.add(text.bytes, .propertyKey, to: level.node) }
    return .more
  }

  private mutating func take(text: UnsafeBufferPointer<UInt8>) throws {
    switch level.context {
    case .top: throw wrongTop("a text")
    case .object, .list: if level.member != .none { graph.add(text, level.member, to: level.node) }
    case .pairs, .pairValues: graph.add(text, .propertyValue, to: level.node)
    case .elements: throw GraphError.otherShape(expected: "an object", found: "a text")
    }
  }

  private mutating func take(number text: JSONText) throws {
    switch level.context {
    case .top: throw wrongTop("a number")
    case .pairs, .pairValues: graph.add(text.bytes, .propertyValue, to: level.node)
    case .elements: try give(try node(text, .objects))
    case .object where level.member == .id: try register(text)
    case .object, .list:
      if level.member.isRelation, level.hasID {
        graph.add(try node(text, level.member), level.member, to: level.node)
      } else if level.member == .totalCount, outer.count == 1 {
        totalCount = text.integer
      } else if level.member != .none, let number = text.integer {
        graph.add(number, level.member, to: level.node)
      }
    }
  }

  private mutating func take(flag: Bool) throws {
    switch level.context {
    case .top: throw wrongTop("a Boolean value")
    case .object, .list: if level.member != .none { graph.add(flag ? 1 : 0, level.member, to: level.node) }
    case .pairs, .pairValues:
      Array((flag ? "true" : "false").utf8).withUnsafeBufferPointer { graph.add($0, .propertyValue, to: level.node) }
    case .elements: throw GraphError.otherShape(expected: "an object", found: "a Boolean value")
    }
  }

  private mutating func register(_ text: JSONText) throws {
    guard let id = text.integer else {
      throw GraphError.otherShape(expected: "the number of an object", found: "'\(text.short)'")
    }
    guard graph.register(level.node, id: id) else { throw GraphError.repeatedID(text.short) }
    level.hasID = true
  }

  /// Returns the object that a number refers to; it may still be open.
  private func node(_ text: JSONText, _ member: GraphMember) throws -> ObjectGraph.Node {
    guard let node = text.integer.flatMap({ graph.node(id: $0) }) else {
      throw GraphError.forwardReference(member.name ?? "", id: text.short)
    }
    return node
  }
}

// MARK: Levels

extension GraphParser {
  private mutating func push(_ new: Level) {
    outer.append(level)
    level = new
  }

  private mutating func beginObject() throws {
    if level.context == .top { return try beginTop() }
    if level.context == .object, level.member == .properties { return push(Level(context: .pairs, node: level.node)) }
    let node = graph.addNode()
    switch level.context {
    case .object, .list: if level.member != .none { graph.add(node, level.member, to: level.node) }
    // The value of a property is an object of its own.
    case .pairs, .pairValues: graph.add(node, .propertyValue, to: level.node)
    case .top, .elements: break
    }
    push(Level(context: .object, node: node))
  }

  private mutating func beginTop() throws {
    let node = graph.addNode()
    switch shape {
    case .search: push(Level(context: .object, node: node))
    case .map: push(Level(context: .elements, node: node))
    case .texts: push(Level(context: .pairs, node: node))
    case .list: throw wrongTop("an object")
    }
  }

  private mutating func beginArray() throws {
    switch level.context {
    case .top:
      guard case .list = shape else { throw wrongTop("a list") }
      push(Level(context: .elements, node: graph.addNode()))
    case .object where outer.count == 1 && level.member == .objects && isSearch:
      hasObjects = true
      push(Level(context: .elements, node: level.node))
    case .object: push(Level(context: .list, node: level.node, member: level.member, hasID: level.hasID))
    case .pairs, .pairValues: push(Level(context: .pairValues, node: level.node))
    case .list, .elements: push(Level(context: .list, node: level.node))
    }
  }

  private var isSearch: Bool {
    if case .search = shape { true } else { false }
  }

  private mutating func end() throws {
    let ended = level
    level = outer.popLast() ?? Level(context: .top)
    if ended.context == .object, level.context == .elements { try give(ended.node) }
    guard level.context == .top else { return }
    if isSearch, !hasObjects { throw UselessResult("it has no list of objects") }
    if case .texts = shape { try onElement(graph, ended.node) }
  }

  /// Passes an element to the handler, unless it was passed before.
  private mutating func give(_ node: ObjectGraph.Node) throws {
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

extension JSONText {
  /// The text for messages, truncated because a number may have any length.
  fileprivate var short: String { String(decoding: bytes.prefix(40), as: UTF8.self) }
}

/// Errors that make a V3 response useless.
enum GraphError: Error, Equatable, ReportableError {
  /// A reference to an object that was not sent before.
  case forwardReference(String, id: String)
  /// Two objects with the same number.
  case repeatedID(String)
  /// A value of an unexpected form.
  case otherShape(expected: String, found: String)

  /// The predicate of a sentence about the response.
  var predicate: String {
    switch self {
    case .forwardReference(let member, let id): "refers to object \(id) in '\(member)' before its definition"
    case .repeatedID(let id): "has two objects with the number \(id)"
    case .otherShape(let expected, let found): "has \(found) instead of \(expected)"
    }
  }

  var report: ErrorReport { report("the server's response \(predicate)") }

  /// Returns the report on the response to a call.
  func report(on target: RPCTarget) -> ErrorReport {
    var report = report("the response to \(target) \(predicate)")
    report.details = ["method": .text(target.method), "server": .text(target.server)]
    return report
  }

  private func report(_ message: String) -> ErrorReport {
    let code =
      switch self {
      case .forwardReference: "forward-reference"
      case .repeatedID: "repeated-id"
      case .otherShape: "shape"
      }
    return ErrorReport(
      code: "openbis.graph-" + code, kind: .network, message,
      advice: "try again; if the error persists, check that the server runs openBIS 18 or later")
  }

  /// The stable error codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("openbis.graph-forward-reference", "a response of V3 refers to an object before its definition"),
    .init("openbis.graph-repeated-id", "a response of V3 has two objects with the same number"),
    .init("openbis.graph-shape", "a response of V3 has an unexpected form"),
  ]
}
