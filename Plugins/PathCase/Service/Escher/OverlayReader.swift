import PluginAPI
import PluginJSON
import PluginText

/// Reads numbers to show on maps: a JSON object of ids and numbers, the output of `fba --json`, or a table.
enum OverlayReader {
  /// Reads a file; it is JSON if its first non-blank character is a bracket.
  ///
  /// - Throws: ``MapError``.
  static func read(_ bytes: [UInt8]) throws(ErrorReport) -> OverlayData {
    let first = bytes.first { $0 > UInt8(ascii: " ") && ![0xEF, 0xBB, 0xBF].contains($0) }
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return try OverlayTable.read(bytes) }
    return try data(ofJSON: bytes)
  }

  private static func data(ofJSON bytes: [UInt8]) throws(ErrorReport) -> OverlayData {
    let value: Value
    do {
      value = try Value(json: bytes, sizeInBytes: MapBytes.limitInBytes)
    } catch {
      throw MapError.of(error)
    }
    guard let record = value["fluxes"].record ?? value.record else {
      throw MapError.structure(.overlay, "it is not an object of ids and numbers")
    }
    var data = OverlayData()
    for field in record.fields {
      let number = field.value.isNull ? nil : try EscherReader.number(field.value, of: "'\(field.name)'")
      data.entries.append(OverlayData.Entry(id: Identifier(field.name), value: number))
    }
    return data
  }
}

/// Reads numbers to show on maps from CSV and TSV.
///
/// The first line may contain column names. The first column has ids; the numbers are in the column `value`, `flux` or
/// `fluxes`, or in the second of two columns. Empty cells, `NA` and `NaN` are missing values.
private enum OverlayTable {
  private static let names: Set<String> = ["value", "flux", "fluxes"]
  private static let missing: Set<String> = ["", "na", "nan", "n/a"]
  private static let advice = "begin with a line 'id,value'"

  /// Reads a table.
  ///
  /// - Parameter bytes: The table in UTF-8, with or without the byte order mark.
  /// - Throws: ``MapError``.
  static func read(_ bytes: [UInt8]) throws(ErrorReport) -> OverlayData {
    guard let text = String(validating: bytes.withoutByteOrderMark, as: UTF8.self) else {
      throw MapError.encoding("the table is not UTF-8")
    }
    var lines = try lines(text)
    guard let first = lines.first, first.cells.count > 1 else {
      throw MapError.structure(.overlay, "it is neither JSON nor a table of ids and numbers; \(advice)")
    }
    let column = try numberColumn(first)
    if isHeader(first, column) { lines.removeFirst() }
    var data = OverlayData()
    for line in lines { data.entries.append(try entry(line, column)) }
    return data
  }

  private static func lines(_ text: String) throws(ErrorReport) -> [DelimitedLines.Line] {
    do {
      return try DelimitedLines.lines(text)
    } catch {
      throw MapError.malformed("a quote in line \(error.line) is not closed")
    }
  }

  /// Returns the index of the column with the numbers.
  private static func numberColumn(_ first: DelimitedLines.Line) throws(ErrorReport) -> Int {
    let named = first.cells.dropFirst().firstIndex { names.contains($0.lowercased()) }
    if let column = named ?? (first.cells.count == 2 ? 1 : nil) { return column }
    throw MapError.structure(.overlay, "none of its columns is called 'value' or 'flux'; \(advice)")
  }

  private static func isHeader(_ line: DelimitedLines.Line, _ column: Int) -> Bool {
    let cell = line.cells[column]
    return !missing.contains(cell.lowercased()) && MapNumber.double(cell) == nil
  }

  private static func entry(_ line: DelimitedLines.Line, _ column: Int) throws(ErrorReport) -> OverlayData.Entry {
    let id = line.cells[0]
    guard !id.isEmpty else { throw MapError.missingID(what: "line \(line.number)") }
    let cell = column < line.cells.count ? line.cells[column] : ""
    if missing.contains(cell.lowercased()) { return OverlayData.Entry(id: Identifier(id)) }
    guard let number = MapNumber.double(cell), number.isFinite else {
      throw MapError.number(text: cell, of: "'\(id)' in line \(line.number)")
    }
    return OverlayData.Entry(id: Identifier(id), value: number)
  }
}
