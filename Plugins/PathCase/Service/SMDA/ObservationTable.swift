import PluginText

/// Reads observations from tables of ``DelimitedLines``.
enum ObservationTable {
  /// Returns the rows of a table.
  ///
  /// - Throws: ``ScenarioFileError``.
  static func rows(_ bytes: [UInt8]) throws -> [ObservationRow] {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw fault(0, "it is not UTF-8") }
    var lines = try lines(text)
    guard !lines.isEmpty else { throw fault(0, "it is empty", "begin with a line 'pool,label'") }
    let names = lines.removeFirst().cells.map { $0.lowercased() == "level" ? "label" : $0.lowercased() }
    guard let pool = names.firstIndex(of: "pool"), names.contains("label") || names.contains("value") else {
      throw fault(1, "its columns are not known", "begin with a line 'pool,label' or 'pool,value,unit'")
    }
    return try lines.map { line in
      guard line.cells.count <= names.count else {
        throw fault(line.number, "it has more cells than there are columns")
      }
      func cell(_ name: String) -> String {
        names.firstIndex(of: name).flatMap { $0 < line.cells.count ? line.cells[$0] : nil } ?? ""
      }
      guard pool < line.cells.count, !line.cells[pool].isEmpty else { throw fault(line.number, "it names no pool") }
      return ObservationRow(
        place: "line \(line.number)", pool: Identifier(line.cells[pool]),
        content: try content(label: cell("label"), value: cell("value"), line.number), unit: cell("unit"),
        thresholds: try thresholds(line.number, cell))
    }
  }

  private static func content(label: String, value: String, _ line: Int) throws -> ObservationRow.Content {
    guard !label.isEmpty else { return try ObservationReader.content(value, at: "line \(line)") }
    guard value.isEmpty else { throw fault(line, "it has both a label and a value") }
    return .labels(
      label.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmed() })
  }

  private static func thresholds(_ line: Int, _ cell: (String) -> String) throws -> LevelThresholds? {
    func bound(_ name: String) throws -> Double? {
      let text = cell(name)
      guard !text.isEmpty else { return nil }
      guard let number = ObservationReader.decimal(text) else { throw fault(line, "'\(text)' is no number") }
      return number
    }
    let thresholds = LevelThresholds(
      unavailableBelow: try bound("unavailable_below"), accumulatedAbove: try bound("accumulated_above"),
      severeAbove: try bound("severe_above"))
    return thresholds == LevelThresholds() ? nil : thresholds
  }

  private static func lines(_ text: String) throws -> [DelimitedLines.Line] {
    do {
      return try DelimitedLines.lines(text)
    } catch {
      throw fault(error.line, "a quote is not closed")
    }
  }

  private static func fault(_ line: Int, _ reason: String, _ advice: String? = nil) -> ScenarioFileError {
    ScenarioFileError(
      kind: "observations", place: line > 0 ? "line \(line)" : "", reason: reason, advice: advice)
  }
}
