import PluginStore

/// An item of the user's data: a row with a key and a version, and the rows of its parts.
protocol UserItem: Sendable, Hashable {
  static var table: UserTable { get }

  /// The kind and name in messages: `layout 'w-urea'`.
  var title: String { get }
  /// The version of the stored item that this one is or replaces; nil for a new one.
  var version: Int? { get set }
  /// The values of the key.
  var key: [String] { get }
  /// The values of the other columns.
  var values: [SQLValue] { get }
  /// The rows of each table of parts, in their order.
  var parts: [[[SQLValue]]] { get }

  /// Creates an item from the values of its key and columns, and the rows of its parts.
  init(_ row: UserRow, parts: [[UserRow]])

  /// Returns true if another version has the same content.
  func hasContent(of other: Self) -> Bool
}

extension UserItem {
  var values: [SQLValue] { [] }
  var parts: [[[SQLValue]]] { [] }

  func hasContent(of other: Self) -> Bool {
    var other = other
    other.version = version
    return self == other
  }
}

/// The tables of a kind of items, which have the same columns in both databases.
///
/// The table of the items also has the column `version`, and those of parts have the key, and the column `position`,
/// which orders their rows.
struct UserTable: Sendable {
  let name: String
  let key: [String]
  var columns: [String] = []
  var parts: [(name: String, columns: [String])] = []
}

/// A row of the user's data.
struct UserRow: Sendable {
  let values: [SQLValue]
  /// The number of columns before the first one, such as those of the key in rows of parts.
  var offset = 0

  subscript(_ column: Int) -> SQLValue { values[offset + column] }

  func text(_ column: Int) -> String { self[column].text ?? "" }
  func integer(_ column: Int) -> Int { self[column].integer ?? 0 }
  func number(_ column: Int) -> Double { self[column].number ?? 0 }
  func bytes(_ column: Int) -> [UInt8] { self[column].bytes ?? [] }
}

/// Snapshots of the database have the same tables, without versions.
extension FrozenLayout: UserItem {
  static let table = UserTable(
    name: "layout", key: ["pathway"], columns: ["width", "height"],
    parts: [
      ("layout_node", ["ref", "clone", "x", "y", "width", "height"]), ("layout_path", ["process", "pool", "points"]),
    ])

  var title: String { "layout '\(pathway)'" }
  var key: [String] { [pathway.text] }
  var values: [SQLValue] { [Self.value(width), Self.value(height)] }

  var parts: [[[SQLValue]]] {
    let nodes = nodes.map { node -> [SQLValue] in
      [
        .text(node.ref.text), .text(node.clone), .number(node.x), .number(node.y), Self.value(node.width),
        Self.value(node.height),
      ]
    }
    let paths = paths.map { path -> [SQLValue] in
      [.text(path.process.text), .text(path.pool.text), .bytes(Self.bytes(path.points))]
    }
    return [nodes, paths]
  }

  init(_ row: UserRow, parts: [[UserRow]]) {
    self.init(pathway: Identifier(row.text(0)), width: row[1].number, height: row[2].number)
    nodes = parts[0].map { node in
      FrozenNode(
        ref: Identifier(node.text(0)), clone: node.text(1), x: node.number(2), y: node.number(3),
        width: node[4].number, height: node[5].number)
    }
    paths = parts[1].map { path in
      FrozenPath(
        process: Identifier(path.text(0)), pool: Identifier(path.text(1)),
        points: path.bytes(2).withUnsafeBytes(Self.points))
    }
  }

  private static func value(_ length: Double?) -> SQLValue { length.map(SQLValue.number) ?? .null }

  private static func bytes(_ points: [FrozenPath.Point]) -> [UInt8] {
    points.flatMap { point in
      [point.x, point.y].flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * $0)) } }
    }
  }

  private static func points(_ bytes: UnsafeRawBufferPointer) -> [FrozenPath.Point] {
    let numbers = (0..<bytes.count / 8).map { place in
      Double(bitPattern: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * place, as: UInt64.self)))
    }
    return stride(from: 0, to: numbers.count - 1, by: 2).map { FrozenPath.Point(x: numbers[$0], y: numbers[$0 + 1]) }
  }
}

extension SavedObservations: UserItem {
  static let table = UserTable(name: "observations", key: ["name"], parts: [("observation", ["pool", "levels"])])

  var title: String { "observations '\(name)'" }
  var key: [String] { [name] }

  var parts: [[[SQLValue]]] {
    [rows.map { row -> [SQLValue] in [.text(row.pool.text), .integer(Int(row.levels.rawValue))] }]
  }

  init(_ row: UserRow, parts: [[UserRow]]) {
    self.init(
      name: row.text(0),
      rows: parts[0].map { row in
        SavedObservation(
          pool: Identifier(row.text(0)), levels: LevelSet(rawValue: UInt8(truncatingIfNeeded: row.integer(1))))
      })
  }
}

extension SavedScenario: UserItem {
  static let table = UserTable(
    name: "scenario", key: ["pathway", "name"], parts: [("scenario_activity", ["process", "state"])])

  var title: String { "scenario '\(name)'" }
  var key: [String] { [pathway.text, name] }

  var parts: [[[SQLValue]]] {
    [activities.map { row -> [SQLValue] in [.text(row.process.text), .integer(Int(row.state.rawValue))] }]
  }

  init(_ row: UserRow, parts: [[UserRow]]) {
    self.init(
      name: row.text(1), pathway: Identifier(row.text(0)),
      activities: parts[0].map { row in
        Activity(
          process: Identifier(row.text(0)),
          state: ProcessState(rawValue: UInt8(truncatingIfNeeded: row.integer(1))) ?? .idle)
      })
  }
}

/// An imported network with the bytes of its file.
struct StoredNetwork: UserItem {
  var network: ImportedNetwork
  var content: [UInt8] = []

  /// The columns of ``ImportedNetwork``, without the key.
  static let columns = ["name", "format", "file", "sha256", "imported_at"]
  static let table = UserTable(name: "network", key: ["id"], columns: columns + ["content"])

  var version: Int? {
    get { network.version }
    set { network.version = newValue }
  }

  var title: String { "network '\(network.id)'" }
  var key: [String] { [network.id.text] }

  var values: [SQLValue] {
    [
      .text(network.name), .text(network.format), .text(network.file), .text(network.sha256),
      .integer(network.importedAt), .bytes(content),
    ]
  }
}

extension StoredNetwork {
  init(_ row: UserRow, parts: [[UserRow]]) { self.init(network: ImportedNetwork(row), content: row.bytes(6)) }

  /// Returns true for the same file, whenever and under whatever name it was imported.
  func hasContent(of other: StoredNetwork) -> Bool { content == other.content }
}

extension ImportedNetwork {
  /// Creates a network from a row of its id and ``StoredNetwork/columns``.
  init(_ row: UserRow) {
    self.init(
      id: Identifier(row.text(0)), name: row.text(1), format: row.text(2), file: row.text(3), sha256: row.text(4),
      importedAt: row.integer(5))
  }
}
