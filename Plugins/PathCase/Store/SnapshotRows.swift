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

  /// The table `words` stays empty: names are searched in memory.
  private static let others = """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE document (path TEXT PRIMARY KEY, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL, content BLOB NOT NULL);
    CREATE VIRTUAL TABLE words USING fts5 (
      name, synonyms, kind UNINDEXED, id UNINDEXED, tokenize = "unicode61 remove_diacritics 2", prefix = '1 2 3');
    """
}

/// Writes a database to the tables of a snapshot, in the caller's transaction.
struct SnapshotRows {
  let connection: Connection
  /// Called before each record is written.
  var isCancelled: @Sendable () -> Bool = { false }

  /// Writes a whole linked database.
  ///
  /// - Throws: `StoreError`; `CancellationError` if it was canceled.
  func write(_ content: SnapshotContent) throws {
    let (database, origin) = (content.database, content.origin)
    try writePlaces(database)
    try writeProcesses(database)
    try writePathways(database)
    try writeLayouts(database)
    for document in content.documents {
      try check()
      try connection.execute(
        "INSERT INTO document VALUES (?, ?, ?, ?)",
        [document.entry.path, document.entry.sha256, document.entry.bytes, document.bytes])
    }
    let meta = [
      ("snapshot", database.snapshot), ("sha256", origin.sha256), ("source", origin.source),
      ("fetched_at", String(origin.fetchedAt)), ("pathways", String(database.pathways.count)),
      ("processes", String(database.processes.count)), ("metabolites", String(database.metabolites.count)),
      ("tag", origin.tag ?? ""),
    ]
    for (key, value) in meta { try connection.execute("INSERT INTO meta VALUES (?, ?)", [key, value]) }
  }

  private func check() throws {
    if isCancelled() { throw CancellationError() }
  }

  private func writePlaces(_ database: MetabolicDatabase) throws {
    for (position, tissue) in database.tissues.enumerated() {
      try check()
      try connection.execute(
        "INSERT INTO tissue VALUES (?, ?, ?, ?)", [position, tissue.id.text, tissue.name, tissue.kind.rawValue])
    }
    for (position, compartment) in database.compartments.enumerated() {
      try check()
      try connection.execute(
        "INSERT INTO compartment VALUES (?, ?, ?, ?, ?)",
        [position, compartment.id.text, compartment.name, compartment.tissue?.text, compartment.outside?.text])
    }
    for (position, metabolite) in database.metabolites.enumerated() {
      try check()
      try connection.execute(
        "INSERT INTO metabolite VALUES (?, ?, ?, ?, ?, ?)",
        [position, metabolite.id.text, metabolite.name, metabolite.isCommon, metabolite.formula, metabolite.charge])
      for synonym in metabolite.synonyms {
        try connection.execute(
          "INSERT INTO synonym (metabolite, name) VALUES (?, ?)", [metabolite.id.text, synonym])
      }
      for (base, value) in metabolite.references.sorted(by: { $0.key < $1.key }) {
        try connection.execute(
          "INSERT INTO metabolite_reference VALUES (?, ?, ?)", [metabolite.id.text, base, value])
      }
    }
    for (position, pool) in database.pools.enumerated() {
      try check()
      try connection.execute(
        "INSERT INTO pool VALUES (?, ?, ?, ?, ?)",
        [position, pool.id.text, pool.metabolite.text, pool.compartment.text, pool.isBoundary])
    }
  }

  private func writeProcesses(_ database: MetabolicDatabase) throws {
    for (position, process) in database.processes.enumerated() {
      try check()
      try connection.execute(
        "INSERT INTO process VALUES (?, ?, ?, ?, ?, ?)",
        [
          position, process.id.text, process.name, process.kind.rawValue, process.isReversible, process.enzyme,
        ])
      for participant in process.participants {
        try connection.execute(
          "INSERT INTO participant (process, pool, role, stoichiometry, trigger_level) VALUES (?, ?, ?, ?, ?)",
          [
            process.id.text, participant.pool.text, participant.role.rawValue, participant.stoichiometry,
            participant.trigger.map { Int($0.rawValue) },
          ])
      }
      for gene in process.genes {
        try connection.execute("INSERT INTO gene (process, symbol) VALUES (?, ?)", [process.id.text, gene])
      }
    }
    for (position, range) in database.ranges.enumerated() {
      try check()
      try connection.execute(
        "INSERT INTO range VALUES (?, ?, ?, ?, ?, ?)",
        [
          position, range.pool.text, range.unavailableBelow, range.accumulatedAbove, range.severeAbove, range.unit,
        ])
    }
  }

