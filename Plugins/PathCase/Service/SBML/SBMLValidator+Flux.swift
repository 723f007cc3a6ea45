/// The rules of the flux balance constraints package.
extension SBMLValidator {
  /// Checks that the package is declared correctly.
  mutating func checkPackage() {
    guard let version = tree.fluxVersion, !tree.nodes.isEmpty else { return }
    switch tree.nodes[0].flux("required") {
    case nil: report(2_020_101, 0, "the attribute 'required' of the package 'fbc' is missing")
    case "false", "0": break
    case "true", "1": report(2_020_103, 0, "the attribute 'required' of the package 'fbc' must be false")
    default: break
    }
    for model in tree.all("model") {
      if version >= 2, tree.nodes[model].flux("strict") == nil {
        report(2_020_209, model, "the model has no attribute 'strict'")
      }
      for name in ["listOfFluxBounds", "listOfObjectives", "listOfGeneProducts", "listOfUserDefinedConstraints"] {
        let lists = tree.fluxChildren(of: model, name)
        if lists.count > 1 { report(2_020_201, lists[1], "the model has two lists '\(name)'") }
      }
    }
  }

  /// Checks that elements have their required and permitted contents.
  mutating func checkElements() {
    let version = tree.fluxVersion ?? 2
    for index in tree.nodes.indices {
      let node = tree.nodes[index]
      if node.space == .flux, let rule = SBMLElementRule.table[node.name] {
        checkAttributes(index, rule, version)
        checkChildren(index, rule)
      }
      if node.space == .core { checkExtended(index, version) }
      for rule in SBMLValueRule.all where rule.element == node.name && rule.versions.contains(version) {
        guard let value = node.flux(rule.attribute), !fits(value, rule.form) else { continue }
        report(rule.rule, index, "'\(value)' is not a value of '\(rule.attribute)'", error: FileErrors.word)
      }
    }
  }

  private mutating func checkAttributes(_ index: Int, _ rule: SBMLElementRule, _ version: Int) {
    let node = tree.nodes[index]
    var required = rule.required
    if version >= 3 { required.formUnion(rule.requiredFromThree) }
    for attribute in node.attributes {
      switch attribute.space {
      case .core:
        let isAllowed =
          ["metaid", "sboTerm"].contains(attribute.name)
          || (tree.version >= 2 && ["id", "name"].contains(attribute.name))
        if !isAllowed, let number = rule.coreAttributes {
          report(number, index, "<\(node.name)> cannot have the attribute '\(attribute.name)'")
        }
      case .flux:
        let isKnown =
          required.contains(attribute.name) || rule.optional.contains(attribute.name)
          || rule.requiredFromThree.contains(attribute.name)
        if !isKnown, let number = rule.attributes {
          report(number, index, "<\(node.name)> cannot have the attribute '\(attribute.name)'")
        }
      case .other: break
      }
    }
    if let number = rule.attributes {
      for name in required.sorted() where node.flux(name) == nil {
        report(number, index, "<\(node.name)> has no '\(name)'")
      }
    }
  }

  private mutating func checkChildren(_ index: Int, _ rule: SBMLElementRule) {
    let node = tree.nodes[index]
    let children = tree.fluxChildren(of: index)
    if let number = rule.elements {
      for child in node.children {
        let name = tree.nodes[child].name
        let isNote = name == "notes" || name == "annotation"
        let isList = name == "listOfKeyValuePairs"
        if !isNote, !isList, !rule.allowedElements.contains(name) {
          report(number, child, "<\(node.name)> cannot contain <\(name)>")
        }
      }
    }
    switch node.name {
    case "objective":
      if tree.fluxChildren(of: index, "listOfFluxObjectives").count != 1 {
        report(2_020_506, index, "an objective must have one list of fluxes")
      }
    case "listOfFluxObjectives": if children.isEmpty { report(2_020_507, index, "the list of fluxes is empty") }
    case "and": if children.count < 2 { report(2_021_003, index, "'and' must have at least two parts") }
    case "or": if children.count < 2 { report(2_021_103, index, "'or' must have at least two parts") }
    case "geneProductAssociation":
      if children.count != 1 { report(2_020_805, index, "a gene rule must have one part") }
    default: break
    }
  }

  /// Checks the package's additions to core elements.
  private mutating func checkExtended(_ index: Int, _ version: Int) {
    let node = tree.nodes[index]
    let (allowed, rule): (Set<String>, Int) =
      switch node.name {
      case "species": (["charge", "chemicalFormula"], 2_020_301)
      case "reaction": (version >= 2 ? ["lowerFluxBound", "upperFluxBound"] : [], 2_020_702)
      default: ([], 0)
      }
    if rule == 0 { return }
    for attribute in node.attributes where attribute.space == .flux && !allowed.contains(attribute.name) {
      report(rule, index, "<\(node.name)> cannot have the attribute '\(attribute.name)'")
    }
    if node.name == "reaction", tree.fluxChildren(of: index, "geneProductAssociation").count > 1 {
      report(2_020_701, index, "a reaction has two gene rules")
    }
  }

  private func fits(_ value: String, _ form: SBMLValueRule.Form) -> Bool {
    switch form {
    case .number: SBMLNumber.read(value) != nil
    case .wholeNumber: SBMLNumber.read(value).flatMap { Int(exactly: $0) } != nil && !value.utf8.contains(46)
    case .flag: ["true", "false", "1", "0"].contains(value)
    case .formula: SBMLForm.isFormula(value)
    case .oneOf(let values): values.contains(value)
    }
  }

