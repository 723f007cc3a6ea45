/// The permitted and required contents of an element of the flux balance constraints package, with the numbers of the
/// rules.
///
/// - Source: SBML Level 3 Package: Flux Balance Constraints version 2, release 1, appendix A, and version 3; the rule
///   numbers are those of its tables with 20 00000 added.
struct SBMLElementRule: Sendable {
  /// The element.
  var name: String
  /// The rule on attributes without prefix: only `metaid` and `sboTerm`; `id` and `name` too from version 2 of level 3.
  var coreAttributes: Int?
  /// The rule on its child elements.
  var elements: Int?
  /// The permitted child elements.
  var allowedElements: Set<String> = []
  /// The rule on the package's attributes.
  var attributes: Int?
  var required: Set<String> = []
  var optional: Set<String> = []
  /// The attributes that are also required from version 3 of the package.
  var requiredFromThree: Set<String> = []

  static let all: [SBMLElementRule] = [
    SBMLElementRule(
      name: "listOfFluxBounds", coreAttributes: 2_020_205, elements: 2_020_203, allowedElements: ["fluxBound"],
      attributes: 2_020_205),
    SBMLElementRule(
      name: "listOfObjectives", coreAttributes: 2_020_206, elements: 2_020_204, allowedElements: ["objective"],
      attributes: 2_020_206, required: ["activeObjective"]),
    SBMLElementRule(
      name: "listOfGeneProducts", coreAttributes: 2_020_212, elements: 2_020_211, allowedElements: ["geneProduct"],
      attributes: 2_020_212),
    SBMLElementRule(
      name: "listOfUserDefinedConstraints", coreAttributes: 2_020_214, elements: 2_020_213,
      allowedElements: ["userDefinedConstraint"], attributes: 2_020_214),
    SBMLElementRule(
      name: "fluxBound", coreAttributes: 2_020_401, elements: 2_020_402, attributes: 2_020_403,
      required: ["reaction", "operation", "value"], optional: ["id", "name"]),
    SBMLElementRule(
      name: "objective", coreAttributes: 2_020_501, elements: 2_020_502, allowedElements: ["listOfFluxObjectives"],
      attributes: 2_020_503, required: ["id", "type"], optional: ["name"]),
    SBMLElementRule(
      name: "listOfFluxObjectives", coreAttributes: 2_020_509, elements: 2_020_508, allowedElements: ["fluxObjective"],
      attributes: 2_020_509),
    SBMLElementRule(
      name: "fluxObjective", coreAttributes: 2_020_601, elements: 2_020_602, attributes: 2_020_603,
      required: ["reaction", "coefficient"], optional: ["id", "name", "reaction2"],
      requiredFromThree: ["variableType"]),
    SBMLElementRule(
      name: "geneProductAssociation", coreAttributes: 2_020_801, elements: 2_020_802,
      allowedElements: ["and", "or", "geneProductRef"], attributes: 2_020_803, optional: ["id", "name"]),
    SBMLElementRule(
      name: "geneProductRef", coreAttributes: 2_020_901, elements: 2_020_902, attributes: 2_020_903,
      required: ["geneProduct"], optional: ["id", "name"]),
    SBMLElementRule(
      name: "and", coreAttributes: 2_021_001, elements: 2_021_002, allowedElements: ["and", "or", "geneProductRef"],
      optional: ["id", "name"]),
    SBMLElementRule(
      name: "or", coreAttributes: 2_021_101, elements: 2_021_102, allowedElements: ["and", "or", "geneProductRef"],
      optional: ["id", "name"]),
    SBMLElementRule(
      name: "geneProduct", coreAttributes: 2_021_201, elements: 2_021_202, attributes: 2_021_203,
      required: ["id", "label"], optional: ["name", "associatedSpecies"]),
    SBMLElementRule(
      name: "userDefinedConstraint", coreAttributes: 2_021_401, elements: 2_021_402,
      allowedElements: ["listOfUserDefinedConstraintComponents"], attributes: 2_021_403,
      required: ["lowerBound", "upperBound"], optional: ["id", "name"]),
    SBMLElementRule(
      name: "listOfUserDefinedConstraintComponents", coreAttributes: 2_021_409, elements: 2_021_408,
      allowedElements: ["userDefinedConstraintComponent"], attributes: 2_021_409),
    SBMLElementRule(
      name: "userDefinedConstraintComponent", coreAttributes: 2_021_301, elements: 2_021_302, attributes: 2_021_303,
      required: ["coefficient", "variable", "variableType"], optional: ["id", "name", "variable2"]),
  ]

