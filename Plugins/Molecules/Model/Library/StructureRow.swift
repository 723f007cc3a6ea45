import PluginAPI

/// Something found in a structure that is listed in tables; it refers to atoms and residues by index.
protocol StructureItem: Sendable {
  /// The name of the type, `molecules.name`.
  static var typeName: String { get }

  /// The columns of its tables.
  static var fields: Fields<StructureRow<Self>> { get }
}

/// An item together with its structure: a row of a table.
struct StructureRow<Item: StructureItem>: Model {
  static var typeName: String { Item.typeName }
  static var fields: Fields<StructureRow> { Item.fields }

  let item: Item
  private let shared: SharedStructure

  /// Returns the table of items of a structure.
  static func table(of items: [Item], in structure: Structure) -> Table {
    let shared = SharedStructure(structure)
    return fields.table(of: items.map { StructureRow(item: $0, shared: shared) })
  }

  /// Returns the label of an atom: `A/CYS3/SG`, or `A/CYS3/SG@B` with its alternate location.
  func label(ofAtom atom: Int) -> String { shared.structure.label(ofAtom: atom) }

  func atomName(_ atom: Int) -> String { shared.structure.atomName(atom) }

  func residueName(_ residue: Int) -> String { shared.structure.residueName(residue) }

  /// Returns the author name of a residue's chain.
  fileprivate func chainName(ofResidue residue: Int) -> String { shared.structure.chainName(ofResidue: residue) }

  fileprivate func residue(_ index: Int) -> Residue { shared.structure.residues[index] }

  /// A structure that rows share without copying it.
  private final class SharedStructure: Sendable {
    let structure: Structure
    init(_ structure: Structure) { self.structure = structure }
  }
}

/// An item that belongs to a residue.
protocol ResidueItem: StructureItem {
  /// The residue's index in the structure, 0-based.
  var residue: Int { get }
}

/// An item that belongs to one conformer of a residue.
protocol ConformerItem: ResidueItem {
  /// The alternate location as an ASCII code; 0 for none.
  var conformer: UInt8 { get }
}

extension StructureRow where Item: ConformerItem {
  static var alternate: Field<StructureRow> {
    Field(
      "alternate", { $0.item.conformer.mark },
      "Alternate location of the measured conformer; empty if it has none", heading: "Alt")
  }
}

/// The columns that identify the residue of a row, by the author's names and numbers.
extension StructureRow where Item: ResidueItem {
  static var chain: Field<StructureRow> {
    Field("chain", { $0.chainName(ofResidue: $0.item.residue) }, "Author name of the chain", heading: "Chain")
  }

  /// The residue's name, in a column of a name that depends on the table.
  static func residueName(_ name: String) -> Field<StructureRow> {
    Field(name, { $0.residueName($0.item.residue) }, "Residue name", heading: "Residue")
  }

  static var number: Field<StructureRow> {
    Field("number", { Int($0.residue($0.item.residue).number) }, "Author residue number", heading: "Number")
  }

  static var insertionCode: Field<StructureRow> {
    Field("insertionCode", { $0.residue($0.item.residue).insertionCode.mark }, "Insertion code", heading: "Ins")
  }
}

extension UInt8 {
  /// The ASCII code as text; empty for 0, which means none.
  var mark: String { self == 0 ? "" : String(UnicodeScalar(self)) }
}

extension Structure {
  /// Returns the label of an atom: `A/CYS3/SG`, or `A/CYS3/SG@B` with its alternate location.
  func label(ofAtom atom: Int) -> String {
    let address = address(ofResidue: Int(atoms.residue[atom]))
    let letter = atoms.altloc[atom]
    return "\(address.chain)/\(address.name)\(address.numberText)/\(atomName(atom))"
      + (letter == 0 ? "" : "@" + letter.mark)
  }
}

