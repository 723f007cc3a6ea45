import PluginAPI
import PluginText

/// Commands that list the contents of the database.
enum DatabaseCommands {
  static let all = [list, metabolites, processes, compartments, tissues]

  private static let filter = Option(
    "filter", String.self, "Text that the id, name, a synonym or a gene must contain")

  private static func matches(_ call: CommandCall, _ texts: [String]) -> Bool {
    let wanted = FoldedText.typed(call[filter] ?? "")
    return texts.contains { ByteSearch.contains(wanted, in: FoldedText.typed($0)) }
  }

  // MARK: Networks

  /// A pathway of the database, or an imported network.
  private struct NetworkRow: Model {
    var id: String
    var name: String
    var processes: Int
    var metabolites: Int
    var compartments: Int
    var tissues: Int?

    static let typeName = "pathcase.listed-network"
    static let fields = Fields<Self> {
      Field("id", \.id, "Id of the pathway in other commands", heading: "Id")
      Field("name", \.name, "Name", heading: "Pathway")
      Field("processes", \.processes, "Number of processes", heading: "Processes")
      Field("metabolites", \.metabolites, "Number of metabolites", heading: "Metabolites")
      Field("compartments", \.compartments, "Number of compartments", heading: "Compartments")
      Field("tissues", \.tissues, "Number of tissues; null for imported networks", heading: "Tissues")
    }

    init(_ pathway: MetabolicPathway, _ members: MetabolicDatabase.PathwayMembers) {
      (id, name) = (pathway.id.text, pathway.name)
      (processes, metabolites) = (members.processes.count, members.metabolites.count)
      (compartments, tissues) = (members.compartments.count, members.tissues.count)
    }

    init(_ network: ImportedNetwork, _ counts: NetworkImport.Counts) {
      (id, name) = (network.id.text, network.name)
      (processes, metabolites, compartments) = (counts.reactions, counts.species, counts.compartments)
    }
  }

  private static let list = PathCaseCommand(
    CommandDescription(
      "list", "List the pathways of the database and imported networks", output: .table(of: NetworkRow.self)
    ).taking(filter).explained(
      "The database comes with the program. Networks added by 'import' follow its pathways.",
      examples: [
        .init("list", "All"), .init("list --filter acid", "Names with 'acid'"),
        .init("list --json", "As JSON, for scripts"),
      ])
  ) { call, shelf in
    let database = try await shelf.database(call.context)
    var rows: [NetworkRow] = []
    for (index, pathway) in database.pathways.enumerated() where matches(call, [pathway.id.text, pathway.name]) {
      rows.append(NetworkRow(pathway, database.members(ofPathway: index)))
    }
    if let store = try shelf.keptUserData(call.context) {
      let networks = try await store.networks().filter { matches(call, [$0.id.text, $0.name]) }
      for network in networks {
        guard let content = try await store.networkContent(network.id) else { continue }
        rows.append(
          try await call.compute("reading imported networks") { _ in
            NetworkRow(network, counts(of: network, content))
          })
      }
    }
    try await call.emit(table: rows)
  }

  /// Returns the size of an imported network; zeros if a newer version can no longer read it.
  private static func counts(of network: ImportedNetwork, _ bytes: [UInt8]) -> NetworkImport.Counts {
    guard let content = try? NetworkFile.content(of: bytes, name: network.file) else { return NetworkImport.Counts() }
    return NetworkImport.counts(.file(network.file, content))
  }

  // MARK: Metabolites

  private struct MetaboliteRow: Model {
    var metabolite: Metabolite
    var pools: Int

    static let typeName = "pathcase.metabolite"
    static let fields = Fields<Self> {
      Field("id", \.metabolite.id.text, "Id", heading: "Id")
      Field("name", \.metabolite.name, "Name", heading: "Metabolite")
      Field("formula", \.metabolite.formula, "Elements and counts, at pH 7", heading: "Formula")
      Field("charge", \.metabolite.charge, "Net charge in elementary charges", heading: "Charge")
      Field("isCommon", \.metabolite.isCommon, "True if pictures may leave it out", heading: "Common")
      Field("pools", \.pools, "Number of compartments that contain it", heading: "Pools")
    }
  }

