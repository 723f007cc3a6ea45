import PluginXML

/// Builds a draft of a model from the events of a file.
///
/// Not thread-safe.
final class SBMLBuilder {
  /// The treatment of an element's contents.
  private enum Mode {
    case model, skip, notes, annotation, math
  }

  var document = SBMLDocument()
  var draft = SBMLDraft()
  /// The open elements, outermost first, without those in notes, annotations, formulas and unknown elements.
  var path: [SBMLTag] = []
  var hasModel = false
  var rules = GeneRuleStack()
  var layout = LayoutState()
  var math = MathReader()
  /// The functions that the model has defined so far.
  var functions: [Identifier: FormulaFunction] = [:]
  /// The number of steps in all formulas after inlining.
  var formulaSteps = 0
  /// The function being defined.
  private(set) var functionID = Identifier("")
  var notes = SBMLNotes()

  /// The relation of the following addresses to the part: `is`, `isVersionOf`.
  private var qualifier: String?
  /// The common prefix of the qualifiers' namespaces.
  ///
  /// - Source: SBML Level 3 Version 2 Core, section 6.5.
  private static let qualifiers = "http://biomodels.net/"

  /// The elements that models cannot represent, in words.
  private static let unread = [
    "listOfEvents": "events", "listOfConstraints": "constraints", "rateRule": "rate rules",
    "algebraicRule": "algebraic rules",
  ]

  private var mode = Mode.model
  /// The number of open elements to which the mode applies.
  private var modeDepth = 0
  private var knownFamilies: [(namespace: String, table: [String: SBMLTag])] = []
  /// The reader, known only while an event is handled.
  private var reader: XMLReader?

  /// The current position in the file.
  var place: SBMLDraft.Place {
    guard let reader else { return SBMLDraft.Place() }
    return SBMLDraft.Place(line: Int32(clamping: reader.line), column: Int32(clamping: reader.column))
  }

  func take(_ event: XMLEvent, _ reader: XMLReader) throws {
    self.reader = reader
    defer { self.reader = nil }
    switch event {
    case .begin(let element): try begin(element)
    case .end: try end()
    case .text(let bytes):
      switch mode {
      case .notes: notes.take(bytes)
      case .math: math.take(bytes)
      case .model, .skip, .annotation: break
      }
    @unknown default: break
    }
  }

  /// Handles an element to which a mode applies.
  private func beginInner(_ element: XMLElement) {
    modeDepth += 1
    switch mode {
    case .math: math.begin(element)
    case .notes: notes.begin(element)
    case .annotation:
      if element.name.namespace.hasPrefix(Self.qualifiers) { qualifier = element.name.local }
      if element.name.local == "li", let address = element["resource"] { addReference(address) }
    case .model, .skip: break
    }
  }

  private func begin(_ element: XMLElement) throws {
    if mode != .model { return beginInner(element) }
    guard let tag = table(of: element.name.namespace)[element.name.local] else {
      if path.isEmpty { try refuseRoot(element) }
      if let words = Self.unread[element.name.local] { document.leftOut.insert(words) }
      enter(.skip)
      return
    }
    switch tag {
    case .notes:
      notes = SBMLNotes()
      enter(.notes)
    case .annotation:
      qualifier = nil
      enter(.annotation)
    case .math:
      math = MathReader(functions: functions, most: FormulaFunction.mostSteps - formulaSteps)
      enter(.math)
    case .listOfUnitDefinitions:
      document.leftOut.insert("units")
      enter(.skip)
    default:
      path.append(tag)
      try begin(tag, element)
    }
  }

  private func end() throws {
    if mode == .model {
      guard let tag = path.popLast() else { return }
      end(tag)
      return
    }
    modeDepth -= 1
    switch mode {
    case .math where modeDepth > 0: math.end()
    case .notes where modeDepth > 0: notes.end()
    default: break
    }
    if modeDepth > 0 { return }
    let finished = mode
    mode = .model
    if finished == .math { takeFormula() }
    if finished == .notes { takeNotes() }
  }

  private func enter(_ mode: Mode) {
    self.mode = mode
    modeDepth = 1
  }

  private func table(of namespace: String) -> [String: SBMLTag] {
    for known in knownFamilies where known.namespace.utf8.elementsEqual(namespace.utf8) { return known.table }
    let table = SBMLTag.tables[SBMLTag.Family(namespace: namespace)] ?? [:]
    if knownFamilies.count < 16 { knownFamilies.append((namespace, table)) }
    return table
  }

  private func begin(_ tag: SBMLTag, _ element: XMLElement) throws {
    try beginPart(tag, element)
    if let term = element["sboTerm"].flatMap({ SBMLForm.term($0) }), tag != .modifierSpeciesReference {
      let isKept = changePart { $0.term = term }
      if !isKept { document.leftOut.insert("SBO terms of the document, amounts and gene rules") }
    }
  }

  private func beginPart(_ tag: SBMLTag, _ element: XMLElement) throws {
    if tag == .sbml { return try beginDocument(element) }
    // Elements before the model do not belong to it.
    switch tag {
    case .model: try beginModel(element)
    case .functionDefinition:
      functionID = Identifier(element["id"] ?? "")
      if element["id"] != nil { try declare(functionID, .other) }
    case .compartment, .species, .parameter, .localParameter, .initialAssignment, .assignmentRule, .reaction,
      .speciesReference, .modifierSpeciesReference, .kineticLaw:
      try beginCore(tag, element)
    case .fluxBound, .listOfObjectives, .objective, .fluxObjective, .geneProduct, .geneProductAssociation, .and, .or,
      .geneProductRef:
      try beginFlux(tag, element)
    case .group, .member: try beginGroup(tag, element)
    default: try beginLayout(tag, element)
    }
  }

  private func end(_ tag: SBMLTag) {
    switch tag {
    case .and, .or: rules.close()
    case .geneProductAssociation:
      if !document.model.reactions.isEmpty, path.last == .reaction {
        document.model.reactions[document.model.reactions.count - 1].geneRule = rules.finish()
      }
    default: endLayout(tag)
    }
  }

  private func addReference(_ address: String) {
    let other = qualifier == "is" ? nil : qualifier
    changePart { metadata in
      metadata.references.append(address)
      if let other { metadata.qualifiers[address] = other }
    }
  }

  /// Changes the metadata of the open part.
  ///
  /// - Returns: False if no part of the model is open.
  @discardableResult func changePart(_ change: (inout ModelMetadata) -> Void) -> Bool {
    func changeLast<Part: AnnotatedPart>(_ parts: inout [Part]) -> Bool {
      guard let last = parts.indices.last else { return false }
      change(&parts[last].metadata)
      return true
    }
    switch path.last {
    case .model:
      change(&document.model.metadata)
      return true
    case .compartment: return changeLast(&document.model.compartments)
    case .species: return changeLast(&document.model.species)
    case .parameter: return changeLast(&document.model.parameters)
    case .reaction: return changeLast(&document.model.reactions)
    case .geneProduct: return changeLast(&document.model.genes)
    case .group: return changeLast(&document.model.groups)
    default: return false
    }
  }
}
