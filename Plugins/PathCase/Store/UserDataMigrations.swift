import PluginStore

/// The tables of the user's data; they refer to things by id, so that they remain valid with any snapshot.
enum UserDataMigrations {
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
  ]
}
