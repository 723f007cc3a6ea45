import PluginAPI
import PluginJSON

/// A receiver of a table's rows while the table arrives.
protocol TableRows {
  /// Receives the titles of the columns, before all rows.
  ///
  /// - Throws: `UselessResult` if the table is useless.
  mutating func begin(_ columns: [String]) throws
  /// Receives a cell as text, valid only within the call: numbers digit for digit, other values as JSON, null as "".
  ///
  /// - Parameter column: The index of the column, from 0; may exceed the last one.
  mutating func take(_ cell: UnsafeBufferPointer<UInt8>, column: Int)
  /// Ends a row with a number of cells.
  mutating func endRow(cells: Int) throws
  /// Skips a value that should be a row but is not.
  mutating func skipRow()
}

/// A parser of a V1 or V3 table.
///
/// Cells may be objects with a member `value`, whose other members are skipped, or bare values.
/// - Source: the sources of openBIS, its V1 and V3 interfaces
// Its variables belong to the thread of all transfers until the call has ended.
final class TableReader<Rows: TableRows>: RPCResultReader, @unchecked Sendable {
  private enum State {
    case start, table, beforeColumns, columns, column, title, beforeRows, rows, row, cell, value, end
  }

  /// The receiver of the rows.
  private(set) var rows: Rows
  let channel: RowChannel?
  private var state = State.start
  private var titles: [String]?
  private var cells = 0
  private var hasValue = false
  /// Rows that arrived before the columns.
  private var earlyRows: [UInt8] = []

  init(_ rows: Rows, _ channel: RowChannel? = nil) {
    self.rows = rows
    self.channel = channel
  }

  func take(_ event: JSONEvent) throws -> JSONFlow {
    switch state {
    case .cell: return takeInCell(event)
    case .value: return takeValue(event)
    case .row: return try takeInRow(event)
    case .rows: return takeInRows(event)
    case .start, .table, .beforeColumns, .columns, .column, .title, .beforeRows, .end: return try takeOutside(event)
    }
  }

  /// Checks that a table was read.
  ///
  /// - Throws: `UselessResult` if there was no table.
  func check() throws(UselessResult) {
    if state != .end { throw UselessResult("it is not a table") }
  }

  /// Changes the receiver of the rows after the call.
  func withRows<Result>(_ body: (inout Rows) throws -> Result) rethrows -> Result { try body(&rows) }

  private func takeInCell(_ event: JSONEvent) -> JSONFlow {
    switch event {
    case .key("value"): state = .value
    case .beginObject, .beginArray: return .skip
    case .endObject:
      if !hasValue { takeCell(UnsafeBufferPointer(start: nil, count: 0)) }
      (state, cells) = (.row, cells + 1)
    default: break
    }
    return .more
  }

  private func takeValue(_ event: JSONEvent) -> JSONFlow {
    if case .beginObject = event { return .raw }
    if case .beginArray = event { return .raw }
    take(scalar: event)
    (state, hasValue) = (.cell, true)
    return .more
  }

  private func takeInRow(_ event: JSONEvent) throws -> JSONFlow {
    switch event {
    case .beginObject: (state, hasValue) = (.cell, false)
    case .endArray:
      state = .rows
      try rows.endRow(cells: cells)
    case .beginArray: return .raw
    default:
      take(scalar: event)
      cells += 1
    }
    return .more
  }

  private func takeInRows(_ event: JSONEvent) -> JSONFlow {
    switch event {
    case .beginArray: (state, cells) = (.row, 0)
    case .endArray: state = .table
    case .beginObject:
      rows.skipRow()
      return .skip
    default: rows.skipRow()
    }
    return .more
  }

  private func take(scalar event: JSONEvent) {
    switch event {
    case .text(let text), .number(let text), .raw(let text): takeCell(text.bytes)
    case .bool(let flag): take(flag ? "true" : "false")
    default: takeCell(UnsafeBufferPointer(start: nil, count: 0))
    }
  }

  private func take(_ word: StaticString) {
    takeCell(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  private func takeCell(_ bytes: UnsafeBufferPointer<UInt8>) { rows.take(bytes, column: cells) }

  private func takeOutside(_ event: JSONEvent) throws -> JSONFlow {
    switch (state, event) {
    case (.start, .beginObject): state = .table
    case (.table, .key("columns")) where titles == nil: state = .beforeColumns
    case (.table, .key("rows")) where titles == nil: return .raw
    case (.table, .key("rows")): state = .beforeRows
    case (.table, .key): return .skip
    case (.table, .raw(let text)): earlyRows = Array(text.bytes)
    case (.table, .endObject): try end()
    case (.beforeRows, .beginArray): state = .rows
    case (.beforeRows, .null): state = .table
    default: return try takeColumn(event)
    }
    return .more
  }

  private func takeColumn(_ event: JSONEvent) throws -> JSONFlow {
    switch (state, event) {
    case (.beforeColumns, .beginArray): (state, titles) = (.columns, [])
    case (.columns, .text(let text)): titles?.append(text.string)
    case (.columns, .beginObject): (state, hasValue) = (.column, false)
    case (.columns, .endArray):
      state = .table
      try rows.begin(titles ?? [])
    case (.column, .key("title")) where !hasValue: state = .title
    case (.column, .key): return .skip
    case (.column, .endObject):
      if !hasValue { titles?.append("") }
      state = .columns
    case (.title, .text(let text)):
      titles?.append(text.string)
      (state, hasValue) = (.column, true)
    default: throw UselessResult("it is not a table")
    }
    return .more
  }

  private func end() throws {
    guard titles != nil else { throw UselessResult("its table has no columns") }
    let early = earlyRows
    earlyRows = []
    if !early.isEmpty {
      state = .beforeRows
      let reader = try JSONReader { [unowned self] event in try take(event) }
      try reader.push(early)
      try reader.finish()
    }
    state = .end
  }
}

/// A reader of the table of CLIENT_PREFS.
struct PreferenceRows: TableRows {
  /// The server's preferences, with the defaults for missing ones.
  private(set) var preferences = ClientPreferences()
  private var keyColumn: Int?
  private var valueColumn: Int?
  private var key = ""
  private var value = ""

  mutating func begin(_ columns: [String]) {
    keyColumn = columns.firstIndex(of: "KEY")
    valueColumn = columns.firstIndex(of: "VALUE")
  }

  mutating func take(_ cell: UnsafeBufferPointer<UInt8>, column: Int) {
    if column == keyColumn { key = String(decoding: cell, as: UTF8.self) }
    if column == valueColumn { value = String(decoding: cell, as: UTF8.self) }
  }

  mutating func endRow(cells: Int) {
    switch key {
    case "ROOT_SET_REFRESH_INTERVAL": preferences.refreshIntervalInSeconds = ClientPreferences.interval(value)
    case "SEARCH_DOMAINS": preferences.searchDomains = Self.domains(value)
    default: break
    }
    (key, value) = ("", "")
  }

  mutating func skipRow() {}

  /// Returns the domains of a JSON list, without those that have no key.
  private static func domains(_ text: String) -> [ClientPreferences.SearchDomain] {
    let values = (try? Value(json: Array(text.utf8), depth: 16))?.list ?? []
    return values.compactMap { value in
      guard let key = value["key"].text, !key.isEmpty else { return nil }
      return ClientPreferences.SearchDomain(key: key, label: value["label"].text ?? key)
    }
  }
}
