/// The operators of space groups by name, multiplied out from generators.
///
/// The table has all 65 groups in which chiral molecules crystallize in their standard settings, monoclinic ones also
/// with the unique axis c and with I and A centering, rhombohedral ones on both axes; and the most common others: P -1,
/// P 21/c, P 21/n, C 2/c, P b c a, P n m a.
/// - Source: International Tables for Crystallography A, general positions.
enum SpaceGroupTable {
  /// Returns the operators of a group, identity first; nil for a name that is not in the table.
  ///
  /// - Parameters:
  ///   - name: Hermann-Mauguin symbol, short or full, with or without blanks, as in `P 21 21 21`.
  ///   - isRhombohedral: True if the cell has three equal edges and angles; distinguishes the two settings of R groups.
  static func operators(_ name: String, isRhombohedral: Bool = false) -> [SymmetryOperator]? {
    var key = String(decoding: name.utf8.filter { $0 > 32 }, as: UTF8.self).uppercased()
    for suffix in [":H", ":R", "(H)", "(R)"] where key.hasSuffix(suffix) { key.removeLast(suffix.count) }
    if key.hasPrefix("R"), !isRhombohedral { key = "H" + key.dropFirst() }
    guard let entry = entries[aliases[key] ?? key], let centring = key.first else { return nil }
    let generators = (centrings[centring] ?? []) + entry
    return closure(generators.compactMap(SymmetryOperator.init))
  }

  /// Returns all products of some operators; no space group has more than 192.
  static func closure(_ generators: [SymmetryOperator]) -> [SymmetryOperator] {
    var found = [SymmetryOperator.identity]
    var known: Set<SymmetryOperator> = [.identity]
    var next = 0
    while next < found.count, found.count <= 192 {
      for generator in generators {
        let product = generator.after(found[next])
        if known.insert(product).inserted { found.append(product) }
      }
      next += 1
    }
    return found
  }

  private static let centrings: [Character: [String]] = [
    "A": ["x,y+1/2,z+1/2"], "B": ["x+1/2,y,z+1/2"], "C": ["x+1/2,y+1/2,z"], "I": ["x+1/2,y+1/2,z+1/2"],
    "F": ["x,y+1/2,z+1/2", "x+1/2,y,z+1/2"], "H": ["x+2/3,y+1/3,z+1/3"],
  ]

  /// Short and full symbols of one group.
  private static let aliases = [
    "P2": "P121", "P21": "P1211", "C2": "C121", "I2": "I121", "A2": "A121", "P21/C": "P121/C1", "P21/N": "P121/N1",
    "C2/C": "C12/C1",
  ]

