import Glibc
import PluginAPI

/// Makes rows of entities out of a table, and hands them over in batches.
struct EntityRows: TableRows {
  /// What a column is for.
  enum Column: Sendable {
    case permID, refcon, category, summaryHeader, summary, identifier
    case children, properties, images, imageAddress, isRootLevel, isDeleted
    /// Nothing that is known, or a title that stood further left already.
    case ignored

    /// The column of a title; titles are those of the app's readme, letter for letter.
    ///
    /// - Source: the sources of openBIS, its V1 and V3 interfaces
    init(_ title: String) {
      self =
        switch title {
        case "PERM_ID": .permID
        case "REFCON": .refcon
        case "CATEGORY": .category
        case "SUMMARY_HEADER": .summaryHeader
        case "SUMMARY": .summary
        case "IDENTIFIER": .identifier
        case "CHILDREN": .children
        case "PROPERTIES": .properties
        case "IMAGES": .images
        case "IMAGE_URL": .imageAddress
        case "ROOT_LEVEL": .isRootLevel
        case "DELETED": .isDeleted
        default: .ignored
        }
    }
  }

  /// What was seen.
  private(set) var notes = TableNotes()
  /// The titles as the server sent them.
  private(set) var titles: [String] = []

  private let push: ([EntityRow]) throws -> Void
  private var columns: [Column] = []
  private var row = EntityRow("")
  private var batch: [EntityRow] = []
  private var batchBytes = 0
  /// The last category: most rows have that of the row before.
  private var category = ""
  private var categoryBytes: [UInt8] = []

  /// Few enough that a person sees progress, enough that handing over costs nothing.
  private static let batchRows = 512
  private static let batchLimitInBytes = 1 << 20

  /// Creates a maker of rows.
  ///
  /// - Parameter push: Takes a batch; what it throws ends the reading.
  init(_ push: @escaping ([EntityRow]) throws -> Void) {
    self.push = push
  }

  mutating func begin(_ titles: [String]) throws {
    self.titles = titles
    var seen: Set<String> = []
    columns = titles.map { title in
      if seen.insert(title).inserted { return Column(title) }
      notes.repeatedTitles.append(title)
      return .ignored
    }
    guard seen.contains("PERM_ID") else { throw UselessResult("its table has no column 'PERM_ID'") }
  }

  mutating func take(_ cell: UnsafeBufferPointer<UInt8>, column: Int) {
    guard column < columns.count else { return }
    batchBytes += cell.count
    switch columns[column] {
    case .permID: row.permID = Self.text(cell)
    case .refcon: row.refcon = Self.text(cell)
    case .category: row.category = categoryText(cell)
    case .summaryHeader: row.summaryHeader = HTMLText.plain(Self.text(cell))
    case .summary: row.summary = HTMLText.plain(Self.text(cell))
    case .identifier: row.identifier = Self.text(cell)
    case .children:
      let (children, dropped) = ChildrenCell.read(cell)
      row.children = children
      notes.take(children, dropped: dropped)
    case .properties:
      row.properties = PropertiesCell.read(cell)
      if row.properties == nil { notes.unreadableProperties += 1 }
    case .images: takeImages(cell)
    case .imageAddress:
      if row.images?.isEmpty ?? true { row.images = ImagesCell.marquee(address: Self.text(cell)) }
    case .isRootLevel: row.isRootLevel = !cell.isEmpty && !Self.isWord(cell, "false") && !Self.isWord(cell, "0")
    case .isDeleted: row.isDeleted = Self.isWord(cell, "true") || Self.isWord(cell, "1")
    case .ignored: break
    }
  }

  mutating func endRow(cells: Int) throws {
    defer { row = EntityRow("") }
    if cells != columns.count {
      notes.rowsOfOtherLength += 1
    } else if row.permID.isEmpty {
      notes.rowsWithoutID += 1
    } else {
      notes.rows += 1
      if row.isDeleted {
        // All else means nothing then, and shall not be kept.
        row = EntityRow(row.permID)
        row.isDeleted = true
      }
      batch.append(row)
    }
    if batch.count >= Self.batchRows || batchBytes >= Self.batchLimitInBytes { try flush() }
  }

  mutating func passOver() { notes.rowsOfOtherLength += 1 }

  /// Hands over what is left.
  mutating func flush() throws {
    let full = batch
    batch = []
    batch.reserveCapacity(Self.batchRows)
    batchBytes = 0
    if !full.isEmpty { try push(full) }
  }

  private mutating func takeImages(_ cell: UnsafeBufferPointer<UInt8>) {
    guard let images = ImagesCell.read(cell) else {
      notes.unreadableImages += 1
      return
    }
    // The older column may stand before.
    if !images.isEmpty || row.images == nil { row.images = images }
  }

  private mutating func categoryText(_ cell: UnsafeBufferPointer<UInt8>) -> String {
    let isSame = categoryBytes.withUnsafeBufferPointer { known in
      guard cell.count == known.count, let one = cell.baseAddress, let other = known.baseAddress else { return false }
      return memcmp(one, other, cell.count) == 0
    }
    if cell.isEmpty { return "" }
    if !isSame {
      category = Self.text(cell)
      categoryBytes = Array(cell)
    }
    return category
  }

  @inline(__always)
  private static func text(_ cell: UnsafeBufferPointer<UInt8>) -> String {
    cell.isEmpty ? "" : String(decoding: cell, as: UTF8.self)
  }

  /// Whether a cell is a word of small letters, whatever its case.
  private static func isWord(_ cell: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
    guard cell.count == word.utf8CodeUnitCount else { return false }
    return cell.indices.allSatisfy { index in
      let byte = cell[index]
      let isCapital = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      return (isCapital ? byte | 0x20 : byte) == word.utf8Start[index]
    }
  }
}
