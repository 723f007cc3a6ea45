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