  /// Checks that references have targets.
  mutating func checkReferences() {
    var kinds: [Identifier: Set<String>] = [:]
    for node in tree.nodes where node.space != .other {
      guard let id = node.space == .flux ? node.flux("id") : node["id"] else { continue }
      kinds[Identifier(id), default: []].insert(node.name)
    }
    for index in tree.nodes.indices {
      let node = tree.nodes[index]
      for rule in SBMLReferenceRule.all where rule.element == node.name {
        guard let name = node.flux(rule.attribute) else { continue }
        if let form = rule.form, !SBMLForm.isIdentifier(name) {
          report(form, index, "'\(name)' is not an identifier", error: FileErrors.unusableID)
        }
        if let target = rule.target, kinds[Identifier(name)]?.isDisjoint(with: rule.targets) != false {
          report(
            target, index, "<\(node.name)> refers to '\(name)', which does not exist",
            error: FileErrors.danglingReference)
        }
      }
    }
    var labels: Set<Identifier> = []
    for index in tree.all("geneProduct", .flux) {
      guard let label = tree.nodes[index].flux("label") else { continue }
      if !labels.insert(Identifier(label)).inserted {
        report(2_021_205, index, "two genes have the label '\(label)'", error: FileErrors.duplicateID)
      }
    }
  }

  /// Checks that the bounds of the package's first version do not contradict each other.
  mutating func checkBounds() {
    var known: Set<Identifier> = []
    for index in tree.all("fluxBound", .flux) {
      let node = tree.nodes[index]
      guard let reaction = node.flux("reaction"), let operation = node.flux("operation") else { continue }
      let sides: [String] =
        switch operation {
        case "less", "lessEqual": ["upper"]
        case "greater", "greaterEqual": ["lower"]
        default: ["equal"]
        }
      let isNew = sides.map { known.insert(Identifier($0 + " " + reaction)).inserted }
      if isNew.contains(false) {
        report(2_020_409, index, "the reaction '\(reaction)' has contradicting bounds")
      }
    }
  }
}

/// The rules for models that declare their bounds as strict.
///
/// - Source: Flux Balance Constraints version 2, release 1, section 3.2.4 and rules 20608 and 20707 to 20716.
extension SBMLValidator {
  mutating func checkStrictness() {
    for model in tree.all("model") where ["true", "1"].contains(tree.nodes[model].flux("strict") ?? "") {
      var parameters: [Identifier: SBMLNode] = [:]
      for index in tree.all("parameter") where tree.ancestor(of: index, "kineticLaw") == nil {
        if let id = tree.nodes[index]["id"] { parameters[Identifier(id)] = tree.nodes[index] }
      }
      let assigned = Set(tree.all("initialAssignment").compactMap { tree.nodes[$0]["symbol"].map { Identifier($0) } })
      for reaction in tree.all("reaction") { checkStrictBounds(reaction, parameters, assigned) }
      checkStrictAmounts(assigned)
      for index in tree.all("fluxObjective", .flux) {
        let number = tree.nodes[index].flux("coefficient").flatMap { SBMLNumber.read($0) }
        if number?.isFinite != true { report(2_020_608, index, "a weight of an objective is not a finite number") }
      }
    }
  }

  private mutating func checkStrictBounds(
    _ reaction: Int, _ parameters: [Identifier: SBMLNode], _ assigned: Set<Identifier>
  ) {
    var bounds: [Double?] = []
    for name in ["lowerFluxBound", "upperFluxBound"] {
      guard let id = tree.nodes[reaction].flux(name).map({ Identifier($0) }) else {
        report(2_020_707, reaction, "a reaction has no '\(name)'")
        bounds.append(nil)
        continue
      }
      guard let parameter = parameters[id] else {
        bounds.append(nil)
        continue
      }
      if !["true", "1"].contains(parameter["constant"] ?? "") {
        report(2_020_708, reaction, "the bound '\(id)' is not constant")
      }
      if assigned.contains(id) { report(2_020_710, reaction, "a formula sets the bound '\(id)'") }
      let value = parameter["value"].flatMap { SBMLNumber.read($0) }
      if value?.isNaN != false { report(2_020_709, reaction, "the bound '\(id)' has no value") }
      bounds.append(value)
    }
    if bounds[0] == .infinity { report(2_020_711, reaction, "the lower bound is infinite") }
    if bounds[1] == -.infinity { report(2_020_712, reaction, "the upper bound is minus infinity") }
    if let lower = bounds[0], let upper = bounds[1], lower > upper {
      report(2_020_713, reaction, "the lower bound is above the upper one")
    }
  }

  private mutating func checkStrictAmounts(_ assigned: Set<Identifier>) {
    for index in tree.all("speciesReference") {
      let node = tree.nodes[index]
      if !["true", "1"].contains(node["constant"] ?? "") {
        report(2_020_714, index, "the amount of a species is not constant")
      }
      let amount = node["stoichiometry"].flatMap { SBMLNumber.read($0) }
      if amount?.isFinite != true { report(2_020_715, index, "the amount of a species is not a finite number") }
      if let id = node["id"], assigned.contains(Identifier(id)) {
        report(2_020_716, index, "a formula sets the amount '\(id)'")
      }
    }
  }
}

/// The permitted and required contents of an element of the flux balance constraints package, with the numbers of the
/// rules.
///
/// - Source: SBML Level 3 Package: Flux Balance Constraints version 2, release 1, appendix A, and version 3; the rule
///   numbers are those of its tables with 20 00000 added.
private struct SBMLElementRule: Sendable {
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
private struct SBMLReferenceRule: Sendable {
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
private struct SBMLValueRule: Sendable {
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
