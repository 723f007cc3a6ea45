import PluginAPI
import PluginText
import PluginXML

/// Checks SBML files by the rules on XML, identifiers and flux balance constraints.
///
/// - Source: SBML Level 3 Version 2 Core, appendix A; Flux Balance Constraints version 2, release 1, appendix A.
struct SBMLValidator {
  let tree: SBMLTree
  private(set) var problems: [SBMLProblem] = []
  /// The maximum number of problems reported for a file.
  static let limit = 1000

  /// Returns all violations of the checked rules, in the order of the rules' groups.
  ///
  /// - Throws: ``SBMLError`` if the file is not well-formed XML.
  static func problems(_ bytes: [UInt8]) throws -> [SBMLProblem] {
    let holder = TreeHolder()
    try SBMLSource.read(bytes) { reader, event in holder.tree.take(event, reader) }
    var validator = SBMLValidator(tree: holder.tree)
    holder.tree = SBMLTree()
    validator.checkAttributes()
    validator.checkLists()
    validator.checkIdentifiers()
    validator.checkUnits()
    validator.checkPackage()
    validator.checkElements()
    validator.checkReferences()
    validator.checkBounds()
    validator.checkStrictness()
    return validator.problems
  }

  private init(tree: SBMLTree) { self.tree = tree }

  private final class TreeHolder {
    var tree = SBMLTree()
  }

  /// Reports a violation of a rule by an element.
  mutating func report(
    _ rule: Int, _ index: Int, _ text: String, error: DeclaredError = FileErrors.unknownContent
  ) {
    let node = tree.nodes[index]
    add(
      SBMLProblem(
        error: error, rule: rule, line: node.line, column: node.column,
        id: node["id"] ?? node.flux("id"), text: text))
  }

  mutating func add(_ problem: SBMLProblem) {
    if problems.count < Self.limit { problems.append(problem) }
  }
}

/// The attribute rules of the core schemas; the rule numbers are those of XML faults.
extension SBMLValidator {
  /// The required attributes of core elements.
  private static let required: [String: [String]] = [
    "compartment": ["id"], "species": ["id", "compartment"], "parameter": ["id"], "reaction": ["id"],
    "functionDefinition": ["id"], "unitDefinition": ["id"], "initialAssignment": ["symbol"],
    "assignmentRule": ["variable"], "rateRule": ["variable"], "eventAssignment": ["variable"],
    "speciesReference": ["species"], "modifierSpeciesReference": ["species"], "unit": ["kind"],
    "compartmentType": ["id"], "speciesType": ["id"],
  ]

  /// The core attributes that are Boolean values.
  private static let flags: Set<String> = [
    "constant", "boundaryCondition", "hasOnlySubstanceUnits", "reversible", "fast", "useValuesFromTriggerTime",
    "persistent", "initialValue",
  ]

  /// The required and optional attributes of a species in level 3.
  ///
  /// - Source: SBML Level 3 Version 1 Core, section 4.6 and rules 20614 and 20623.
  private static let species = (
    required: ["id", "compartment", "hasOnlySubstanceUnits", "boundaryCondition", "constant"],
    allowed: Set([
      "id", "compartment", "hasOnlySubstanceUnits", "boundaryCondition", "constant", "metaid", "sboTerm", "name",
      "initialAmount", "initialConcentration", "substanceUnits", "conversionFactor",
    ])
  )

  /// The lists of a model, none of which may be empty before version 2 of level 3.
  private static let lists: Set<String> = [
    "listOfFunctionDefinitions", "listOfUnitDefinitions", "listOfCompartmentTypes", "listOfSpeciesTypes",
    "listOfCompartments", "listOfSpecies", "listOfParameters", "listOfInitialAssignments", "listOfRules",
    "listOfConstraints", "listOfReactions", "listOfEvents",
  ]

  /// Checks that no list of the model is empty, and that every species has its required attributes.
  private mutating func checkLists() {
    for model in tree.all("model") {
      for index in tree.nodes[model].children where tree.nodes[index].space == .core {
        let node = tree.nodes[index]
        guard Self.lists.contains(node.name), tree.level < 3 || tree.version < 2 else { continue }
        let isEmpty = node.children.allSatisfy { ["notes", "annotation"].contains(tree.nodes[$0].name) }
        if isEmpty { report(20203, index, "the list <\(node.name)> is empty") }
      }
    }
    if tree.level < 3 { return }
    for index in tree.all("species") {
      let node = tree.nodes[index]
      if node["compartment"] == nil { report(20614, index, "a species has no compartment") }
      for name in Self.species.required where node[name] == nil {
        report(20623, index, "<species> has no '\(name)'")
      }
      for attribute in node.attributes where attribute.space == .core && !Self.species.allowed.contains(attribute.name)
      {
        report(20623, index, "<species> cannot have the attribute '\(attribute.name)'")
      }
    }
  }

