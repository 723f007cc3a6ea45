import PluginXML

/// Builds gene rules from nested elements.
struct GeneRuleStack {
  private var levels: [(isAll: Bool, rules: [GeneRule])] = []

  /// Resets the stack.
  mutating func reset() { levels = [(isAll: true, rules: [])] }

  mutating func open(isAll: Bool) { levels.append((isAll, [])) }

  mutating func add(_ rule: GeneRule) {
    if !levels.isEmpty { levels[levels.count - 1].rules.append(rule) }
  }

  mutating func close() {
    guard levels.count > 1, let level = levels.popLast() else { return }
    if let rule = Self.rule(level) { add(rule) }
  }

  /// Returns the rule; nil if there was none.
  mutating func finish() -> GeneRule? {
    while levels.count > 1 { close() }
    return levels.popLast().flatMap { Self.rule($0) }
  }

  private static func rule(_ level: (isAll: Bool, rules: [GeneRule])) -> GeneRule? {
    if level.rules.count <= 1 { return level.rules.first }
    return level.isAll ? .all(level.rules) : .any(level.rules)
  }
}

/// The elements of the packages for flux balance constraints and for groups.
extension SBMLBuilder {
  func beginFlux(_ tag: SBMLTag, _ element: XMLElement) throws {
    switch tag {
    case .geneProductAssociation: rules.reset()
    case .and, .or: rules.open(isAll: tag == .and)
    case .geneProductRef:
      guard let gene = element["geneProduct"] else {
        throw refuse(FileErrors.unknownContent, rule: 2_020_908, "a reference to a gene product has no gene product")
      }
      rules.add(.gene(geneIndex(Identifier(gene))))
    case .geneProduct:
      let id = try id(of: element, rule: 2_021_203)
      try declare(id, .gene(document.model.genes.count))
      document.model.genes.append(Self.gene(id, name: element["name"], label: element["label"]))
    case .listOfObjectives: draft.activeObjective = element["activeObjective"].map { Identifier($0) }
    case .objective: try beginObjective(element)
    case .fluxObjective: try beginTerm(element)
    default: try beginFluxBound(element)
    }
  }

  /// Returns a gene; one without a name is named by its required label, unless that is its id.
  private static func gene(_ id: Identifier, name: String?, label: String?) -> ModelGene {
    let (name, label) = (Identifier(name ?? ""), Identifier(label ?? ""))
    if !name.text.isEmpty, !label.text.isEmpty, name != label {
      return ModelGene(id: id, name: name.text, label: label.text)
    }
    let called = label.text.isEmpty ? name : label
    return ModelGene(id: id, name: called == id ? "" : called.text)
  }

  /// Returns the index of a gene among those that rules name.
  func geneIndex(_ id: Identifier) -> Int {
    if let known = draft.geneIndices[id] { return known }
    draft.geneIndices[id] = draft.namedGenes.count
    draft.namedGenes.append((id, position))
    return draft.namedGenes.count - 1
  }

  private func beginObjective(_ element: XMLElement) throws {
    let id = try id(of: element, rule: 2_020_503)
    try declare(id, .other)
    let type = element["type"] ?? "maximize"
    guard type == "maximize" || type == "minimize" else {
      throw refuse(
        FileErrors.word, rule: 2_020_506, id: id.text,
        "the objective '\(id)' has the type '\(type)' instead of maximize or minimize")
    }
    document.model.objectives.append(FluxObjective(id: id, isMaximized: type == "maximize"))
  }

  private func beginTerm(_ element: XMLElement) throws {
    let objective = document.model.objectives.count - 1
    guard objective >= 0 else { return }
    guard let reaction = element["reaction"], let weight = try number("coefficient", of: element) else {
      throw refuse(
        FileErrors.unknownContent, rule: 2_020_603, "a term of an objective lacks its reaction or coefficient")
    }
    draft.terms.append(
      SBMLDraft.ObjectiveTerm(objective: objective, reaction: Identifier(reaction), weight: weight, position: position))
  }

  private func beginFluxBound(_ element: XMLElement) throws {
    guard let reaction = element["reaction"], let operation = element["operation"],
      let value = try number("value", of: element)
    else {
      throw refuse(FileErrors.unknownContent, rule: 2_020_404, "a flux bound lacks its reaction, operation or value")
    }
    if let id = element["id"] { try declare(Identifier(id), .other) }
    guard ["less", "lessEqual", "greater", "greaterEqual", "equal"].contains(operation) else {
      throw refuse(
        FileErrors.word, rule: 2_020_406, id: element["id"], "a flux bound has the unknown operation '\(operation)'")
    }
    draft.fluxBounds.append(
      SBMLDraft.FluxBound(reaction: Identifier(reaction), operation: operation, value: value, position: position))
  }

