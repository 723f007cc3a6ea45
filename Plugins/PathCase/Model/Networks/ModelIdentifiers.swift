extension ReactionModel {
  /// Returns the model with valid, unique SBML ids, and the number of ids changed.
  ///
  /// Characters other than letters, digits and `_` become `_`. An id that begins with a digit, or that is used in
  /// another list, gets the usual prefix `M_`, `R_`, `G_` or `C_`; if the result is taken, a number is appended.
  /// Objectives and groups, whose members are updated, are treated in the same way.
  /// - Source: SBML Level 3 Version 1 Core, section 3.1.7 (SId).
  func withPlainIdentifiers() -> (model: ReactionModel, changed: Int) {
    var model = self
    // Usable ids are kept.
    var names = PlainIdentifiers(
      keeping: compartments.map(\.id) + species.map(\.id) + reactions.map(\.id) + genes.map(\.id)
        + parameters.map(\.id) + objectives.map(\.id) + groups.map(\.id))
    let rooms = names.give(compartments.map(\.id), "C_") { model.compartments[$0].id = $1 }
    let pools = names.give(species.map(\.id), "M_") { model.species[$0].id = $1 }
    let steps = names.give(reactions.map(\.id), "R_") { model.reactions[$0].id = $1 }
    let products = names.give(genes.map(\.id), "G_") { index, name in
      model.genes[index].id = name
      if name != genes[index].id, genes[index].name.isEmpty { model.genes[index].name = genes[index].id.text }
    }
    names.give(parameters.map(\.id), "P_") { model.parameters[$0].id = $1 }
    names.give(objectives.map(\.id), "O_") { model.objectives[$0].id = $1 }
    names.give(groups.map(\.id), "G_") { model.groups[$0].id = $1 }
    names.give([id], "N_") { _, name in model.id = name }
    model.follow(
      RenamedIdentifiers(compartments: rooms, species: pools, reactions: steps, genes: products))
    return (model, names.changed)
  }
}

/// The new ids of a model's parts, keyed by their old ids.
private struct RenamedIdentifiers: Sendable {
  var compartments: [Identifier: Identifier] = [:]
  var species: [Identifier: Identifier] = [:]
  var reactions: [Identifier: Identifier] = [:]
  var genes: [Identifier: Identifier] = [:]
}

extension ReactionModel {
  /// Updates the references of groups and layouts to the new ids.
  fileprivate mutating func follow(_ names: RenamedIdentifiers) {
    for index in groups.indices {
      groups[index].members = groups[index].members.map {
        names.reactions[$0] ?? names.species[$0] ?? names.genes[$0] ?? names.compartments[$0] ?? $0
      }
    }
    for layout in layouts.indices {
      for (index, glyph) in layouts[layout].glyphs.enumerated() {
        guard let object = glyph.object else { continue }
        let lists =
          glyph.kind == .compartment
          ? [names.compartments]
          : glyph.kind == .reaction ? [names.reactions] : [names.species, names.reactions, names.compartments]
        layouts[layout].glyphs[index].object = lists.lazy.compactMap { $0[object] }.first ?? object
      }
    }
  }
}

/// Creates valid SBML ids.
private struct PlainIdentifiers: Sendable {
  private(set) var changed = 0
  /// The ids that parts already have, which no other part may get.
  private let kept: Set<Identifier>
  private var given: Set<Identifier> = []

  /// Reserves the usable ids for the parts that have them.
  init(keeping ids: [Identifier]) {
    kept = Set(ids.filter { Self.isPlain($0.text) })
  }

  /// Assigns ids to the parts of a list; parts without an id get none.
  ///
  /// - Returns: The new ids, keyed by the old ones.
  @discardableResult mutating func give(
    _ ids: [Identifier], _ prefix: String, _ take: (Int, Identifier) -> Void
  ) -> [Identifier: Identifier] {
    var names: [Identifier: Identifier] = [:]
    for (index, id) in ids.enumerated() where !id.text.isEmpty {
      let name = name(id, prefix)
      take(index, name)
      if names[id] == nil { names[id] = name }
    }
    return names
  }

  /// Returns the id for a part: its own if possible.
  private mutating func name(_ id: Identifier, _ prefix: String) -> Identifier {
    let isPlain = Self.isPlain(id.text)
    if isPlain, given.insert(id).inserted { return id }
    changed += 1
    let plain = isPlain ? prefix + id.text : Self.plain(id.text, prefix)
    var name = Identifier(plain)
    var number = 2
    while kept.contains(name) || !given.insert(name).inserted {
      name = Identifier("\(plain)_\(number)")
      number += 1
    }
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

}

private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

/// Returns whether a byte is a letter or an underscore.
private func isLetter(_ byte: UInt8) -> Bool {
  let small = byte | 0x20
  return small >= UInt8(ascii: "a") && small <= UInt8(ascii: "z") || byte == UInt8(ascii: "_")
}

/// Converts model ids between COBRApy's form and its SBML form: `PGI` and `R_PGI`, `lac-D` and `M_lac__45__D`.
///
/// - Source: opencobra/cobrapy, `cobra.io.sbml` (functions `F_SPECIE`, `F_REACTION`, `F_GENE` and their reverses).
private enum COBRAIdentifiers {
  /// The prefix of SBML ids, by kind of part.
  enum Prefix: String {
    case species = "M_"
    case reaction = "R_"
    case gene = "G_"
  }

