import PluginStore

/// A row that was never written in this form, in a file that SQLite considers intact.
struct DamagedRow: Error {
  var reason: String

  static func stray(_ table: String) -> DamagedRow {
    DamagedRow(reason: "a row of '\(table)' belongs to nothing that is there")
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
    records.layouts = try LayoutRows.read(
      "SELECT pathway, width, height FROM layout ORDER BY position", from: connection)
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
    let places = positions(metabolites.map(\.id))
    try connection.forEach("SELECT metabolite, name FROM synonym ORDER BY position") {
      guard let place = places[Identifier($0.text(0))] else { throw DamagedRow.stray("synonym") }
      metabolites[place].synonyms.append($0.text(1))
    }
    try connection.forEach("SELECT metabolite, base, value FROM metabolite_reference") {
      guard let place = places[Identifier($0.text(0))] else { throw DamagedRow.stray("metabolite_reference") }
      metabolites[place].references[$0.text(1)] = $0.text(2)
    }
    return metabolites
  }

  private func processes() throws -> [MetabolicProcess] {
    var processes = try connection.list("SELECT id, name, kind, reversible, enzyme FROM process ORDER BY position") {
      MetabolicProcess(
        id: Identifier($0.text(0)), name: $0.text(1), kind: try meant($0.text(2)),
        isReversible: $0.integer(3) != 0, enzyme: $0[4].text)
    }
    let places = positions(processes.map(\.id))
    try connection.forEach(
      "SELECT process, pool, role, stoichiometry, trigger_level FROM participant ORDER BY position"
    ) {
      guard let place = places[Identifier($0.text(0))] else { throw DamagedRow.stray("participant") }
      processes[place].participants.append(
        Participant(
          pool: Identifier($0.text(1)), role: try meant($0.text(2)), stoichiometry: $0.number(3),
          trigger: try $0[4].integer.map(level)))
    }
    try connection.forEach("SELECT process, symbol FROM gene ORDER BY position") {
      guard let place = places[Identifier($0.text(0))] else { throw DamagedRow.stray("gene") }
      processes[place].genes.append($0.text(1))
    }
    return processes
  }

  private func pathways() throws -> [MetabolicPathway] {
    var pathways = try connection.list("SELECT id, name, organism FROM pathway ORDER BY position") {
      MetabolicPathway(id: Identifier($0.text(0)), name: $0.text(1), organism: $0[2].text)
    }
    let places = positions(pathways.map(\.id))
    try connection.forEach("SELECT pathway, name FROM pathway_synonym ORDER BY position") {
      guard let place = places[Identifier($0.text(0))] else { throw DamagedRow.stray("pathway_synonym") }
      pathways[place].synonyms.append($0.text(1))
    }
    try connection.forEach("SELECT pathway, process FROM pathway_process ORDER BY position") {
      guard let place = places[Identifier($0.text(0))] else { throw DamagedRow.stray("pathway_process") }
      pathways[place].processes.append(Identifier($0.text(1)))
    }
    try connection.forEach("SELECT pathway, other, via FROM pathway_link ORDER BY position") {
      let link = PathwayLink(pathway: Identifier($0.text(1)), via: $0[2].text.map { Identifier($0) })
      guard let place = places[Identifier($0.text(0))] else { throw DamagedRow.stray("pathway_link") }
      pathways[place].links.append(link)
    }
    try connection.forEach("SELECT pathway, process, pool, role, trigger_level FROM activation ORDER BY position") {
      guard let place = places[Identifier($0.text(0))] else { throw DamagedRow.stray("activation") }
      pathways[place].activations.append(
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

  private func positions(_ ids: [Identifier]) -> [Identifier: Int] {
    Dictionary(zip(ids, ids.indices), uniquingKeysWith: { first, _ in first })
  }
}