  mutating func checkAttributes() {
    for location in tree.unboundPlaces {
      add(
        SBMLProblem(
          error: FileErrors.notWellFormed, rule: 1013, line: location.line, column: location.column,
          text: "a prefix has no namespace"))
    }
    for index in tree.nodes.indices where tree.nodes[index].space == .core {
      let node = tree.nodes[index]
      for name in Self.required[node.name] ?? [] {
        let own = tree.level == 1 && name == "id" ? "name" : name
        // The first version of level 1 has other names for species.
        let isMissing = node[own] == nil && !(tree.level == 1 && node["specie"] != nil)
        if isMissing { report(1015, index, "<\(node.name)> has no '\(own)'") }
      }
      for attribute in node.attributes where attribute.space == .core && Self.flags.contains(attribute.name) {
        if !["true", "false", "1", "0"].contains(attribute.value.trimmed()) {
          report(1016, index, "'\(attribute.value)' is neither 'true' nor 'false'", error: FileErrors.boolean)
        }
      }
    }
  }
}

/// The rules on identifiers: 10301 to 10313.
extension SBMLValidator {
  /// The core elements whose ids name parts of the model.
  private static let named: Set<String> = [
    "model", "functionDefinition", "compartmentType", "compartment", "speciesType", "species", "reaction",
    "speciesReference", "modifierSpeciesReference", "event", "parameter",
  ]

  /// The core elements whose ids are names of another kind.
  private static let unnamed: Set<String> = ["unitDefinition", "localParameter", "sbml"]

  /// Returns the name of a core element: level 1 has names where the others have ids.
  private func name(of index: Int) -> String? { tree.nodes[index][tree.level == 1 ? "name" : "id"] }

  private mutating func checkIdentifiers() {
    var names: [Identifier: Bool] = [:]
    var metas: Set<Identifier> = []
    var units: Set<Identifier> = []
    for index in tree.nodes.indices {
      checkForms(index)
      if tree.nodes[index].space == .other { continue }
      let node = tree.nodes[index]
      if let meta = node["metaid"], !metas.insert(Identifier(meta)).inserted {
        report(10307, index, "the metaid '\(meta)' is used twice", error: FileErrors.duplicateID)
      }
      if node.name == "unitDefinition", let id = name(of: index), !units.insert(Identifier(id)).inserted {
        report(10302, index, "two units are named '\(id)'", error: FileErrors.duplicateID)
      }
      let isLocal = node.name == "parameter" && tree.ancestor(of: index, "kineticLaw") != nil
      let isFlux = node.space == .flux
      // From version 2 of level 3, every element may have an id.
      let isNamed =
        tree.level == 3 && tree.version >= 2 ? !Self.unnamed.contains(node.name) : Self.named.contains(node.name)
      let id = isFlux ? node.flux("id") : isNamed && !isLocal ? name(of: index) : nil
      guard let id else { continue }
      if let wasFlux = names[Identifier(id)] {
        let rule = isFlux || wasFlux ? 2_010_301 : 10301
        report(rule, index, "the id '\(id)' is used twice", error: FileErrors.duplicateID)
      }
      names[Identifier(id)] = isFlux
    }
    checkScopes()
  }

  private mutating func checkForms(_ index: Int) {
    let node = tree.nodes[index]
    if node.space == .flux, let id = node.flux("id"), !SBMLForm.isIdentifier(id), node.name != "geneProductAssociation"
    {
      report(2_010_302, index, "'\(id)' is not an identifier", error: FileErrors.unusableID)
    }
    if let term = node["sboTerm"], !SBMLForm.isTerm(term) {
      report(10308, index, "'\(term)' is not a term of the Systems Biology Ontology", error: FileErrors.word)
    }
    if let meta = node["metaid"], !SBMLForm.isXMLIdentifier(meta) {
      report(10309, index, "'\(meta)' is not an identifier of XML", error: FileErrors.unusableID)
    }
    for attribute in node.attributes where node.space == .other && attribute.name == "units" {
      if attribute.space == .other, !SBMLForm.isIdentifier(attribute.value) {
        report(10311, index, "'\(attribute.value)' is not the identifier of a unit", error: FileErrors.unusableID)
      }
    }
    guard node.space == .core else { return }
    for attribute in node.attributes where attribute.space == .core && !SBMLForm.isIdentifier(attribute.value) {
      let (name, value) = (attribute.name, attribute.value)
      if name == "id", node.name == "unitDefinition" {
        report(10311, index, "'\(value)' is not the identifier of a unit", error: FileErrors.unusableID)
      } else if Self.references.contains(name) || (name == "name" && tree.level == 1) {
        report(10310, index, "'\(value)' is not an identifier", error: FileErrors.unusableID)
      } else if Self.unitReferences.contains(name) {
        report(10311, index, "'\(value)' is not the identifier of a unit", error: FileErrors.unusableID)
      }
    }
  }