  /// Returns COBRApy's ids for SBML ids; an id that would clash with another stays unchanged.
  static func short(_ ids: [Identifier], _ prefix: Prefix) -> [Identifier: Identifier] {
    let wanted = ids.map { short($0, prefix) }
    var counts: [Identifier: Int] = [:]
    for id in wanted { counts[id, default: 0] += 1 }
    var names: [Identifier: Identifier] = [:]
    for (id, name) in zip(ids, wanted) { names[id] = counts[name] == 1 && !name.text.isEmpty ? name : id }
    return names
  }

  /// Returns the SBML ids for COBRApy's ids.
  static func long(_ ids: [Identifier], _ prefix: Prefix) -> [Identifier: Identifier] {
    var names: [Identifier: Identifier] = [:]
    for id in ids { names[id] = long(id, prefix) }
    return names
  }

  private static func short(_ id: Identifier, _ prefix: Prefix) -> Identifier {
    guard id.text.hasPrefix(prefix.rawValue) else { return id }
    let name = String(id.text.dropFirst(prefix.rawValue.count))
    if prefix == .gene { return Identifier(replaced(name, dot, by: ".")) }
    return Identifier(unescaped(name))
  }

  private static func long(_ id: Identifier, _ prefix: Prefix) -> Identifier {
    if id.text.hasPrefix(prefix.rawValue), id.text.utf8.allSatisfy(isPlain) { return id }
    var name = ""
    for scalar in id.text.unicodeScalars {
      if scalar == ".", prefix == .gene {
        name += dot
      } else if scalar.isASCII, isPlain(UInt8(scalar.value)) {
        name.unicodeScalars.append(scalar)
      } else {
        name += "__\(scalar.value)__"
      }
    }
    return Identifier(prefix.rawValue + name)
  }

  private static let dot = "_SBML_DOT_"

  private static func isPlain(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

  private static func replaced(_ text: String, _ part: String, by other: String) -> String {
    var bytes = Array(text.utf8)[...]
    var result: [UInt8] = []
    while !bytes.isEmpty {
      if bytes.starts(with: part.utf8) {
        result += other.utf8
        bytes = bytes.dropFirst(part.utf8.count)
      } else if let byte = bytes.popFirst() {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns a text with character codes such as `__45__` replaced by their characters.
  ///
  /// Codes of invisible characters are kept: some models have `__3__` in ids, which is not such a code.
  private static func unescaped(_ text: String) -> String {
    var bytes = Array(text.utf8)[...]
    var result: [UInt8] = []
    while let byte = bytes.first {
      let digits = bytes.dropFirst(2).prefix(while: isDigit)
      let isMarked = bytes.starts(with: "__".utf8) && bytes[digits.endIndex...].starts(with: "__".utf8)
      let number = isMarked ? UInt32(String(decoding: digits, as: UTF8.self)) : nil
      if let scalar = number.flatMap({ $0 > 32 && $0 != 127 ? Unicode.Scalar($0) : nil }) {
        result += String(Character(scalar)).utf8
        bytes = bytes[(digits.endIndex + 2)...]
      } else {
        result.append(byte)
        bytes = bytes.dropFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension ReactionModel {
  /// Returns the model with the ids that COBRApy gives to an SBML model's parts.
  func withCOBRAIdentifiers() -> ReactionModel { renamed(COBRAIdentifiers.short) }

  /// Returns the model of a COBRA file with the ids that COBRApy writes to SBML.
  func withSBMLIdentifiers() -> ReactionModel { renamed(COBRAIdentifiers.long) }

  private func renamed(
    _ names: ([Identifier], COBRAIdentifiers.Prefix) -> [Identifier: Identifier]
  ) -> ReactionModel {
    let found = RenamedIdentifiers(
      species: names(species.map(\.id), .species), reactions: names(reactions.map(\.id), .reaction),
      genes: names(genes.map(\.id), .gene))
    var model = self
    for (index, part) in species.enumerated() { model.species[index].id = found.species[part.id] ?? part.id }
    for (index, part) in reactions.enumerated() { model.reactions[index].id = found.reactions[part.id] ?? part.id }
    for (index, part) in genes.enumerated() { model.genes[index].id = found.genes[part.id] ?? part.id }
    model.follow(found)
    return model
  }
}