  static let table: [String: SBMLElementRule] = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

/// An attribute that refers to an element, and the rules on its form and target.
struct SBMLReferenceRule: Sendable {
  var element: String
  var attribute: String
  /// The rule that it is an identifier.
  var form: Int?
  /// The rule that its target is one of certain elements, and their names.
  var target: Int?
  var targets: Set<String>

  static let all: [SBMLReferenceRule] = [
    .init(
      element: "listOfObjectives", attribute: "activeObjective", form: 2_020_207, target: 2_020_208,
      targets: ["objective"]),
    .init(element: "fluxBound", attribute: "reaction", form: 2_020_404, target: 2_020_408, targets: ["reaction"]),
    .init(element: "fluxObjective", attribute: "reaction", form: 2_020_605, target: 2_020_606, targets: ["reaction"]),
    .init(
      element: "reaction", attribute: "lowerFluxBound", form: 2_020_703, target: 2_020_705, targets: ["parameter"]),
    .init(
      element: "reaction", attribute: "upperFluxBound", form: 2_020_704, target: 2_020_706, targets: ["parameter"]),
    .init(element: "geneProductAssociation", attribute: "id", form: 2_020_804, targets: []),
    .init(
      element: "geneProductRef", attribute: "geneProduct", form: 2_020_904, target: 2_020_908, targets: ["geneProduct"]),
    .init(element: "geneProduct", attribute: "associatedSpecies", target: 2_021_207, targets: ["species"]),
    .init(
      element: "userDefinedConstraint", attribute: "lowerBound", target: 2_021_405, targets: ["parameter"]),
    .init(
      element: "userDefinedConstraint", attribute: "upperBound", target: 2_021_406, targets: ["parameter"]),
    .init(
      element: "userDefinedConstraintComponent", attribute: "variable", target: 2_021_305,
      targets: ["reaction", "parameter"]),
  ]
}

/// An attribute whose value has a certain form.
struct SBMLValueRule: Sendable {
  enum Form: Sendable {
    case number, wholeNumber, flag, formula
    case oneOf(Set<String>)
  }

  var element: String
  var attribute: String
  var rule: Int
  var form: Form
  /// The versions of the package to which it applies.
  var versions: ClosedRange<Int> = 1...3

  static let all: [SBMLValueRule] = [
    .init(element: "sbml", attribute: "required", rule: 2_020_102, form: .flag),
    .init(element: "model", attribute: "strict", rule: 2_020_210, form: .flag),
    .init(element: "species", attribute: "charge", rule: 2_020_302, form: .wholeNumber, versions: 1...2),
    .init(element: "species", attribute: "charge", rule: 2_020_304, form: .number, versions: 3...3),
    .init(element: "species", attribute: "chemicalFormula", rule: 2_020_303, form: .formula),
    .init(
      element: "fluxBound", attribute: "operation", rule: 2_020_406,
      form: .oneOf(["less", "lessEqual", "greater", "greaterEqual", "equal"])),
    .init(element: "fluxBound", attribute: "value", rule: 2_020_407, form: .number),
    .init(element: "objective", attribute: "type", rule: 2_020_505, form: .oneOf(["maximize", "minimize"])),
    .init(element: "fluxObjective", attribute: "coefficient", rule: 2_020_607, form: .number),
    .init(
      element: "userDefinedConstraintComponent", attribute: "variableType", rule: 2_021_306,
      form: .oneOf(["linear", "quadratic"])),
  ]
}
