import PluginAPI
import PluginText

/// Reads pathways of BioPAX level 3.
///
/// Conversions become processes; their participants and controllers become nodes. BioPAX has no positions: the graph
/// has to be laid out.
/// - Source: BioPAX level 3 (http://www.biopax.org/release/biopax-level3.owl).
struct BioPAXReader {
  private let objects: BioPAXObjects
  private var builder = MapGraphBuilder()
  /// The compartments, keyed by the address of their vocabulary.
  private var compartments: [Identifier: Int] = [:]
  /// The direction in which each conversion runs, if one is given.
  private var directions: [Identifier: BioPAXDirection] = [:]
  /// Conversions that are declared reversible, whatever the direction of their steps.
  private var reversibles: Set<Identifier> = []
  /// The addresses that are referred to but not described.
  private var missing: [Identifier] = []

  /// Reads a file.
  ///
  /// - Throws: ``MapError``.
  static func read(_ bytes: [UInt8]) throws(ErrorReport) -> MapDocument {
    let tree = try MarkupTree(bytes, MarkupRules(keepsText: true))
    guard tree.root.name == "RDF", tree.root.namespace == BioPAXObjects.terms else {
      throw MapError.structure(.biopax, "its root element is '\(tree.root.name)' instead of 'rdf:RDF'")
    }
    try checkLevel(of: tree)
    var reader = BioPAXReader(objects: BioPAXObjects(tree))
    var document = try reader.document()
    document.counts = counts(of: tree)
    return document
  }

  private init(objects: BioPAXObjects) {
    self.objects = objects
  }

  private static let level3 = "http://www.biopax.org/release/biopax-level3.owl#"

  /// Rejects other levels and names them in the error.
  private static func checkLevel(of tree: MarkupTree) throws(ErrorReport) {
    var other: String?
    for index in tree.children(of: 0) {
      let space = tree[index].namespace
      if space == level3 { return }
      if ByteSearch.contains("biopax-level".utf8, in: space.utf8) { other = space }
    }
    if let other {
      let level =
        ByteSearch.contains("biopax-level2".utf8, in: other.utf8)
        ? "level 2" : ByteSearch.contains("biopax-level1".utf8, in: other.utf8) ? "level 1" : other
      throw MapError.version(.biopax, seen: level, read: "level 3; Paxtools converts older files")
    }
    // An empty file of level 3 declares its namespace, which looks like that of other RDF.
  }

  private static func counts(of tree: MarkupTree) -> [String: Int] {
    var counts = ["elements": 0]
    for index in tree.children(of: 0) {
      counts["elements", default: 0] += 1
      counts["types.\(tree[index].name)", default: 0] += 1
    }
    return counts
  }

  private mutating func document() throws(ErrorReport) -> MapDocument {
    findDirections()
    // All processes come first: they may be participants of each other.
    let processes = objects.objects.filter { BioPAXClass.isProcess($0.type) }
    for object in processes { try object.placing { () throws(ErrorReport) in try addProcess(object) } }
    for object in processes { try object.placing { () throws(ErrorReport) in try addParticipants(of: object) } }
    for object in objects.objects where BioPAXClass.isControl(object.type) {
      try object.placing { () throws(ErrorReport) in try addControl(object) }
    }
    if let first = missing.first {
      builder.warn(
        "ref-002",
        "\(missing.count) objects are not described in the file, such as '\(first)'; they have no names")
    }
    builder.markCommon()
    let pathway = objects.objects.first { $0.type == "Pathway" }
    let source = pathway?.references("organism").first.flatMap { objects[$0] }
    builder.graph.id = pathway?.key ?? ""
    builder.graph.name = pathway?.name ?? ""
    return MapDocument(
      format: .biopax, version: "level 3", graph: builder.graph, title: builder.graph.name,
      organism: (source ?? objects.objects.first { $0.type == "BioSource" })?.label ?? "", warnings: builder.warnings)
  }
}

/// The meanings of BioPAX classes.
private enum BioPAXClass {
  /// Returns whether objects of a class convert some entities into others, or combine them.
  static func isProcess(_ type: String) -> Bool {
    switch type {
    case "BiochemicalReaction", "Transport", "TransportWithBiochemicalReaction", "ComplexAssembly", "Degradation",
      "Conversion", "TemplateReaction", "MolecularInteraction", "GeneticInteraction", "Interaction":
      true
    default: false
    }
  }

