extension ContractWriter {
  static func write(_ tissue: Tissue, to writer: inout ContractTextWriter) {
    writer.element(.tissue, [("id", tissue.id.text), ("name", tissue.name), ("kind", tissue.kind.rawValue)])
  }

  static func write(_ compartment: Compartment, to writer: inout ContractTextWriter) {
    writer.element(
      .compartment,
      [
        ("id", compartment.id.text), ("name", compartment.name), ("tissue", compartment.tissue?.text),
        ("outside", compartment.outside?.text),
      ])
  }

  static func write(_ metabolite: Metabolite, to writer: inout ContractTextWriter) {
    let attributes: [(String, String?)] = [
      ("id", metabolite.id.text), ("name", metabolite.name), ("common", ContractTextWriter.text(metabolite.isCommon)),
      ("formula", metabolite.formula), ("charge", metabolite.charge.map(String.init)),
      ("kegg", metabolite.references["kegg"]), ("chebi", metabolite.references["chebi"]),
      ("hmdb", metabolite.references["hmdb"]),
    ]
    if metabolite.synonyms.isEmpty { return writer.element(.metabolite, attributes) }
    writer.element(.metabolite, attributes) { writer in
      for synonym in metabolite.synonyms { writer.element(.synonym, text: synonym) }
    }
  }

  static func write(_ pool: MetabolitePool, to writer: inout ContractTextWriter) {
    writer.element(
      .pool,
      [
        ("id", pool.id.text), ("metabolite", pool.metabolite.text), ("compartment", pool.compartment.text),
        ("boundary", ContractTextWriter.text(pool.isBoundary)),
      ])
  }

  static func write(_ process: MetabolicProcess, to writer: inout ContractTextWriter) {
    writer.element(
      .process,
      [
        ("id", process.id.text), ("name", process.name), ("type", process.kind.rawValue),
        ("reversible", ContractTextWriter.text(process.isReversible)), ("ec", process.enzyme),
      ]
    ) { writer in
      for participant in process.participants {
        let amount = participant.stoichiometry == 1 ? nil : ContractTextWriter.text(participant.stoichiometry)
        writer.element(
          .participant,
          [
            ("pool", participant.pool.text), ("role", participant.role.rawValue), ("stoichiometry", amount),
            ("trigger", participant.trigger?.word),
          ])
      }
      for gene in process.genes { writer.element(.gene, text: gene) }
    }
  }

  static func write(_ pathway: MetabolicPathway, to writer: inout ContractTextWriter) {
    writer.element(
      .pathway, [("id", pathway.id.text), ("name", pathway.name), ("organism", pathway.organism)]
    ) { writer in
      for synonym in pathway.synonyms { writer.element(.synonym, text: synonym) }
      for process in pathway.processes { writer.element(.processRef, [("process", process.text)]) }
      for link in pathway.links {
        writer.element(.linkedPathway, [("pathway", link.pathway.text), ("via", link.via?.text)])
      }
    }
  }

  static func write(_ activation: PathwayActivation, to writer: inout ContractTextWriter) {
    writer.element(.scenarioPathway, [("pathway", activation.pathway.text)]) { writer in
      for condition in activation.conditions {
        writer.element(
          .condition,
          [
            ("process", condition.process.text), ("pool", condition.pool.text), ("role", condition.role.rawValue),
            ("trigger", condition.trigger.word),
          ])
      }
    }
  }

  static func write(_ range: BiofluidRange, to writer: inout ContractTextWriter) {
    writer.element(
      .range,
      [
        ("pool", range.pool.text), ("unavailableBelow", ContractTextWriter.text(range.unavailableBelow)),
        ("accumulatedAbove", ContractTextWriter.text(range.accumulatedAbove)),
        ("severeAbove", ContractTextWriter.text(range.severeAbove)),
        ("unit", range.unit.isEmpty ? nil : range.unit),
      ])
  }
}
