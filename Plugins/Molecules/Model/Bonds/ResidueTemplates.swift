/// Built-in bonds of common residues, by atom name.
///
/// A template is a line of words: names, then `A-B` (single), `A=B` (double), `A:H1,H2` (hydrogens of A), or the name
/// of another template whose bonds it includes.
/// - Source: wwPDB Chemical Component Dictionary, _chem_comp_bond of each residue (https://www.wwpdb.org/data/ccd).
enum ResidueTemplates {
  /// One bond of a template.
  struct TemplateBond: Equatable, Sendable {
    var first: String
    var second: String
    var order: BondOrder
  }

  /// Returns true if a template of that name exists.
  static func has(_ template: String) -> Bool { lines[template] != nil }

  /// Returns the bonds of a template (as `ALA`, `DG`, `HOH`), or nil if none has that name.
  ///
  /// Orders are those of one Kekulé form; the bonds of a metal are single.
  static func bonds(_ template: String) -> [TemplateBond]? {
    guard let words = lines[template] else { return nil }
    var bonds: [TemplateBond] = []
    append(words, to: &bonds, depth: 0)
    return bonds
  }

  /// Returns the dictionary's name of an atom that older files and simulation programs name differently.
  ///
  /// Primes for asterisks, `OP1` for `O1P`, `C7` for `C5M`, `CD1` for the `CD` of isoleucine, `O` and `OXT` for `OT1`, `OT2`.
  static func canonicalName(_ name: String, template: String) -> String {
    switch name {
    case "O1P": return "OP1"
    case "O2P": return "OP2"
    case "O3P": return "OP3"
    case "C5M": return "C7"
    case "OT1": return "O"
    case "OT2": return "OXT"
    case "CD" where template == "ILE": return "CD1"
    default: break
    }
    guard name.utf8.last == 42 else { return name }
    return String(name.dropLast()) + "'"
  }

  /// The words of each template by its name.
  private static let lines: [String: Substring] = {
    var table: [String: Substring] = [:]
    for line in AminoAcidTemplates.lines + NucleotideTemplates.lines + LigandTemplates.lines {
      guard let end = line.firstIndex(of: "|") else { continue }
      for name in line[..<end].split(separator: " ") { table[String(name)] = line[line.index(after: end)...] }
    }
    return table
  }()

  /// Appends the bonds of a line; a repeated bond changes its order only.
  private static func append(_ words: Substring, to bonds: inout [TemplateBond], depth: Int) {
    for word in words.split(separator: " ") {
      if let colon = word.firstIndex(of: ":") {
        for hydrogen in word[word.index(after: colon)...].split(separator: ",") {
          bonds.append(TemplateBond(first: String(word[..<colon]), second: String(hydrogen), order: .single))
        }
        continue
      }
      guard let sign = word.firstIndex(where: { $0 == "-" || $0 == "=" }) else {
        if depth < 4, let other = lines[String(word)] { append(other, to: &bonds, depth: depth + 1) }
        continue
      }
      let bond = TemplateBond(
        first: String(word[..<sign]), second: String(word[word.index(after: sign)...]),
        order: word[sign] == "=" ? .double : .single)
      if let known = bonds.firstIndex(where: { $0.first == bond.first && $0.second == bond.second }) {
        bonds[known].order = bond.order
      } else {
        bonds.append(bond)
      }
    }
  }
}
