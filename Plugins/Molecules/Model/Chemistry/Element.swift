/// A chemical element by atomic number; 0 is unknown, 119 is deuterium.
struct Element: RawRepresentable, Hashable, Sendable {
  var rawValue: UInt8

  static let unknown = Element(rawValue: 0)
  static let hydrogen = Element(rawValue: 1)
  static let carbon = Element(rawValue: 6)
  static let nitrogen = Element(rawValue: 7)
  static let oxygen = Element(rawValue: 8)
  static let phosphorus = Element(rawValue: 15)
  static let sulfur = Element(rawValue: 16)
  /// Deuterium, separate from hydrogen because neutron structures distinguish them.
  static let deuterium = Element(rawValue: 119)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Creates the element of a symbol in any case, `D` and `X` included; nil if there is none.
  init?(symbol: String) {
    let bytes = Array(symbol.utf8)
    guard bytes.count == 1 || bytes.count == 2 else { return nil }
    guard let element = Self.of(first: bytes[0], second: bytes.count == 2 ? bytes[1] : 32) else { return nil }
    self = element
  }

  /// The atomic number, 1 for deuterium, 0 for unknown.
  var atomicNumber: Int { self == .deuterium ? 1 : Int(rawValue) }
  var isHydrogen: Bool { rawValue == 1 || rawValue == 119 }
  var symbol: String { ElementTable.row(self).symbol }
  var name: String { ElementTable.row(self).name }
  /// Single-bond covalent radius in Å.
  var covalentRadius: Double { ElementTable.row(self).covalentRadius }
  /// Van der Waals radius in Å.
  var vanDerWaalsRadius: Double { ElementTable.row(self).vanDerWaalsRadius }
  /// The color as 0xRRGGBB in Jmol's scheme.
  var color: UInt32 { ElementTable.row(self).color }
  /// A Boolean value indicating whether the element is a metal, which bonds by coordination rather than electron pairs.
  var isMetal: Bool { Self.metals[Int(rawValue)] }

  /// Returns the element whose symbol these two ASCII codes spell in any case; a blank or NUL second code means one
  /// letter.
  ///
  /// `X` is the unknown element. Nil when they spell no symbol.
  static func of(first: UInt8, second: UInt8) -> Element? {
    let high = letterIndex(first)
    guard high != 0 else { return nil }
    let isSingle = second == 32 || second == 0
    let low = isSingle ? 0 : letterIndex(second)
    guard isSingle || low != 0 else { return nil }
    let code = symbolCodes[high * 27 + low]
    return code == 255 ? nil : Element(rawValue: code)
  }

  /// Returns 1...26 for a letter of any case, else 0.
  @inline(__always)
  private static func letterIndex(_ byte: UInt8) -> Int {
    let folded = byte | 32
    return folded >= 97 && folded <= 122 ? Int(folded - 96) : 0
  }

  /// Element codes by letters (first × 27 + second, second 0 for none); 255 where no symbol is spelled.
  private static let symbolCodes: [UInt8] = {
    var codes = [UInt8](repeating: 255, count: 27 * 27)
    for (code, row) in ElementTable.rows.enumerated() {
      let bytes = Array(row.symbol.utf8)
      codes[letterIndex(bytes[0]) * 27 + (bytes.count > 1 ? letterIndex(bytes[1]) : 0)] = UInt8(code)
    }
    return codes
  }()

  private static let metals: [Bool] = {
    let others: Set<Int> = [
      0, 1, 2, 5, 6, 7, 8, 9, 10, 14, 15, 16, 17, 18, 32, 33, 34, 35, 36, 52, 53, 54, 85, 86, 117, 118, 119,
    ]
    return (0..<120).map { !others.contains($0) }
  }()
}

