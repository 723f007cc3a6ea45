/// A molecule that carries groups, electrons or energy throughout metabolism; or water, a gas or an ion.
///
/// - Source: H. Ma, A.-P. Zeng, Bioinformatics 19, 270 (2003), and M. Huss, P. Holme, IET Syst. Biol. 1, 280 (2007), for
///   what is called current or currency metabolites; ids are those of BiGG (bigg.ucsd.edu), KEGG COMPOUND and ChEBI,
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
  static let all = energy + electrons + groups + small

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
    CarrierMolecule("q6", "C39H58O4", ["ubiquinone-6"]), CarrierMolecule("q6h2", "C39H60O4", ["ubiquinol-6"]),
    CarrierMolecule("q8", "C49H74O4", ["ubiquinone-8"]), CarrierMolecule("q8h2", "C49H76O4", ["ubiquinol-8"]),
    CarrierMolecule("q10", "C59H90O4", ["ubiquinone-10", "ubiquinone"]),
    CarrierMolecule("q10h2", "C59H92O4", ["ubiquinol-10", "ubiquinol"]),
    CarrierMolecule("mqn8", "C51H72O2", ["menaquinone 8", "menaquinone-8"]),
    CarrierMolecule("mql8", "C51H74O2", ["menaquinol 8", "menaquinol-8"]),
    CarrierMolecule("2dmmq8", "C50H70O2", ["2-demethylmenaquinone 8"]),
    CarrierMolecule("2dmmql8", "C50H72O2", ["2-demethylmenaquinol 8"]),
    CarrierMolecule("trdox", "", ["oxidized thioredoxin"]), CarrierMolecule("trdrd", "", ["reduced thioredoxin"]),
    CarrierMolecule("fdxo_2_2", "", ["oxidized ferredoxin"]), CarrierMolecule("fdxrd", "", ["reduced ferredoxin"]),
    CarrierMolecule("ficytc", "", ["ferricytochrome c"]), CarrierMolecule("focytc", "", ["ferrocytochrome c"]),
  ]

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
