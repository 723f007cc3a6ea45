/// The rows of a list of any length, of which only those near the visible ones are held.
///
/// The owner of the list reads rows in whole pages: ``missing(_:)`` returns the rows to read, and
/// ``take(_:total:for:)`` stores them.
///
/// ```swift
/// guard let range = rows.missing(visible) else { return [] }
/// return [load("rows", "Reading") { _ in try await store.page(range) } then: { $0.rows.take($1.rows, total: $1.total, for: range) }]
/// ```
public struct PagedRows<Row: Sendable>: Sendable {
  /// The number of rows per page.
  public let pageSize: Int
  /// The number of pages held around the visible ones.
  public let mostPages: Int
  /// The number of rows of the list; nil before the first page was read.
  public private(set) var total: Int?

  private var pages: [Int: [Row]] = [:]
  /// The pages that are held but may have changed.
  private var stale: Set<Int> = []

  /// Creates a list of which nothing was read yet.
  public init(pageSize: Int = 128, mostPages: Int = 8) {
    precondition(pageSize > 0 && mostPages > 1, "a list holds at least two pages, each of at least one row")
    (self.pageSize, self.mostPages) = (pageSize, mostPages)
  }

  /// The row at a 0-based index; nil if it is not held.
  public subscript(index: Int) -> Row? {
    guard index >= 0, let page = pages[index / pageSize] else { return nil }
    let offset = index % pageSize
    return page.indices.contains(offset) ? page[offset] : nil
  }

  /// Returns the rows to read so that a range of rows can be shown: whole pages that were not read or may have changed.
  ///
  /// - Returns: nil if all of them are held. Before the first page was read, that page.
  public func missing(_ visible: Range<Int>) -> Range<Int>? {
    guard let total else { return 0..<pageSize }
    let first = max(0, min(visible.lowerBound, total - 1))
    let last = max(first, min(visible.upperBound, total) - 1)
    let seen = first / pageSize...last / pageSize
    let lacking = seen.filter { (pages[$0] == nil && total > 0) || stale.contains($0) }
    guard let low = lacking.first, let high = lacking.last else { return nil }
    // More pages than are held are read at once, else some of them would be dropped for the others in turns.
    let read = seen.count > mostPages ? seen : low...high
    return read.lowerBound * pageSize..<(read.upperBound + 1) * pageSize
  }

  /// Stores rows that were read, and drops the pages that are farthest from them.
  ///
  /// A page without rows is stored too, so that rows that cannot be read are not requested again and again.
  ///
  /// - Parameters:
  ///   - rows: The rows; fewer than requested at the end of the list.
  ///   - total: The number of rows of the list. If it changed, the other pages held may have other rows by now.
  ///   - range: The rows that were requested, in whole pages.
  public mutating func take(_ rows: [Row], total: Int, for range: Range<Int>) {
    if total != self.total {
      stale.formUnion(pages.keys)
      self.total = total
      pages = pages.filter { $0.key * pageSize < total }
    }
    let taken = range.lowerBound / pageSize..<(range.upperBound + pageSize - 1) / pageSize
    for number in taken {
      let start = min(rows.count, number * pageSize - range.lowerBound)
      pages[number] = Array(rows[start..<min(rows.count, start + pageSize)])
      stale.remove(number)
    }
    forgetPages(farFrom: taken)
  }

  /// Marks all rows as possibly changed; they stay available until they are read again.
  public mutating func expire() { stale.formUnion(pages.keys) }

  /// Returns the index of the first row held, and not possibly changed, that satisfies a condition.
  public func firstIndex(where isIt: (Row) -> Bool) -> Int? {
    for number in pages.keys.sorted() where !stale.contains(number) {
      if let offset = pages[number]?.firstIndex(where: isIt) { return number * pageSize + offset }
    }
    return nil
  }

  private mutating func forgetPages(farFrom taken: Range<Int>) {
    guard pages.count > mostPages else { return }
    let near = pages.keys.sorted { PagedRows.distance($0, taken) < PagedRows.distance($1, taken) }
      .prefix(max(mostPages, taken.count))
    pages = pages.filter { near.contains($0.key) }
    stale.formIntersection(near)
  }

  private static func distance(_ page: Int, _ taken: Range<Int>) -> Int {
    max(0, taken.lowerBound - page, page - (taken.upperBound - 1))
  }
}

extension PagedRows: Equatable where Row: Equatable {}
