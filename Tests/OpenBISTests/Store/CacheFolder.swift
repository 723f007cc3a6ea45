import Foundation
import PluginAPI

@testable import OpenBIS

/// A folder of a test's own with one cache in it, removed at the end.
final class CacheFolder: Sendable {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "openbis-store-" + UUID().uuidString
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var file: String { path + "/cache.sqlite" }

  /// A cache in the folder's file.
  func store(_ options: EntityStore.Options = .init(), onChange: @escaping @Sendable () -> Void = {}) -> EntityStore {
    EntityStore(path: file, options: options, onChange: onChange)
  }
}

/// Rows that are there already, in batches.
struct GivenRows: RowSource {
  private let rest: Rest

  /// - Parameter failure: What breaks the answer behind the rows; nil for nothing.
  init(_ rows: [EntityRow], batch: Int = 512, failure: (any Error)? = nil) {
    rest = Rest(rows: rows, batch: batch, failure: failure)
  }

  func next() throws -> [EntityRow]? { try rest.next() }

  // Only the thread of the store that takes the rows touches it.
  private final class Rest: @unchecked Sendable {
    var rows: ArraySlice<EntityRow>
    let batch: Int
    let failure: (any Error)?

    init(rows: [EntityRow], batch: Int, failure: (any Error)?) {
      (self.rows, self.batch, self.failure) = (rows[...], batch, failure)
    }

    func next() throws -> [EntityRow]? {
      if rows.isEmpty {
        if let failure { throw failure }
        return nil
      }
      defer { rows = rows.dropFirst(batch) }
      return Array(rows.prefix(batch))
    }
  }
}

extension EntityStore {
  /// Takes rows in, at a time that does not matter.
  @discardableResult
  func take(
    _ rows: [EntityRow], _ kind: AnswerKind = .roots(of: nil), generation: Int = 1, state: [UInt8]? = nil
  ) throws -> AppliedRows {
    try applyAndWait(
      GivenRows(rows), kind, generation: generation, at: Instant(seconds: 1_000_000, nanoseconds: 5_000_000),
      state: state)
  }

  /// The ids of an entity's children in the order of lists.
  func childNames(_ permID: String) throws -> [String] { Array(try childIDsAndWait(of: permID)) }
}

extension EntityRow {
  /// A row with a header, and children if given.
  init(
    _ permID: String, _ header: String, category: String = "Sample", children: [String]? = nil, root: Bool? = nil
  ) {
    self.init(permID)
    summaryHeader = header
    self.category = category
    self.children = children.map { .ids(PackedTexts($0)) }
    isRootLevel = root
  }
}
