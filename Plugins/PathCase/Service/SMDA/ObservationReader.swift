import PluginAPI
import PluginJSON
import PluginText

/// Reads observations from JSON or CSV.
///
/// JSON is a list of objects, or an object with such a list as `observations`: `{"pool": "glc", "label": "A"}`, with
/// several labels in a list, or `{"pool": "glc", "value": 5.1, "unit": "mmol/L"}`, where the value may be a list of two
/// ends. CSV has a line of column names: `pool` and `label` (several separated by `|`), or `pool`, `value` and
/// optionally `unit`, `unavailable_below`, `accumulated_above`, `severe_above`. A value is a number or an interval
/// `1.2..3.4`. `<LOD` is a value below the limit of detection, `<0.1` one below a known limit. An empty value or `NA`
/// is missing.
enum ObservationReader {
  /// The maximum file size in bytes.
  private static let limitInBytes = 16 << 20

  /// Reads observations; the file is JSON if its first non-blank character is a bracket.
  ///
  /// - Throws: ``ScenarioFileError``.
  static func read(_ bytes: [UInt8]) throws -> [ObservationRow] {
    guard bytes.count <= limitInBytes else { throw fault("", "it is larger than \(limitInBytes) bytes") }
    let body = Array(bytes.withoutByteOrderMark)
    let first = body.first { $0 > UInt8(ascii: " ") }
    guard first == UInt8(ascii: "[") || first == UInt8(ascii: "{") else { return try ObservationTable.rows(body) }
    let value: Value
    do {
      value = try Value(json: body, depth: 64, sizeInBytes: limitInBytes)
    } catch {
      throw fault("", "it is not JSON: \(error.report.message)")
    }
    if case .record(let record) = value.content { return try rows(record["observations"] ?? .null, at: "observations") }
    return try rows(value, at: "")
  }

  /// Returns the rows of a list of objects.
  ///
  /// - Throws: ``ScenarioFileError``.
  static func rows(_ value: Value, at location: String) throws -> [ObservationRow] {
    try ScenarioRecords(value, location, kind: "observations").rows.map { row in
      var observation = ObservationRow(
        location: row.location, pool: try row.identifier("pool"), content: .missing, unit: try row.text("unit") ?? "")
      if let label = row.record["label"], !label.isNull {
        guard row.record["value"]?.isNull ?? true else { throw fault(row.location, "it has both a label and a value") }
        observation.content = .labels(try labels(label, row))
      } else {
        observation.content = try content(row.record["value"] ?? .null, row)
      }
      observation.thresholds = try thresholds(row)
      return observation
    }
  }

  private static func labels(_ value: Value, _ row: ScenarioRecord) throws -> [String] {
    switch value.content {
    case .text(let text): return text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    case .list(let values) where !values.isEmpty:
      return try values.map {
        guard case .text(let text) = $0.content else {
          throw fault("\(row.location).label", "it is not a list of letters")
        }
        return text
      }
    default: throw fault("\(row.location).label", "it is neither a letter nor a list of letters")
    }
  }

  private static func content(_ value: Value, _ row: ScenarioRecord) throws -> ObservationRow.Content {
    switch value.content {
    case .null: return .missing
    case .text(let text): return try content(text, at: "\(row.location).value")
    case .list(let ends) where ends.count == 2:
      if let lowest = number(ends[0]), let highest = number(ends[1]) { return .interval(lowest, highest) }
    default: if let number = number(value) { return .value(number) }
    }
    throw fault("\(row.location).value", "it is neither a number nor a list of two")
  }

  private static func thresholds(_ row: ScenarioRecord) throws -> LevelThresholds? {
    try thresholds { field in
      guard let value = row.record[field], value != .null else { return nil }
      guard let number = number(value) else { throw fault("\(row.location).\(field)", "it is not a number") }
      return number
    }
  }

