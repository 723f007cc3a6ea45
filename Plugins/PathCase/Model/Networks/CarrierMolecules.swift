/// Recognizes carrier molecules in files, since models do not say which of their species are common.
///
/// Any of these identifies one: an id as in BiGG (`M_atp_c`, `atp[c]`) or KEGG, a name, KEGG and ChEBI references to
/// nothing else, or a unique formula. An id that contradicts the formula does not count, since in many files `k` or `h`
/// is neither potassium nor a proton.
enum CarrierMolecules {
  /// Returns whether a graph's node represents a carrier molecule.
  static func contains(_ node: GraphNode) -> Bool {
    node.kind == .pool
      && contains(id: node.subject.text, name: node.label, formula: nil, references: node.references)
  }

  /// Returns whether a species of a model is a carrier molecule.
  static func contains(_ species: ModelSpecies) -> Bool {
    contains(
      id: species.id.text, name: species.name, formula: species.formula, references: species.references)
  }

  /// Returns the short name of the carrier that a node represents; nil for another node.
  ///
  /// A formula alone is not enough for a name: superoxide consists of the same atoms as oxygen.
  static func shortName(_ node: GraphNode) -> String? {
    let found = ofID(node.subject.text) ?? byName[plainName(node.label.isEmpty ? node.subject.text : node.label)]
    if let found { return found.shortName }
    let numbers = Set(node.references.compactMap(number).map { byReference[$0]?.shortName })
    return numbers.count == 1 ? numbers.first ?? nil : nil
  }

  private static func contains(id: String, name: String, formula: String?, references: [String]) -> Bool {
    let atoms = formula.flatMap(CarrierMolecule.atoms)
    func fits(_ molecule: CarrierMolecule?) -> Bool {
      guard let molecule else { return false }
      guard let atoms, let own = molecule.atoms else { return true }
      // Among formulas of hydrogen only, the proton has one atom.
      return own == atoms && (!atoms.isEmpty || formula == "H")
    }
    if fits(ofID(id)) || fits(byName[plainName(name)]) { return true }
    // Ids such as ATP serve as names in models without names.
    if name.isEmpty, fits(byName[plainName(id)]) { return true }
    if let atoms, (1...2).contains(atoms.count), formulas.contains(atoms) { return true }
    let numbers = references.compactMap(number)
    return !numbers.isEmpty && numbers.allSatisfy { fits(byReference[$0]) }
  }

  // MARK: Ids

  private static func ofID(_ text: String) -> CarrierMolecule? {
    var id = text[...]
    let isMarked = id.hasPrefix("M_")
    if isMarked { id = id.dropFirst(2) }
    if id.hasPrefix("cpd:") { return byReference[String(id.dropFirst(4))] }
    if let molecule = byID[String(id)] { return isMarked || id.utf8.count > 2 ? molecule : nil }
    if let molecule = byReference[String(id)], id.hasPrefix("C") { return molecule }
    return withoutCompartment(id).flatMap { byID[String($0)] }
  }

  /// Returns `atp` for `atp_c`, `atp[c]` and `atp_LSQBKT_c_RSQBKT_`; nil if there is no compartment.
  private static func withoutCompartment(_ id: Substring) -> Substring? {
    if id.hasSuffix("]"), let open = id.lastIndex(of: "[") { return id[..<open] }
    let bracket = "_LSQBKT_"
    if id.hasSuffix("_RSQBKT_") {
      var end = id.startIndex
      while end < id.endIndex, !id[end...].hasPrefix(bracket) { end = id.index(after: end) }
      return id[..<end]
    }
    guard let line = id.lastIndex(of: "_") else { return nil }
    let room = id[line...].dropFirst()
    guard let first = room.utf8.first, room.utf8.count <= 2 else { return nil }
    return first >= UInt8(ascii: "a") && first <= UInt8(ascii: "z") ? id[..<line] : nil
  }

  private static let byID = Dictionary(
    CarrierMolecule.all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

  // MARK: Names

  /// Returns a name in lowercase without compartment, charge and formula: `atp` for `ATP(4-) [cytosol]`.
  private static func plainName(_ name: String) -> String {
    guard name.utf8.count <= 80 else { return "" }
    var words = SpeciesName.withoutFormula(name).split(separator: " ").map(String.init)
    if words.count > 1, let last = words.last, last.hasPrefix("["), last.hasSuffix("]") { words.removeLast() }
    var text = ""
    for letter in words.joined(separator: " ").lowercased() {
      switch letter {
      case "⁺": text.append("+")
      case "⁻": text.append("-")
      case "₀"..."₉":
        let value = letter.unicodeScalars.first.map { Int($0.value) - 0x2080 } ?? 0
        text += String(value)
      default: text.append(letter)
      }
    }
    return withoutCharge(text)
  }

  /// Returns `atp` for `atp(4-)`, and `nad+` for `nad(+)`.
  private static func withoutCharge(_ text: String) -> String {
    guard text.hasSuffix(")"), let open = text.lastIndex(of: "(") else { return text }
    let inside = text[open...].dropFirst().dropLast()
    guard let sign = inside.last, sign == "+" || sign == "-", inside.dropLast().allSatisfy(\.isNumber) else {
      return text
    }
    return String(text[..<open]) + (inside.utf8.count == 1 ? String(inside) : "")
  }

  private static let byName: [String: CarrierMolecule] = {
    var found: [String: CarrierMolecule] = [:]
    for molecule in CarrierMolecule.all {
      // Ids of one letter may name anything.
      for name in molecule.names + (molecule.id.utf8.count > 1 ? [molecule.id.lowercased()] : []) {
        found[name] = molecule
      }
    }
    return found
  }()

  // MARK: Formulas and references

  /// The atoms that identify a molecule.
  private static let formulas = Set(CarrierMolecule.all.filter(\.isItsFormula).compactMap(\.atoms))

  /// Returns the number in a KEGG COMPOUND (with its `C`) or ChEBI address; nil for other addresses.
  private static func number(of reference: String) -> String? {
    let parts = reference.lowercased().split { $0 == "/" || $0 == ":" || $0 == "%" }
    guard let last = parts.last else { return nil }
    let digits = String(decoding: last.utf8.reversed().prefix { (0x30...0x39).contains($0) }.reversed(), as: UTF8.self)
    if digits.isEmpty { return nil }
    if parts.contains("chebi") { return digits }
    return parts.contains("kegg.compound") ? "C" + digits : nil
  }

  private static let byReference = Dictionary(
    CarrierMolecule.all.flatMap { molecule in molecule.references.map { ($0, molecule) } },
    uniquingKeysWith: { first, _ in first })
}
