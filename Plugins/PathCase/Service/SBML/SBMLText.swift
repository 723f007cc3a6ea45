import PluginText

/// The text of an SBML file while it is written.
struct SBMLText {
  private var xml = XMLWriter()

  var bytes: [UInt8] { xml.bytes }

  /// Returns a text unless it is empty; nil otherwise.
  func some(_ text: String) -> String? { text.isEmpty ? nil : text }

  /// Begins an element; attributes without a value are left out.
  mutating func open(_ name: String, _ attributes: [(String, String?)] = []) { xml.begin(name, attributes) }

  /// Ends the element that was begun last.
  mutating func close() { xml.end() }

  /// Writes an empty element.
  mutating func empty(_ name: String, _ attributes: [(String, String?)]) { xml.write(name, attributes) }

  /// Writes a list with its parts; nothing if there are none.
  mutating func list<Part>(_ name: String, _ parts: [Part], _ write: (inout SBMLText, Part) -> Void) {
    if parts.isEmpty { return }
    open(name)
    for part in parts { write(&self, part) }
    close()
  }

  /// Writes the metadata of a part: notes, then database addresses.
  ///
  /// - Parameters:
  ///   - id: The id of the part; its `metaid` is `meta_` and the id.
  ///   - more: A line of notes to write unless there is one with its key.
  mutating func remarks(_ id: Identifier, _ metadata: ModelMetadata, more: (key: String, value: String)? = nil) {
    // XHTML notes already contain the line.
    let isNew = more.map { !metadata.notes.has($0.key) } ?? false
    write(metadata.notes, more: isNew ? more : nil)
    if !metadata.references.isEmpty, !id.text.isEmpty { annotation(of: id, metadata.references, metadata.qualifiers) }
  }

  /// Writes notes; those that contain more than keys and values are written unchanged, followed by an additional line.
  private mutating func write(_ notes: ModelNotes, more: (key: String, value: String)?) {
    if notes.isEmpty, more == nil { return }
    let entries = notes.markup.isEmpty ? notes.entries : []
    var lines = entries.flatMap { entry in entry.values.map { (entry.key, $0) } }
    if let more { lines.append(more) }
    let paragraphs = lines.map { "<p>\(XMLEscape.attribute("\($0.0): \($0.1)"))</p>" }.joined()
    let body = "<\(Self.wrapper) xmlns=\"http://www.w3.org/1999/xhtml\">\(paragraphs)</\(Self.wrapper)>"
    xml.write("notes", markup: lines.isEmpty ? notes.markup : notes.markup + body)
  }

  /// The element around lines of notes; validators accept a `body` alone, but not a document without a head.
  private static let wrapper = "body"

  /// Writes the database addresses of a part; adjacent ones with the same qualifier are grouped.
  private mutating func annotation(of id: Identifier, _ references: [String], _ qualifiers: [String: String]) {
    open("annotation")
    open(
      "rdf:RDF",
      [
        ("xmlns:rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
        ("xmlns:bqbiol", "http://biomodels.net/biology-qualifiers/"),
      ])
    open("rdf:Description", [("rdf:about", "#meta_" + id.text)])
    var remaining = references[...]
    while let first = remaining.first {
      let qualifier = qualifiers[first]
      let group = remaining.prefix { qualifiers[$0] == qualifier }
      open("bqbiol:" + (qualifier ?? "is"))
      list("rdf:Bag", Array(group)) { text, address in text.empty("rdf:li", [("rdf:resource", address)]) }
      close()
      remaining = remaining.dropFirst(group.count)
    }
    close()
    close()
    close()
  }

  /// Writes a gene rule, which is nested at most as deep as the rules that can be read.
  mutating func write(_ rule: GeneRule, _ genes: [ModelGene]) {
    switch rule {
    case .gene(let gene): empty("fbc:geneProductRef", [("fbc:geneProduct", genes[gene].id.text)])
    case .all(let rules): write("fbc:and", rules, genes)
    case .any(let rules): write("fbc:or", rules, genes)
    }
  }

  private mutating func write(_ name: String, _ rules: [GeneRule], _ genes: [ModelGene]) {
    open(name)
    for rule in rules { write(rule, genes) }
    close()
  }
}

extension SBMLText {
  /// Writes a layout; glyphs are listed by the kind of thing they represent, those of lines in their owners.
  mutating func write(_ layout: ModelLayout) {
    open("layout:layout", [("layout:id", some(layout.id.text)), ("layout:name", some(layout.name))])
    if let size = layout.size { write(size) }
    let lists: [(LayoutGlyph.Kind, String)] = [
      (.compartment, "layout:listOfCompartmentGlyphs"), (.species, "layout:listOfSpeciesGlyphs"),
      (.reaction, "layout:listOfReactionGlyphs"), (.text, "layout:listOfTextGlyphs"),
      (.general, "layout:listOfAdditionalGraphicalObjects"),
    ]
    var parts: [Int: [LayoutGlyph]] = [:]
    for glyph in layout.glyphs { if let owner = glyph.owner { parts[owner, default: []].append(glyph) } }
    for (kind, name) in lists {
      let indices = layout.glyphs.indices.filter { layout.glyphs[$0].kind == kind && layout.glyphs[$0].owner == nil }
      list(name, indices) { text, index in text.write(layout.glyphs[index], parts[index] ?? []) }
    }
    close()
  }

