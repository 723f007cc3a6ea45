import PluginStore

/// The schema of an account's cache, step by step; released steps are never edited.
///
/// The numbers of entities are never reused, so that stale index entries of a removed one lead nowhere. An edge holds
/// the sort key of its child, so that any part of a list of children is read in order from contiguous rows; a link is
/// the same edge seen from the child, with its source: 1 the parent, 2 the child, 3 both.
enum EntityMigrations {
  static let all = [
    Migration(
      1, "entities, their edges, words, images and the state of synchronizing",
      sql: """
        CREATE TABLE entity (
          id INTEGER PRIMARY KEY,
          perm_id TEXT NOT NULL UNIQUE,
          flags INTEGER NOT NULL,
          child_count INTEGER,
          children_digest INTEGER,
          sort BLOB NOT NULL,
          category TEXT NOT NULL,
          header TEXT NOT NULL,
          summary TEXT NOT NULL,
          identifier TEXT,
          refcon TEXT,
          properties BLOB,
          images BLOB
        );
        CREATE INDEX entity_roots ON entity (sort) WHERE flags & 2;
        CREATE INDEX entity_navigation ON entity (sort) WHERE flags & 4;
        CREATE TABLE seen (
          id INTEGER PRIMARY KEY,
          generation INTEGER NOT NULL,
          at INTEGER NOT NULL
        );
        CREATE TABLE edge (
          parent INTEGER NOT NULL,
          sort BLOB NOT NULL,
          child INTEGER NOT NULL,
          PRIMARY KEY (parent, sort, child)
        ) WITHOUT ROWID;
        CREATE TABLE link (
          child INTEGER NOT NULL,
          parent INTEGER NOT NULL,
          told INTEGER NOT NULL,
          PRIMARY KEY (child, parent)
        ) WITHOUT ROWID;
        CREATE VIRTUAL TABLE words USING fts5 (
          text, content = '', detail = none, columnsize = 0, tokenize = 'unicode61 remove_diacritics 2'
        );
        CREATE VIRTUAL TABLE word_list USING fts5vocab (words, instance);
        CREATE VIRTUAL TABLE grams USING fts5 (
          text, content = '', detail = none, columnsize = 0, tokenize = 'trigram case_sensitive 1'
        );
        INSERT INTO words (words, rank) VALUES ('automerge', 0);
        INSERT INTO grams (grams, rank) VALUES ('automerge', 0);
        CREATE TABLE unindexed (
          id INTEGER PRIMARY KEY
        );
        CREATE TABLE image (
          id INTEGER PRIMARY KEY,
          hash TEXT NOT NULL UNIQUE,
          size INTEGER NOT NULL,
          is_marquee INTEGER NOT NULL,
          used INTEGER NOT NULL,
          bytes BLOB NOT NULL
        );
        CREATE INDEX image_order ON image (is_marquee, used, size);
        CREATE TABLE image_address (
          address TEXT PRIMARY KEY,
          image INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX image_address_image ON image_address (image);
        CREATE TABLE setting (
          name TEXT PRIMARY KEY,
          value BLOB NOT NULL
        ) WITHOUT ROWID;
        """),
    Migration(
      2, "the V3 objects that entities were made from, by kind and time of change",
      sql: """
        ALTER TABLE seen ADD COLUMN kind INTEGER;
        ALTER TABLE seen ADD COLUMN modified INTEGER;
        CREATE INDEX seen_modified ON seen (kind, modified) WHERE kind IS NOT NULL;
        """),
    Migration(3, "values with markup are searched by their text, without tags", searchMarkupByText),
  ]

  /// Indexes entities whose properties have markup again: words now, substrings with the next refresh.
  private static func searchMarkupByText(_ connection: Connection) throws {
    let ids = try connection.list("SELECT id FROM entity WHERE instr(properties, x'3C') ORDER BY id") { $0.integer(0) }
    let select = try connection.statement(
      "SELECT header, summary, identifier, category, properties FROM entity WHERE id = ?")
    let delete = try connection.statement("INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)")
    let insert = try connection.statement("INSERT INTO words (rowid, text) VALUES (?, ?)")
    for id in ids {
      try select.bind(id, at: 1)
      guard try select.step() else { continue }
      let (header, summary, identifier) = (select.text(0), select.text(1), select.text(2))
      let (category, properties) = (select.text(3), EntityCoding.properties(select.bytes(4)))
      select.reset()
      func words(_ searched: (String) -> String) -> [UInt8] {
        var text: [UInt8] = []
        EntityWords.append(
          header: header, summary: summary, identifier: identifier, category: category, properties: properties,
          searched: searched, to: &text)
        return text
      }
      let (old, new) = (words { $0 }, words(SearchedText.of))
      if old == new { continue }
      for (statement, text) in [(delete, old), (insert, new)] {
        try statement.bind(id, at: 1)
        try text.withUnsafeBufferPointer { try statement.bind(utf8: $0, at: 2) }
        try statement.run()
      }
      try connection.markUnindexed(id)
    }
  }
}
