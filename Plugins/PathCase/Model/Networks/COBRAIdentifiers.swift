/// Converts model ids between COBRApy's form and its SBML form: `PGI` and `R_PGI`, `lac-D` and `M_lac__45__D`.
///
/// - Source: opencobra/cobrapy, `cobra.io.sbml` (functions `F_SPECIE`, `F_REACTION`, `F_GENE` and their reverses).
enum COBRAIdentifiers {
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

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

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
      let digits = bytes.dropFirst(2).prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
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
