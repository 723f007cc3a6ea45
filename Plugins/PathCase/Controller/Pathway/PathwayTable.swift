import PluginAPI
import PluginText

/// The rows of a table about a pathway, and the subject of each row.
struct PathwayTable: Sendable {
  var table: Table
  var subjects: [Identifier?]
  /// Additional search terms by row, besides the visible ones; empty if no row has any.
  var aliases: [[String]] = []
}

extension PathwayTable {
  /// Creates the table of a content.
  init(_ content: PathwayContent, _ network: ShownNetwork) {
    guard case .pathway(let pathway, let database) = network.opened else {
      self = Self.nodes(content, network.graph)
      return
    }
    let members = database.members(ofPathway: pathway)
    switch content {
    case .processes: self = Self.processes(Array(database.links.processesOfPathways[pathway]), database)
    case .metabolites: self = Self.pools(members.pools, database)
    case .compartments: self = Self.compartments(members, database)
    case .graph, .scenarios, .ranges: self = Self.referenceRanges(members, database)
    }
  }

  private static func processes(_ indices: [Int], _ database: MetabolicDatabase) -> PathwayTable {
    let records = indices.map { database.processes[$0] }
    return PathwayTable(
      table: Table(columns: [
        .init("name", title: "Process", .texts(records.map { ShownText.name($0.name, or: $0.id) })),
        .init("kind", title: "Kind", .texts(records.map(\.kind.rawValue))),
        .init("enzyme", title: "EC", .texts(records.map { SanitizedText.line($0.enzyme ?? "") })),
        .init("equation", title: "Equation", .texts(indices.map { database.equation(of: $0) })),
      ]), subjects: records.map(\.id), aliases: records.map(\.genes))
  }

  private static func pools(_ indices: [Int], _ database: MetabolicDatabase) -> PathwayTable {
    let records = indices.map { database.metabolites[database.links.poolMetabolites[$0]] }
    let places = indices.map { database.compartments[database.links.poolCompartments[$0]] }
    return PathwayTable(
      table: Table(columns: [
        .init("name", title: "Metabolite", .texts(records.map { ShownText.name($0.name, or: $0.id) })),
        .init("compartment", title: "Compartment", .texts(places.map { ShownText.name($0.name, or: $0.id) })),
        .init("formula", title: "Formula", .texts(records.map { SanitizedText.line($0.formula ?? "") })),
        .init("charge", title: "Charge", .values(records.map { $0.charge.map { .integer($0) } ?? .null })),
        .init("common", title: "Common", .texts(records.map { $0.isCommon ? "yes" : "" })),
        .init(
          "processes", title: "Processes",
          .integers(indices.map { database.links.processesOfPools[$0].count })),
      ]), subjects: indices.map { database.pools[$0].id }, aliases: records.map(\.synonyms))
  }

  private static func compartments(
    _ members: MetabolicDatabase.PathwayMembers, _ database: MetabolicDatabase
  ) -> PathwayTable {
    let records = members.compartments.map { database.compartments[$0] }
    let tissues = members.compartments.map { index in
      database.links.compartmentTissues[index].map { database.tissues[$0] }
    }
    let counts = members.compartments.map { place in
      members.pools.count { database.links.poolCompartments[$0] == place }
    }
    return PathwayTable(
      table: Table(columns: [
        .init("name", title: "Compartment", .texts(records.map { ShownText.name($0.name, or: $0.id) })),
        .init("tissue", title: "Tissue", .texts(tissues.map { $0.map { ShownText.name($0.name, or: $0.id) } ?? "" })),
        .init("kind", title: "Kind", .texts(tissues.map { $0?.kind.rawValue ?? "" })),
        .init(
          "outside", title: "Within",
          .texts(
            members.compartments.map { index in
              database.links.outerCompartments[index].map {
                ShownText.name(database.compartments[$0].name, or: database.compartments[$0].id)
              } ?? ""
            })),
        .init("pools", title: "Pools here", .integers(counts)),
      ]), subjects: records.map { _ in nil })
  }

  /// Returns the table of the concentrations from which pools count as unavailable, accumulated and severely
  /// accumulated.
  private static func referenceRanges(
    _ members: MetabolicDatabase.PathwayMembers, _ database: MetabolicDatabase
  ) -> PathwayTable {
    let rows = members.pools.compactMap { pool in
      database.links.rangesOfPools[pool].map { (pool, database.ranges[$0]) }
    }
    func limits(_ limit: (BiofluidRange) -> Double?) -> Table.Values {
      .numbers(rows.map { limit($0.1) ?? .nan }, decimals: nil)
    }
    return PathwayTable(
      table: Table(columns: [
        .init("pool", title: "Metabolite", .texts(rows.map { database.poolName($0.0) })),
        .init("unavailableBelow", title: "Unavailable below", limits(\.unavailableBelow)),
        .init("accumulatedAbove", title: "Accumulated above", limits(\.accumulatedAbove)),
        .init("severeAbove", title: "Severely above", limits(\.severeAbove)),
        .init("unit", title: "Unit", .texts(rows.map { SanitizedText.line($0.1.unit) })),
      ]), subjects: rows.map { database.pools[$0.0].id })
  }

  /// Returns the table of a file's nodes.
  private static func nodes(_ content: PathwayContent, _ graph: ReactionGraph) -> PathwayTable {
    let isProcesses = content == .processes
    let nodes = graph.nodes.filter { ($0.kind == .process) == isProcesses }
    let places = nodes.map { node in
      node.compartment.flatMap { graph.compartments.indices.contains($0) ? graph.compartments[$0] : nil }
    }
    return PathwayTable(
      table: Table(columns: [
        .init(
          "name", title: isProcesses ? "Process" : "Metabolite",
          .texts(nodes.map { ShownText.name(of: $0) })),
        .init("id", title: "Id", .texts(nodes.map { SanitizedText.line($0.id.text) })),
        .init(
          "compartment", title: "Compartment",
          .texts(places.map { $0.map { ShownText.name($0.name, or: $0.id) } ?? "" })),
        .init(
          "category", title: "Kind",
          .texts(nodes.map { $0.category.isEmpty ? $0.kind.rawValue : SanitizedText.line($0.category) })),
      ]), subjects: nodes.map(\.subject))
  }
}
