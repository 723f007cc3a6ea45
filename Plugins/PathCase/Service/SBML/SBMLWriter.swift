import PluginAPI

/// The reasons for which a model cannot be written as SBML.
enum SBMLWriteError {
  static let unusableID = DeclaredError(
    "pathcase.sbml-id", .unusableInput, "an id of the model has characters that SBML does not allow")

  static func unusableID(_ id: Identifier) -> ErrorReport {
    unusableID(
      "the id '\(id)' cannot be written as SBML",
      advice: "write COBRA JSON instead; SBML ids have only letters, digits and '_', and do not begin with a digit",
      details: ["id": .text(id.text)]
    ).short
  }

  /// Returns the error of a reaction with a value that is not a number.
  static func unusableNumber(_ id: Identifier) -> ErrorReport {
    FluxError.unusableNumbers(
      "a bound or amount of the reaction '\(id)' is not a number", details: ["id": .text(id.text)]
    ).short
  }

  static let errorCodes = [unusableID.catalogueEntry]
}

/// Writes models as SBML level 3 version 1 with flux balance constraints version 2, groups and layouts.
///
/// The whole model is written: subsystems in notes, SBO terms, database addresses as annotations, bounds as parameters.
///
/// - Source: The source given for the reader.
struct SBMLWriter {
  private var text = SBMLText()
  private let model: ReactionModel
  /// The names of the parameters for bounds.
  private var bounds: [Double: Identifier] = [:]
  /// The parameters created for bounds.
  private var added: [ModelParameter] = []

  /// Returns the file.
  ///
  /// - Throws: ``SBMLWriteError``.
  static func bytes(_ model: ReactionModel) throws(ErrorReport) -> [UInt8] {
    var writer = SBMLWriter(model)
    try writer.check()
    writer.findBounds()
    writer.write()
    return writer.text.bytes
  }

  private init(_ model: ReactionModel) { self.model = model }

  private func check() throws(ErrorReport) {
    var ids = model.compartments.map(\.id) + model.species.map(\.id) + model.reactions.map(\.id)
    ids += model.genes.map(\.id) + model.parameters.map(\.id) + model.objectives.map(\.id)
    if !model.id.text.isEmpty { ids.append(model.id) }
    for id in ids where !SBMLForm.isIdentifier(id.text) { throw SBMLWriteError.unusableID(id) }
    for reaction in model.reactions {
      let isFine = reaction.stoichiometry.allSatisfy { $0.amount.isFinite }
      if !isFine || reaction.lowerBound.isNaN || reaction.upperBound.isNaN {
        throw SBMLWriteError.unusableNumber(reaction.id)
      }
    }
  }

  /// Finds or creates a parameter for each bound.
  private mutating func findBounds() {
    var taken = Set(model.parameters.map(\.id) + model.species.map(\.id) + model.reactions.map(\.id))
    taken.formUnion(model.genes.map(\.id) + model.compartments.map(\.id) + model.objectives.map(\.id))
    taken.insert(model.id)
    for parameter in model.parameters where parameter.isConstant {
      if let value = parameter.value, !value.isNaN, bounds[value] == nil { bounds[value] = parameter.id }
    }
    var number = 1
    for value in model.reactions.flatMap({ [$0.lowerBound, $0.upperBound] }) where bounds[value] == nil {
      while taken.contains(Identifier("bound_\(number)")) { number += 1 }
      let id = Identifier("bound_\(number)")
      taken.insert(id)
      bounds[value] = id
      added.append(ModelParameter(id: id, value: value))
    }
  }

  /// A Boolean value indicating whether the bounds satisfy the package's definition of a strict model.
  private var isStrict: Bool {
    model.reactions.allSatisfy {
      $0.lowerBound <= $0.upperBound && $0.lowerBound != .infinity && $0.upperBound != -.infinity
    } && model.objectives.allSatisfy { $0.terms.allSatisfy(\.weight.isFinite) }
  }

  private mutating func write() {
    var attributes: [(String, String?)] = [
      ("xmlns", "http://www.sbml.org/sbml/level3/version1/core"),
      ("xmlns:fbc", "http://www.sbml.org/sbml/level3/version1/fbc/version2"),
      ("level", "3"), ("version", "1"), ("fbc:required", "false"),
    ]
    if !model.groups.isEmpty {
      attributes.append(("xmlns:groups", "http://www.sbml.org/sbml/level3/version1/groups/version1"))
      attributes.append(("groups:required", "false"))
    }
    if !model.layouts.isEmpty {
      attributes.append(("xmlns:layout", "http://www.sbml.org/sbml/level3/version1/layout/version1"))
      attributes.append(("layout:required", "false"))
    }
    text.open("sbml", attributes)
    let id = model.id.text.isEmpty ? nil : model.id.text
    text.open(
      "model",
      Self.marks(model, model.id) + [
        ("id", id), ("name", text.some(model.name)), ("fbc:strict", isStrict ? "true" : "false"),
      ])
    text.remarks(model.id, model.metadata)
    writeParts()
    writeReactions()
    writeObjectives()
    writeGenes()
    writeGroups()
    for (index, layout) in model.layouts.enumerated() {
      if index == 0 { text.open("layout:listOfLayouts") }
      text.write(layout)
      if index == model.layouts.count - 1 { text.close() }
    }
    text.close()
    text.close()
  }

