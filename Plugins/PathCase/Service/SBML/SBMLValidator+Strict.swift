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
        if number?.isFinite != true { report(2_020_608, index, "a weight of an objective is no finite number") }
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
      if amount?.isFinite != true { report(2_020_715, index, "the amount of a species is no finite number") }
      if let id = node["id"], assigned.contains(Identifier(id)) {
        report(2_020_716, index, "a formula sets the amount '\(id)'")
      }
    }
  }
}
