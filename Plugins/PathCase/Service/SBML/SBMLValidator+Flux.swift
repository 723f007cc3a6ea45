/// The rules of the flux balance constraints package.
extension SBMLValidator {
  /// Checks that the package is declared correctly.
  mutating func checkPackage() {
    guard let version = tree.fluxVersion, !tree.nodes.isEmpty else { return }
    switch tree.nodes[0].flux("required") {
    case nil: report(2_020_101, 0, "the file does not say whether the package 'fbc' is required")
    case "false", "0": break
    case "true", "1": report(2_020_103, 0, "the package 'fbc' is never required")
    default: break
    }
    for model in tree.all("model") {
      if version >= 2, tree.nodes[model].flux("strict") == nil {
        report(2_020_209, model, "the model does not say whether its bounds are strict")
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
        report(rule.rule, index, "'\(value)' is not possible for '\(rule.attribute)'", code: "typ-003")
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
          report(number, index, "<\(node.name)> has the attribute '\(attribute.name)', which it cannot have")
        }
      case .flux:
        let isKnown =
          required.contains(attribute.name) || rule.optional.contains(attribute.name)
          || rule.requiredFromThree.contains(attribute.name)
        if !isKnown, let number = rule.attributes {
          report(number, index, "<\(node.name)> has the attribute '\(attribute.name)', which it cannot have")
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
          report(number, child, "<\(node.name)> has <\(name)> in it, which it cannot have")
        }
      }
    }
    switch node.name {
    case "objective":
      if tree.fluxChildren(of: index, "listOfFluxObjectives").count != 1 {
        report(2_020_506, index, "an objective must have one list of fluxes")
      }
    case "listOfFluxObjectives": if children.isEmpty { report(2_020_507, index, "the list of fluxes is empty") }
    case "and": if children.count < 2 { report(2_021_003, index, "'and' must have two parts at least") }
    case "or": if children.count < 2 { report(2_021_103, index, "'or' must have two parts at least") }
    case "geneProductAssociation":
      if children.count != 1 { report(2_020_805, index, "a rule on genes must have one part") }
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
      report(rule, index, "<\(node.name)> has the attribute '\(attribute.name)', which it cannot have")
    }
    if node.name == "reaction", tree.fluxChildren(of: index, "geneProductAssociation").count > 1 {
      report(2_020_701, index, "a reaction has two rules on genes")
    }
  }

  private func fits(_ value: String, _ form: SBMLValueRule.Form) -> Bool {
    switch form {
    case .number: SBMLNumber.read(value) != nil
    case .wholeNumber: SBMLNumber.read(value).flatMap { Int(exactly: $0) } != nil && !value.utf8.contains(46)
    case .flag: ["true", "false", "1", "0"].contains(value)
    case .formula: SBMLForm.isFormula(value)
    case .oneOf(let words): words.contains(value)
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
          report(form, index, "'\(name)' is no identifier", code: "id-003")
        }
        if let target = rule.target, kinds[Identifier(name)]?.isDisjoint(with: rule.targets) != false {
          report(target, index, "<\(node.name)> names '\(name)', which is not there", code: "ref-001")
        }
      }
    }
    var labels: Set<Identifier> = []
    for index in tree.all("geneProduct", .flux) {
      guard let label = tree.nodes[index].flux("label") else { continue }
      if !labels.insert(Identifier(label)).inserted {
        report(2_021_205, index, "two genes have the label '\(label)'", code: "id-001")
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
