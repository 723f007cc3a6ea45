import PluginStore

/// A writer of words to the index, in bulk.
///
/// The index accepts words quickly only in the order of their entities' numbers: at each step back it flushes
/// everything it holds. Entities whose ids were read before their rows have low numbers and arrive late.
struct WordWriter {
  private struct Entry {
    var id: UInt32
    /// The position in the queue, which preserves the order of an entity's changes.
    var sequence: UInt32
    var isRemoval: Bool
    var start: Int
    var end: Int
  }

  private let insert: PreparedStatement
  private let delete: PreparedStatement
  private var entries: [Entry] = []
  private var bytes: [UInt8] = []
  private static let mostBytes = 4 << 20

  init(_ connection: Connection) throws {
    insert = try connection.statement("INSERT INTO words (rowid, text) VALUES (?, ?)")
    delete = try connection.statement("INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)")
  }

  /// Queues the words of an entity for insertion or removal.
  mutating func add(_ id: Int, _ text: [UInt8], isRemoval: Bool = false) throws {
    let start = bytes.count
    bytes += text
    entries.append(
      Entry(
        id: UInt32(id), sequence: UInt32(entries.count), isRemoval: isRemoval, start: start, end: bytes.count))
    if bytes.count + 32 * entries.count > Self.mostBytes { try finish() }
  }

  /// Writes the queued words, in the order of entities.
  mutating func finish() throws {
    entries.sort { ($0.id, $0.sequence) < ($1.id, $1.sequence) }
    try bytes.withUnsafeBufferPointer { bytes in
      for entry in entries {
        let statement = entry.isRemoval ? delete : insert
        try statement.bind(Int(entry.id), at: 1)
        try statement.bind(utf8: UnsafeBufferPointer(rebasing: bytes[entry.start..<entry.end]), at: 2)
        try statement.run()
      }
    }
    entries.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }
}

/// The text of an entity for the word index.
///
/// The text of an unchanged entity must always be the same: removing words from the index requires it.
enum EntityWords {
  /// Appends the text of a new row to bytes.
  static func append(_ row: EntityRow, to out: inout [UInt8]) {
    append(
      header: row.summaryHeader ?? "", summary: row.summary ?? "", identifier: row.identifier ?? "",
      category: row.category ?? "", properties: row.properties ?? [], to: &out)
  }

  /// Appends the text of an entity to bytes.
  ///
  /// - Parameter searched: Returns the searchable part of a property's value.
  static func append(
    header: String, summary: String, identifier: String, category: String, properties: [Property],
    searched: (String) -> String = SearchedText.of, to out: inout [UInt8]
  ) {
    for text in [header, summary, identifier, category] where !text.isEmpty {
      out.append(contentsOf: text.utf8)
      out.append(10)
    }
    for property in properties where !property.value.isEmpty {
      out.append(contentsOf: searched(property.value).utf8)
      out.append(10)
    }
  }
}
