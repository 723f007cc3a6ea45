import PluginStore

/// The schema of the registry of accounts, step by step; released steps are never edited.
enum ServersMigrations {
  static let all = [
    Migration(
      1, "accounts, trusted keys and settings",
      sql: """
        CREATE TABLE account (
          id TEXT PRIMARY KEY,
          position INTEGER NOT NULL,
          server TEXT NOT NULL,
          user TEXT NOT NULL,
          back_end TEXT,
          data_store TEXT,
          data_stores TEXT NOT NULL,
          data_store_addresses TEXT NOT NULL,
          uses_access_token INTEGER NOT NULL,
          mapping TEXT
        ) WITHOUT ROWID;
        CREATE TABLE trusted_key (
          host TEXT PRIMARY KEY,
          pin TEXT NOT NULL,
          subject TEXT NOT NULL,
          first_trusted_seconds INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE setting (
          name TEXT PRIMARY KEY,
          value TEXT NOT NULL
        ) WITHOUT ROWID;
        """)
  ]
}
