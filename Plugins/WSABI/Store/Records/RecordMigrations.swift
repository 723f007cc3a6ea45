import PluginStore

/// The schema of the store, version by version; Documentation/Decisions/0012 describes the sealing.
enum RecordMigrations {
  static let all = [
    Migration(1, "vault", sql: vault),
    Migration(2, "people and items", sql: people),
    Migration(3, "journal and captures", sql: captures),
    Migration(
      4, "audit log", sql: "CREATE TABLE audit (number INTEGER PRIMARY KEY, body BLOB NOT NULL, code BLOB NOT NULL)"),
    Migration(5, "files in backups", sql: pieces), Migration(6, "a master key that can be changed", sql: epochs),
    Migration(7, "data that is known", sql: hashes), Migration(8, "items by their sensor", sql: sensorTags),
    Migration(9, "locks of sensors", sql: locks), Migration(10, "captures reviewed for quality", sql: reviews),
  ]

  /// Empty except in a backup, where it holds the sealed files of captures.
  private static let pieces = """
    CREATE TABLE piece (file TEXT NOT NULL, number INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (file, number));
    """

  /// A code of each item's sensor; null in rows of older versions, which ``ItemRow/tagSome(_:)`` finds by the second index.
  private static let sensorTags = """
    ALTER TABLE item ADD COLUMN sensor BLOB;
    CREATE INDEX item_sensor ON item (sensor, person) WHERE sensor IS NOT NULL;
    CREATE INDEX item_untagged ON item (id) WHERE sensor IS NULL;
    """

  /// Locks of sensors that a process may have, by its number; no part of an item, as they outlive it, and of no backup.
  private static let locks = """
    CREATE TABLE held (id INTEGER PRIMARY KEY AUTOINCREMENT, holder INTEGER NOT NULL, key BLOB NOT NULL,
      body BLOB NOT NULL);
    """

  /// The migration that records that a capture was reviewed for its quality and thumbnail, with or without success.
  private static let reviews = """
    ALTER TABLE capture ADD COLUMN reviewed INTEGER NOT NULL DEFAULT 0;
    UPDATE capture SET reviewed = 1 WHERE thumbnail IS NOT NULL;
    CREATE INDEX capture_unreviewed ON capture (id) WHERE reviewed = 0;
    """

  private static let epochs = """
    ALTER TABLE vault ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE vault ADD COLUMN tags BLOB NOT NULL DEFAULT x'';
    ALTER TABLE slot ADD COLUMN master BLOB NOT NULL DEFAULT x'';
    """

  /// Coded hashes of the data of captures, null where an older version wrote the row; and coded ids of items that were
  /// deleted, which no sensor may give for another.
  private static let hashes = """
    ALTER TABLE capture ADD COLUMN hash BLOB;
    CREATE INDEX capture_hash ON capture (hash);
    CREATE TABLE spent (tag BLOB PRIMARY KEY) WITHOUT ROWID;
    """

  private static let vault = """
    CREATE TABLE vault (id INTEGER PRIMARY KEY CHECK (id = 1), store BLOB NOT NULL, salt BLOB NOT NULL,
      passes INTEGER NOT NULL, memory INTEGER NOT NULL, anchor BLOB NOT NULL);
    CREATE TABLE user (id INTEGER PRIMARY KEY AUTOINCREMENT, version INTEGER NOT NULL, body BLOB NOT NULL);
    -- The key of the store once for each user, under that user's key.
    CREATE TABLE slot (id INTEGER PRIMARY KEY AUTOINCREMENT, user INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
      kind INTEGER NOT NULL, body BLOB NOT NULL);
    """

  private static let people = """
    CREATE TABLE person (id INTEGER PRIMARY KEY AUTOINCREMENT, version INTEGER NOT NULL, key BLOB NOT NULL,
      body BLOB NOT NULL, words BLOB NOT NULL);
    CREATE TABLE item (id INTEGER PRIMARY KEY AUTOINCREMENT, person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
      place INTEGER NOT NULL, version INTEGER NOT NULL, key BLOB NOT NULL, body BLOB NOT NULL);
    CREATE INDEX item_person ON item (person, place);
    CREATE TABLE sensor (id INTEGER PRIMARY KEY AUTOINCREMENT, turn INTEGER NOT NULL, tag BLOB NOT NULL UNIQUE,
      key BLOB NOT NULL, body BLOB NOT NULL);
    """

  private static let captures = """
    CREATE TABLE journal (id INTEGER PRIMARY KEY AUTOINCREMENT, item INTEGER NOT NULL REFERENCES item ON DELETE CASCADE,
      is_open INTEGER NOT NULL, key BLOB NOT NULL, body BLOB NOT NULL, outcome BLOB);
    CREATE INDEX journal_item ON journal (item);
    CREATE INDEX journal_open ON journal (id) WHERE is_open = 1;
    -- Ids the services gave; state: 0 waiting for data, 1 kept, 2 lost, 3 cleared.
    CREATE TABLE captured (id INTEGER PRIMARY KEY AUTOINCREMENT, entry INTEGER NOT NULL REFERENCES journal
      ON DELETE CASCADE, place INTEGER NOT NULL, state INTEGER NOT NULL, tag BLOB NOT NULL UNIQUE, key BLOB NOT NULL,
      body BLOB NOT NULL);
    CREATE INDEX captured_entry ON captured (entry, place);
    CREATE INDEX captured_waiting ON captured (entry) WHERE state = 0;
    CREATE TABLE capture (id INTEGER PRIMARY KEY AUTOINCREMENT, item INTEGER NOT NULL REFERENCES item
      ON DELETE CASCADE, entry INTEGER NOT NULL, place INTEGER NOT NULL, version INTEGER NOT NULL, key BLOB NOT NULL,
      body BLOB NOT NULL, thumbnail BLOB, file TEXT);
    CREATE INDEX capture_item ON capture (item, entry DESC, place);
    CREATE INDEX capture_file ON capture (file) WHERE file IS NOT NULL;
    -- The data of small captures; that of large ones is in files.
    CREATE TABLE content (capture INTEGER PRIMARY KEY REFERENCES capture ON DELETE CASCADE, data BLOB NOT NULL);
    -- Files of captures that are no more, until they are removed.
    CREATE TABLE doomed (file TEXT PRIMARY KEY);
    """
}
