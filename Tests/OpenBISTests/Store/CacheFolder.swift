import Foundation
import PluginAPI
import PluginStore

@testable import OpenBIS
@testable import OpenBISSimulator

/// A folder for one test with one cache in it, removed at the end.
final class CacheFolder: Sendable {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "openbis-store-" + UUID().uuidString
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var file: String { path + "/cache.sqlite" }

  /// Returns a cache in the folder's file.
  func store(_ options: EntityStore.Options = .init(), onChange: @escaping @Sendable () -> Void = {}) -> EntityStore {
    EntityStore(path: file, options: options, onChange: onChange)
  }
}

/// Existing rows, in batches.
struct GivenRows: RowSource {
  private let rest: Rest

  /// Creates a source of rows.
  ///
  /// - Parameter failure: The error after the rows; nil for none.
  init(_ rows: [EntityRow], batch: Int = 512, failure: (any Error)? = nil) {
    rest = Rest(rows: rows, batch: batch, failure: failure)
  }

  func next() throws -> [EntityRow]? { try rest.next() }

  // Only the store's thread that takes the rows accesses it.
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
  /// Applies rows at an arbitrary time.
  @discardableResult
  func take(
    _ rows: [EntityRow], _ kind: ResponseKind = .roots(of: nil), generation: Int = 1, state: [UInt8]? = nil
  ) async throws -> AppliedRows {
    try await apply(
      GivenRows(rows), kind, generation: generation, at: Instant(seconds: 1_000_000, nanoseconds: 5_000_000),
      state: { _ in state })
  }

  /// Returns the ids of an entity's children, in list order.
  func childNames(_ permID: String) async throws -> [String] { Array(try await childIDs(of: permID)) }
}

extension EntityRow {
  /// Creates a row with a header, and with children if given.
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

extension EntityStore {
  /// Returns the inconsistencies in the tables of a cache, read through a connection of its own.
  func check(in folder: CacheFolder) throws -> [String] { try check(path: folder.file) }

  /// Returns the inconsistencies in the tables of the cache in a file.
  func check(path: String) throws -> [String] {
    let store = SQLiteStore(name: "entities", path: path, migrations: EntityMigrations.all)
    let questions = [
      "edge without link": """
      SELECT count(*) FROM edge WHERE NOT EXISTS (
        SELECT 1 FROM link WHERE link.child = edge.child AND link.parent = edge.parent)
      """,
      "numbers of edges and links": "SELECT (SELECT count(*) FROM edge) - (SELECT count(*) FROM link)",
      "edge with an old key": """
      SELECT count(*) FROM edge LEFT JOIN entity ON entity.id = child WHERE entity.sort IS NULL OR entity.sort != edge.sort
      """,
      "edge without parent": "SELECT count(*) FROM edge LEFT JOIN entity ON entity.id = parent WHERE entity.id IS NULL",
      "count of children": """
      SELECT count(*) FROM entity
        WHERE coalesce(child_count, 0) != (SELECT count(*) FROM edge WHERE edge.parent = entity.id)
      """,
    ]
    return try store.blockingSession { session in
      defer { session.disconnect() }
      return try session.read { connection in
        var faults: [String] = []
        for (name, sql) in questions where try connection.value(sql).integer != 0 { faults.append(name) }
        return faults + (try connection.list("PRAGMA quick_check") { $0.text(0) }.filter { $0 != "ok" })
      }
    }
  }
}