  /// Returns the thresholds of an observation; nil if it has none.
  ///
  /// - Parameter bound: Returns the number of a field; nil if it is missing.
  fileprivate static func thresholds(_ bound: (String) throws -> Double?) rethrows -> LevelThresholds? {
    let thresholds = LevelThresholds(
      unavailableBelow: try bound("unavailable_below"), accumulatedAbove: try bound("accumulated_above"),
      severeAbove: try bound("severe_above"))
    return thresholds == LevelThresholds() ? nil : thresholds
  }

  private static func number(_ value: Value) -> Double? {
    switch value.content {
    case .integer(let number): Double(number)
    case .number(let number): number.isFinite ? number : nil
    case .decimal(let text): MapNumber.decimal(text)
    default: nil
    }
  }

  /// Returns the observation in the text of a concentration.
  ///
  /// - Throws: ``ScenarioFileError``.
  static func content(_ text: String, at location: String) throws -> ObservationRow.Content {
    if text.isEmpty || ["NA", "N/A"].contains(text.uppercased()) { return .missing }
    if ["ND", "BDL"].contains(text.uppercased()) { return .belowDetection }
    if text.hasPrefix("<") {
      let limit = String(text.dropFirst().drop { $0 == " " })
      if limit.uppercased() == "LOD" { return .belowDetection }
      if let number = MapNumber.decimal(limit) { return .below(number) }
    }
    if let number = MapNumber.decimal(text) { return .value(number) }
    if let interval = interval(text) { return interval }
    throw fault(location, "'\(text)' is not a concentration", "write a number, an interval 1.2..3.4, <LOD, or nothing")
  }

  /// Returns the interval in a text: two numbers separated by two periods.
  private static func interval(_ text: String) -> ObservationRow.Content? {
    for index in text.indices where text[index...].hasPrefix("..") {
      if let lowest = MapNumber.decimal(String(text[..<index])),
        let highest = MapNumber.decimal(String(text[index...].dropFirst(2)))
      {
        return .interval(lowest, highest)
      }
    }
    return nil
  }

  private static func fault(_ location: String, _ reason: String, _ advice: String? = nil) -> ScenarioFileError {
    ScenarioFileError(kind: "observations", location: location, reason: reason, advice: advice)
  }
}

/// Reads observations from tables of ``DelimitedLines``.
private enum ObservationTable {
  /// Returns the rows of a table.
  ///
  /// - Throws: ``ScenarioFileError``.
  static func rows(_ bytes: [UInt8]) throws -> [ObservationRow] {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw fault(0, "it is not UTF-8") }
    var lines = try lines(text)
    guard !lines.isEmpty else { throw fault(0, "it is empty", "begin with a line 'pool,label'") }
    let names = lines.removeFirst().cells.map { $0.lowercased() == "level" ? "label" : $0.lowercased() }
    guard let pool = names.firstIndex(of: "pool"), names.contains("label") || names.contains("value") else {
      throw fault(1, "it has unknown columns", "begin with a line 'pool,label' or 'pool,value,unit'")
    }
    return try lines.map { line in
      guard line.cells.count <= names.count else {
        throw fault(line.number, "it has more cells than columns")
      }
      func cell(_ name: String) -> String {
        names.firstIndex(of: name).flatMap { $0 < line.cells.count ? line.cells[$0] : nil } ?? ""
      }
      guard pool < line.cells.count, !line.cells[pool].isEmpty else { throw fault(line.number, "it has no pool") }
      return ObservationRow(
        location: "line \(line.number)", pool: Identifier(line.cells[pool]),
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
    try ObservationReader.thresholds { name in
      let text = cell(name)
      guard !text.isEmpty else { return nil }
      guard let number = MapNumber.decimal(text) else { throw fault(line, "'\(text)' is not a number") }
      return number
    }
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
      kind: "observations", location: line > 0 ? "line \(line)" : "", reason: reason, advice: advice)
  }
}