/// The properties of the elements.
private enum ElementTable {
  /// One element's data.
  struct Row: Sendable {
    var symbol: String
    var name: String
    /// Single-bond covalent radius in Å.
    var covalentRadius: Double
    /// Van der Waals radius in Å.
    var vanDerWaalsRadius: Double
    /// 0xRRGGBB.
    var color: UInt32
  }

  /// Returns the data of an element; that of the unknown element for a code outside the table.
  static func row(_ element: Element) -> Row {
    rows[element.rawValue < 120 ? Int(element.rawValue) : 0]
  }

  /// Rows by element code: 0 unknown, 1...118 by atomic number, 119 deuterium.
  ///
  /// Covalent radii beyond curium and van der Waals radii that no source gives are 1.60 and 2.00 Å; the unknown element has
  /// those of carbon.
  /// - Source: covalent radii: Cordero et al., Dalton Trans. 2008, 2832 (carbon sp2, iron and manganese low spin); van
  ///   der Waals radii: Bondi, J. Phys. Chem. 68 (1964) 441, Mantina et al., J. Phys. Chem. A 113 (2009) 5806; colors:
  ///   Jmol's element colors, http://jmol.sourceforge.net/jscolors/.
  static let rows: [Row] = [
    Row(symbol: "X", name: "unknown", covalentRadius: 0.73, vanDerWaalsRadius: 1.70, color: 0xFF1493),
    Row(symbol: "H", name: "hydrogen", covalentRadius: 0.31, vanDerWaalsRadius: 1.20, color: 0xFFFFFF),
    Row(symbol: "He", name: "helium", covalentRadius: 0.28, vanDerWaalsRadius: 1.40, color: 0xD9FFFF),
    Row(symbol: "Li", name: "lithium", covalentRadius: 1.28, vanDerWaalsRadius: 1.81, color: 0xCC80FF),
    Row(symbol: "Be", name: "beryllium", covalentRadius: 0.96, vanDerWaalsRadius: 1.53, color: 0xC2FF00),
    Row(symbol: "B", name: "boron", covalentRadius: 0.84, vanDerWaalsRadius: 1.92, color: 0xFFB5B5),
    Row(symbol: "C", name: "carbon", covalentRadius: 0.73, vanDerWaalsRadius: 1.70, color: 0x909090),
    Row(symbol: "N", name: "nitrogen", covalentRadius: 0.71, vanDerWaalsRadius: 1.55, color: 0x3050F8),
    Row(symbol: "O", name: "oxygen", covalentRadius: 0.66, vanDerWaalsRadius: 1.52, color: 0xFF0D0D),
    Row(symbol: "F", name: "fluorine", covalentRadius: 0.57, vanDerWaalsRadius: 1.47, color: 0x90E050),
    Row(symbol: "Ne", name: "neon", covalentRadius: 0.58, vanDerWaalsRadius: 1.54, color: 0xB3E3F5),
    Row(symbol: "Na", name: "sodium", covalentRadius: 1.66, vanDerWaalsRadius: 2.27, color: 0xAB5CF2),
    Row(symbol: "Mg", name: "magnesium", covalentRadius: 1.41, vanDerWaalsRadius: 1.73, color: 0x8AFF00),
    Row(symbol: "Al", name: "aluminium", covalentRadius: 1.21, vanDerWaalsRadius: 1.84, color: 0xBFA6A6),
    Row(symbol: "Si", name: "silicon", covalentRadius: 1.11, vanDerWaalsRadius: 2.10, color: 0xF0C8A0),
    Row(symbol: "P", name: "phosphorus", covalentRadius: 1.07, vanDerWaalsRadius: 1.80, color: 0xFF8000),
    Row(symbol: "S", name: "sulfur", covalentRadius: 1.05, vanDerWaalsRadius: 1.80, color: 0xFFFF30),
    Row(symbol: "Cl", name: "chlorine", covalentRadius: 1.02, vanDerWaalsRadius: 1.75, color: 0x1FF01F),
    Row(symbol: "Ar", name: "argon", covalentRadius: 1.06, vanDerWaalsRadius: 1.88, color: 0x80D1E3),
    Row(symbol: "K", name: "potassium", covalentRadius: 2.03, vanDerWaalsRadius: 2.75, color: 0x8F40D4),
    Row(symbol: "Ca", name: "calcium", covalentRadius: 1.76, vanDerWaalsRadius: 2.31, color: 0x3DFF00),
    Row(symbol: "Sc", name: "scandium", covalentRadius: 1.70, vanDerWaalsRadius: 2.00, color: 0xE6E6E6),
    Row(symbol: "Ti", name: "titanium", covalentRadius: 1.60, vanDerWaalsRadius: 2.00, color: 0xBFC2C7),
    Row(symbol: "V", name: "vanadium", covalentRadius: 1.53, vanDerWaalsRadius: 1.06, color: 0xA6A6AB),
    Row(symbol: "Cr", name: "chromium", covalentRadius: 1.39, vanDerWaalsRadius: 1.13, color: 0x8A99C7),
    Row(symbol: "Mn", name: "manganese", covalentRadius: 1.39, vanDerWaalsRadius: 1.19, color: 0x9C7AC7),
    Row(symbol: "Fe", name: "iron", covalentRadius: 1.32, vanDerWaalsRadius: 1.26, color: 0xE06633),
    Row(symbol: "Co", name: "cobalt", covalentRadius: 1.26, vanDerWaalsRadius: 1.13, color: 0xF090A0),
    Row(symbol: "Ni", name: "nickel", covalentRadius: 1.24, vanDerWaalsRadius: 1.63, color: 0x50D050),
    Row(symbol: "Cu", name: "copper", covalentRadius: 1.32, vanDerWaalsRadius: 1.40, color: 0xC88033),
    Row(symbol: "Zn", name: "zinc", covalentRadius: 1.22, vanDerWaalsRadius: 1.39, color: 0x7D80B0),
    Row(symbol: "Ga", name: "gallium", covalentRadius: 1.22, vanDerWaalsRadius: 1.87, color: 0xC28F8F),
    Row(symbol: "Ge", name: "germanium", covalentRadius: 1.20, vanDerWaalsRadius: 2.11, color: 0x668F8F),
    Row(symbol: "As", name: "arsenic", covalentRadius: 1.19, vanDerWaalsRadius: 1.85, color: 0xBD80E3),
    Row(symbol: "Se", name: "selenium", covalentRadius: 1.20, vanDerWaalsRadius: 1.90, color: 0xFFA100),
    Row(symbol: "Br", name: "bromine", covalentRadius: 1.20, vanDerWaalsRadius: 1.85, color: 0xA62929),
    Row(symbol: "Kr", name: "krypton", covalentRadius: 1.16, vanDerWaalsRadius: 2.02, color: 0x5CB8D1),
    Row(symbol: "Rb", name: "rubidium", covalentRadius: 2.20, vanDerWaalsRadius: 3.03, color: 0x702EB0),
    Row(symbol: "Sr", name: "strontium", covalentRadius: 1.95, vanDerWaalsRadius: 2.49, color: 0x00FF00),
    Row(symbol: "Y", name: "yttrium", covalentRadius: 1.90, vanDerWaalsRadius: 2.00, color: 0x94FFFF),
    Row(symbol: "Zr", name: "zirconium", covalentRadius: 1.75, vanDerWaalsRadius: 2.00, color: 0x94E0E0),
    Row(symbol: "Nb", name: "niobium", covalentRadius: 1.64, vanDerWaalsRadius: 2.00, color: 0x73C2C9),
    Row(symbol: "Mo", name: "molybdenum", covalentRadius: 1.54, vanDerWaalsRadius: 1.75, color: 0x54B5B5),
    Row(symbol: "Tc", name: "technetium", covalentRadius: 1.47, vanDerWaalsRadius: 2.00, color: 0x3B9E9E),
    Row(symbol: "Ru", name: "ruthenium", covalentRadius: 1.46, vanDerWaalsRadius: 2.00, color: 0x248F8F),
    Row(symbol: "Rh", name: "rhodium", covalentRadius: 1.42, vanDerWaalsRadius: 2.00, color: 0x0A7D8C),
    Row(symbol: "Pd", name: "palladium", covalentRadius: 1.39, vanDerWaalsRadius: 1.63, color: 0x006985),
    Row(symbol: "Ag", name: "silver", covalentRadius: 1.45, vanDerWaalsRadius: 1.72, color: 0xC0C0C0),
    Row(symbol: "Cd", name: "cadmium", covalentRadius: 1.44, vanDerWaalsRadius: 1.58, color: 0xFFD98F),
    Row(symbol: "In", name: "indium", covalentRadius: 1.42, vanDerWaalsRadius: 1.93, color: 0xA67573),
    Row(symbol: "Sn", name: "tin", covalentRadius: 1.39, vanDerWaalsRadius: 2.17, color: 0x668080),
    Row(symbol: "Sb", name: "antimony", covalentRadius: 1.39, vanDerWaalsRadius: 2.06, color: 0x9E63B5),
    Row(symbol: "Te", name: "tellurium", covalentRadius: 1.38, vanDerWaalsRadius: 2.06, color: 0xD47A00),
    Row(symbol: "I", name: "iodine", covalentRadius: 1.39, vanDerWaalsRadius: 1.98, color: 0x940094),
    Row(symbol: "Xe", name: "xenon", covalentRadius: 1.40, vanDerWaalsRadius: 2.16, color: 0x429EB0),
    Row(symbol: "Cs", name: "caesium", covalentRadius: 2.44, vanDerWaalsRadius: 3.43, color: 0x57178F),
    Row(symbol: "Ba", name: "barium", covalentRadius: 2.15, vanDerWaalsRadius: 2.68, color: 0x00C900),
    Row(symbol: "La", name: "lanthanum", covalentRadius: 2.07, vanDerWaalsRadius: 2.00, color: 0x70D4FF),
    Row(symbol: "Ce", name: "cerium", covalentRadius: 2.04, vanDerWaalsRadius: 2.00, color: 0xFFFFC7),
    Row(symbol: "Pr", name: "praseodymium", covalentRadius: 2.03, vanDerWaalsRadius: 2.00, color: 0xD9FFC7),
    Row(symbol: "Nd", name: "neodymium", covalentRadius: 2.01, vanDerWaalsRadius: 2.00, color: 0xC7FFC7),
    Row(symbol: "Pm", name: "promethium", covalentRadius: 1.99, vanDerWaalsRadius: 2.00, color: 0xA3FFC7),
    Row(symbol: "Sm", name: "samarium", covalentRadius: 1.98, vanDerWaalsRadius: 2.00, color: 0x8FFFC7),
    Row(symbol: "Eu", name: "europium", covalentRadius: 1.98, vanDerWaalsRadius: 2.00, color: 0x61FFC7),
    Row(symbol: "Gd", name: "gadolinium", covalentRadius: 1.96, vanDerWaalsRadius: 2.00, color: 0x45FFC7),
    Row(symbol: "Tb", name: "terbium", covalentRadius: 1.94, vanDerWaalsRadius: 2.00, color: 0x30FFC7),
    Row(symbol: "Dy", name: "dysprosium", covalentRadius: 1.92, vanDerWaalsRadius: 2.00, color: 0x1FFFC7),
    Row(symbol: "Ho", name: "holmium", covalentRadius: 1.92, vanDerWaalsRadius: 2.00, color: 0x00FF9C),
    Row(symbol: "Er", name: "erbium", covalentRadius: 1.89, vanDerWaalsRadius: 2.00, color: 0x00E675),
    Row(symbol: "Tm", name: "thulium", covalentRadius: 1.90, vanDerWaalsRadius: 2.00, color: 0x00D452),
    Row(symbol: "Yb", name: "ytterbium", covalentRadius: 1.87, vanDerWaalsRadius: 2.00, color: 0x00BF38),
    Row(symbol: "Lu", name: "lutetium", covalentRadius: 1.87, vanDerWaalsRadius: 2.00, color: 0x00AB24),
    Row(symbol: "Hf", name: "hafnium", covalentRadius: 1.75, vanDerWaalsRadius: 2.00, color: 0x4DC2FF),
    Row(symbol: "Ta", name: "tantalum", covalentRadius: 1.70, vanDerWaalsRadius: 2.00, color: 0x4DA6FF),
    Row(symbol: "W", name: "tungsten", covalentRadius: 1.62, vanDerWaalsRadius: 1.26, color: 0x2194D6),
    Row(symbol: "Re", name: "rhenium", covalentRadius: 1.51, vanDerWaalsRadius: 2.00, color: 0x267DAB),
    Row(symbol: "Os", name: "osmium", covalentRadius: 1.44, vanDerWaalsRadius: 2.00, color: 0x266696),
    Row(symbol: "Ir", name: "iridium", covalentRadius: 1.41, vanDerWaalsRadius: 2.00, color: 0x175487),
    Row(symbol: "Pt", name: "platinum", covalentRadius: 1.36, vanDerWaalsRadius: 1.72, color: 0xD0D0E0),
    Row(symbol: "Au", name: "gold", covalentRadius: 1.36, vanDerWaalsRadius: 1.66, color: 0xFFD123),
    Row(symbol: "Hg", name: "mercury", covalentRadius: 1.32, vanDerWaalsRadius: 1.55, color: 0xB8B8D0),
    Row(symbol: "Tl", name: "thallium", covalentRadius: 1.45, vanDerWaalsRadius: 1.96, color: 0xA6544D),
    Row(symbol: "Pb", name: "lead", covalentRadius: 1.46, vanDerWaalsRadius: 2.02, color: 0x575961),
    Row(symbol: "Bi", name: "bismuth", covalentRadius: 1.48, vanDerWaalsRadius: 2.07, color: 0x9E4FB5),
    Row(symbol: "Po", name: "polonium", covalentRadius: 1.40, vanDerWaalsRadius: 1.97, color: 0xAB5C00),
    Row(symbol: "At", name: "astatine", covalentRadius: 1.50, vanDerWaalsRadius: 2.02, color: 0x754F45),
    Row(symbol: "Rn", name: "radon", covalentRadius: 1.50, vanDerWaalsRadius: 2.20, color: 0x428296),
    Row(symbol: "Fr", name: "francium", covalentRadius: 2.60, vanDerWaalsRadius: 3.48, color: 0x420066),
    Row(symbol: "Ra", name: "radium", covalentRadius: 2.21, vanDerWaalsRadius: 2.83, color: 0x007D00),
    Row(symbol: "Ac", name: "actinium", covalentRadius: 2.15, vanDerWaalsRadius: 2.00, color: 0x70ABFA),
    Row(symbol: "Th", name: "thorium", covalentRadius: 2.06, vanDerWaalsRadius: 2.00, color: 0x00BAFF),
    Row(symbol: "Pa", name: "protactinium", covalentRadius: 2.00, vanDerWaalsRadius: 2.00, color: 0x00A1FF),
    Row(symbol: "U", name: "uranium", covalentRadius: 1.96, vanDerWaalsRadius: 1.86, color: 0x008FFF),
    Row(symbol: "Np", name: "neptunium", covalentRadius: 1.90, vanDerWaalsRadius: 2.00, color: 0x0080FF),
    Row(symbol: "Pu", name: "plutonium", covalentRadius: 1.87, vanDerWaalsRadius: 2.00, color: 0x006BFF),
    Row(symbol: "Am", name: "americium", covalentRadius: 1.80, vanDerWaalsRadius: 2.00, color: 0x545CF2),
    Row(symbol: "Cm", name: "curium", covalentRadius: 1.69, vanDerWaalsRadius: 2.00, color: 0x785CE3),
    Row(symbol: "Bk", name: "berkelium", covalentRadius: 1.60, vanDerWaalsRadius: 2.00, color: 0x8A4FE3),
    Row(symbol: "Cf", name: "californium", covalentRadius: 1.60, vanDerWaalsRadius: 2.00, color: 0xA136D4),
    Row(symbol: "Es", name: "einsteinium", covalentRadius: 1.60, vanDerWaalsRadius: 2.00, color: 0xB31FD4),
    Row(symbol: "Fm", name: "fermium", covalentRadius: 1.60, vanDerWaalsRadius: 2.00, color: 0xB31FBA),
    Row(symbol: "Md", name: "mendelevium", covalentRadius: 1.60, vanDerWaalsRadius: 2.00, color: 0xB30DA6),
    Row(symbol: "No", name: "nobelium", covalentRadius: 1.60, vanDerWaalsRadius: 2.00, color: 0xBD0D87),
    Row(symbol: "Lr", name: "lawrencium", covalentRadius: 1.60, vanDerWaalsRadius: 2.00, color: 0xC70066),
    Row(symbol: "Rf", name: "rutherfordium", covalentRadius: 1.60, vanDerWaalsRadius: 2.00, color: 0xCC0059),
    Row(symbol: "Db", name: "dubnium", covalentRadius: 1.60, vanDerWaalsRadius: 2.00, color: 0xD1004F),
    Row(symbol: "Sg", name: "seaborgium", covalentRadius: 1.60, vanDerWaalsRadius: 2.00, color: 0xD90045),
    Row(symbol: "Bh", name: "bohrium", covalentRadius: 1.60, vanDerWaalsRadius: 2.00, color: 0xE00038),
    Row(symbol: "Hs", name: "hassium", covalentRadius: 1.60, vanDerWaalsRadius: 2.00, color: 0xE6002E),
    Row(symbol: "Mt", name: "meitnerium", covalentRadius: 1.60, vanDerWaalsRadius: 2.00, color: 0xEB0026),
    Row(symbol: "Ds", name: "darmstadtium", covalentRadius: 1.60, vanDerWaalsRadius: 2.00, color: 0xEB0026),
    Row(symbol: "Rg", name: "roentgenium", covalentRadius: 1.60, vanDerWaalsRadius: 2.00, color: 0xEB0026),
    Row(symbol: "Cn", name: "copernicium", covalentRadius: 1.60, vanDerWaalsRadius: 2.00, color: 0xEB0026),
    Row(symbol: "Nh", name: "nihonium", covalentRadius: 1.60, vanDerWaalsRadius: 2.00, color: 0xEB0026),
    Row(symbol: "Fl", name: "flerovium", covalentRadius: 1.60, vanDerWaalsRadius: 2.00, color: 0xEB0026),
    Row(symbol: "Mc", name: "moscovium", covalentRadius: 1.60, vanDerWaalsRadius: 2.00, color: 0xEB0026),
    Row(symbol: "Lv", name: "livermorium", covalentRadius: 1.60, vanDerWaalsRadius: 2.00, color: 0xEB0026),
    Row(symbol: "Ts", name: "tennessine", covalentRadius: 1.60, vanDerWaalsRadius: 2.00, color: 0xEB0026),
    Row(symbol: "Og", name: "oganesson", covalentRadius: 1.60, vanDerWaalsRadius: 2.00, color: 0xEB0026),
    Row(symbol: "D", name: "deuterium", covalentRadius: 0.31, vanDerWaalsRadius: 1.20, color: 0xFFFFC0),
  ]
}
