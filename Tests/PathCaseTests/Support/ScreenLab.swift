import FoundationEssentials
import PluginAPI
import PluginTesting
import TestSupport

@testable import PathCase

/// The plugin and its screens, with the bundled database or with one of the test.
@MainActor struct ScreenLab {
  let test: TestPlugin

  init(home: String? = nil) async throws {
    test = try await TestPlugin(
      PathCasePlugin(), resources: Checkout.root.path + "/Plugins/PathCase/Resources", home: home)
  }

  /// Creates a lab with a database of the test.
  init(_ records: DatabaseRecords) async throws {
    try await self.init()
    try PathwayShelf.snapshots(test.context).install(
      DatabaseLinker.link(records),
      origin: SnapshotOrigin(sha256: String(repeating: "a", count: 64), source: "test", fetchedAt: 1_700_000_000))
  }

  func home(width: Int = 80, height: Int = 24) throws -> ScreenDriver {
    try test.screen("home", size: Size(width: width, height: height))
  }

  func pathway(_ id: String, width: Int = 100, height: Int = 30, _ more: Record = Record()) throws -> ScreenDriver {
    var arguments: Record = ["pathway": .text(id)]
    for field in more.fields { arguments[field.name] = field.value }
    return try test.screen("pathway", arguments, size: Size(width: width, height: height))
  }
}

extension ScreenDriver {
  /// The graph of a pathway's screen.
  var graph: GraphController? { (controller as? PathwayController)?.area.controller(.graph) as? GraphController }

  /// The last message in the status line.
  var told: Diagnostic? {
    requests.reversed().lazy.compactMap { if case .status(let told) = $0 { told } else { nil } }.first
  }

  /// The rows of the screen.
  var rows: [String] { text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}

extension DatabaseRecords {
  /// Adds a pathway in which each pool is converted to the next; further calls add more pathways.
  mutating func addChain(
    _ id: String, name: String? = nil, count: Int, prefix: String = "p", poolName: (Int) -> String = { "Pool \($0)" },
    links: [PathwayLink] = []
  ) {
    if tissues.isEmpty {
      tissues = [Tissue(id: "t", name: "Liver")]
      compartments = [Compartment(id: "c", name: "Cytosol", tissue: "t")]
    }
    for number in 0..<count {
      let metabolite = Identifier("m-\(prefix)\(number)")
      metabolites.append(Metabolite(id: metabolite, name: poolName(number)))
      pools.append(MetabolitePool(id: Identifier("\(prefix)\(number)"), metabolite: metabolite, compartment: "c"))
    }
    var steps: [Identifier] = []
    for number in 0..<max(0, count - 1) {
      let step = Identifier("\(prefix)-r\(number)")
      steps.append(step)
      processes.append(
        MetabolicProcess(
          id: step, name: "Step \(prefix)\(number)",
          participants: [
            Participant(pool: Identifier("\(prefix)\(number)"), role: .substrate),
            Participant(pool: Identifier("\(prefix)\(number + 1)"), role: .product),
          ]))
    }
    pathways.append(MetabolicPathway(id: Identifier(id), name: name ?? id, processes: steps, links: links))
  }

  /// Returns a database with a pool that each of a number of processes uses.
  static func star(_ count: Int) -> DatabaseRecords {
    var records = DatabaseRecords(snapshot: "star")
    records.tissues = [Tissue(id: "t", name: "Liver")]
    records.compartments = [Compartment(id: "c", name: "Cytosol", tissue: "t")]
    records.metabolites = [Metabolite(id: "hub", name: "Hub")]
    records.pools = [MetabolitePool(id: "hub", metabolite: "hub", compartment: "c")]
    for number in 0..<count {
      let id = Identifier("x\(number)")
      records.metabolites.append(Metabolite(id: id, name: "X \(number)"))
      records.pools.append(MetabolitePool(id: id, metabolite: id, compartment: "c"))
      records.processes.append(
        MetabolicProcess(
          id: Identifier("r\(number)"), name: "R \(number)",
          participants: [Participant(pool: "hub", role: .substrate), Participant(pool: id, role: .product)]))
    }
    records.pathways = [MetabolicPathway(id: "star", name: "Star", processes: records.processes.map(\.id))]
    return records
  }
}
