import PluginAPI
import PluginJSON

/// Reads models in the JSON format of COBRA programs; infinite bounds may be numbers or texts.
///
/// - Source: opencobra/cobrapy, `cobra.io.json` and `cobra.io.dict`, 0.29; https://escher.readthedocs.io (COBRA model
///   JSON), 2026-11-21.
struct COBRAReader {
  private var model = ReactionModel()
  private var species: [Identifier: Int] = [:]
  private var compartments: [Identifier: Int] = [:]
  private var genes: [Identifier: Int] = [:]
  private var reactions: Set<Identifier> = []
  private var terms: [FluxObjective.Term] = []
  private var warnings: [SBMLProblem] = []

  /// Reads a model.
  ///
  /// - Throws: ``COBRAError``.
  static func model(_ bytes: [UInt8]) throws(COBRAError) -> ReactionModel { try document(bytes).model }

  /// Reads a model, with its warnings.
  ///
  /// - Throws: ``COBRAError``.
  static func document(_ bytes: [UInt8]) throws(COBRAError) -> SBMLDocument {
    let value: Value
    do throws(JSONError) {
      value = try Value(json: COBRANumbers.quoted(bytes), sizeInBytes: 256 << 20)
    } catch { throw .json(error) }
    guard case .record(let root) = value.content else { throw .noModel(missing: "metabolites") }
    var reader = COBRAReader()
    do {
      try reader.read(root)
    } catch {
      throw placed(error, in: bytes)
    }
    var document = SBMLDocument(model: reader.model, format: .cobra)
    document.warnings = reader.warnings
    return document
  }

  /// Returns an error with the position of its subject, if that can be found.
  private static func placed(_ error: COBRAError, in bytes: [UInt8]) -> COBRAError {
    guard case .wrong(let list, let number, let field, _) = error else { return error }
    let path: [JSONPosition.Step] = [.key(list), .index(number - 1)]
    let position = JSONPosition.find(path + [.key(field)], in: bytes) ?? JSONPosition.find(path, in: bytes)
    return position.map { .placed(line: $0.line, column: $0.column, error) } ?? error
  }

  private mutating func read(_ root: Record) throws(COBRAError) {
    model.id = Identifier(text(root["id"]) ?? "")
    model.name = text(root["name"]) ?? ""
    model.metadata = COBRAMetadata.metadata(of: root)
    if case .record(let rooms)? = root["compartments"]?.content {
      for field in rooms.fields { addCompartment(Identifier(field.name), text(field.value) ?? "") }
    }
    for (index, entry) in try list(root, "metabolites").enumerated() { try readSpecies(entry, index) }
    for entry in try list(root, "genes") {
      guard let id = text(entry["id"]) else { continue }
      if genes[Identifier(id)] != nil { throw .duplicate(Identifier(id)) }
      genes[Identifier(id)] = model.genes.count
      model.genes.append(
        ModelGene(id: Identifier(id), name: text(entry["name"]) ?? "", metadata: COBRAMetadata.metadata(of: entry)))
    }
    for (index, entry) in try list(root, "reactions").enumerated() { try readReaction(entry, index) }
    if terms.isEmpty { return }
    model.objectives = [FluxObjective(id: "obj", terms: terms)]
    model.activeObjective = 0
  }

  private func list(_ root: Record, _ name: String) throws(COBRAError) -> [Record] {
    guard case .list(let values)? = root[name]?.content else {
      if name == "genes" { return [] }
      throw .noModel(missing: name)
    }
    var records: [Record] = []
    for (index, value) in values.enumerated() {
      guard case .record(let record) = value.content else {
        throw .wrong(list: name, entry: index + 1, field: name, reason: "is not an object")
      }
      records.append(record)
    }
    return records
  }

  private mutating func addCompartment(_ id: Identifier, _ name: String) {
    if compartments[id] != nil { return }
    compartments[id] = model.compartments.count
    model.compartments.append(ModelCompartment(id: id, name: name))
  }

