extension ReactionModel {
  /// The model with ids that SBML can have, and how many were changed for it.
  ///
  /// Characters other than letters, digits and `_` become `_`; an id that begins with a digit gets `M_`, `R_`, `G_` or
  /// `C_` before it, as is usual; one that another has by then gets a number behind it. Objectives and groups, whose
  /// members follow, likewise.
  /// - Source: SBML Level 3 Version 1 Core, section 3.1.7 (SId).
  func withPlainIdentifiers() -> (model: ReactionModel, changed: Int) {
    var model = self
    var names = PlainIdentifiers()
    if !id.text.isEmpty { model.id = names.name(id, "N_") }
    // What has a usable id keeps it.
    names.reserve(
      compartments.map(\.id) + species.map(\.id) + reactions.map(\.id) + genes.map(\.id) + parameters.map(\.id)
        + objectives.map(\.id) + groups.map(\.id))
    for index in compartments.indices { model.compartments[index].id = names.name(compartments[index].id, "C_") }
    for index in species.indices { model.species[index].id = names.name(species[index].id, "M_") }
    for index in reactions.indices { model.reactions[index].id = names.name(reactions[index].id, "R_") }
    for index in genes.indices {
      model.genes[index].id = names.name(genes[index].id, "G_")
      if model.genes[index].id != genes[index].id, genes[index].name.isEmpty {
        model.genes[index].name = genes[index].id.text
      }
    }
    for index in parameters.indices { model.parameters[index].id = names.name(parameters[index].id, "P_") }
    for index in objectives.indices { model.objectives[index].id = names.name(objectives[index].id, "O_") }
    for index in groups.indices {
      if !groups[index].id.text.isEmpty { model.groups[index].id = names.name(groups[index].id, "G_") }
      model.groups[index].members = groups[index].members.map { names.known[$0] ?? $0 }
    }
    for layout in layouts.indices {
      for glyph in layouts[layout].glyphs.indices {
        let object = layouts[layout].glyphs[glyph].object
        model.layouts[layout].glyphs[glyph].object = object.map { names.known[$0] ?? $0 }
      }
    }
    return (model, names.changed)
  }
}

/// Makes ids that SBML can have.
struct PlainIdentifiers: Sendable {
  /// The ids that were made, by those they stand for.
  private(set) var known: [Identifier: Identifier] = [:]
  private(set) var changed = 0
  private var taken: Set<Identifier> = []

  /// Keeps the usable ones of some ids for themselves.
  mutating func reserve(_ ids: [Identifier]) {
    for id in ids where Self.isPlain(id.text) { taken.insert(id) }
  }

  /// The id for one, which is its own if that can be.
  mutating func name(_ id: Identifier, _ prefix: String) -> Identifier {
    if let name = known[id] { return name }
    var name = id
    if !Self.isPlain(id.text) {
      changed += 1
      let plain = Self.plain(id.text, prefix)
      name = Identifier(plain)
      var number = 2
      while taken.contains(name) {
        name = Identifier("\(plain)_\(number)")
        number += 1
      }
    }
    taken.insert(name)
    known[id] = name
    return name
  }

  private static func plain(_ text: String, _ prefix: String) -> String {
    var bytes = text.utf8.map { isLetter($0) || isDigit($0) ? $0 : UInt8(ascii: "_") }
    if bytes.first.map(isDigit) ?? true { bytes = Array(prefix.utf8) + bytes }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy { isLetter($0) || isDigit($0) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

  private static func isLetter(_ byte: UInt8) -> Bool {
    let small = byte | 0x20
    return small >= UInt8(ascii: "a") && small <= UInt8(ascii: "z") || byte == UInt8(ascii: "_")
  }
}
