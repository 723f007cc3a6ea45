import PluginStore

/// The tables of a snapshot's file.
///
/// Rows store their position in the documents, from 0. A file is written once and only read afterward.
enum SnapshotSchema {
  static let migrations = [
    Migration(1, "snapshot", sql: places + processes + pathways + layouts + others),
    Migration(2, "genes and names of pathways", sql: genesAndNames),
  ]

  private static let places = """
    CREATE TABLE tissue (
      position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, kind TEXT NOT NULL);
    CREATE TABLE compartment (
      position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
      tissue TEXT REFERENCES tissue (id) DEFERRABLE INITIALLY DEFERRED,
      outside TEXT REFERENCES compartment (id) DEFERRABLE INITIALLY DEFERRED);
    CREATE TABLE metabolite (
      position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, common INTEGER NOT NULL,
      formula TEXT, charge INTEGER);
    CREATE TABLE synonym (
      position INTEGER PRIMARY KEY,
      metabolite TEXT NOT NULL REFERENCES metabolite (id) DEFERRABLE INITIALLY DEFERRED, name TEXT NOT NULL);
    CREATE TABLE metabolite_reference (
      metabolite TEXT NOT NULL REFERENCES metabolite (id) DEFERRABLE INITIALLY DEFERRED,
      base TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (metabolite, base)) WITHOUT ROWID;
    CREATE TABLE pool (
      position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
      metabolite TEXT NOT NULL REFERENCES metabolite (id) DEFERRABLE INITIALLY DEFERRED,
      compartment TEXT NOT NULL REFERENCES compartment (id) DEFERRABLE INITIALLY DEFERRED,
      boundary INTEGER NOT NULL);

    """

  private static let processes = """
    CREATE TABLE process (
      position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, kind TEXT NOT NULL,
      reversible INTEGER NOT NULL, enzyme TEXT);
    CREATE TABLE participant (
      position INTEGER PRIMARY KEY,
      process TEXT NOT NULL REFERENCES process (id) DEFERRABLE INITIALLY DEFERRED,
      pool TEXT NOT NULL REFERENCES pool (id) DEFERRABLE INITIALLY DEFERRED,
      role TEXT NOT NULL, stoichiometry REAL NOT NULL, trigger_level INTEGER);
    CREATE TABLE range (
      position INTEGER PRIMARY KEY,
      pool TEXT NOT NULL UNIQUE REFERENCES pool (id) DEFERRABLE INITIALLY DEFERRED,
      unavailable_below REAL, accumulated_above REAL, severe_above REAL, unit TEXT NOT NULL);

    """

  private static let pathways = """
    CREATE TABLE pathway (
      position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, organism TEXT);
    CREATE TABLE pathway_process (
      position INTEGER PRIMARY KEY,
      pathway TEXT NOT NULL REFERENCES pathway (id) DEFERRABLE INITIALLY DEFERRED,
      process TEXT NOT NULL REFERENCES process (id) DEFERRABLE INITIALLY DEFERRED);
    CREATE TABLE pathway_link (
      position INTEGER PRIMARY KEY,
      pathway TEXT NOT NULL REFERENCES pathway (id) DEFERRABLE INITIALLY DEFERRED,
      other TEXT NOT NULL REFERENCES pathway (id) DEFERRABLE INITIALLY DEFERRED,
      via TEXT REFERENCES pool (id) DEFERRABLE INITIALLY DEFERRED);
    CREATE TABLE activation (
      position INTEGER PRIMARY KEY,
      pathway TEXT NOT NULL REFERENCES pathway (id) DEFERRABLE INITIALLY DEFERRED,
      process TEXT NOT NULL REFERENCES process (id) DEFERRABLE INITIALLY DEFERRED,
      pool TEXT NOT NULL REFERENCES pool (id) DEFERRABLE INITIALLY DEFERRED,
      role TEXT NOT NULL, trigger_level INTEGER NOT NULL);

    """

  private static let genesAndNames = """
    CREATE TABLE gene (
      position INTEGER PRIMARY KEY,
      process TEXT NOT NULL REFERENCES process (id) DEFERRABLE INITIALLY DEFERRED, symbol TEXT NOT NULL);
    CREATE TABLE pathway_synonym (
      position INTEGER PRIMARY KEY,
      pathway TEXT NOT NULL REFERENCES pathway (id) DEFERRABLE INITIALLY DEFERRED, name TEXT NOT NULL);
    """

  /// The points of a path are pairs of 64-bit floating-point numbers, little-endian.
  private static let layouts = """
    CREATE TABLE layout (
      position INTEGER PRIMARY KEY,
      pathway TEXT NOT NULL UNIQUE REFERENCES pathway (id) DEFERRABLE INITIALLY DEFERRED, width REAL, height REAL);
    CREATE TABLE layout_node (
      position INTEGER PRIMARY KEY,
      pathway TEXT NOT NULL REFERENCES layout (pathway) DEFERRABLE INITIALLY DEFERRED,
      ref TEXT NOT NULL, clone TEXT NOT NULL, x REAL NOT NULL, y REAL NOT NULL, width REAL, height REAL);
    CREATE INDEX layout_node_pathway ON layout_node (pathway);
    CREATE TABLE layout_path (
      position INTEGER PRIMARY KEY,
      pathway TEXT NOT NULL REFERENCES layout (pathway) DEFERRABLE INITIALLY DEFERRED,
      process TEXT NOT NULL, pool TEXT NOT NULL, points BLOB NOT NULL);
    CREATE INDEX layout_path_pathway ON layout_path (pathway);

    """

  private static let others = """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE document (path TEXT PRIMARY KEY, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL, content BLOB NOT NULL);
    CREATE VIRTUAL TABLE words USING fts5 (
      name, synonyms, kind UNINDEXED, id UNINDEXED, tokenize = "unicode61 remove_diacritics 2", prefix = '1 2 3');
    """
}
