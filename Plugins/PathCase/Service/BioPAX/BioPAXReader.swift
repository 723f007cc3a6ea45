import PluginText

/// Reads pathways of BioPAX level 3.
///
/// Conversions become processes; their participants and controllers become nodes. BioPAX has no positions: the graph
/// has to be laid out.
/// - Source: BioPAX level 3 (http://www.biopax.org/release/biopax-level3.owl).
struct BioPAXReader {
  let objects: BioPAXObjects
  var builder = MapGraphBuilder()
  /// The compartments, keyed by the address of their vocabulary.
  var compartments: [Identifier: Int] = [:]
  /// The direction in which each conversion runs, if one is given.
  var directions: [Identifier: BioPAXDirection] = [:]
  /// Conversions that are declared reversible, whatever the direction of their steps.
  var reversibles: Set<Identifier> = []
  /// The addresses that are referred to but not described.
  var missing: [Identifier] = []

  /// Reads a file.
  ///
  /// - Throws: ``MapError``.
  static func read(_ bytes: [UInt8]) throws(MapError) -> MapDocument {
    let tree = try MarkupTree(bytes, MarkupRules(keepsText: true))
    guard tree.root.name == "RDF", tree.root.namespace == BioPAXObjects.terms else {
      throw .structure(.biopax, "its outermost element is '\(tree.root.name)' and not 'rdf:RDF'")
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
  private static func checkLevel(of tree: MarkupTree) throws(MapError) {
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
      throw .version(.biopax, seen: level, read: "level 3; Paxtools converts older files")
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

  private mutating func document() throws(MapError) -> MapDocument {
    findDirections()
    // All processes come first: they may be participants of each other.
    let processes = objects.objects.filter { BioPAXClass.isProcess($0.type) }
    for object in processes { try object.placing { () throws(MapError) in try addProcess(object) } }
    for object in processes { try object.placing { () throws(MapError) in try addParticipants(of: object) } }
    for object in objects.objects where BioPAXClass.isControl(object.type) {
      try object.placing { () throws(MapError) in try addControl(object) }
    }
    if let first = missing.first {
      builder.warn(
        "ref-002",
        "\(missing.count) things are referred to and not described, the first '\(first)'; they have no names")
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
enum BioPAXClass {
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
