import PluginText

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
  mutating func checkLists() {
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
      if node["compartment"] == nil { report(20614, index, "a species is in no compartment") }
      for name in Self.species.required where node[name] == nil {
        report(20623, index, "<species> has no '\(name)'")
      }
      for attribute in node.attributes where attribute.space == .core && !Self.species.allowed.contains(attribute.name)
      {
        report(20623, index, "<species> has the attribute '\(attribute.name)', which it cannot have")
      }
    }
  }

  mutating func checkAttributes() {
    for place in tree.unboundPlaces {
      add(
        SBMLProblem(
          code: "pathcase.xml-001", rule: 1013, line: place.line, column: place.column,
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
          report(1016, index, "'\(attribute.value)' is neither 'true' nor 'false'", code: "typ-002")
        }
      }
    }
  }
}