  private mutating func readSpecies(_ entry: Record, _ index: Int) throws(COBRAError) {
    guard let id = text(entry["id"]).map({ Identifier($0) }) else {
      throw .wrong(list: "metabolites", entry: index + 1, field: "id", reason: "is missing")
    }
    if species[id] != nil { throw .duplicate(id) }
    species[id] = index
    var found = ModelSpecies(id: id, name: text(entry["name"]) ?? "")
    if let room = text(entry["compartment"]) {
      addCompartment(Identifier(room), "")
      found.compartment = compartments[Identifier(room)]
    }
    found.formula = text(entry["formula"]).flatMap { $0.isEmpty ? nil : $0 }
    if let charge = try number(entry["charge"], "metabolites", index, "charge") {
      found.charge = Int(exactly: charge)
      if found.charge == nil { warn(id, "the charge of the metabolite '\(id)' is not a whole number; it is left out") }
    }
    // Programs for older kinds of models mark species that need not balance in this way.
    if case .bool(let isBoundary)? = entry["_boundary"]?.content { found.isBoundary = isBoundary }
    found.metadata = COBRAMetadata.metadata(of: entry)
    model.species.append(found)
  }

  private mutating func readReaction(_ entry: Record, _ index: Int) throws(COBRAError) {
    guard let id = text(entry["id"]).map({ Identifier($0) }) else {
      throw .wrong(list: "reactions", entry: index + 1, field: "id", reason: "is missing")
    }
    if !reactions.insert(id).inserted { throw .duplicate(id) }
    var reaction = ModelReaction(id: id, name: text(entry["name"]) ?? "")
    reaction.lowerBound = try number(entry["lower_bound"], "reactions", index, "lower_bound") ?? -.infinity
    reaction.upperBound = try number(entry["upper_bound"], "reactions", index, "upper_bound") ?? .infinity
    reaction.isReversible = reaction.lowerBound < 0
    reaction.subsystem = text(entry["subsystem"]).flatMap { $0.isEmpty ? nil : $0 }
    reaction.metadata = COBRAMetadata.metadata(of: entry)
    if case .record(let parts)? = entry["metabolites"]?.content {
      for part in parts.fields {
        guard let speciesIndex = species[Identifier(part.name)] else {
          throw .unknown(Identifier(part.name), reaction: id)
        }
        let amount = try number(part.value, "reactions", index, "metabolites")
        guard let amount, amount.isFinite else {
          throw .wrong(
            list: "reactions", entry: index + 1, field: "metabolites", reason: "has a value that is not an amount")
        }
        reaction.stoichiometry.append(SpeciesAmount(species: speciesIndex, amount: amount))
      }
    }
    if let rule = text(entry["gene_reaction_rule"]), !rule.isEmpty {
      reaction.geneRule = GeneRule.read(rule) { name in self.index(ofGene: name) }
      if reaction.geneRule == nil {
        warn(id, "the gene rule '\(rule)' of the reaction '\(id)' cannot be read; it is left out")
      }
    }
    let weight = try number(entry["objective_coefficient"], "reactions", index, "objective_coefficient")
    if let weight, !weight.isFinite {
      throw .wrong(list: "reactions", entry: index + 1, field: "objective_coefficient", reason: "is not finite")
    }
    if let weight, weight != 0 { terms.append(.init(reaction: model.reactions.count, weight: weight)) }
    model.reactions.append(reaction)
  }

  /// Adds a warning, up to a readable number.
  private mutating func warn(_ id: Identifier, _ text: String) {
    if warnings.count == 100 { return }
    warnings.append(SBMLProblem(error: FileErrors.word, id: id.text, text: text))
  }

  private mutating func index(ofGene name: String) -> Int {
    let id = Identifier(name)
    if let known = genes[id] { return known }
    genes[id] = model.genes.count
    model.genes.append(ModelGene(id: id))
    return model.genes.count - 1
  }

