import PluginStore

/// The schema of the library, step by step; released steps are never edited.
enum LibraryMigrations {
  static let all = [
    Migration(
      1, "molecules, their pieces, metadata and settings",
      sql: """
        CREATE TABLE molecule (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          code TEXT NOT NULL,
          title TEXT NOT NULL,
          compound TEXT NOT NULL,
          format TEXT NOT NULL,
          models INTEGER NOT NULL,
          chains INTEGER NOT NULL,
          residues INTEGER NOT NULL,
          atoms INTEGER NOT NULL,
          bonds INTEGER NOT NULL,
          added_seconds INTEGER NOT NULL,
          added_nanoseconds INTEGER NOT NULL,
          file TEXT NOT NULL UNIQUE,
          file_size INTEGER NOT NULL,
          file_digest TEXT NOT NULL UNIQUE,
          source TEXT NOT NULL
        );
        CREATE TABLE metadata (
          molecule INTEGER NOT NULL REFERENCES molecule ON DELETE CASCADE,
          position INTEGER NOT NULL,
          section INTEGER NOT NULL,
          label TEXT NOT NULL,
          value TEXT NOT NULL,
          PRIMARY KEY (molecule, position)
        ) WITHOUT ROWID;
        CREATE TABLE piece (
          id INTEGER PRIMARY KEY,
          molecule INTEGER NOT NULL REFERENCES molecule ON DELETE CASCADE,
          kind TEXT NOT NULL CHECK (kind IN ('hierarchy', 'annotations', 'atoms', 'bonds')),
          model INTEGER NOT NULL,
          content BLOB NOT NULL,
          UNIQUE (molecule, kind, model)
        );
        CREATE TABLE setting (
          name TEXT PRIMARY KEY,
          value TEXT NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE removal (
          file TEXT PRIMARY KEY
        ) WITHOUT ROWID;
        CREATE TABLE refused_file (
          file TEXT PRIMARY KEY,
          size INTEGER NOT NULL,
          reason TEXT NOT NULL
        ) WITHOUT ROWID;
        """),
    Migration(
      2, "words of the molecules for searching, and the version of the readers",
      sql: """
        ALTER TABLE molecule ADD COLUMN reading INTEGER NOT NULL DEFAULT 0;
        CREATE VIRTUAL TABLE molecule_words USING fts5 (
          code, title, compound, authors, keywords, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
        );
        \(insertWords);
        """),
  ]

  /// Inserts the words of all molecules, or of one if a WHERE follows.
  ///
  /// Sections 0, 3 and 4 of the metadata are description, source (labeled by compound) and authors.
  static let insertWords = """
    INSERT INTO molecule_words (rowid, code, title, compound, authors, keywords)
      SELECT id, code, title,
        compound || ' ' || coalesce((
          SELECT group_concat(label, ' ') FROM metadata WHERE metadata.molecule = molecule.id AND section = 3), ''),
        coalesce((
          SELECT group_concat(value, ' ') FROM metadata WHERE metadata.molecule = molecule.id AND section = 4), ''),
        coalesce((
          SELECT group_concat(value, ' ') FROM metadata
            WHERE metadata.molecule = molecule.id AND section = 0 AND label IN ('Keywords', 'Classification')), '')
      FROM molecule
    """
}