  /// Returns whether objects of a class act on processes.
  static func isControl(_ type: String) -> Bool {
    ["Catalysis", "Modulation", "Control", "TemplateReactionRegulation"].contains(type)
  }

  /// Returns the kind of node for a participant of a process.
  static func kind(of type: String) -> GraphNode.Kind {
    switch type {
    case "SmallMolecule": .pool
    case "Protein", "Complex", "Dna", "DnaRegion", "Rna", "RnaRegion", "Gene": .macromolecule
    case "Pathway": .pathway
    default: isProcess(type) ? .process : .other
    }
  }
}

/// The direction in which a conversion runs.
///
/// - Source: BioPAX level 3, `conversionDirection`, `stepDirection` and `catalysisDirection`; files of Pathway Commons
///   have underscores instead of hyphens.
private enum BioPAXDirection: String, Sendable {
  case leftToRight = "LEFT-TO-RIGHT"
  case rightToLeft = "RIGHT-TO-LEFT"
  case reversible = "REVERSIBLE"

  /// Creates a direction from the text of a file; nil if the text is not a direction.
  init?(file text: String) {
    let letters = text.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
    self.init(rawValue: String(decoding: letters, as: UTF8.self).uppercased())
  }

  /// Returns the direction of a conversion that is run in both of two directions.
  func joined(_ other: BioPAXDirection) -> BioPAXDirection { self == other ? self : .reversible }
}

extension BioPAXReader {
  /// Finds the direction of each conversion: that of its steps, or else of its catalyses, or else its own.
  ///
  /// A conversion that steps run in opposite directions is reversible.
  private mutating func findDirections() {
    let sources = [
      (type: "BiochemicalPathwayStep", property: "stepDirection", conversions: "stepConversion"),
      (type: "Catalysis", property: "catalysisDirection", conversions: "controlled"),
    ]
    for source in sources {
      var found: [Identifier: BioPAXDirection] = [:]
      for object in objects.objects where object.type == source.type {
        guard let direction = direction(source.property, of: object) else { continue }
        for conversion in object.references(source.conversions) {
          found[conversion] = found[conversion]?.joined(direction) ?? direction
        }
      }
      directions.merge(found) { known, _ in known }
    }
    for object in objects.objects where BioPAXClass.isProcess(object.type) {
      guard let direction = direction("conversionDirection", of: object) else { continue }
      if direction == .reversible { reversibles.insert(object.key) }
      if directions[object.key] == nil { directions[object.key] = direction }
    }
  }

  /// Returns the direction given by a property of an object; warns of an unknown one.
  private mutating func direction(_ property: String, of object: BioPAXObjects.Object) -> BioPAXDirection? {
    guard let text = object.text(property) else { return nil }
    let direction = BioPAXDirection(file: text)
    if direction == nil {
      builder.warn(
        "typ-003", "'\(text)' is not a value of \(property) of '\(object.label)'; it is left out",
        advice: "use LEFT-TO-RIGHT, RIGHT-TO-LEFT or REVERSIBLE")
    }
    return direction
  }
}

extension BioPAXReader {
  /// Adds a process.
  private mutating func addProcess(_ object: BioPAXObjects.Object) throws(ErrorReport) {
    var node = GraphNode(id: object.key, label: object.label, kind: .process, category: object.type)
    node.references = references(of: object)
    _ = try builder.add(node, what: "the process")
  }

  /// Adds the participants of a process.
  private mutating func addParticipants(of object: BioPAXObjects.Object) throws(ErrorReport) {
    let process = try entity(object.key)
    let amounts = amounts(of: object)
    let direction = directions[object.key]
    // In the backward direction, the right side is consumed.
    let isBackwards = direction == .rightToLeft
    let isReversible = direction == .reversible || reversibles.contains(object.key)
    let sides = [(name: "left", isInput: !isBackwards), (name: "right", isInput: isBackwards)]
    for side in sides + [(name: "template", isInput: true), (name: "product", isInput: false)] {
      for key in object.references(side.name) {
        let entity = try entity(key)
        var edge = GraphEdge(source: side.isInput ? entity : process, target: side.isInput ? process : entity)
        edge.isReversible = isReversible
        edge.stoichiometry = amounts[key] ?? 1
        edge.category = side.name
        builder.graph.edges.append(edge)
      }
    }
    for key in object.references("participant") {
      let edge = GraphEdge(source: try entity(key), target: process, kind: .association, category: "participant")
      builder.graph.edges.append(edge)
    }
  }