  private func text(_ value: Value?) -> String? {
    guard case .text(let text)? = value?.content else { return nil }
    return text
  }

  /// Returns a number; nil if there is none.
  private func number(
    _ value: Value?, _ list: String, _ index: Int, _ field: String
  ) throws(COBRAError) -> Double? {
    switch value?.content {
    case nil, .null: return nil
    case .integer(let whole): return Double(whole)
    case .number(let number) where !number.isNaN: return number
    case .decimal(let text): if let number = SBMLNumber.read(text) { return number }
    case .text(let text): if let number = COBRANumbers.infinity(text) { return number }
    default: break
    }
    throw .wrong(list: list, entry: index + 1, field: field, reason: "is not a number")
  }
}

/// Numbers that JSON does not support.
private enum COBRANumbers {
  /// Returns the infinity that a text stands for.
  static func infinity(_ text: String) -> Double? {
    switch text.lowercased() {
    case "inf", "+inf", "infinity", "+infinity": .infinity
    case "-inf", "-infinity": -.infinity
    default: nil
    }
  }

  /// Returns the same JSON with quotes around bare `Infinity`, `-Infinity` and `NaN`, which some programs write.
  static func quoted(_ bytes: [UInt8]) -> [UInt8] {
    var made: [UInt8] = []
    var taken = 0
    var offset = 0
    var isInText = false
    while offset < bytes.count {
      let byte = bytes[offset]
      if isInText {
        if byte == UInt8(ascii: "\\") { offset += 1 } else if byte == UInt8(ascii: "\"") { isInText = false }
      } else if byte == UInt8(ascii: "\"") {
        isInText = true
      } else if byte == UInt8(ascii: "I") || byte == UInt8(ascii: "N") || byte == UInt8(ascii: "-") {
        if let word = literals.first(where: { bytes[offset...].starts(with: $0.utf8) }) {
          made += bytes[taken..<offset] + "\"\(word)\"".utf8
          offset += word.utf8.count
          taken = offset
          continue
        }
      }
      offset += 1
    }
    return taken == 0 ? bytes : made + bytes[taken...]
  }

  private static let literals = ["Infinity", "-Infinity", "NaN"]
}

/// The reasons for which a model in COBRA's JSON cannot be read.
indirect enum COBRAError: Error, Equatable, ReportableError {
  case json(JSONError)
  /// An error with the position where its subject begins, from 1.
  case placed(line: Int, column: Int, COBRAError)
  /// The file is JSON, but lacks a list that models have.
  case noModel(missing: String)
  /// A part of a model lacks a required field, or has it in another form.
  case wrong(list: String, entry: Int, field: String, reason: String)
  /// Two parts have the same id.
  case duplicate(Identifier)
  /// A reaction uses a species that does not exist.
  case unknown(Identifier, reaction: Identifier)

  var report: ErrorReport { whole.short }

  private var whole: ErrorReport {
    switch self {
    case .json(let error): MapError.of(error)
    case .placed(let line, let column, let error): error.whole.placed(line: line, column: column)
    case .noModel(let missing):
      FileErrors.structure(
        "the JSON is not a model: it has no '\(missing)'",
        advice: "export the model as COBRA JSON")
    case .wrong(let list, let entry, let field, let reason):
      FileErrors.number(
        "'\(field)' of entry \(entry) in '\(list)' \(reason)",
        advice: "correct the file, or export the model again")
    case .duplicate(let id):
      FileErrors.duplicateID(
        "the id '\(id)' is used twice",
        advice: "rename one of them", details: ["id": .text(id.text)])
    case .unknown(let id, let reaction):
      FileErrors.danglingReference(
        "the reaction '\(reaction)' has the metabolite '\(id)', which does not exist",
        advice: "add it to 'metabolites'", details: ["id": .text(id.text), "reaction": .text(reaction.text)])
    }
  }

  static let errorCodes = [
    ErrorCodeDescription("pathcase.model-simplified", "data of a model that the format cannot hold is left out")
  ]
}
