import PluginAPI
import PluginText

/// Commands that list the contents of the database.
enum DatabaseCommands {
  static let all = [list, metabolites, processes, compartments, tissues]

  private static let filter = Parameter(
    "filter", .text, "only those whose id, name, synonym or gene has this text in it")

  private static let list = PathCaseCommand(
    CommandDescription(
      "list", "lists the pathways of the database, and imported networks",
      output: .init(
        .table([
          .init("id", .text, "names the pathway in other commands"), .init("name", .text, "what it is called"),
          .init("processes", .integer, "how many processes"), .init("metabolites", .integer, "how many metabolites"),
          .init("compartments", .integer, "how many compartments"),
          .init("tissues", .optional(.integer), "how many tissues; null for imported ones"),
        ])), effects: [.reads]
    ).taking(options: [filter]).explained(
      "The database ships with the program; networks that 'import' took in come behind its pathways.",
      examples: [.init("list", "all"), .init("list --filter acid", "some"), .init("list --json", "for scripts")])
  ) { call, shelf in
    let database = try shelf.database(call.context)
    let found = database.pathways.indices.filter {
      matches(call, [database.pathways[$0].id.text, database.pathways[$0].name])
    }
    let members = found.map { database.members(ofPathway: $0) }
    var imported: [ImportedNetwork] = []
    var counts: [NetworkImport.Counts] = []
    if let store = try shelf.keptUserData(call.context) {
      imported = try await store.networks().filter { matches(call, [$0.id.text, $0.name]) }
      for network in imported { counts.append(try await Self.counts(of: network, store)) }
    }
    func numbers(_ own: (MetabolicDatabase.PathwayMembers) -> Int, _ others: (NetworkImport.Counts) -> Int?)
      -> Table.Values
    {
      .values(members.map { .integer(own($0)) } + counts.map { .optional(others($0)) })
    }
    try await call.emit(
      .table(
        Table(columns: [
          .init("id", title: "Id", .texts(found.map { database.pathways[$0].id.text } + imported.map(\.id.text))),
          .init("name", title: "Pathway", .texts(found.map { database.pathways[$0].name } + imported.map(\.name))),
          .init("processes", title: "Processes", numbers({ $0.processes.count }, { $0.reactions })),
          .init("metabolites", title: "Metabolites", numbers({ $0.metabolites.count }, { $0.species })),
          .init("compartments", title: "Compartments", numbers({ $0.compartments.count }, { $0.compartments })),
          .init("tissues", title: "Tissues", numbers({ $0.tissues.count }, { _ in nil })),
        ])))
  }

  /// Returns the size of an imported network; nil if a newer version can no longer read it.
  private static func counts(of network: ImportedNetwork, _ store: UserDataStore) async throws -> NetworkImport.Counts {
    guard let bytes = try await store.networkContent(network.id),
      let content = try? NetworkFile.content(of: bytes, name: network.file)
    else { return NetworkImport.Counts() }
    return NetworkImport.counts(.file(network.file, content))
  }

  private static let metabolites = PathCaseCommand(
    CommandDescription(
      "metabolites", "lists the metabolites of the database",
      output: .init(
        .table([
          .init("id", .text, "the id"), .init("name", .text, "what it is called"),
          .init("formula", .optional(.text), "elements and counts, as at pH 7"),
          .init("charge", .optional(.integer), "the net charge in elementary charges"),
          .init("isCommon", .bool, "whether pictures may leave it out"),
          .init("pools", .integer, "in how many compartments it is"),
        ])), effects: [.reads]
    ).taking(options: [filter]).explained(
      "A metabolite has a pool in each compartment it is found in.",
      examples: [.init("metabolites --filter phosphate", "some of them")])
  ) { call, shelf in
    let database = try shelf.database(call.context)
    let found = database.metabolites.indices.filter { index in
      let metabolite = database.metabolites[index]
      return matches(call, [metabolite.id.text, metabolite.name] + metabolite.synonyms)
    }
    let all = found.map { database.metabolites[$0] }
    try await call.emit(
      .table(
        Table(columns: [
          .init("id", title: "Id", .texts(all.map(\.id.text))),
          .init("name", title: "Metabolite", .texts(all.map(\.name))),
          .init("formula", title: "Formula", .values(all.map { .optional($0.formula) })),
          .init("charge", title: "Charge", .values(all.map { .optional($0.charge) })),
          .init("isCommon", title: "Common", .values(all.map { .bool($0.isCommon) })),
          .init("pools", title: "Pools", .values(found.map { .integer(database.links.poolsOfMetabolites[$0].count) })),
        ])))
  }