  /// Returns the stoichiometric coefficient of each participant.
  private func amounts(of object: BioPAXObjects.Object) -> [Identifier: Double] {
    var amounts: [Identifier: Double] = [:]
    for key in object.references("participantStoichiometry") {
      guard let stoichiometry = objects[key], let entity = stoichiometry.references("physicalEntity").first,
        let amount = stoichiometry.text("stoichiometricCoefficient").flatMap(MapNumber.double), amount > 0
      else { continue }
      amounts[entity] = amount
    }
    return amounts
  }

  /// Returns the node of a participant, adding it on first use.
  private mutating func entity(_ key: Identifier) throws(ErrorReport) -> Int {
    if let node = builder.indices[key] { return node }
    guard let object = objects[key] else {
      missing.append(key)
      let node = GraphNode(id: key, label: BioPAXObjects.Object.tail(of: key), kind: .other)
      return try builder.add(node, what: "the entity")
    }
    var node = GraphNode(id: key, label: object.label, kind: BioPAXClass.kind(of: object.type), category: object.type)
    // The same molecule in another place or state is a different entity: it becomes a reference, not the entity
    // represented.
    node.references = references(of: object) + object.references("entityReference").map(\.text)
    node.compartment = object.references("cellularLocation").first.map { compartment($0) }
    return try object.placing { () throws(ErrorReport) in try builder.add(node, what: "the entity") }
  }

  private mutating func compartment(_ key: Identifier) -> Int {
    if let index = compartments[key] { return index }
    let name = objects[key].map { $0.text("term") ?? $0.label } ?? BioPAXObjects.Object.tail(of: key)
    compartments[key] = builder.graph.compartments.count
    builder.graph.compartments.append(GraphCompartment(id: key, name: name, parent: nil))
    return builder.graph.compartments.count - 1
  }

  /// Returns the database entries of an object, as `database:id`.
  private func references(of object: BioPAXObjects.Object) -> [String] {
    object.references("xref").compactMap { key in
      guard let xref = objects[key], let id = xref.text("id") else { return nil }
      return xref.text("db").map { "\($0):\(id)" } ?? id
    }
  }

  /// Adds the effect of a controller on a process.
  private mutating func addControl(_ object: BioPAXObjects.Object) throws(ErrorReport) {
    for controlled in object.references("controlled") {
      guard let target = try target(of: controlled) else {
        builder.warn("map-simplified", "'\(object.label)' does not control anything in the drawing; it is left out")
        continue
      }
      for controller in object.references("controller") {
        let source = try entity(controller)
        builder.graph.edges.append(
          GraphEdge(source: source, target: target, kind: Self.kind(of: object), id: object.key, category: object.type))
      }
    }
  }

  private static func kind(of control: BioPAXObjects.Object) -> GraphEdge.Kind {
    let type = control.text("controlType") ?? ""
    if type.hasPrefix("INHIBITION") { return .inhibition }
    if control.type == "Catalysis" { return .catalysis }
    return type.hasPrefix("ACTIVATION") ? .activation : .association
  }

  /// The maximum length of a chain of controls; in real files it is two.
  private static let longestChain = 16

  /// Returns the node that a control acts on; for a control of another control, the target of that one.
  private mutating func target(of key: Identifier) throws(ErrorReport) -> Int? {
    var next = key
    var seen: Set<Identifier> = []
    while seen.insert(next).inserted, seen.count <= Self.longestChain {
      if let node = builder.indices[next] { return node }
      guard let object = objects[next] else { return try entity(next) }
      if !BioPAXClass.isControl(object.type) { return try entity(next) }
      guard let further = object.references("controlled").first else { return nil }
      next = further
    }
    return nil
  }
}
