import PluginAPI
import PluginText
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
  var position: SBMLDraft.Position {
    guard let reader else { return SBMLDraft.Position() }
    return SBMLDraft.Position(line: Int32(clamping: reader.line), column: Int32(clamping: reader.column))
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
      if let part = Self.unread[element.name.local] { document.leftOut.insert(part) }
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
    for known in knownFamilies where known.namespace.hasSameBytes(as: namespace) { return known.table }
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

/// Reading of attributes, with their errors.
extension SBMLBuilder {
  /// Returns a problem at the current position.
  func problem(_ error: DeclaredError, rule: Int? = nil, id: String? = nil, _ text: String) -> SBMLProblem {
    let position = position
    return SBMLProblem(
      error: error, rule: rule, line: Int(position.line), column: Int(position.column), id: id, text: text)
  }

  func refuse(_ error: DeclaredError, rule: Int? = nil, id: String? = nil, _ text: String) -> SBMLRefusal {
    SBMLRefusal(problem: problem(error, rule: rule, id: id, text))
  }

  func warn(_ error: DeclaredError, rule: Int? = nil, id: String? = nil, _ text: String) {
    // The number of reported problems is limited to what a user would read.
    if document.warnings.count < 100 { document.warnings.append(problem(error, rule: rule, id: id, text)) }
  }

  /// Returns the required id of an element.
  func id(of element: XMLElement, rule: Int? = nil) throws -> Identifier {
    guard let text = element["id"] else {
      throw refuse(FileErrors.unknownContent, rule: rule, "<\(element.name.local)> has no id")
    }
    if text.isEmpty || text.utf8.contains(where: { $0 <= 32 }) {
      throw refuse(FileErrors.unusableID, rule: 10310, id: text, "the id '\(text)' is empty or contains white space")
    }
    return Identifier(text)
  }

  /// Registers the meaning of a name.
  func declare(_ id: Identifier, _ symbol: SBMLDraft.Symbol) throws {
    if draft.symbols.updateValue(symbol, forKey: id) != nil {
      throw refuse(FileErrors.duplicateID, rule: 10301, id: id.text, "the id '\(id)' is used twice")
    }
  }

  /// Returns a number; nil if the attribute is absent.
  func number(_ name: String, of element: XMLElement) throws -> Double? {
    guard let text = element[name] else { return nil }
    if let number = SBMLNumber.read(text) { return number }
    throw refuse(FileErrors.number, id: element["id"], "'\(text)' is not a number for \(name)")
  }

  /// Returns a Boolean value; nil if the attribute is absent.
  func flag(_ name: String, of element: XMLElement) throws -> Bool? {
    guard let text = element[name] else { return nil }
    switch text.trimmed() {
    case "true", "1": return true
    case "false", "0": return false
    default: throw refuse(FileErrors.boolean, id: element["id"], "'\(text)' is neither 'true' nor 'false' for \(name)")
    }
  }
}

/// The supported elements of SBML, named as in the file.
enum SBMLTag: String, CaseIterable {
  // Core.
  case sbml, model, notes, annotation, math
  case listOfFunctionDefinitions, listOfUnitDefinitions, listOfCompartments, listOfSpecies, listOfParameters
  case listOfInitialAssignments, listOfRules, listOfReactions, listOfReactants, listOfProducts, listOfModifiers
  case listOfLocalParameters
  case functionDefinition, unitDefinition, compartment, species, parameter, initialAssignment, assignmentRule, reaction
  case speciesReference, modifierSpeciesReference, stoichiometryMath, kineticLaw, localParameter
  // Flux balance constraints.
  case listOfFluxBounds, fluxBound, listOfObjectives, objective, listOfFluxObjectives, fluxObjective
  case listOfGeneProducts, geneProduct, geneProductAssociation, and, or, geneProductRef
  // Groups.
  case listOfGroups, group, listOfMembers, member
  // Layout.
  case listOfLayouts, layout, listOfCompartmentGlyphs, listOfSpeciesGlyphs, listOfReactionGlyphs, listOfTextGlyphs
  case listOfAdditionalGraphicalObjects, listOfSpeciesReferenceGlyphs, listOfReferenceGlyphs, listOfSubGlyphs
  case compartmentGlyph, speciesGlyph, reactionGlyph, textGlyph, generalGlyph, speciesReferenceGlyph, referenceGlyph
  case graphicalObject, dimensions, boundingBox, position, curve, listOfCurveSegments, curveSegment
  case start, end, basePoint1, basePoint2

  /// The families of elements.
  enum Family {
    case core, flux, groups, layout, other

    init(namespace: String) {
      let base = "http://www.sbml.org/sbml/level"
      guard namespace.hasPrefix(base) else {
        self = .other
        return
      }
      self =
        if ["/fbc/version1", "/fbc/version2", "/fbc/version3"].contains(where: { namespace.hasSuffix($0) }) {
          .flux
        } else if namespace.hasSuffix("/groups/version1") {
          .groups
        } else if namespace.hasSuffix("/layout/version1") {
          .layout
        } else {
          // Level 2 has no '/core' at its end.
          namespace.hasSuffix("/core") || namespace.hasPrefix(base + "2") ? .core : .other
        }
    }
  }

  /// The elements of each family by name.
  static let tables: [Family: [String: SBMLTag]] = {
    var tables: [Family: [String: SBMLTag]] = [:]
    var family = Family.core
    for tag in allCases {
      switch tag {
      case .listOfFluxBounds: family = .flux
      case .listOfGroups: family = .groups
      case .listOfLayouts: family = .layout
      default: break
      }
      tables[family, default: [:]][tag.rawValue] = tag
    }
    // Drafts of the package used this name.
    tables[.flux, default: [:]]["listOfFluxes"] = .listOfFluxObjectives
    // MathML has its own namespace.
    tables[.other] = ["math": .math]
    return tables
  }()
}