  private static let entries: [String: [String]] = {
    var table: [String: [String]] = [:]
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      table[words[0]] = Array(words.dropFirst())
    }
    return table
  }()

  /// Names without blanks, followed by generators except centering.
  private static let lines = [
    "P1", "P-1 -x,-y,-z", "P121 -x,y,-z", "P1211 -x,y+1/2,-z", "C121 -x,y,-z", "I121 -x,y,-z", "A121 -x,y,-z",
    "P112 -x,-y,z", "P1121 -x,-y,z+1/2", "B112 -x,-y,z", "P121/C1 -x,y+1/2,-z+1/2 -x,-y,-z",
    "P121/N1 -x+1/2,y+1/2,-z+1/2 -x,-y,-z", "C12/C1 -x,y,-z+1/2 -x,-y,-z",
    // Orthorhombic.
    "P222 -x,-y,z -x,y,-z", "P2221 -x,-y,z+1/2 -x,y,-z+1/2", "P21212 -x,-y,z -x+1/2,y+1/2,-z",
    "P212121 -x+1/2,-y,z+1/2 -x,y+1/2,-z+1/2", "C2221 -x,-y,z+1/2 -x,y,-z+1/2", "C222 -x,-y,z -x,y,-z",
    "F222 -x,-y,z -x,y,-z", "I222 -x,-y,z -x,y,-z", "I212121 -x+1/2,-y,z+1/2 -x,y+1/2,-z+1/2",
    "PBCA -x+1/2,-y,z+1/2 -x,y+1/2,-z+1/2 -x,-y,-z", "PNMA -x+1/2,-y,z+1/2 -x,y+1/2,-z -x,-y,-z",
    // Tetragonal.
    "P4 -y,x,z", "P41 -y,x,z+1/4", "P42 -y,x,z+1/2", "P43 -y,x,z+3/4", "I4 -y,x,z", "I41 -y,x+1/2,z+1/4",
    "P422 -y,x,z -x,y,-z", "P4212 -y+1/2,x+1/2,z -x+1/2,y+1/2,-z", "P4122 -y,x,z+1/4 -x,y,-z",
    "P41212 -y+1/2,x+1/2,z+1/4 -x+1/2,y+1/2,-z+1/4", "P4222 -y,x,z+1/2 -x,y,-z",
    "P42212 -y+1/2,x+1/2,z+1/2 -x+1/2,y+1/2,-z+1/2", "P4322 -y,x,z+3/4 -x,y,-z",
    "P43212 -y+1/2,x+1/2,z+3/4 -x+1/2,y+1/2,-z+3/4", "I422 -y,x,z -x,y,-z",
    "I4122 -y,x+1/2,z+1/4 -x+1/2,y,-z+3/4",
    // Trigonal.
    "P3 -y,x-y,z", "P31 -y,x-y,z+1/3", "P32 -y,x-y,z+2/3", "H3 -y,x-y,z", "R3 z,x,y", "P312 -y,x-y,z -y,-x,-z",
    "P321 -y,x-y,z y,x,-z", "P3112 -y,x-y,z+1/3 -y,-x,-z+2/3", "P3121 -y,x-y,z+1/3 y,x,-z",
    "P3212 -y,x-y,z+2/3 -y,-x,-z+1/3", "P3221 -y,x-y,z+2/3 y,x,-z", "H32 -y,x-y,z y,x,-z", "R32 z,x,y -z,-y,-x",
    // Hexagonal.
    "P6 x-y,x,z", "P61 x-y,x,z+1/6", "P65 x-y,x,z+5/6", "P62 x-y,x,z+1/3", "P64 x-y,x,z+2/3", "P63 x-y,x,z+1/2",
    "P622 x-y,x,z y,x,-z", "P6122 x-y,x,z+1/6 y,x,-z+1/3", "P6522 x-y,x,z+5/6 y,x,-z+2/3",
    "P6222 x-y,x,z+1/3 y,x,-z+2/3", "P6422 x-y,x,z+2/3 y,x,-z+1/3", "P6322 x-y,x,z+1/2 y,x,-z",
    // Cubic.
    "P23 z,x,y -x,-y,z", "F23 z,x,y -x,-y,z", "I23 z,x,y -x,-y,z", "P213 z,x,y -x+1/2,-y,z+1/2",
    "I213 z,x,y -x+1/2,-y,z+1/2", "P432 z,x,y -x,-y,z y,x,-z", "P4232 z,x,y -x,-y,z y+1/2,x+1/2,-z+1/2",
    "F432 z,x,y -x,-y,z y,x,-z", "F4132 z,x,y -x,-y+1/2,z+1/2 y+3/4,x+1/4,-z+3/4", "I432 z,x,y -x,-y,z y,x,-z",
    "P4332 z,x,y -x+1/2,-y,z+1/2 y+1/4,x+3/4,-z+3/4", "P4132 z,x,y -x+1/2,-y,z+1/2 y+3/4,x+1/4,-z+1/4",
    "I4132 z,x,y -x+1/2,-y,z+1/2 y+3/4,x+1/4,-z+1/4",
  ]

  /// The names in the table, without blanks.
  static var names: [String] { entries.keys.sorted() }
}