  private static let processes = PathCaseCommand(
    CommandDescription(
      "processes", "lists the processes of the database, or of one pathway",
      output: .init(
        .table([
          .init("id", .text, "the id"), .init("name", .text, "what it is called"),
          .init("kind", .text, "reaction or transport"), .init("isReversible", .bool, "whether it runs both ways"),
          .init("enzyme", .optional(.text), "the number of the enzyme commission"),
          .init("genes", .text, "the symbols of the genes of its enzymes, between blanks"),
          .init("equation", .text, "what it takes and gives"),
        ])), effects: [.reads]
    ).taking(options: [filter, Parameter("pathway", .text, "only those of this pathway").completedByPathways()]
    ).explained(
      "In equations '=>' is a step in one direction, '<=>' in both.",
      examples: [.init("processes --pathway glycolysis", "of one pathway")])
  ) { call, shelf in
    let database = try shelf.database(call.context)
    var candidates = Array(database.processes.indices)
    if !call.text("pathway").isEmpty {
      let pathway = try PathwayShelf.neededPathway(call.text("pathway"), in: database)
      candidates = Array(database.links.processesOfPathways[pathway])
    }
    let all = candidates.map { database.processes[$0] }.filter { matches(call, [$0.id.text, $0.name] + $0.genes) }
    try await call.emit(
      .table(
        Table(columns: [
          .init("id", title: "Id", .texts(all.map(\.id.text))),
          .init("name", title: "Process", .texts(all.map(\.name))),
          .init("kind", title: "Kind", .texts(all.map(\.kind.rawValue))),
          .init("isReversible", title: "Both ways", .values(all.map { .bool($0.isReversible) })),
          .init("enzyme", title: "EC", .values(all.map { .optional($0.enzyme) })),
          .init("genes", title: "Genes", .texts(all.map { $0.genes.joined(separator: " ") })),
          .init("equation", title: "Equation", .texts(all.map(ProcessEquation.text))),
        ])))
  }

  private static let compartments = PathCaseCommand(
    CommandDescription(
      "compartments", "lists the compartments of the database",
      output: .init(
        .table([
          .init("id", .text, "the id"), .init("name", .text, "what it is called"),
          .init("tissue", .optional(.text), "the tissue it belongs to"),
          .init("outside", .optional(.text), "the compartment around it"),
          .init("pools", .integer, "how many metabolites are in it"),
        ])), effects: [.reads]
    ).taking(options: [filter]).explained("", examples: [.init("compartments", "all")])
  ) { call, shelf in
    let database = try shelf.database(call.context)
    let found = database.compartments.indices.filter {
      matches(call, [database.compartments[$0].id.text, database.compartments[$0].name])
    }
    let all = found.map { database.compartments[$0] }
    try await call.emit(
      .table(
        Table(columns: [
          .init("id", title: "Id", .texts(all.map(\.id.text))),
          .init("name", title: "Compartment", .texts(all.map(\.name))),
          .init("tissue", title: "Tissue", .values(all.map { .optional($0.tissue?.text) })),
          .init("outside", title: "Inside of", .values(all.map { .optional($0.outside?.text) })),
          .init(
            "pools", title: "Pools", .values(found.map { .integer(database.links.poolsOfCompartments[$0].count) })),
        ])))
  }

  private static let tissues = PathCaseCommand(
    CommandDescription(
      "tissues", "lists the organs and body fluids of the database",
      output: .init(
        .table([
          .init("id", .text, "the id"), .init("name", .text, "what it is called"),
          .init("kind", .text, "organ or fluid"), .init("compartments", .integer, "how many compartments"),
        ])), effects: [.reads]
    ).taking(options: [filter]).explained("", examples: [.init("tissues", "all")])
  ) { call, shelf in
    let database = try shelf.database(call.context)
    let found = database.tissues.indices.filter {
      matches(call, [database.tissues[$0].id.text, database.tissues[$0].name])
    }
    let all = found.map { database.tissues[$0] }
    try await call.emit(
      .table(
        Table(columns: [
          .init("id", title: "Id", .texts(all.map(\.id.text))),
          .init("name", title: "Tissue", .texts(all.map(\.name))),
          .init("kind", title: "Kind", .texts(all.map(\.kind.rawValue))),
          .init(
            "compartments", title: "Compartments",
            .values(found.map { tissue in .integer(database.links.compartmentTissues.count { $0 == tissue }) })),
        ])))
  }

  private static func matches(_ call: CommandCall, _ texts: [String]) -> Bool {
    let wanted = FoldedText.typed(call.text("filter"))
    return texts.contains { ByteSearch.contains(wanted, in: FoldedText.typed($0)) }
  }
}
