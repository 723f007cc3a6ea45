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

  mutating func checkIdentifiers() {
    var names: [Identifier: Bool] = [:]
    var metas: Set<Identifier> = []
    var units: Set<Identifier> = []
    for index in tree.nodes.indices {
      checkForms(index)
      if tree.nodes[index].space == .other { continue }
      let node = tree.nodes[index]
      if let meta = node["metaid"], !metas.insert(Identifier(meta)).inserted {
        report(10307, index, "the metaid '\(meta)' is given to two things", code: "id-001")
      }
      if node.name == "unitDefinition", let id = name(of: index), !units.insert(Identifier(id)).inserted {
        report(10302, index, "two units are named '\(id)'", code: "id-001")
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
        report(rule, index, "the id '\(id)' is given to two things", code: "id-001")
      }
      names[Identifier(id)] = isFlux
    }
    checkScopes()
  }

  private mutating func checkForms(_ index: Int) {
    let node = tree.nodes[index]
    if node.space == .flux, let id = node.flux("id"), !SBMLForm.isIdentifier(id), node.name != "geneProductAssociation"
    {
      report(2_010_302, index, "'\(id)' is no identifier", code: "id-003")
    }
    if let term = node["sboTerm"], !SBMLForm.isTerm(term) {
      report(10308, index, "'\(term)' is no term of the Systems Biology Ontology", code: "typ-003")
    }
    if let meta = node["metaid"], !SBMLForm.isXMLIdentifier(meta) {
      report(10309, index, "'\(meta)' is no identifier of XML", code: "id-003")
    }
    for attribute in node.attributes where node.space == .other && attribute.name == "units" {
      if attribute.space == .other, !SBMLForm.isIdentifier(attribute.value) {
        report(10311, index, "'\(attribute.value)' is no identifier of a unit", code: "id-003")
      }
    }
    guard node.space == .core else { return }
    for attribute in node.attributes where attribute.space == .core && !SBMLForm.isIdentifier(attribute.value) {
      let (name, value) = (attribute.name, attribute.value)
      if name == "id", node.name == "unitDefinition" {
        report(10311, index, "'\(value)' is no identifier of a unit", code: "id-003")
      } else if Self.references.contains(name) || (name == "name" && tree.level == 1) {
        report(10310, index, "'\(value)' is no identifier", code: "id-003")
      } else if Self.unitReferences.contains(name) {
        report(10311, index, "'\(value)' is no identifier of a unit", code: "id-003")
      }
    }
  }

  /// The core attributes that are identifiers.
  private static let references: Set<String> = [
    "id", "compartment", "species", "variable", "symbol", "outside", "compartmentType", "speciesType",
    "conversionFactor",
  ]

  /// The core attributes that name units.
  static let unitReferences: Set<String> = [
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
          report(10303, parameter, "two parameters of a reaction are named '\(id)'", code: "id-001")
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
        report(10304, rule, "two rules set '\(variable)'", code: "id-001")
      }
    }
    for event in tree.all("event") {
      var known: Set<Identifier> = []
      for index in tree.all("eventAssignment") where tree.ancestor(of: index, "event") == event {
        guard let variable = tree.nodes[index]["variable"] else { continue }
        if !known.insert(Identifier(variable)).inserted {
          report(10305, index, "an event sets '\(variable)' twice", code: "id-001")
        }
        if assigned.contains(Identifier(variable)) {
          report(10306, index, "an event and a rule set '\(variable)'", code: "id-001")
        }
      }
    }
  }

  /// Checks that referenced units exist.
  mutating func checkUnits() {
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
          tree.level < 3 && tree.version < 5 ? 99303 : 10313, index, "the unit '\(attribute.value)' is not there",
          code: "ref-001")
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
