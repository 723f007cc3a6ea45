/// The stored categories of a BinaryCIF file in text form, so that the same code reads them as those of a text file.
struct BinaryCIFTables {
  private let file: UnsafeBufferPointer<UInt8>
  /// The texts of all values, concatenated.
  private var texts: [UInt8] = [63]
  private var contents: [String: Content] = [:]
  private var room: Int

  /// The values of one category by their offsets in `texts`, row by row.
  private struct Content {
    var items: [UInt64] = []
    var values: [CIFValue] = []
  }

  /// Creates empty tables for a file.
  ///
  /// - Parameter file: The whole file; the text form may have slightly more values than a quarter of its bytes.
  init(_ file: UnsafeBufferPointer<UInt8>) {
    self.file = file
    room = file.count / 4 + 65_536
  }

  /// Returns true if there is room for a number of values.
  func hasRoom(rows: Int, columns: Int) -> Bool { rows <= room && rows * columns <= room }

  /// Adds a category for which there is room.
  mutating func add(_ category: String, _ columns: [(item: String, column: BinaryCIFColumn)]) {
    let rows = columns.map(\.column.count).min() ?? 0
    room -= rows * columns.count
    var content = Content(items: columns.map { CIFName.hash($0.item) })
    let written = columns.map { write($0.column, rows) }
    content.values.reserveCapacity(rows * columns.count)
    for row in 0..<rows {
      for column in written { content.values.append(column[row]) }
    }
    contents[category] = content
  }

  /// Writes the values of a column as text, each distinct text once.
  private mutating func write(_ column: BinaryCIFColumn, _ rows: Int) -> [CIFValue] {
    let missing = CIFValue(CIFToken(kind: .bare, start: 0, count: 1))
    let names = BinaryCIFNames(column)
    let places = names.texts.map { text in
      let start = texts.count
      texts.append(contentsOf: text.utf8)
      return CIFValue(CIFToken(kind: .quoted, start: start, count: texts.count - start))
    }
    return (0..<rows).map { names.indices[$0] < 0 ? missing : places[Int(names.indices[$0])] }
  }

  /// Calls `body` with the categories as tables, which are valid only within the call.
  func withTables<Result>(_ body: ([String: CIFTable]) -> Result) -> Result {
    texts.withUnsafeBufferPointer { buffer in
      body(
        contents.mapValues { content in
          var table = CIFTable(buffer)
          for item in content.items { table.addColumn(item, value: nil) }
          table.append(rows: content.values)
          return table
        })
    }
  }
}
