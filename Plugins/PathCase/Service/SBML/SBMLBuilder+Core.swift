import PluginText
import PluginXML

/// The elements of SBML Core.
extension SBMLBuilder {
  /// Rejects a file with another root element.
  func refuseRoot(_ element: XMLElement) throws {
    if element.name.local == "sbml" { return try beginDocument(element) }
    throw refuse(FileErrors.structure, rule: 20101, "the root element is <\(element.name.local)> instead of <sbml>")
  }

  func beginDocument(_ element: XMLElement) throws {
    let level = element["level"].flatMap { Int($0) } ?? 0
    let version = element["version"].flatMap { Int($0) } ?? 0
    guard level == 2 || level == 3, SBMLTag.Family(namespace: element.name.namespace) == .core else {
      throw refuse(
        FileErrors.version, rule: level == 0 ? 20102 : 20101,
        element["level"].map {
          "level '\($0)' of '\(element.name.namespace)' is not supported; the levels 2 and 3 of SBML are"
        }
          ?? "the element <sbml> does not state its level")
    }
    guard level == 3 ? (1...2).contains(version) : (1...5).contains(version) else {
      throw refuse(
        FileErrors.version, rule: 20103, "version '\(element["version"] ?? "")' of SBML level \(level) is not supported"
      )
    }
    (document.level, document.version) = (level, version)
    for attribute in element.attributes where attribute.name.local == "required" {
      let namespace = attribute.name.namespace
      let family = SBMLTag.Family(namespace: namespace)
      if family == .flux { document.fluxPackage = namespace.last.flatMap { Int(String($0)) } }
      let isDrawing = namespace.hasSuffix("/render/version1")
      if family == .other, !isDrawing, ["true", "1"].contains(attribute.value) {
        warn(
          SBMLError.unknownPackage, rule: 20107,
          "the model needs the package '\(attribute.name.prefix)', which is ignored")
      }
    }
  }

  func beginModel(_ element: XMLElement) throws {
    if hasModel { throw refuse(FileErrors.structure, rule: 20201, "the file has two models") }
    hasModel = true
    document.model.name = element["name"] ?? ""
    guard let text = element["id"] else { return }
    document.model.id = Identifier(text)
    try declare(document.model.id, .other)
  }

  func beginCore(_ tag: SBMLTag, _ element: XMLElement) throws {
    if !hasModel { return }
    switch tag {
    case .compartment:
      let id = try id(of: element, rule: 20517)
      try declare(id, .compartment(document.model.compartments.count))
      document.model.compartments.append(
        ModelCompartment(id: id, name: element["name"] ?? "", size: try number("size", of: element)))
    case .species: try beginSpecies(element)
    case .parameter, .localParameter: try beginParameter(tag, element)
    case .initialAssignment, .assignmentRule:
      let target = element[tag == .initialAssignment ? "symbol" : "variable"] ?? ""
      draft.assignments.append(
        SBMLDraft.Assignment(
          target: Identifier(target), formula: FormulaProgram(), isRule: tag == .assignmentRule, position: position))
    case .reaction:
      let id = try id(of: element, rule: 21101)
      try declare(id, .reaction(document.model.reactions.count))
      try beginReaction(id, element)
    default: try beginParticipant(tag, element)
    }
  }

  private func beginSpecies(_ element: XMLElement) throws {
    let id = try id(of: element, rule: 20614)
    let index = document.model.species.count
    try declare(id, .species(index))
    var species = ModelSpecies(id: id, name: element["name"] ?? "")
    species.isBoundary = try flag("boundaryCondition", of: element) ?? false
    species.formula = element["chemicalFormula"]
    // Version 3 of the package allows fractional charges, which are not kept.
    species.charge = document.fluxPackage == 3 ? nil : try integer("charge", of: element)
    if document.fluxPackage == 3, let charge = try number("charge", of: element) {
      species.charge = Int(exactly: charge)
      if species.charge == nil {
        warn(FileErrors.word, id: id.text, "the charge of '\(id)' is not a whole number; it is left out")
      }
    }
    if let compartment = element["compartment"] {
      draft.locations.append(
        SBMLDraft.Location(species: index, compartment: Identifier(compartment), position: position))
    } else {
      warn(FileErrors.unknownContent, rule: 20614, id: id.text, "the species '\(id)' has no compartment")
    }
    let start = try number("initialConcentration", of: element) ?? number("initialAmount", of: element)
    if let start {
      draft.speciesValues[index] = start
      document.leftOut.insert("initial amounts")
    }
    document.model.species.append(species)
  }

