import PluginAPI

/// The counts on the right of the library's rows, each in its own column.
struct CountColumns {
  /// The digits of the largest counts of all rows.
  private let atoms, bonds, models: Int

  init(of molecules: Table) {
    func largest(_ column: String) -> Int {
      guard let values = molecules[column]?.values else { return 0 }
      return (0..<molecules.rowCount).reduce(0) { max($0, values[$1].integer ?? 0) }
    }
    atoms = "\(largest("atoms"))".count
    bonds = "\(largest("bonds"))".count
    models = largest("models") > 1 ? "\(largest("models"))".count : 0
  }

  /// Returns the counts of a row; the number of models only if there are several.
  func badge(of molecule: Value) -> String {
    let count = molecule["models"].integer ?? 1
    var badge = padded(molecule["atoms"].integer ?? 0, atoms) + " atoms  "
    badge += padded(molecule["bonds"].integer ?? 0, bonds) + " bonds"
    if models == 0 { return badge }
    let column = "  " + padded(count, models) + " models"
    return badge + (count > 1 ? column : String(repeating: " ", count: column.count))
  }

  private func padded(_ count: Int, _ width: Int) -> String {
    let digits = "\(count)"
    return String(repeating: " ", count: width - digits.count) + digits
  }
}
