import Synchronization

@testable import OpenBIS

/// A flag for the end of work on another thread.
final class Started: Sendable {
  private let over = Atomic(false)

  var isOver: Bool { over.load(ordering: .acquiring) }

  func end() { over.store(true, ordering: .releasing) }
}

/// One batch of rows.
struct GivenBatch: RowSource {
  private let rows: [EntityRow]
  private let isTaken = Started()

  init(_ rows: [EntityRow]) { self.rows = rows }

  func next() throws -> [EntityRow]? {
    if isTaken.isOver { return nil }
    isTaken.end()
    return rows
  }
}
