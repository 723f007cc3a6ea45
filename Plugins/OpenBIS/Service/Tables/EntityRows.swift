import Glibc
import PluginAPI

/// A converter of a table into entity rows, which passes them on in batches.
struct EntityRows: TableRows {
  /// The meaning of a column.
  enum Column: Sendable {
    case permID, refcon, category, summaryHeader, summary, identifier
    case children, properties, images, imageAddress, isRootLevel, isDeleted
    /// A column with an unknown title, or a repeated one.
    case ignored

    /// Creates the column of a title; titles must equal those of the app's readme.
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

  /// The notes about the table.
  private(set) var notes = TableNotes()
  /// The titles as the server sent them.
  private(set) var titles: [String] = []

  private let push: ([EntityRow]) throws -> Void
  private var columns: [Column] = []
  private var row = EntityRow("")
  private var batch: [EntityRow] = []
  private var batchBytes = 0
  /// The last category, which most rows share with the row before.
  private var category = ""
  private var categoryBytes: [UInt8] = []

  /// The number of rows per batch: small enough to show progress, large enough to make passing it on cheap.
  private static let batchRows = 512
  private static let batchLimitInBytes = 1 << 20

  /// Creates a converter.
  ///
  /// - Parameter push: Receives a batch; an error it throws ends the reading.
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
        // All other columns are meaningless then and must not be kept.
        row = EntityRow(row.permID)
        row.isDeleted = true
      }
      batch.append(row)
    }
    if batch.count >= Self.batchRows || batchBytes >= Self.batchLimitInBytes { try flush() }
  }

  mutating func skipRow() { notes.rowsOfOtherLength += 1 }

  /// Passes the remaining rows on.
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
    // The older column may come first.
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

  /// Returns true if a cell equals a lower-case word, ignoring case.
  private static func isWord(_ cell: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
    guard cell.count == word.utf8CodeUnitCount else { return false }
    return cell.indices.allSatisfy { index in
      let byte = cell[index]
      let isCapital = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      return (isCapital ? byte | 0x20 : byte) == word.utf8Start[index]
    }
  }
}

/// The oddities found while reading a table.
struct TableNotes: Sendable, Hashable {
  /// The number of rows used.
  var rows = 0
  var rowsOfOtherLength = 0
  var rowsWithoutID = 0
  var repeatedTitles: [String] = []
  var unreadableChildren = 0
  var droppedChildren = 0
  var unreadableProperties = 0
  var unreadableImages = 0

  /// The number of rows not used.
  var skippedRows: Int { rowsOfOtherLength + rowsWithoutID }

  /// Counts the oddities of a CHILDREN cell.
  mutating func take(_ children: EntityRow.Children, dropped: Int) {
    if case .unreadable = children { unreadableChildren += 1 }
    droppedChildren += dropped
  }

  /// Returns the notes as warnings, one of each kind.
  ///
  /// - Parameter source: The call to which the table responds.
  func warnings(_ source: String) -> [Diagnostic] {
    var all = repeatedTitles.map { title in
      Diagnostic(
        .warning, code: "openbis.column-twice", "\(source) has the column '\(title)' twice; the first one is used")
    }
    func add(_ count: Int, _ code: String, _ what: String) {
      if count > 0 { all.append(Diagnostic(.warning, code: "openbis." + code, "\(source) has \(count) \(what)")) }
    }
    add(rowsOfOtherLength, "row-skipped", "rows with more or fewer cells than columns; they are left out")
    add(rowsWithoutID, "row-skipped", "rows without PERM_ID; they are left out")
    add(unreadableChildren, "children-unreadable", "rows with unreadable CHILDREN; their cached children are kept")
    add(droppedChildren, "children-dropped", "children that are not ids; they are left out")
    add(
      unreadableProperties, "properties-unreadable",
      "rows with unreadable PROPERTIES; their cached properties are kept")
    add(unreadableImages, "images-unreadable", "rows with unreadable IMAGES; their cached images are kept")
    return all
  }

  /// The stable error codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("openbis.column-twice", "a table has a column twice; the first one is used"),
    .init("openbis.row-skipped", "a row without an id, or with more or fewer cells than columns, is left out"),
    .init("openbis.children-unreadable", "the children of a row are not a JSON list; the cached children are kept"),
    .init("openbis.children-dropped", "elements of a list of children that are not ids are left out"),
    .init("openbis.properties-unreadable", "the properties of a row are not JSON; the cached ones are kept"),
    .init("openbis.images-unreadable", "the images of a row are not JSON; the cached ones are kept"),
    .init("openbis.text-replaced", "a text has half of a surrogate pair; U+FFFD replaces it"),
  ]
}