  private func writePathways(_ database: MetabolicDatabase) throws {
    for (position, pathway) in database.pathways.enumerated() {
      try check()
      try connection.execute(
        "INSERT INTO pathway VALUES (?, ?, ?, ?)", [position, pathway.id.text, pathway.name, pathway.organism])
      for synonym in pathway.synonyms {
        try connection.execute(
          "INSERT INTO pathway_synonym (pathway, name) VALUES (?, ?)", [pathway.id.text, synonym])
      }
      for process in pathway.processes {
        try connection.execute(
          "INSERT INTO pathway_process (pathway, process) VALUES (?, ?)", [pathway.id.text, process.text])
      }
      for link in pathway.links {
        try connection.execute(
          "INSERT INTO pathway_link (pathway, other, via) VALUES (?, ?, ?)",
          [pathway.id.text, link.pathway.text, link.via?.text])
      }
      for condition in pathway.activations {
        try connection.execute(
          "INSERT INTO activation (pathway, process, pool, role, trigger_level) VALUES (?, ?, ?, ?, ?)",
          [
            pathway.id.text, condition.process.text, condition.pool.text, condition.role.rawValue,
            Int(condition.trigger.rawValue),
          ])
      }
    }
  }

  private func writeLayouts(_ database: MetabolicDatabase) throws {
    for (position, layout) in database.layouts.enumerated() {
      try check()
      try connection.execute(
        "INSERT INTO layout VALUES (?, ?, ?, ?)", [position, layout.pathway.text, layout.width, layout.height])
      try LocalAccess(connection: connection).addParts(of: layout)
    }
  }
}

/// A row that was never written in this form, in a file that SQLite considers intact.
struct DamagedRow: Error {
  var reason: String

  static func stray(_ table: String) -> DamagedRow {
    DamagedRow(reason: "a row of '\(table)' refers to a row that does not exist")
  }
}

/// The contents of a snapshot.
struct SnapshotContent: Sendable {
  var database: MetabolicDatabase
  var origin: SnapshotOrigin
  var documents: [FetchedDocument]
}

extension SnapshotRows {
  /// Returns the contents of the snapshot, linked; nil if nothing was ever written to it.
  func content() throws -> SnapshotContent? {
    if try connection.value("SELECT value FROM meta WHERE key = 'sha256'").isNull { return nil }
    return SnapshotContent(
      database: try DatabaseLinker.link(records()), origin: try origin(), documents: try documents())
  }

  /// Returns the value that a word in a row stands for.
  ///
  /// - Throws: ``DamagedRow`` for an unknown word, so that no wrong value is read.
  private func meant<Word: RawRepresentable<String>>(_ text: String, by _: Word.Type = Word.self) throws -> Word {
    guard let word = Word(rawValue: text) else { throw DamagedRow(reason: "a row has the unknown word '\(text)'") }
    return word
  }

  /// Returns all records of the snapshot, in the order of its documents.
  func records() throws -> DatabaseRecords {
    var records = DatabaseRecords(snapshot: try meta("snapshot"))
    records.tissues = try connection.list("SELECT id, name, kind FROM tissue ORDER BY position") {
      Tissue(id: Identifier($0.text(0)), name: $0.text(1), kind: try meant($0.text(2)))
    }
    records.compartments = try connection.list(
      "SELECT id, name, tissue, outside FROM compartment ORDER BY position"
    ) {
      Compartment(
        id: Identifier($0.text(0)), name: $0.text(1), tissue: $0[2].text.map { Identifier($0) },
        outside: $0[3].text.map { Identifier($0) })
    }
    records.metabolites = try metabolites()
    records.pools = try connection.list("SELECT id, metabolite, compartment, boundary FROM pool ORDER BY position") {
      MetabolitePool(
        id: Identifier($0.text(0)), metabolite: Identifier($0.text(1)), compartment: Identifier($0.text(2)),
        isBoundary: $0.integer(3) != 0)
    }
    records.processes = try processes()
    records.pathways = try pathways()
    records.ranges = try connection.list(
      "SELECT pool, unavailable_below, accumulated_above, severe_above, unit FROM range ORDER BY position"
    ) {
      BiofluidRange(
        pool: Identifier($0.text(0)), unavailableBelow: $0[1].number, accumulatedAbove: $0[2].number,
        severeAbove: $0[3].number, unit: $0.text(4))
    }
    records.layouts = try LocalAccess(connection: connection).items(
      FrozenLayout.self, heads: "SELECT pathway, width, height FROM layout ORDER BY position")
    return records
  }