/// The decimals of computed figures in CSV and JSON.
///
/// A PDB file gives coordinates to 0.001 Å, and derived figures are no more precise. A single figure, such as the
/// result of `measure`, has more decimals, so that scripts can calculate with it.
enum ReportedDigits: Int {
  /// Angles in degrees and areas in Å².
  case angle = 2
  /// Coordinates, distances and RMSDs in Å, energies in kcal/mol, fractions, sums of B factors in Å².
  case length = 3
  /// A single distance or angle.
  case single = 6
  /// Elements of a rotation matrix: 1000 Å from the origin they position an atom to 0.000001 Å.
  case rotation = 9

  static let area = angle
  static let energy = length
  static let ratio = length
  static let sum = length

  /// Returns a number rounded to these decimals, halves away from zero; numbers too large for decimals are returned
  /// unchanged.
  func rounded(_ value: Double) -> Double {
    let scale = Self.scales[rawValue]
    let scaled = (value * scale).rounded()
    // Larger Doubles have no digits after the point; the comparison is false for NaN.
    guard abs(scaled) < 9e15 else { return value }
    // Adding zero turns -0 into 0.
    return scaled / scale + 0
  }

  private static let scales = (0...9).reduce(into: [Double]()) { scales, _ in scales.append((scales.last ?? 0.1) * 10) }
}

extension Table.Values {
  /// Returns the numbers of a column with their significant decimals; NaN marks a missing value.
  static func numbers(_ values: [Double], _ digits: ReportedDigits) -> Table.Values {
    .numbers(values.map(digits.rounded), decimals: digits.rawValue)
  }
}

extension Field {
  /// Declares a number with its significant decimals, read from a property.
  init(
    _ name: String, _ property: any KeyPath<Root, Double> & Sendable, _ digits: ReportedDigits, _ summary: String,
    heading: String? = nil, unit: String? = nil
  ) {
    self.init(
      name, property, as: digits.rounded, summary, heading: heading, unit: unit, decimals: digits.rawValue)
  }

  /// Declares a number with its significant decimals that may be missing, read from a property.
  init(
    _ name: String, optional property: any KeyPath<Root, Double?> & Sendable, _ digits: ReportedDigits,
    _ summary: String, heading: String? = nil, unit: String? = nil
  ) {
    self.init(
      name, property, as: { $0.map(digits.rounded) }, summary, heading: heading, unit: unit, decimals: digits.rawValue)
  }

  /// Declares a number with its significant decimals.
  init(
    _ name: String, _ read: @escaping @Sendable (Root) -> Double, _ digits: ReportedDigits, _ summary: String,
    heading: String? = nil, unit: String? = nil
  ) {
    self.init(
      name, { digits.rounded(read($0)) }, summary, heading: heading, unit: unit, decimals: digits.rawValue)
  }

  /// Declares a number with its significant decimals that may be missing.
  init(
    _ name: String, optional read: @escaping @Sendable (Root) -> Double?, _ digits: ReportedDigits, _ summary: String,
    heading: String? = nil, unit: String? = nil
  ) {
    self.init(
      name, { read($0).map(digits.rounded) }, summary, heading: heading, unit: unit, decimals: digits.rawValue)
  }
}

extension SIMD3<Double> {
  /// The components in order.
  var components: [Double] { [x, y, z] }

  /// The components of a position in Å, rounded to their significant decimals.
  var coordinates: [Double] { components.map(ReportedDigits.single.rounded) }
}

/// Numbers with a fixed count of decimals.
enum FixedText {
  /// Returns a number rounded half away from zero, as `-0.125`; numbers too large for that keep their exponent.
  static func text(_ value: Double, decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (value * scale).rounded()
    guard abs(scaled) < 9e15 else { return "\(value)" }
    let digits = String(abs(Int(scaled)))
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let whole = padded.dropLast(decimals)
    let sign = scaled < 0 ? "-" : ""
    return decimals == 0 ? sign + whole : sign + whole + "." + padded.suffix(decimals)
  }
}
