import PluginText

/// Reads process description maps of SBGN-ML.
///
/// Glyphs become nodes, compartments become frames, states and units of information become decorations of their glyph.
/// Further maps of the file, to which submaps link, become further graphs.
/// - Source: SBGN-ML 0.2 and 0.3 (https://github.com/sbgn/sbgn/wiki/SBGN_ML), process description level 1.
struct SBGNReader {
  let tree: MarkupTree
  var builder = MapGraphBuilder()
  var counts: [String: Int] = [:]
  /// The compartments' indices in the graph, keyed by id.
  var compartments: [Identifier: Int] = [:]
  /// The compartment of each node, by the id given in the file.
  var rooms: [(node: Int, glyph: Int, compartment: String)] = []

  /// The namespaces of the supported versions.
  static let namespaces = ["http://sbgn.org/libsbgn/0.2", "http://sbgn.org/libsbgn/0.3"]

  /// Reads a file.
  ///
  /// - Throws: ``MapError``.
  static func read(_ bytes: [UInt8]) throws(MapError) -> MapDocument {
    let tree = try MarkupTree(bytes, MarkupRules(skipped: ["extension", "notes"]))
    guard tree.root.name == "sbgn" else {
      throw .structure(.sbgn, "its outermost element is '\(tree.root.name)' and not 'sbgn'")
    }
    guard namespaces.contains(tree.root.namespace) else {
      throw .version(.sbgn, seen: tree.root.namespace, read: "0.2 and 0.3")
    }
    let maps = Array(tree.children(of: 0, named: "map"))
    if maps.isEmpty { throw .structure(.sbgn, "it has no 'map'") }
    var counts = ["map": maps.count]
    var graphs: [ReactionGraph] = []
    var document = MapDocument(format: .sbgn, version: tree.root.namespace, graph: ReactionGraph())
    for map in maps {
      try checkLanguage(of: tree[map])
      var reader = SBGNReader(tree: tree)
      graphs.append(try reader.graph(of: map))
      counts.merge(reader.counts, uniquingKeysWith: +)
      document.warnings += reader.builder.warnings
    }
    document.graph = graphs[0]
    document.submaps = Array(graphs.dropFirst())
    document.counts = counts
    return document
  }

  private init(tree: MarkupTree) {
    self.tree = tree
  }

  /// Rejects the two other languages and names them in the error.
  private static func checkLanguage(of map: MarkupTree.Element) throws(MapError) {
    let language = map["language"] ?? ""
    let version = map["version"] ?? ""
    if language == "activity flow" || ByteSearch.contains("sbgn.af.".utf8, in: version.utf8) {
      throw .language(seen: "an SBGN activity flow map", read: "process description")
    }
    if language == "entity relationship" || ByteSearch.contains("sbgn.er.".utf8, in: version.utf8) {
      throw .language(seen: "an SBGN entity relationship map", read: "process description")
    }
    if !language.isEmpty, language != "process description" {
      throw .language(seen: "in the SBGN language '\(language)'", read: "process description")
    }
  }

  private mutating func graph(of map: Int) throws(MapError) -> ReactionGraph {
    count(map)
    builder.graph.id = Identifier(tree[map]["id"] ?? "")
    for index in tree.children(of: map, named: "bbox") { builder.graph.canvas = try frame(tree[index]) }
    try addGlyphs(of: map)
    try addArcs(of: map)
    builder.captionUnnamed()
    return builder.graph
  }

  private mutating func count(_ map: Int) {
    for name in ["arc", "bbox", "glyph", "label", "port"] { counts[name] = 0 }
    for index in tree.descendants(of: map) {
      let element = tree[index]
      guard counts[element.name] != nil else { continue }
      counts[element.name, default: 0] += 1
      if element.name == "glyph" || element.name == "arc" {
        counts["\(element.name)_classes.\(element["class"] ?? "")", default: 0] += 1
      }
    }
  }

  func number(_ element: MarkupTree.Element, _ name: String) throws(MapError) -> Double {
    guard let number = try MapNumber.optional(element[name], of: "'\(name)' of '\(element.name)'") else {
      throw .number(text: "", of: "'\(name)' of '\(element.name)'")
    }
    return number
  }

  func point(_ element: MarkupTree.Element) throws(MapError) -> FrozenPath.Point {
    FrozenPath.Point(x: try number(element, "x"), y: try number(element, "y"))
  }

  /// Returns the rectangle of a `bbox` element, which gives its corner.
  func frame(_ box: MarkupTree.Element) throws(MapError) -> GraphFrame {
    let (width, height) = (try number(box, "w"), try number(box, "h"))
    return GraphFrame(
      x: try number(box, "x") + width / 2, y: try number(box, "y") + height / 2, width: width, height: height)
  }

  /// Returns the rectangle of a glyph; nil if it has none.
  func frame(of glyph: Int) throws(MapError) -> GraphFrame? {
    guard let box = tree.child(of: glyph, named: "bbox") else { return nil }
    return try frame(box)
  }
}
