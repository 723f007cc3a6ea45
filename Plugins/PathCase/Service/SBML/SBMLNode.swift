import PluginXML

/// An element of an SBML file with its attributes; elements refer to each other by index in their file.
struct SBMLNode {
  /// The families of attributes: without prefix, of the flux balance constraints package, and others.
  enum Space {
    case core, flux, other
  }

  struct Attribute {
    var name: String
    var space: Space
    var value: String
  }

  var name: String
  var space: Space
  var attributes: [Attribute]
  /// The index of the parent element; -1 for the root.
  var parent: Int
  var children: [Int] = []
  var line: Int
  var column: Int

  /// Returns the value of an attribute without prefix.
  subscript(name: String) -> String? { attributes.first { $0.space == .core && $0.name == name }?.value }

  /// Returns the value of an attribute of the flux balance constraints package.
  func flux(_ name: String) -> String? { attributes.first { $0.space == .flux && $0.name == name }?.value }
}

/// The elements of an SBML file in document order, without those in notes and annotations.
struct SBMLTree {
  private(set) var nodes: [SBMLNode] = []
  private(set) var level = 0
  private(set) var version = 0
  /// The version of the flux balance constraints package; nil if the file does not declare it.
  private(set) var fluxVersion: Int?
  /// The positions of prefixes without a namespace.
  private(set) var unboundPlaces: [(line: Int, column: Int)] = []
  private var open: [Int] = []
  private var hidden = 0

  /// Handles an event.
  mutating func take(_ event: XMLEvent, _ reader: XMLReader) {
    switch event {
    case .begin(let element): begin(element, reader)
    case .end:
      if hidden > 0 { hidden -= 1 } else { _ = open.popLast() }
    case .text: break
    @unknown default: break
    }
  }

  private mutating func begin(_ element: XMLElement, _ reader: XMLReader) {
    let isUnbound = Self.isUnbound(element.name) || element.attributes.contains { Self.isUnbound($0.name) }
    if isUnbound, unboundPlaces.count < 100 { unboundPlaces.append((reader.line, reader.column)) }
    if hidden > 0 {
      hidden += 1
      return
    }
    if nodes.isEmpty {
      level = element["level"].flatMap { Int($0) } ?? 0
      version = element["version"].flatMap { Int($0) } ?? 0
      fluxVersion = reader.namespace(of: "fbc").flatMap { Self.fluxVersion($0) }
    }
    let isNote = element.name.local == "notes" || element.name.local == "annotation"
    if isNote, Self.space(element.name.namespace) == .core { hidden = 1 }
    let index = nodes.count
    nodes.append(
      SBMLNode(
        // Drafts of the package used this name.
        name: element.name.local == "listOfFluxes" ? "listOfFluxObjectives" : element.name.local,
        space: Self.space(element.name.namespace),
        attributes: element.attributes.map { attribute in
          let namespace = attribute.name.namespace
          return SBMLNode.Attribute(
            name: attribute.name.local, space: namespace.isEmpty ? .core : Self.attributeSpace(namespace),
            value: attribute.value)
        }, parent: open.last ?? -1, line: reader.line, column: reader.column))
    if let parent = open.last { nodes[parent].children.append(index) }
    if hidden == 0 { open.append(index) }
  }

  private static func isUnbound(_ name: XMLName) -> Bool {
    !name.prefix.isEmpty && name.namespace.isEmpty && name.prefix != "xml"
  }

  private static func fluxVersion(_ namespace: String) -> Int? {
    guard namespace.hasPrefix("http://www.sbml.org/sbml/level3/"), let last = namespace.utf8.last,
      namespace.dropLast().hasSuffix("/fbc/version")
    else { return nil }
    return Int(last) - Int(UInt8(ascii: "0"))
  }

  private static func attributeSpace(_ namespace: String) -> SBMLNode.Space {
    fluxVersion(namespace) == nil ? .other : .flux
  }

  private static func space(_ namespace: String) -> SBMLNode.Space {
    if fluxVersion(namespace) != nil { return .flux }
    let isCore = SBMLTag.Family(namespace: namespace) == .core || namespace == "http://www.sbml.org/sbml/level1"
    return isCore ? .core : .other
  }

  /// Returns the indices of the elements with a name.
  func all(_ name: String, _ space: SBMLNode.Space = .core) -> [Int] {
    nodes.indices.filter { nodes[$0].space == space && nodes[$0].name == name }
  }

  /// Returns the nearest ancestor of an element with a name; nil if there is none.
  func ancestor(of index: Int, _ name: String) -> Int? {
    var index = nodes[index].parent
    while index >= 0 {
      if nodes[index].name == name { return index }
      index = nodes[index].parent
    }
    return nil
  }

  /// Returns the children of an element that belong to the flux balance constraints package.
  func fluxChildren(of index: Int, _ name: String? = nil) -> [Int] {
    nodes[index].children.filter { nodes[$0].space == .flux && (name == nil || nodes[$0].name == name) }
  }
}