  private static let metabolites = PathCaseCommand(
    CommandDescription(
      "metabolites", "List the metabolites of the database", output: .table(of: MetaboliteRow.self)
    ).taking(filter).explained(
      "A metabolite has one pool in each compartment that contains it.",
      examples: [.init("metabolites --filter phosphate", "Names with 'phosphate'")])
  ) { call, shelf in
    let database = try await shelf.database(call.context)
    var rows: [MetaboliteRow] = []
    for (index, metabolite) in database.metabolites.enumerated()
    where matches(call, [metabolite.id.text, metabolite.name] + metabolite.synonyms) {
      rows.append(MetaboliteRow(metabolite: metabolite, pools: database.links.poolsOfMetabolites[index].count))
    }
    try await call.emit(table: rows)
  }

  // MARK: Processes

  private static let pathway = Option("pathway", String.self, "Pathway whose processes to list").completedByPathways()

  private static let processes = PathCaseCommand(
    CommandDescription(
      "processes", "List the processes of the database or of a pathway", output: .table(of: MetabolicProcess.self)
    ).taking(filter, pathway).explained(
      "In equations, '=>' marks a process in one direction and '<=>' a reversible one.",
      examples: [.init("processes --pathway glycolysis", "One pathway")])
  ) { call, shelf in
    let database = try await shelf.database(call.context)
    var candidates = database.processes
    if let word = call.filled(pathway) {
      let pathway = try PathwayShelf.neededPathway(word, in: database)
      candidates = database.links.processesOfPathways[pathway].map { database.processes[$0] }
    }
    try await call.emit(table: candidates.filter { matches(call, [$0.id.text, $0.name] + $0.genes) })
  }

  // MARK: Compartments and tissues

  private struct CompartmentRow: Model {
    var compartment: Compartment
    var pools: Int

    static let typeName = "pathcase.compartment"
    static let fields = Fields<Self> {
      Field("id", \.compartment.id.text, "Id", heading: "Id")
      Field("name", \.compartment.name, "Name", heading: "Compartment")
      Field("tissue", \.compartment.tissue?.text, "Id of its tissue", heading: "Tissue")
      Field("outside", \.compartment.outside?.text, "Id of the compartment around it", heading: "Inside of")
      Field("pools", \.pools, "Number of metabolites in it", heading: "Pools")
    }
  }

  private static let compartments = PathCaseCommand(
    CommandDescription(
      "compartments", "List the compartments of the database", output: .table(of: CompartmentRow.self)
    ).taking(filter).explained("", examples: [.init("compartments", "All")])
  ) { call, shelf in
    let database = try await shelf.database(call.context)
    var rows: [CompartmentRow] = []
    for (index, compartment) in database.compartments.enumerated()
    where matches(call, [compartment.id.text, compartment.name]) {
      rows.append(CompartmentRow(compartment: compartment, pools: database.links.poolsOfCompartments[index].count))
    }
    try await call.emit(table: rows)
  }

  private struct TissueRow: Model {
    var tissue: Tissue
    var compartments: Int

    static let typeName = "pathcase.tissue"
    static let fields = Fields<Self> {
      Field("id", \.tissue.id.text, "Id", heading: "Id")
      Field("name", \.tissue.name, "Name", heading: "Tissue")
      Field("kind", \.tissue.kind.rawValue, "Organ or fluid", heading: "Kind")
      Field("compartments", \.compartments, "Number of compartments", heading: "Compartments")
    }
  }

  private static let tissues = PathCaseCommand(
    CommandDescription(
      "tissues", "List the organs and body fluids of the database", output: .table(of: TissueRow.self)
    ).taking(filter).explained("", examples: [.init("tissues", "All")])
  ) { call, shelf in
    let database = try await shelf.database(call.context)
    var rows: [TissueRow] = []
    for (index, tissue) in database.tissues.enumerated() where matches(call, [tissue.id.text, tissue.name]) {
      let compartments = database.links.compartmentTissues.count { $0 == index }
      rows.append(TissueRow(tissue: tissue, compartments: compartments))
    }
    try await call.emit(table: rows)
  }
}

extension MetabolicProcess: Model {
  static let typeName = "pathcase.process"
  static let fields = Fields<Self> {
    Field("id", \.id.text, "Id", heading: "Id")
    Field("name", \.name, "Name", heading: "Process")
    Field("kind", \.kind.rawValue, "Reaction or transport", heading: "Kind")
    Field("isReversible", \.isReversible, "True if it is reversible", heading: "Reversible")
    Field("enzyme", \.enzyme, "EC number of the enzyme", heading: "EC")
    Field(
      "genes", { $0.genes.joined(separator: " ") }, "Gene symbols of its enzymes, separated by spaces",
      heading: "Genes")
    Field("equation", { ProcessEquation.text($0) }, "Equation of inputs and outputs", heading: "Equation")
  }
}