  private func integer(_ name: String, of element: XMLElement) throws -> Int? {
    guard let number = try number(name, of: element) else { return nil }
    if let whole = Int(exactly: number) { return whole }
    throw refuse(FileErrors.number, id: element["id"], "'\(element[name] ?? "")' is not a whole number for \(name)")
  }

  private func beginParameter(_ tag: SBMLTag, _ element: XMLElement) throws {
    if path.contains(.kineticLaw) { return try takeLocalParameter(element) }
    if tag == .localParameter { return }
    let id = try id(of: element, rule: 20706)
    try declare(id, .parameter(document.model.parameters.count))
    document.model.parameters.append(
      ModelParameter(
        id: id, value: try number("value", of: element), isConstant: try flag("constant", of: element) ?? true))
  }

  /// Reads the flux bounds that models of level 2 give in their kinetic laws.
  private func takeLocalParameter(_ element: XMLElement) throws {
    let last = document.model.reactions.count - 1
    guard last >= 0, let name = element["id"] else { return }
    switch name {
    case "LOWER_BOUND", "UPPER_BOUND", "OBJECTIVE_COEFFICIENT": break
    default: return
    }
    guard let value = try number("value", of: element) else { return }
    if value.isNaN {
      throw refuse(FileErrors.number, id: name, "\(name) of '\(document.model.reactions[last].id)' is not a number")
    }
    switch name {
    case "LOWER_BOUND": document.model.reactions[last].lowerBound = value
    case "UPPER_BOUND": document.model.reactions[last].upperBound = value
    default: if value != 0 { addLegacyTerm(last, weight: value) }
    }
  }

  private func addLegacyTerm(_ reaction: Int, weight: Double) {
    if document.model.objectives.isEmpty { document.model.objectives.append(FluxObjective(id: "obj")) }
    draft.terms.append(
      SBMLDraft.ObjectiveTerm(
        objective: 0, reaction: document.model.reactions[reaction].id, weight: weight, position: position))
  }

  private func beginReaction(_ id: Identifier, _ element: XMLElement) throws {
    var reaction = ModelReaction(id: id, name: element["name"] ?? "")
    reaction.isReversible = try flag("reversible", of: element) ?? true
    if !reaction.isReversible { reaction.lowerBound = 0 }
    let index = document.model.reactions.count
    for (name, isUpper) in [("lowerFluxBound", false), ("upperFluxBound", true)] {
      guard let parameter = element[name] else { continue }
      draft.bounds.append(
        SBMLDraft.Bound(reaction: index, parameter: Identifier(parameter), isUpper: isUpper, position: position))
    }
    document.model.reactions.append(reaction)
  }

  private func beginParticipant(_ tag: SBMLTag, _ element: XMLElement) throws {
    let reaction = document.model.reactions.count - 1
    guard reaction >= 0, tag != .kineticLaw else { return }
    guard let species = element["species"] else {
      let id = document.model.reactions[reaction].id
      throw refuse(
        FileErrors.unknownContent, rule: 21116, id: id.text, "a participant of the reaction '\(id)' has no species")
    }
    if tag == .modifierSpeciesReference {
      draft.modifiers.append(
        SBMLDraft.Modifier(
          reaction: reaction, species: Identifier(species), term: element["sboTerm"].flatMap { SBMLForm.term($0) },
          position: position))
      return
    }
    var amount = try number("stoichiometry", of: element)
    if amount == nil, document.level == 2 { amount = 1 }
    let id = element["id"].map { Identifier($0) }
    if let id { try declare(id, .participant(draft.participants.count)) }
    draft.participants.append(
      SBMLDraft.Participant(
        reaction: reaction, species: Identifier(species), amount: amount,
        isProduct: path.contains(.listOfProducts), id: id, position: position))
  }

  /// Assigns a formula to the enclosing element.
  func takeFormula() {
    if !functions.isEmpty { formulaSteps += math.program.steps.count }
    switch path.last {
    case .functionDefinition:
      functions[functionID] = FormulaFunction(parameters: math.parameters, body: math.program)
    case .initialAssignment, .assignmentRule:
      let last = draft.assignments.count - 1
      if last >= 0 { draft.assignments[last].formula = math.program }
    case .kineticLaw:
      // Older flux models have only the name of the flux there.
      if math.program.steps.count > 1 { document.leftOut.insert("rate laws") }
    case .stoichiometryMath:
      let last = draft.participants.count - 1
      if last >= 0 { draft.participants[last].formula = math.program }
    default: break
    }
  }