  /// Returns the attributes that a part's metadata need: the SBO term, and an id for annotations to refer to.
  private static func marks(_ part: some AnnotatedPart, _ id: Identifier) -> [(String, String?)] {
    [
      ("sboTerm", part.metadata.term.map { SBMLForm.term($0) }),
      ("metaid", part.references.isEmpty || id.text.isEmpty ? nil : "meta_" + id.text),
    ]
  }

  /// Writes a list of parts that have only attributes and metadata.
  private mutating func writeList<Part: AnnotatedPart>(
    _ list: String, _ element: String, _ parts: [Part],
    _ attributes: (SBMLText, Part) -> (Identifier, [(String, String?)])
  ) {
    text.list(list, parts) { text, part in
      let (id, own) = attributes(text, part)
      let all = Self.marks(part, id) + own
      if part.metadata.notes.isEmpty, part.references.isEmpty { return text.empty(element, all) }
      text.open(element, all)
      text.remarks(id, part.metadata)
      text.close()
    }
  }

  private mutating func writeParts() {
    writeList("listOfCompartments", "compartment", model.compartments) { text, compartment in
      (
        compartment.id,
        [
          ("id", compartment.id.text), ("name", text.some(compartment.name)),
          ("size", compartment.size.map { SBMLNumber.text($0) }), ("constant", "true"),
        ]
      )
    }
    let compartments = model.compartments
    writeList("listOfSpecies", "species", model.species) { text, species in
      let compartmentID = species.compartment.flatMap {
        compartments.indices.contains($0) ? compartments[$0].id.text : nil
      }
      return (
        species.id,
        [
          ("id", species.id.text), ("name", text.some(species.name)), ("compartment", compartmentID),
          ("hasOnlySubstanceUnits", "false"), ("boundaryCondition", species.isBoundary ? "true" : "false"),
          ("constant", "false"), ("fbc:charge", species.charge.map { String($0) }),
          ("fbc:chemicalFormula", species.formula),
        ]
      )
    }
    writeList("listOfParameters", "parameter", model.parameters + added) { _, parameter in
      (
        parameter.id,
        [
          ("id", parameter.id.text), ("value", parameter.value.map { SBMLNumber.text($0) }),
          ("constant", parameter.isConstant ? "true" : "false"),
        ]
      )
    }
  }

  private mutating func writeReactions() {
    let (model, bounds) = (model, bounds)
    text.list("listOfReactions", model.reactions) { text, reaction in
      text.open(
        "reaction",
        Self.marks(reaction, reaction.id) + [
          ("id", reaction.id.text), ("name", text.some(reaction.name)),
          ("reversible", reaction.isReversible ? "true" : "false"), ("fast", "false"),
          ("fbc:lowerFluxBound", bounds[reaction.lowerBound]?.text),
          ("fbc:upperFluxBound", bounds[reaction.upperBound]?.text),
        ])
      text.remarks(reaction.id, reaction.metadata, more: reaction.subsystem.map { ("SUBSYSTEM", $0) })
      let used = reaction.stoichiometry.filter { $0.amount < 0 }
      let made = reaction.stoichiometry.filter { $0.amount >= 0 }
      for (name, parts) in [("listOfReactants", used), ("listOfProducts", made)] {
        text.list(name, parts) { text, part in
          text.empty(
            "speciesReference",
            [
              ("species", model.species[part.species].id.text), ("stoichiometry", SBMLNumber.text(abs(part.amount))),
              ("constant", "true"),
            ])
        }
      }
      text.list("listOfModifiers", reaction.modifiers) { text, modifier in
        let term = modifier.term.map { SBMLForm.term($0) }
        text.empty(
          "modifierSpeciesReference", [("sboTerm", term), ("species", model.species[modifier.species].id.text)])
      }
      if let rule = reaction.geneRule {
        text.open("fbc:geneProductAssociation")
        text.write(rule, model.genes)
        text.close()
      }
      text.close()
    }
  }

  private mutating func writeObjectives() {
    guard !model.objectives.isEmpty else { return }
    let reactions = model.reactions
    let active = model.objectives[model.activeObjective ?? 0].id.text
    text.open("fbc:listOfObjectives", [("fbc:activeObjective", active)])
    for objective in model.objectives {
      text.open(
        "fbc:objective",
        [("fbc:id", objective.id.text), ("fbc:type", objective.isMaximized ? "maximize" : "minimize")])
      text.list("fbc:listOfFluxObjectives", objective.terms) { text, term in
        text.empty(
          "fbc:fluxObjective",
          [("fbc:reaction", reactions[term.reaction].id.text), ("fbc:coefficient", SBMLNumber.text(term.weight))])
      }
      text.close()
    }
    text.close()
  }

  private mutating func writeGenes() {
    writeList("fbc:listOfGeneProducts", "fbc:geneProduct", model.genes) { text, gene in
      let usual = gene.name.isEmpty ? gene.id.text : gene.name
      return (
        gene.id,
        [
          ("fbc:id", gene.id.text), ("fbc:name", gene.label.isEmpty ? nil : text.some(gene.name)),
          ("fbc:label", gene.label.isEmpty ? usual : gene.label),
        ]
      )
    }
  }

  private mutating func writeGroups() {
    text.list("groups:listOfGroups", model.groups) { text, group in
      text.open(
        "groups:group",
        Self.marks(group, group.id) + [
          ("groups:id", text.some(group.id.text)), ("groups:name", text.some(group.name)), ("groups:kind", group.kind),
        ])
      text.remarks(group.id, group.metadata)
      text.list("groups:listOfMembers", group.members) { text, member in
        text.empty("groups:member", [("groups:idRef", member.text)])
      }
      text.close()
    }
  }
}
