import PluginStore

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
    try writeWords(database)
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
      try LayoutRows.write(layout, to: connection)
    }
  }

  /// Writes the search index: names of metabolites, pathways and processes, with synonyms, EC numbers and genes.
  private func writeWords(_ database: MetabolicDatabase) throws {
    let metabolites = database.metabolites.map { ("metabolite", $0.id, $0.name, $0.synonyms) }
    let processes = database.processes.map { ("process", $0.id, $0.name, [$0.enzyme].compactMap { $0 } + $0.genes) }
    let pathways = database.pathways.map { ("pathway", $0.id, $0.name, $0.synonyms) }
    for (kind, id, name, synonyms) in pathways + metabolites + processes {
      try check()
      try connection.execute(
        "INSERT INTO words (name, synonyms, kind, id) VALUES (?, ?, ?, ?)",
        [name, synonyms.joined(separator: "\n"), kind, id.text])
    }
  }
}
