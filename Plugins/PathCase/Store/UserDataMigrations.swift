import PluginPostgres
import PluginStore

/// The tables of the user's data; they refer to things by id, so that they remain valid with any snapshot.
enum UserDataMigrations {
  /// The steps of the file on this machine.
  static let all = [
    Migration(
      1, "layouts, observations, scenarios",
      sql: """
        CREATE TABLE layout (pathway TEXT PRIMARY KEY, width REAL, height REAL);
        CREATE TABLE layout_node (
          position INTEGER PRIMARY KEY, pathway TEXT NOT NULL REFERENCES layout (pathway) ON DELETE CASCADE,
          ref TEXT NOT NULL, clone TEXT NOT NULL, x REAL NOT NULL, y REAL NOT NULL, width REAL, height REAL);
        CREATE INDEX layout_node_pathway ON layout_node (pathway);
        CREATE TABLE layout_path (
          position INTEGER PRIMARY KEY, pathway TEXT NOT NULL REFERENCES layout (pathway) ON DELETE CASCADE,
          process TEXT NOT NULL, pool TEXT NOT NULL, points BLOB NOT NULL);
        CREATE INDEX layout_path_pathway ON layout_path (pathway);
        CREATE TABLE observations (name TEXT PRIMARY KEY);
        CREATE TABLE observation (
          position INTEGER PRIMARY KEY, name TEXT NOT NULL REFERENCES observations (name) ON DELETE CASCADE,
          pool TEXT NOT NULL, levels INTEGER NOT NULL, UNIQUE (name, pool));
        CREATE TABLE scenario (name TEXT NOT NULL, pathway TEXT NOT NULL, PRIMARY KEY (pathway, name));
        CREATE TABLE scenario_activity (
          position INTEGER PRIMARY KEY, pathway TEXT NOT NULL, name TEXT NOT NULL, process TEXT NOT NULL,
          state INTEGER NOT NULL,
          FOREIGN KEY (pathway, name) REFERENCES scenario (pathway, name) ON DELETE CASCADE);
        CREATE INDEX scenario_activity_scenario ON scenario_activity (pathway, name);
        """),
    Migration(
      2, "imported networks",
      sql: """
        CREATE TABLE network (
          id TEXT PRIMARY KEY, name TEXT NOT NULL, format TEXT NOT NULL, file TEXT NOT NULL, sha256 TEXT NOT NULL,
          imported_at INTEGER NOT NULL, content BLOB NOT NULL);
        """),
    Migration(
      3, "versions of items",
      sql: """
        ALTER TABLE layout ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE observations ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE scenario ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE network ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
        """),
  ]

  /// The steps of a shared database, which has the same tables.
  ///
  /// Keys are ordered by their bytes, as in the file. Users delete only items that they added, and with them the parts,
  /// which no policy prevents.
  static let shared = [
    PostgresMigration(
      1, "layouts, observations, scenarios, imported networks",
      sql: """
        CREATE TABLE layout (
          pathway text COLLATE "C" PRIMARY KEY, width double precision, height double precision,
          version bigint NOT NULL, added_by text);
        CREATE TABLE layout_node (
          position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          pathway text COLLATE "C" NOT NULL REFERENCES layout ON DELETE CASCADE,
          ref text NOT NULL, clone text NOT NULL, x double precision NOT NULL, y double precision NOT NULL,
          width double precision, height double precision);
        CREATE INDEX layout_node_pathway ON layout_node (pathway);
        CREATE TABLE layout_path (
          position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          pathway text COLLATE "C" NOT NULL REFERENCES layout ON DELETE CASCADE,
          process text NOT NULL, pool text NOT NULL, points bytea NOT NULL);
        CREATE INDEX layout_path_pathway ON layout_path (pathway);
        CREATE TABLE observations (name text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, added_by text);
        CREATE TABLE observation (
          position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          name text COLLATE "C" NOT NULL REFERENCES observations ON DELETE CASCADE,
          pool text COLLATE "C" NOT NULL, levels bigint NOT NULL, UNIQUE (name, pool));
        CREATE TABLE scenario (
          name text COLLATE "C" NOT NULL, pathway text COLLATE "C" NOT NULL, version bigint NOT NULL, added_by text,
          PRIMARY KEY (pathway, name));
        CREATE TABLE scenario_activity (
          position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          pathway text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL, process text NOT NULL,
          state bigint NOT NULL,
          FOREIGN KEY (pathway, name) REFERENCES scenario ON DELETE CASCADE);
        CREATE INDEX scenario_activity_scenario ON scenario_activity (pathway, name);
        CREATE TABLE network (
          id text COLLATE "C" PRIMARY KEY, name text NOT NULL, format text NOT NULL, file text NOT NULL,
          sha256 text NOT NULL, imported_at bigint NOT NULL, content bytea NOT NULL, version bigint NOT NULL,
          added_by text);
        \(["layout", "observations", "scenario", "network"].map { PostgresPolicy.deletionByAuthor(of: $0) }.joined())
        """)
  ]
}