  private func metabolites() throws -> [Metabolite] {
    var metabolites = try connection.list(
      "SELECT id, name, common, formula, charge FROM metabolite ORDER BY position"
    ) {
      Metabolite(
        id: Identifier($0.text(0)), name: $0.text(1), isCommon: $0.integer(2) != 0, formula: $0[3].text,
        charge: $0[4].integer)
    }
    let indices = indices(metabolites.map(\.id))
    try connection.forEach("SELECT metabolite, name FROM synonym ORDER BY position") {
      guard let index = indices[Identifier($0.text(0))] else { throw DamagedRow.stray("synonym") }
      metabolites[index].synonyms.append($0.text(1))
    }
    try connection.forEach("SELECT metabolite, base, value FROM metabolite_reference") {
      guard let index = indices[Identifier($0.text(0))] else { throw DamagedRow.stray("metabolite_reference") }
      metabolites[index].references[$0.text(1)] = $0.text(2)
    }
    return metabolites
  }

  private func processes() throws -> [MetabolicProcess] {
    var processes = try connection.list("SELECT id, name, kind, reversible, enzyme FROM process ORDER BY position") {
      MetabolicProcess(
        id: Identifier($0.text(0)), name: $0.text(1), kind: try meant($0.text(2)),
        isReversible: $0.integer(3) != 0, enzyme: $0[4].text)
    }
    let indices = indices(processes.map(\.id))
    try connection.forEach(
      "SELECT process, pool, role, stoichiometry, trigger_level FROM participant ORDER BY position"
    ) {
      guard let index = indices[Identifier($0.text(0))] else { throw DamagedRow.stray("participant") }
      processes[index].participants.append(
        Participant(
          pool: Identifier($0.text(1)), role: try meant($0.text(2)), stoichiometry: $0.number(3),
          trigger: try $0[4].integer.map(level)))
    }
    try connection.forEach("SELECT process, symbol FROM gene ORDER BY position") {
      guard let index = indices[Identifier($0.text(0))] else { throw DamagedRow.stray("gene") }
      processes[index].genes.append($0.text(1))
    }
    return processes
  }

  private func pathways() throws -> [MetabolicPathway] {
    var pathways = try connection.list("SELECT id, name, organism FROM pathway ORDER BY position") {
      MetabolicPathway(id: Identifier($0.text(0)), name: $0.text(1), organism: $0[2].text)
    }
    let indices = indices(pathways.map(\.id))
    try connection.forEach("SELECT pathway, name FROM pathway_synonym ORDER BY position") {
      guard let index = indices[Identifier($0.text(0))] else { throw DamagedRow.stray("pathway_synonym") }
      pathways[index].synonyms.append($0.text(1))
    }
    try connection.forEach("SELECT pathway, process FROM pathway_process ORDER BY position") {
      guard let index = indices[Identifier($0.text(0))] else { throw DamagedRow.stray("pathway_process") }
      pathways[index].processes.append(Identifier($0.text(1)))
    }
    try connection.forEach("SELECT pathway, other, via FROM pathway_link ORDER BY position") {
      let link = PathwayLink(pathway: Identifier($0.text(1)), via: $0[2].text.map { Identifier($0) })
      guard let index = indices[Identifier($0.text(0))] else { throw DamagedRow.stray("pathway_link") }
      pathways[index].links.append(link)
    }
    try connection.forEach("SELECT pathway, process, pool, role, trigger_level FROM activation ORDER BY position") {
      guard let index = indices[Identifier($0.text(0))] else { throw DamagedRow.stray("activation") }
      pathways[index].activations.append(
        ActivationCondition(
          process: Identifier($0.text(1)), pool: Identifier($0.text(2)), role: try meant($0.text(3)),
          trigger: try level($0.integer(4))))
    }
    return pathways
  }

  /// Returns the origin of the snapshot.
  func origin() throws -> SnapshotOrigin {
    SnapshotOrigin(
      sha256: try meta("sha256"), source: try meta("source"), fetchedAt: Int(try meta("fetched_at")) ?? 0,
      tag: try meta("tag").isEmpty ? nil : meta("tag"))
  }

  /// Returns the documents from which it was built, with their digests.
  func documents() throws -> [FetchedDocument] {
    try connection.list("SELECT path, sha256, bytes, content FROM document ORDER BY path") {
      FetchedDocument(
        entry: ManifestDocument(path: $0.text(0), sha256: $0.text(1), bytes: $0.integer(2)), bytes: $0.bytes(3))
    }
  }

  private func meta(_ key: String) throws -> String {
    try connection.value("SELECT value FROM meta WHERE key = ?", [key]).text ?? ""
  }

  private func level(_ number: Int) throws -> MetaboliteLevel {
    guard let level = UInt8(exactly: number).flatMap({ MetaboliteLevel(rawValue: $0) }) else {
      throw DamagedRow(reason: "a row has the unknown level \(number)")
    }
    return level
  }

  private func indices(_ ids: [Identifier]) -> [Identifier: Int] {
    Dictionary(zip(ids, ids.indices), uniquingKeysWith: { first, _ in first })
  }
}
