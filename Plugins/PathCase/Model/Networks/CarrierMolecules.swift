/// Recognizes carrier molecules in files, since models do not mark their common species.
///
/// Any of these identifies one: an id as in BiGG (`M_atp_c`, `atp[c]`) or KEGG, a name, KEGG and ChEBI references to
/// nothing else, or a unique formula. An id that contradicts the formula is ignored, since in many files `k` or `h`
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
  static func shortName(_ node: GraphNode) -> String? { molecule(node)?.shortName }

  /// Returns whether a node represents a quinone, a carrier of electrons that is dissolved in membranes.
  static func isQuinone(_ node: GraphNode) -> Bool {
    node.kind == .pool && molecule(node).map { CarrierMolecule.quinoneIDs.contains($0.id) } ?? false
  }

  /// Returns the carrier that a node represents; nil for another node.
  ///
  /// A formula alone does not identify it: superoxide consists of the same atoms as oxygen.
  private static func molecule(_ node: GraphNode) -> CarrierMolecule? {
    let found = ofID(node.subject.text) ?? byName[plainName(node.label.isEmpty ? node.subject.text : node.label)]
    if let found { return found }
    let molecules = node.references.compactMap(number).map { byReference[$0] }
    return Set(molecules.map { $0?.id }).count == 1 ? molecules[0] : nil
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

extension ReactionGraph {
  /// Marks carrier molecules as common, if the graph does not say which metabolites are on the main chain.
  mutating func markCarriers() {
    let processes = nodes.count { $0.kind == .process }
    guard processes > 1, nodes.allSatisfy({ $0.isPrimary || $0.kind != .pool }) else { return }
    for index in nodes.indices where CarrierMolecules.contains(nodes[index]) { nodes[index].isCommon = true }
  }
}

/// Removes the formulas that models append to species names.
enum SpeciesName {
  /// Returns a name without a formula at its end: `ATP` for `ATP C10H12N5O13P3`, `CO2 [c]` for `CO2 CO2 [c]`.
  ///
  /// - Parameter formula: The formula of the species; without it, only an unambiguous word counts as one: `B12` and
  ///   `F420` are parts of names.
  static func withoutFormula(_ name: String, formula: String? = nil) -> String {
    guard name.utf8.count <= 400 else { return name }
    var words = name.split(separator: " ")
    var compartment: [Substring] = []
    if words.count > 1, let last = words.last, last.hasPrefix("["), last.hasSuffix("]") {
      compartment = [words.removeLast()]
    }
    guard words.count > 1, let last = words.last else { return name }
    let isFormula = last == formula.map { $0[...] } || words.dropLast().elementsEqual([last]) || isFormula(last)
    return isFormula ? (words.dropLast() + compartment).joined(separator: " ") : name
  }

  /// Returns true for a formula of at least two elements with a number in it, such as `C10H12N5O13P3`.
  static func isFormula(_ word: some StringProtocol) -> Bool {
    guard word.utf8.contains(where: { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }),
      let atoms = CarrierMolecule.atoms(of: String(word))
    else { return false }
    let count = atoms.count + (word.contains("H") && atoms["H"] == nil ? 1 : 0)
    return count > 1 && atoms.keys.allSatisfy(elements.contains)
  }

  /// The elements of living things and their models; `R` and `X` represent any group.
  private static let elements: Set<String> = [
    "C", "N", "O", "P", "S", "H", "R", "X", "K", "Na", "Mg", "Ca", "Fe", "Cu", "Zn", "Mn", "Co", "Ni", "Mo", "W", "Se",
    "Cl", "Br", "I", "F", "Cd", "Hg", "As", "Si", "Cr", "Al", "B", "V",
  ]
}

// MARK: - Models

extension ReactionModel {
  /// The number of reactions from which a species counts as common, in a model without recognized carrier molecules.
  private static let commonFrom = 15

  /// The species that pictures may leave out and scenario analysis does leave out, by index: carrier molecules.
  ///
  /// If no species is recognized as a carrier, these are the species with very many reactions. If all species are
  /// carriers, there are none. The number of uses is otherwise not a sign: pyruvate and glutamate are used more often
  /// than most carriers.
  var commonSpecies: Set<Int> {
    let carriers = Set(species.indices.filter { CarrierMolecules.contains(species[$0]) })
    if carriers.isEmpty {
      let uses = speciesUses
      return Set(species.indices.filter { uses[$0] >= Self.commonFrom })
    }
    let isAll = reactions.allSatisfy { $0.stoichiometry.allSatisfy { carriers.contains($0.species) } }
    return isAll ? [] : carriers
  }

  /// The number of reactions in which each species takes part.
  var speciesUses: [Int] {
    var uses = [Int](repeating: 0, count: species.count)
    for reaction in reactions { for part in reaction.stoichiometry { uses[part.species] += 1 } }
    return uses
  }
}

/// A molecule that carries groups, electrons or energy throughout metabolism; or water, a gas or an ion.
///
/// - Source: H. Ma, A.-P. Zeng, Bioinformatics 19, 270 (2003), and M. Huss, P. Holme, IET Syst. Biol. 1, 280 (2007),
///   for what is called current or currency metabolites; ids are those of BiGG (bigg.ucsd.edu), KEGG COMPOUND and ChEBI,
///   formulas those of BiGG's models at pH 7.
struct CarrierMolecule: Sendable {
  /// The id in models that follow BiGG, without `M_` and compartment.
  let id: String
  /// Other names, in lowercase.
  let names: [String]
  /// The number of atoms by element, without hydrogen, which changes with the pH: empty for the proton; nil if they
  /// differ between organisms.
  let atoms: [String: Int]?
  /// The KEGG COMPOUND (`C00002`) and ChEBI (`30616`) numbers.
  let references: [String]
  /// A Boolean value indicating whether no other metabolite has these atoms.
  let isItsFormula: Bool

  /// - Parameter formula: The formula; "" if it differs between organisms.
  init(
    _ id: String, _ formula: String, _ names: [String], _ references: [String] = [], isItsFormula: Bool = false
  ) {
    self.id = id
    self.names = names
    self.references = references
    self.isItsFormula = isItsFormula
    atoms = Self.atoms(of: formula)
  }

  /// Returns the elements of a formula such as `C10H12N5O13P3`, without hydrogen; nil if the text is not a formula.
  static func atoms(of formula: String) -> [String: Int]? {
    var atoms: [String: Int] = [:]
    var bytes = Array(formula.utf8)[...]
    guard !bytes.isEmpty else { return nil }
    while let first = bytes.popFirst() {
      guard first >= UInt8(ascii: "A"), first <= UInt8(ascii: "Z") else { return nil }
      var element = [first]
      while let next = bytes.first, next >= UInt8(ascii: "a"), next <= UInt8(ascii: "z") {
        element.append(next)
        bytes.removeFirst()
      }
      var count: Int?
      while let next = bytes.first, next >= UInt8(ascii: "0"), next <= UInt8(ascii: "9"), (count ?? 0) < 1_000_000 {
        count = (count ?? 0) * 10 + Int(next - UInt8(ascii: "0"))
        bytes.removeFirst()
      }
      if element != [UInt8(ascii: "H")] { atoms[String(decoding: element, as: UTF8.self), default: 0] += count ?? 1 }
    }
    return atoms
  }
}

extension CarrierMolecule {
  /// All known carrier molecules.
  static let all = energy + electrons + quinones + groups + small

  private static let energy = [
    CarrierMolecule(
      "atp", "C10H12N5O13P3", ["adenosine triphosphate", "adenosine 5'-triphosphate"], ["C00002", "30616", "15422"]),
    CarrierMolecule(
      "adp", "C10H12N5O10P2", ["adenosine diphosphate", "adenosine 5'-diphosphate"], ["C00008", "456216", "16761"]),
    CarrierMolecule(
      "amp", "C10H12N5O7P", ["adenosine monophosphate", "adenosine 5'-monophosphate"], ["C00020", "456215", "16027"]),
    CarrierMolecule("gtp", "C10H12N5O14P3", ["guanosine triphosphate"], ["C00044", "37565", "15996"]),
    CarrierMolecule("gdp", "C10H12N5O11P2", ["guanosine diphosphate"], ["C00035", "58189", "17552"]),
    CarrierMolecule("gmp", "C10H12N5O8P", ["guanosine monophosphate"], ["C00144", "58115"]),
    CarrierMolecule("ctp", "C9H12N3O14P3", ["cytidine triphosphate"], ["C00063"]),
    CarrierMolecule("cdp", "C9H12N3O11P2", ["cytidine diphosphate"], ["C00112"]),
    CarrierMolecule("cmp", "C9H12N3O8P", ["cytidine monophosphate"], ["C00055"]),
    CarrierMolecule("utp", "C9H11N2O15P3", ["uridine triphosphate"], ["C00075"]),
    CarrierMolecule("udp", "C9H11N2O12P2", ["uridine diphosphate"], ["C00015"]),
    CarrierMolecule("ump", "C9H11N2O9P", ["uridine monophosphate"], ["C00105"]),
    CarrierMolecule("itp", "C10H11N4O14P3", ["inosine triphosphate"], ["C00081"]),
    CarrierMolecule("idp", "C10H11N4O11P2", ["inosine diphosphate"], ["C00104"]),
  ]

  private static let electrons = [
    CarrierMolecule(
      "nad", "C21H26N7O14P2", ["nad+", "nicotinamide adenine dinucleotide", "nad oxidized"],
      ["C00003", "57540", "15846"]),
    CarrierMolecule(
      "nadh", "C21H27N7O14P2", ["nicotinamide adenine dinucleotide - reduced", "nad reduced"],
      ["C00004", "57945", "16908"]),
    CarrierMolecule(
      "nadp", "C21H25N7O17P3", ["nadp+", "nicotinamide adenine dinucleotide phosphate"],
      ["C00006", "58349", "18009"]),
    CarrierMolecule(
      "nadph", "C21H26N7O17P3", ["nicotinamide adenine dinucleotide phosphate - reduced"],
      ["C00005", "57783", "16474"]),
    CarrierMolecule(
      "fad", "C27H31N9O15P2", ["flavin adenine dinucleotide", "flavin adenine dinucleotide oxidized"],
      ["C00016", "57692", "16238"]),
    CarrierMolecule(
      "fadh2", "C27H33N9O15P2", ["flavin adenine dinucleotide reduced"], ["C01352", "58307", "17877"]),
    CarrierMolecule("fmn", "C17H19N4O9P", ["flavin mononucleotide"], ["C00061", "58210", "17621"]),
    CarrierMolecule("fmnh2", "C17H21N4O9P", ["reduced fmn"], ["C01847", "57618"]),
    CarrierMolecule("trdox", "", ["oxidized thioredoxin"]), CarrierMolecule("trdrd", "", ["reduced thioredoxin"]),
    CarrierMolecule("fdxo_2_2", "", ["oxidized ferredoxin"]), CarrierMolecule("fdxrd", "", ["reduced ferredoxin"]),
    CarrierMolecule("ficytc", "", ["ferricytochrome c"]), CarrierMolecule("focytc", "", ["ferrocytochrome c"]),
  ]

  private static let quinones = [
    CarrierMolecule("q6", "C39H58O4", ["ubiquinone-6"]), CarrierMolecule("q6h2", "C39H60O4", ["ubiquinol-6"]),
    CarrierMolecule("q8", "C49H74O4", ["ubiquinone-8"]), CarrierMolecule("q8h2", "C49H76O4", ["ubiquinol-8"]),
    CarrierMolecule("q10", "C59H90O4", ["ubiquinone-10", "ubiquinone"]),
    CarrierMolecule("q10h2", "C59H92O4", ["ubiquinol-10", "ubiquinol"]),
    CarrierMolecule("mqn8", "C51H72O2", ["menaquinone 8", "menaquinone-8"]),
    CarrierMolecule("mql8", "C51H74O2", ["menaquinol 8", "menaquinol-8"]),
    CarrierMolecule("2dmmq8", "C50H70O2", ["2-demethylmenaquinone 8"]),
    CarrierMolecule("2dmmql8", "C50H72O2", ["2-demethylmenaquinol 8"]),
  ]

  /// The ids of the quinones.
  static let quinoneIDs = Set(quinones.map(\.id))

  private static let groups = [
    CarrierMolecule(
      "coa", "C21H32N7O16P3S", ["coenzyme a", "coa-sh", "coash", "hscoa"], ["C00010", "57287", "15346"]),
    CarrierMolecule("ACP", "", ["acyl carrier protein", "acyl-carrier protein"]),
    CarrierMolecule("thf", "C19H21N7O6", ["5,6,7,8-tetrahydrofolate", "tetrahydrofolate"], ["C00101", "57453"]),
    CarrierMolecule(
      "pi", "HO4P", ["phosphate", "orthophosphate", "hydrogenphosphate", "hydrogen phosphate", "inorganic phosphate"],
      ["C00009", "43474", "18367"], isItsFormula: true),
    CarrierMolecule(
      "ppi", "HO7P2", ["diphosphate", "pyrophosphate", "inorganic pyrophosphate"],
      ["C00013", "33019", "18361", "29888"],
      isItsFormula: true),
  ]

  private static let small = [
    CarrierMolecule("h", "H", ["h+", "proton", "hydron"], ["C00080", "15378", "24636"]),
    CarrierMolecule("h2o", "H2O", ["water"], ["C00001", "15377"], isItsFormula: true),
    CarrierMolecule("o2", "O2", ["oxygen", "dioxygen"], ["C00007", "15379"], isItsFormula: true),
    CarrierMolecule("o2s", "O2", ["superoxide", "superoxide anion"], ["C00704", "18421"]),
    CarrierMolecule("h2o2", "H2O2", ["hydrogen peroxide"], ["C00027", "16240"]),
    // Formate has the same atoms, except for hydrogen.
    CarrierMolecule("co2", "CO2", ["carbon dioxide"], ["C00011", "16526"]),
    CarrierMolecule("hco3", "CHO3", ["bicarbonate", "hydrogencarbonate"], ["C00288", "17544"], isItsFormula: true),
    CarrierMolecule("nh4", "H4N", ["ammonium", "ammonia", "nh3"], ["C00014", "28938", "16134"], isItsFormula: true),
    CarrierMolecule("so4", "O4S", ["sulfate", "sulphate"], ["C00059", "16189"], isItsFormula: true),
    CarrierMolecule("k", "K", ["k+", "potassium"], ["C00238", "29103"], isItsFormula: true),
    CarrierMolecule("na1", "Na", ["na+", "sodium"], ["C01330", "29101"], isItsFormula: true),
    CarrierMolecule("cl", "Cl", ["cl-", "chloride"], ["C00698", "17996"], isItsFormula: true),
  ]
}

extension CarrierMolecule {
  /// The short name shown in pictures, as in textbooks; nil if there is none.
  var shortName: String? { Self.shortNames[id] }

  private static let shortNames: [String: String] = [
    "atp": "ATP", "adp": "ADP", "amp": "AMP", "gtp": "GTP", "gdp": "GDP", "gmp": "GMP", "ctp": "CTP", "cdp": "CDP",
    "cmp": "CMP", "utp": "UTP", "udp": "UDP", "ump": "UMP", "itp": "ITP", "idp": "IDP", "nad": "NAD⁺", "nadh": "NADH",
    "nadp": "NADP⁺", "nadph": "NADPH", "fad": "FAD", "fadh2": "FADH₂", "fmn": "FMN", "fmnh2": "FMNH₂",
    "coa": "CoA", "ACP": "ACP", "thf": "THF",
    "pi": "Pi", "ppi": "PPi", "h": "H⁺", "h2o": "H₂O", "o2": "O₂", "o2s": "O₂⁻", "h2o2": "H₂O₂", "co2": "CO₂",
    "hco3": "HCO₃⁻", "nh4": "NH₄⁺", "so4": "SO₄²⁻", "k": "K⁺", "na1": "Na⁺", "cl": "Cl⁻",
  ]
}