  private mutating func write(_ glyph: LayoutGlyph, _ parts: [LayoutGlyph]) {
    let (element, object, target): (String, String, String) =
      switch glyph.kind {
      case .compartment: ("compartmentGlyph", "compartment", "")
      case .species: ("speciesGlyph", "species", "")
      case .reaction: ("reactionGlyph", "reaction", "")
      case .text: ("textGlyph", "originOfText", "graphicalObject")
      case .general: ("generalGlyph", "reference", "")
      case .speciesReference: ("speciesReferenceGlyph", "speciesReference", "speciesGlyph")
      case .reference: ("referenceGlyph", "reference", "glyph")
      }
    var attributes: [(String, String?)] = [("layout:id", some(glyph.id.text))]
    attributes.append(("layout:" + object, glyph.object?.text))
    if !target.isEmpty { attributes.append(("layout:" + target, glyph.target?.text)) }
    attributes.append(("layout:role", glyph.role))
    attributes.append(("layout:text", glyph.text))
    open("layout:" + element, attributes)
    writeBox(glyph)
    if !glyph.segments.isEmpty { write(glyph.segments) }
    let names: [(LayoutGlyph.Kind, String)] = [
      (.speciesReference, "layout:listOfSpeciesReferenceGlyphs"), (.reference, "layout:listOfReferenceGlyphs"),
    ]
    for (kind, name) in names {
      list(name, parts.filter { $0.kind == kind }) { text, part in text.write(part, []) }
    }
    list("layout:listOfSubGlyphs", parts.filter { ![.speciesReference, .reference].contains($0.kind) }) { text, part in
      text.write(part, [])
    }
    close()
  }

  private mutating func writeBox(_ glyph: LayoutGlyph) {
    if glyph.corner == nil, glyph.size == nil { return }
    open("layout:boundingBox")
    if let corner = glyph.corner { write("layout:position", corner) }
    if let size = glyph.size { write(size) }
    close()
  }

  private mutating func write(_ size: LayoutSize) {
    empty(
      "layout:dimensions",
      [("layout:width", SBMLNumber.text(size.width)), ("layout:height", SBMLNumber.text(size.height))])
  }

  private mutating func write(_ name: String, _ point: LayoutPoint) {
    empty(name, [("layout:x", SBMLNumber.text(point.x)), ("layout:y", SBMLNumber.text(point.y))])
  }

  private mutating func write(_ segments: [LayoutSegment]) {
    open("layout:curve")
    list("layout:listOfCurveSegments", segments) { text, segment in
      let isCubic = segment.first != nil || segment.second != nil
      text.open(
        "layout:curveSegment",
        [
          ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
          ("xsi:type", isCubic ? "CubicBezier" : "LineSegment"),
        ])
      text.write("layout:start", segment.start)
      text.write("layout:end", segment.end)
      if let first = segment.first { text.write("layout:basePoint1", first) }
      if let second = segment.second { text.write("layout:basePoint2", second) }
      text.close()
    }
    close()
  }
}
