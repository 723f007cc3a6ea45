import PluginAPI
import PluginStore

// Trusted keys and settings.
extension ServersStore {
  static func trustedKeys(_ connection: Connection) throws -> [TrustedKey] {
    try connection.list("SELECT host, pin, subject, first_trusted_seconds FROM trusted_key ORDER BY host") {
      TrustedKey(
        host: $0.text(0), pin: $0.text(1), subject: $0.text(2), firstTrustedAt: Instant(seconds: Int64($0.integer(3))))
    }
  }

  /// Trusts a key for its host and port, and replaces the former one.
  func trust(_ key: TrustedKey) async throws {
    try await sqlite.write { connection in
      try connection.execute(
        "INSERT OR REPLACE INTO trusted_key (host, pin, subject, first_trusted_seconds) VALUES (?, ?, ?, ?)",
        [key.host, key.pin, key.subject, Int(key.firstTrustedAt.seconds)])
    }
  }

  static func setting(_ name: String, _ connection: Connection) throws -> String? {
    try connection.first("SELECT value FROM setting WHERE name = ?", [name]) { $0.text(0) }
  }

  static func set(_ name: String, _ value: String?, _ connection: Connection) throws {
    if let value {
      try connection.execute("INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", [name, value])
    } else {
      try connection.execute("DELETE FROM setting WHERE name = ?", [name])
    }
  }
}