  /// The core attributes that are identifiers.
  private static let references: Set<String> = [
    "id", "compartment", "species", "variable", "symbol", "outside", "compartmentType", "speciesType",
    "conversionFactor",
  ]

  /// The core attributes that name units.
  private static let unitReferences: Set<String> = [
    "units", "substanceUnits", "timeUnits", "volumeUnits", "areaUnits", "lengthUnits", "extentUnits",
    "spatialSizeUnits",
  ]

  /// Checks names that must be unique only within an element, or among rules and events.
  private mutating func checkScopes() {
    for law in tree.all("kineticLaw") {
      var known: Set<Identifier> = []
      let lists = tree.nodes[law].children.filter {
        ["listOfParameters", "listOfLocalParameters"].contains(tree.nodes[$0].name)
      }
      for parameter in lists.flatMap({ tree.nodes[$0].children }) {
        guard let id = self.name(of: parameter) else { continue }
        if !known.insert(Identifier(id)).inserted {
          report(10303, parameter, "two parameters of a reaction are named '\(id)'", error: FileErrors.duplicateID)
        }
      }
    }
    var ruled: Set<Identifier> = []
    var assigned: Set<Identifier> = []
    let ruleNames = [
      "assignmentRule", "rateRule", "compartmentVolumeRule", "speciesConcentrationRule", "parameterRule",
    ]
    for rule in ruleNames.flatMap({ tree.all($0) }) {
      let node = tree.nodes[rule]
      let subject = tree.level == 1 ? node["compartment"] ?? node["species"] ?? node["name"] : node["variable"]
      guard let variable = subject else { continue }
      if node.name == "assignmentRule" { assigned.insert(Identifier(variable)) }
      if !ruled.insert(Identifier(variable)).inserted {
        report(10304, rule, "two rules set '\(variable)'", error: FileErrors.duplicateID)
      }
    }
    for event in tree.all("event") {
      var known: Set<Identifier> = []
      for index in tree.all("eventAssignment") where tree.ancestor(of: index, "event") == event {
        guard let variable = tree.nodes[index]["variable"] else { continue }
        if !known.insert(Identifier(variable)).inserted {
          report(10305, index, "an event sets '\(variable)' twice", error: FileErrors.duplicateID)
        }
        if assigned.contains(Identifier(variable)) {
          report(10306, index, "an event and a rule set '\(variable)'", error: FileErrors.duplicateID)
        }
      }
    }
  }

  /// Checks that referenced units exist.
  private mutating func checkUnits() {
    var known = Set(tree.all("unitDefinition").compactMap { tree.nodes[$0]["id"] })
    known.formUnion(Self.baseUnits)
    if tree.level < 3 { known.formUnion(["substance", "volume", "area", "length", "time", "Celsius"]) }
    for index in tree.nodes.indices {
      let node = tree.nodes[index]
      for attribute in node.attributes {
        let isUnit = node.space == .core ? attribute.space == .core : attribute.name == "units"
        guard isUnit, Self.unitReferences.contains(attribute.name), SBMLForm.isIdentifier(attribute.value),
          !known.contains(attribute.value)
        else { continue }
        report(
          tree.level < 3 && tree.version < 5 ? 99303 : 10313, index, "the unit '\(attribute.value)' does not exist",
          error: FileErrors.danglingReference)
      }
    }
  }

  /// - Source: SBML Level 3 Version 2 Core, table 2.
  private static let baseUnits: Set<String> = [
    "ampere", "avogadro", "becquerel", "candela", "coulomb", "dimensionless", "farad", "gram", "gray", "henry", "hertz",
    "item", "joule", "katal", "kelvin", "kilogram", "liter", "litre", "lumen", "lux", "meter", "metre", "mole",
    "newton",
    "ohm", "pascal", "radian", "second", "siemens", "sievert", "steradian", "tesla", "volt", "watt", "weber",
  ]
}

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