  /// Reads the data that older models give in notes.
  func takeNotes() {
    var finished = notes.finished
    // The reaction stores it as its own.
    if path.last == .reaction, finished.markup.isEmpty {
      finished.entries.removeAll { $0.key.uppercased() == "SUBSYSTEM" && $0.values != [""] }
    }
    if !finished.isEmpty {
      let isKept = changePart { $0.notes = finished }
      if !isKept { document.leftOut.insert("notes of the document, amounts and gene rules") }
    }
    let species = document.model.species.count - 1
    let reaction = document.model.reactions.count - 1
    for (key, value) in notes.entries {
      switch (path.last, key) {
      case (.species, "FORMULA") where species >= 0 && document.model.species[species].formula == nil:
        document.model.species[species].formula = value
      case (.species, "CHARGE") where species >= 0 && document.model.species[species].charge == nil:
        document.model.species[species].charge = Int(value)
      case (.reaction, "GENE_ASSOCIATION") where reaction >= 0, (.reaction, "GENE ASSOCIATION") where reaction >= 0:
        draft.notedRules.append((reaction, value))
      case (.reaction, "SUBSYSTEM") where reaction >= 0: document.model.reactions[reaction].subsystem = value
      default: break
      }
    }
  }
}

/// The notes of a file while they are read: as XHTML, and as machine-readable lines such as `FORMULA: C6H12O6`.
///
/// Lines of the form `key: value` that are alone in paragraphs become entries of ``ModelNotes``; other notes are kept
/// as XHTML too.
struct SBMLNotes {
  private var line: [UInt8] = []
  private var markup: [UInt8] = []
  /// The open elements, outermost first.
  private var open: [String] = []
  /// A Boolean value indicating whether the element that was opened last is still empty.
  private var isEmptyElement = false
  private var isPlain = true

  /// The names in uppercase and the values, both trimmed; empty ones are left out.
  private(set) var entries: [(key: String, value: String)] = []
  private var notes = ModelNotes()

  /// The finished notes.
  var finished: ModelNotes {
    var finished = notes
    if !isPlain { finished.markup = String(decoding: markup, as: UTF8.self) }
    return finished
  }

  mutating func begin(_ element: XMLElement) {
    finishLine()
    endStartTag()
    let name = element.name.local
    let isWrapper = open.isEmpty && (name == "html" || name == "body") || open == ["html"] && name == "body"
    let isParagraph = name == "p" && open.last.map { $0 == "html" || $0 == "body" } ?? true
    if !isWrapper && !isParagraph || !element.attributes.isEmpty { isPlain = false }
    markup += "<\(name)".utf8
    if open.isEmpty { markup += #" xmlns="http://www.w3.org/1999/xhtml""#.utf8 }
    for attribute in element.attributes where attribute.name.prefix.isEmpty {
      markup += " \(attribute.name.local)=\"\(XMLEscape.attribute(attribute.value))\"".utf8
    }
    open.append(name)
    isEmptyElement = true
  }

  mutating func end() {
    finishLine()
    guard let name = open.popLast() else { return }
    markup += (isEmptyElement ? "/>" : "</\(name)>").utf8
    isEmptyElement = false
  }

  mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) {
    // The lines that programs read are short; the rest is for people.
    if line.count < 1 << 16 { line.append(contentsOf: bytes) }
    if open.isEmpty { return }
    endStartTag()
    XMLEscape.append(attribute: String(decoding: bytes, as: UTF8.self), to: &markup)
  }

  private mutating func endStartTag() {
    if isEmptyElement { markup.append(UInt8(ascii: ">")) }
    isEmptyElement = false
  }

  private mutating func finishLine() {
    defer { line.removeAll(keepingCapacity: true) }
    if line.allSatisfy({ $0 <= 32 }) { return }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
      isPlain = false
      return
    }
    let key = String(decoding: line[..<colon], as: UTF8.self).trimmed()
    let value = String(decoding: line[(colon + 1)...], as: UTF8.self).trimmed()
    let isLine = !key.isEmpty && open.last == "p"
    if isLine { notes.add(key, value) } else { isPlain = false }
    if !key.isEmpty, !value.isEmpty { entries.append((key.uppercased(), value)) }
  }
}
