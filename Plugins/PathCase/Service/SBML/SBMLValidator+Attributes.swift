/// What the schemas of the core say of attributes; the rule numbers are those of faults of XML.
extension SBMLValidator {
  /// The attributes that elements of the core cannot be without.
  private static let required: [String: [String]] = [
    "compartment": ["id"], "species": ["id", "compartment"], "parameter": ["id"], "reaction": ["id"],
    "functionDefinition": ["id"], "unitDefinition": ["id"], "initialAssignment": ["symbol"],
    "assignmentRule": ["variable"], "rateRule": ["variable"], "eventAssignment": ["variable"],
    "speciesReference": ["species"], "modifierSpeciesReference": ["species"], "unit": ["kind"],
    "compartmentType": ["id"], "speciesType": ["id"],
  ]

  /// The attributes of the core that are truth values.
  private static let flags: Set<String> = [
    "constant", "boundaryCondition", "hasOnlySubstanceUnits", "reversible", "fast", "useValuesFromTriggerTime",
    "persistent", "initialValue",
  ]

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
        // The first version of level 1 has other words for species.
        let isMissing = node[own] == nil && !(tree.level == 1 && node["specie"] != nil)
        if isMissing { report(1015, index, "<\(node.name)> has no '\(own)'") }
      }
      for attribute in node.attributes where attribute.space == .core && Self.flags.contains(attribute.name) {
        if !["true", "false", "1", "0"].contains(SBMLNumber.trimmed(attribute.value)) {
          report(1016, index, "'\(attribute.value)' is neither 'true' nor 'false'", code: "typ-002")
        }
      }
    }
  }
}
