import PluginAPI

/// The counts at the right of the library's rows, each in a column of its own.
struct CountColumns {
  /// The digits of the largest counts of all rows.
  private let atoms, bonds, models: Int

  init(of molecules: Table) {
    func digits(_ column: String) -> Int {
      "\(molecules[column]?.values.reduce(0) { max($0, $1.integer ?? 0) } ?? 0)".count
    }
    atoms = digits("atoms")
    bonds = digits("bonds")
    let hasSeveral = molecules["models"]?.values.contains { $0.integer ?? 1 > 1 } ?? false
    models = hasSeveral ? digits("models") : 0
  }

  /// The counts of a row; the number of models only where there are several.
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
