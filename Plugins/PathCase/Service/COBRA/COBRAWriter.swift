import PluginAPI
import PluginJSON

/// Writes models in the JSON format of COBRA programs.
///
/// The format has one objective, which is maximized: the active one is written, with inverted signs if it is minimized.
/// Groups become the subsystems of their reactions. Other objectives, layouts and modifiers cannot be written, and
/// parameters only as bounds. Infinite bounds are texts, as COBRApy writes them.
///
/// - Source: The source given for the reader.
enum COBRAWriter {
  /// Returns the file, with warnings about the omitted parts.
  static func write(_ model: ReactionModel) -> WrittenMap {
    var written = WrittenMap(bytes: bytes(model))
    let left = leftOut(model).filter { $0.count > 0 }.map { "\($0.what) (\($0.count))" }
    if !left.isEmpty {
      written.warnings.append(
        Diagnostic(
          .warning, code: "pathcase.model-simplified",
          "COBRA JSON cannot hold \(left.joined(separator: ", ")); they are left out"))
    }
    return written
  }

  private static func leftOut(_ model: ReactionModel) -> [(what: String, count: Int)] {
    let parts: [any AnnotatedPart] = model.species + model.reactions + model.genes + [model]
    let others: [any AnnotatedPart] = model.compartments + model.parameters + model.groups
    return [
      ("other objectives", model.objectives.count - (model.activeObjective == nil ? 0 : 1)),
      ("modifiers", model.reactions.reduce(0) { $0 + $1.modifiers.count }),
      ("groups", model.groupsBesideSubsystems), ("layouts", model.layouts.count),
      ("notes that are not 'key: value'", parts.count { !$0.metadata.notes.markup.isEmpty }),
      (
        "SBO terms and notes of compartments, parameters and groups",
        others.count { $0.metadata.term != nil || !$0.metadata.notes.isEmpty }
      ),
    ]
  }

  static func bytes(_ model: ReactionModel) -> [UInt8] {
    var json = JSONWriter(indentation: 1)
    json.beginObject()
    json.objects("metabolites", model.species) { write($0, model, &$1) }
    let (weights, subsystems) = (weights(model), model.subsystems)
    json.objects("reactions", Array(model.reactions.indices)) { index, json in
      write(model.reactions[index], weights[index], subsystems[index], model, &json)
    }
    json.objects("genes", model.genes) { gene, json in
      json.write("id", gene.id.text)
      json.write("name", gene.name)
      COBRAMetadata.write(gene.metadata, &json)
    }
    json.write("id", model.id.text)
    json.write("name", model.name)
    json.object("compartments") { json in
      for compartment in model.compartments { json.write(compartment.id.text, compartment.name) }
    }
    json.write("version", "1")
    COBRAMetadata.write(model.metadata, &json)
    json.endObject()
    return json.take()
  }

  private static func weights(_ model: ReactionModel) -> [Double] {
    var weights = [Double](repeating: 0, count: model.reactions.count)
    guard let active = model.activeObjective else { return weights }
    let objective = model.objectives[active]
    for term in objective.terms { weights[term.reaction] += objective.isMaximized ? term.weight : -term.weight }
    return weights
  }

  private static func write(_ species: ModelSpecies, _ model: ReactionModel, _ json: inout JSONWriter) {
    json.write("id", species.id.text)
    json.write("name", species.name)
    if let room = species.compartment { json.write("compartment", model.compartments[room].id.text) }
    if let charge = species.charge {
      json.key("charge")
      json.write(charge)
    }
    if let formula = species.formula { json.write("formula", formula) }
    if species.isBoundary { json.write("_boundary", true) }
    COBRAMetadata.write(species.metadata, &json)
  }

  private static func write(
    _ reaction: ModelReaction, _ weight: Double, _ subsystem: String?, _ model: ReactionModel,
    _ json: inout JSONWriter
  ) {
    json.write("id", reaction.id.text)
    json.write("name", reaction.name)
    json.object("metabolites") { json in
      for part in reaction.stoichiometry { write(model.species[part.species].id.text, part.amount, &json) }
    }
    write("lower_bound", reaction.lowerBound, &json)
    write("upper_bound", reaction.upperBound, &json)
    json.write("gene_reaction_rule", reaction.geneRule?.text { model.genes[$0].id.text } ?? "")
    if weight != 0 { write("objective_coefficient", weight, &json) }
    if let subsystem { json.write("subsystem", subsystem) }
    COBRAMetadata.write(reaction.metadata, &json)
  }

  /// Writes a number, which is a text if it is infinite.
  private static func write(_ key: String, _ number: Double, _ json: inout JSONWriter) {
    if number.isInfinite { json.write(key, number > 0 ? "inf" : "-inf") } else { json.write(key, number) }
  }
}