  func beginGroup(_ tag: SBMLTag, _ element: XMLElement) throws {
    if tag == .group {
      let id = Identifier(element["id"] ?? "")
      if !id.text.isEmpty { try declare(id, .other) }
      document.model.groups.append(ModelGroup(id: id, name: element["name"] ?? "", kind: element["kind"]))
      return
    }
    let last = document.model.groups.count - 1
    if last >= 0, let member = element["idRef"] { document.model.groups[last].members.append(Identifier(member)) }
  }
}

/// The open glyphs while a layout is read.
struct LayoutState {
  /// The indices of the glyphs, outermost first.
  var open: [Int] = []
}

/// The elements of the layout package.
extension SBMLBuilder {
  func beginLayout(_ tag: SBMLTag, _ element: XMLElement) throws {
    if tag == .layout {
      layout = LayoutState()
      document.model.layouts.append(ModelLayout(id: Identifier(element["id"] ?? ""), name: element["name"] ?? ""))
      return
    }
    let last = document.model.layouts.count - 1
    guard last >= 0 else { return }
    if let kind = Self.kind(of: tag) { return beginGlyph(kind, element, in: last) }
    switch tag {
    case .dimensions: try takeSize(element, in: last)
    case .position, .start, .end, .basePoint1, .basePoint2: try takePoint(tag, element, in: last)
    case .curveSegment:
      guard let glyph = layout.open.last else { return }
      let origin = LayoutPoint(x: 0, y: 0)
      document.model.layouts[last].glyphs[glyph].segments.append(LayoutSegment(start: origin, end: origin))
    default: break
    }
  }

  func endLayout(_ tag: SBMLTag) {
    if Self.kind(of: tag) != nil { layout.open.removeLast(layout.open.isEmpty ? 0 : 1) }
  }

  private static func kind(of tag: SBMLTag) -> LayoutGlyph.Kind? {
    switch tag {
    case .compartmentGlyph: .compartment
    case .speciesGlyph: .species
    case .reactionGlyph: .reaction
    case .textGlyph: .text
    case .generalGlyph, .graphicalObject: .general
    case .speciesReferenceGlyph: .speciesReference
    case .referenceGlyph: .reference
    default: nil
    }
  }

  private func beginGlyph(_ kind: LayoutGlyph.Kind, _ element: XMLElement, in index: Int) {
    let object: String? =
      switch kind {
      case .compartment: element["compartment"]
      case .species: element["species"]
      case .reaction: element["reaction"]
      case .text: element["originOfText"]
      case .speciesReference: element["speciesReference"]
      case .general, .reference: element["reference"]
      }
    let target = element["speciesGlyph"] ?? element["glyph"] ?? element["graphicalObject"]
    var glyph = LayoutGlyph(kind: kind, id: Identifier(element["id"] ?? ""))
    glyph.object = object.map { Identifier($0) }
    glyph.target = target.map { Identifier($0) }
    glyph.owner = layout.open.last
    glyph.role = element["role"]
    glyph.text = kind == .text ? element["text"] : nil
    layout.open.append(document.model.layouts[index].glyphs.count)
    document.model.layouts[index].glyphs.append(glyph)
  }

  private func takeSize(_ element: XMLElement, in index: Int) throws {
    guard let width = try finite("width", of: element), let height = try finite("height", of: element) else { return }
    let size = LayoutSize(width: width, height: height)
    if let glyph = layout.open.last {
      document.model.layouts[index].glyphs[glyph].size = size
    } else {
      document.model.layouts[index].size = size
    }
  }

  private func takePoint(_ tag: SBMLTag, _ element: XMLElement, in index: Int) throws {
    guard let glyph = layout.open.last, let x = try finite("x", of: element), let y = try finite("y", of: element)
    else { return }
    let point = LayoutPoint(x: x, y: y)
    if tag == .position {
      document.model.layouts[index].glyphs[glyph].corner = point
      return
    }
    let segment = document.model.layouts[index].glyphs[glyph].segments.count - 1
    guard segment >= 0 else { return }
    switch tag {
    case .start: document.model.layouts[index].glyphs[glyph].segments[segment].start = point
    case .end: document.model.layouts[index].glyphs[glyph].segments[segment].end = point
    case .basePoint1: document.model.layouts[index].glyphs[glyph].segments[segment].first = point
    default: document.model.layouts[index].glyphs[glyph].segments[segment].second = point
    }
  }

  private func finite(_ name: String, of element: XMLElement) throws -> Double? {
    guard let number = try number(name, of: element) else { return nil }
    if number.isFinite { return number }
    throw refuse(FileErrors.number, id: element["id"], "\(name) of a position is not finite")
  }
}
