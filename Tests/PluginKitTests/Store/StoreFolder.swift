import Foundation
import PluginAPI
import PluginStore
import TestSupport

/// A folder for the files of one test, removed at its end.
final class StoreFolder: Sendable {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "workbench-store-" + UUID().uuidString
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  /// A small store of stations with three versions of its schema.
  func stations(
    _ name: String = "stations.sqlite", versions: Int = 3, lockTimeout: Double = 60,
    onChange: @escaping @Sendable (Set<String>) -> Void = { _ in }
  ) -> SQLiteStore {
    SQLiteStore(
      name: "stations", path: file(name), migrations: Array(StoreFolder.migrations.prefix(versions)),
      options: SQLiteStore.Options(lockTimeoutInSeconds: lockTimeout), onChange: onChange)
  }

  static let migrations = [
    Migration(1, "stations", sql: "CREATE TABLE station (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"),
    Migration(
      2, "heights",
      sql: """
        CREATE TABLE height (station INTEGER NOT NULL REFERENCES station ON DELETE CASCADE, at INTEGER, metres REAL);
        INSERT INTO height SELECT id, 0, 1.5 FROM station; -- every station begins at 1.5 m
        """),
    Migration(3, "station codes") { connection in
      // To change a table that others refer to, replace it with a new one.
      try connection.execute("CREATE TABLE station_new (id INTEGER PRIMARY KEY, name TEXT UNIQUE, code TEXT NOT NULL)")
      try connection.forEach("SELECT id, name FROM station") { row in
        try connection.execute(
          "INSERT INTO station_new VALUES (?, ?, ?)", [row.integer(0), row.text(1), row.text(1).uppercased()])
      }
      try connection.execute("DROP TABLE station")
      try connection.execute("ALTER TABLE station_new RENAME TO station")
    },
  ]

  /// Runs the helper program; returns its status and output.
  static func helper(_ arguments: [String], killAfter letters: Int? = nil) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = BuiltProgram.folder.appendingPathComponent("StoreWriter")
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    var output: [UInt8] = []
    while output.count < letters ?? .max {
      let chunk = try pipe.fileHandleForReading.read(upToCount: 1) ?? Data()
      if chunk.isEmpty { break }
      output += chunk
    }
    if letters != nil { kill(process.processIdentifier, SIGKILL) }
    while let rest = try pipe.fileHandleForReading.readToEnd(), !rest.isEmpty { output += rest }
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}

extension StoreFolder {
  /// Returns the size of a file in bytes.
  func size(_ name: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: file(name))[.size] as? Int ?? 0
  }
}
