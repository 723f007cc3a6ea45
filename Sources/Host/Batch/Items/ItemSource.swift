import Glibc
import PluginAPI

/// The source of a run's items.
enum ItemSource: Sendable, Equatable {
  /// The regular files that match patterns of the shell.
  case files([String])
  /// A file with an item on each line: text, JSON objects, or rows of separated values with a header.
  case list(String, isNullSeparated: Bool)
  /// The rows of a query.
  case query(DatabaseRows)
  /// The rows of a command's result.
  case rows([Record])
  /// The parts of a whole: `1/N` to `N/N`.
  case parts(Int)

  /// Calls a function with each item, in order, without its input.
  ///
  /// - Parameter begin: Called once before the first item with the names of the fields.
  /// - Throws: ``ErrorReport`` with the code `batch.bad-items` or `batch.no-items`.
  func forEach(begin: ([String]) throws -> Void, _ body: (BatchItem) throws -> Void) throws {
    switch self {
    case .files(let patterns):
      try begin([])
      try Self.texts(try patterns.flatMap(Self.matches), body)
    case .parts(let count):
      try begin([])
      try Self.texts((1...max(1, count)).map { "\($0)/\(count)" }, body)
    case .rows(let rows):
      try begin(rows.first?.names ?? [])
      for (index, row) in rows.enumerated() { try body(Self.item(index + 1, row)) }
    case .query(let rows):
      var (names, number): ([String], Int) = ([], 0)
      try rows.forEach(begin: {
        names = $0
        try Self.check(names, of: "the query")
        try begin(names)
      }) { row in
        number += 1
        try body(Self.item(number, Record(zip(names, row).map { .init($0, .text($1)) })))
      }
    case .list(let path, let isNullSeparated):
      let bytes = try HostFile.read(path, limit: 1 << 32)
      let kind = FilePath.name(of: path).lowercased()
      if isNullSeparated {
        try begin([])
        try Self.texts(of: bytes, separator: 0, body)
      } else if kind.hasSuffix(".csv") || kind.hasSuffix(".tsv") {
        try Self.separated(CSVRows(bytes, isTabbed: kind.hasSuffix(".tsv")), begin, body)
      } else if bytes.first(where: { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D }) == UInt8(ascii: "{") {
        try Self.objects(bytes, begin, body)
      } else {
        try begin([])
        try Self.texts(of: bytes, separator: 0x0A, body)
      }
    }
  }

  /// Returns the first item, with its fields; nil if there is none.
  func first() throws -> BatchItem? {
    struct Found: Error { var item: BatchItem }
    do {
      try forEach(begin: { _ in }) { throw Found(item: $0) }
      return nil
    } catch let found as Found {
      return found.item
    }
  }

  private static func texts(_ texts: [String], _ body: (BatchItem) throws -> Void) throws {
    for (index, text) in texts.enumerated() { try body(BatchItem(number: index + 1, id: text)) }
  }

  /// Calls a function with the item of each line that is not empty.
  private static func texts(
    of bytes: [UInt8], separator: UInt8, _ body: (BatchItem) throws -> Void
  ) throws {
    var number = 0
    try forEachLine(of: bytes, separator: separator) { line in
      let line = separator == 0x0A && line.last == 0x0D ? line.dropLast() : line
      if line.isEmpty { return }
      guard let text = String(validating: line, as: UTF8.self) else {
        throw BatchError.badItems("the list of items is not UTF-8 text")
      }
      number += 1
      try body(BatchItem(number: number, id: text))
    }
  }

  /// Calls a function with each line, which may be empty; lines of a million items at once would take 100 MB.
  private static func forEachLine(
    of bytes: [UInt8], separator: UInt8, _ body: (ArraySlice<UInt8>) throws -> Void
  ) rethrows {
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: separator) ?? bytes.count
      try body(bytes[start..<end])
      start = end + 1
    }
  }

  private static func separated(
    _ rows: CSVRows, _ begin: ([String]) throws -> Void, _ body: (BatchItem) throws -> Void
  ) throws {
    var rows = rows
    guard let names = rows.next() else { return try begin([]) }
    try check(names, of: "the first row of the list")
    try begin(names)
    var number = 0
    while let row = rows.next() {
      number += 1
      guard row.count == names.count else {
        throw BatchError.badItems("row \(number) of the list has \(row.count) fields instead of \(names.count)")
      }
      try body(item(number, Record(zip(names, row).map { .init($0, .text($1)) })))
    }
  }

  private static func check(_ names: [String], of source: String) throws(ErrorReport) {
    guard Set(names).count == names.count, !names.contains("") else {
      throw BatchError.badItems("\(source) must name each column, without repetition")
    }
  }

  private static func objects(
    _ bytes: [UInt8], _ begin: ([String]) throws -> Void, _ body: (BatchItem) throws -> Void
  ) throws {
    var number = 0
    try forEachLine(of: bytes, separator: 0x0A) { line in
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) { return }
      number += 1
      let value: Value
      do throws(JSONError) {
        value = try JSONReader.read(Array(line))
      } catch {
        throw BatchError.badItems("item \(number) of the list is not JSON: \(error.problem)")
      }
      guard let record = value.record else {
        throw BatchError.badItems("item \(number) of the list is not a JSON object")
      }
      if number == 1 { try begin(record.names) }
      try body(item(number, record))
    }
    if number == 0 { try begin([]) }
  }

  /// Returns the item of a row, whose id is its field `id` or `code`, else its first field.
  private static func item(_ number: Int, _ row: Record) -> BatchItem {
    let fields = Record(row.fields.map { .init($0.name, .text(DelimitedWriter.text($0.value))) })
    let id = (fields["id"] ?? fields["code"] ?? fields.fields.first?.value)?.text
    return BatchItem(number: number, id: id ?? "", fields: fields)
  }

  /// Returns the regular files that match a pattern, sorted by their bytes; a path without a match has none.
  private static func matches(of pattern: String) throws -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    switch glob(pattern, 0, nil, &found) {
    case 0: break
    case Int32(GLOB_NOMATCH): throw BatchError.noItems("no file matches '\(pattern)'")
    default: throw BatchError.badItems("the files that match '\(pattern)' cannot be listed")
    }
    var paths: [String] = []
    for index in 0..<Int(found.gl_pathc) {
      guard let path = found.gl_pathv[index] else { continue }
      var status = stat()
      if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG { paths.append(String(cString: path)) }
    }
    return paths
  }
}

extension ItemSource {
  /// Returns the rows of a command's result: a table, a list of records, or the only table of a record.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.bad-items` for any other value.
  static func rows(of value: Value) throws -> ItemSource {
    switch ResultRows.table(in: value).content {
    case .table(let table): return .rows((0..<table.rowCount).map(table.row))
    case .list(let values) where values.allSatisfy { $0.record != nil }: return .rows(values.compactMap(\.record))
    default:
      throw BatchError.badItems("the command of '--from' gives no table", advice: "use a command that lists something")
    }
  }
}
