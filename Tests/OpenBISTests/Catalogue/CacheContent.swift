import PluginAPI
import PluginStore
import PluginText

@testable import OpenBIS

/// The content of a cache in a canonical order, to compare caches; row numbers and times are ignored.
struct CacheContent: Equatable, CustomStringConvertible {
  /// The description of each entity, by its id.
  var entities: [String: String] = [:]
  /// The description of each edge.
  var edges: Set<String> = []

  /// Reads the file of a cache.
  init(path: String) throws {
    let store = SQLiteStore(name: "entities", path: path, migrations: EntityMigrations.all)
    try self.init(store)
    try store.blockingSession { $0.disconnect() }
  }

  /// Reads an open cache.
  init(_ store: SQLiteStore) throws {
    (entities, edges) = try store.blockingSession { session in
      try session.read { connection in
        var entities: [String: String] = [:]
        try connection.forEach(
          """
          SELECT perm_id, flags, category, header, summary, quote(identifier), quote(refcon), quote(properties),
            quote(images), child_count FROM entity
          """
        ) { row in
          entities[row.text(0)] = (1...9).map { row.text($0) }.joined(separator: "|")
        }
        var edges: Set<String> = []
        try connection.forEach(
          """
          SELECT above.perm_id, below.perm_id FROM edge
            JOIN entity AS above ON above.id = parent JOIN entity AS below ON below.id = child
          """
        ) { edges.insert($0.text(0) + " > " + $0.text(1)) }
        return (entities, edges)
      }
    }
  }

  /// A digest that is equal for two caches only if they have the same content.
  var digest: String {
    var hash = SHA256()
    for permID in entities.keys.sorted() { hash.update(Array((permID + "|" + (entities[permID] ?? "") + "\n").utf8)) }
    for edge in edges.sorted() { hash.update(Array((edge + "\n").utf8)) }
    return Hexadecimal.text(hash.finish())
  }

  /// Returns the state of the refreshes in a file; nil before the first one.
  static func state(path: String) throws -> SyncState? {
    let store = SQLiteStore(name: "entities", path: path, migrations: EntityMigrations.all)
    return try store.blockingSession { session in
      defer { session.disconnect() }
      return try session.read { try $0.first("SELECT value FROM setting WHERE name = 'state'") { $0.bytes(0) } }
    }.flatMap(SyncState.init(encoded:))
  }

  var description: String { "\(entities.count) entities and \(edges.count) edges" }

  /// Returns the content without some entities; the numbers of others' children may depend on them.
  func without(_ named: Set<String>) -> CacheContent {
    var rest = self
    rest.entities = entities.filter { !named.contains($0.key) }.mapValues { line in
      String(line[..<(line.lastIndex(of: "|") ?? line.endIndex)])
    }
    rest.edges = edges.filter { edge in
      !edge.split(separator: " > ", maxSplits: 1).contains { named.contains(String($0)) }
    }
    return rest
  }

  /// Returns some lines that describe the differences to another cache.
  func differences(from other: CacheContent) -> [String] {
    var lines: [String] = []
    for permID in Set(entities.keys).union(other.entities.keys).sorted()
    where entities[permID] != other.entities[permID] {
      lines.append("\(permID): \(entities[permID] ?? "none") / \(other.entities[permID] ?? "none")")
    }
    lines += edges.symmetricDifference(other.edges).sorted()
    return lines.prefix(5).map { String($0.prefix(300)) }
  }
}
