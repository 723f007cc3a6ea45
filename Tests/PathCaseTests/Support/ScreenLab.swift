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

  func home(width: Int = 80, height: Int = 24) async throws -> ScreenDriver {
    try await test.screen("home", size: Size(width: width, height: height)).settled()
  }

  func pathway(
    _ id: String, width: Int = 100, height: Int = 30, _ more: Record = Record()
  ) async throws -> ScreenDriver {
    var arguments: Record = ["pathway": .text(id)]
    for field in more.fields { arguments[field.name] = field.value }
    return try await test.screen("pathway", arguments, size: Size(width: width, height: height)).settled()
  }
}

extension ScreenDriver {
  /// The graph on a pathway's screen; nil while another content is shown.
  var graph: GraphView? { (controller.view as? PathwayView)?.content as? GraphView }

  /// Returns the screen after its loads.
  func settled() async -> ScreenDriver {
    await settle()
    return self
  }

  /// Presses keys, each after the loads of the one before.
  func go(_ keys: String...) async {
    for key in keys {
      press(key)
      await settle()
    }
  }

  /// Answers the latest question, and runs the loads that follow.
  func reply(_ text: String?) async {
    answer(text)
    await settle()
  }

  /// Returns a value from a screen above this one, and runs the loads that follow.
  func give(_ value: Value, from screen: String) async {
    receive(.returned(screen: screen, value))
    await settle()
  }

  /// The last message in the status line.
  var told: Diagnostic? {
    requests.reversed().lazy.compactMap { if case .status(let told) = $0 { told } else { nil } }.first
  }

  /// The rows of the screen.
  var rows: [String] { text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}

extension GraphView {
  /// The layout drawn; nil before there is one.
  var layout: GraphLayout? { state.picture?.layout }
}

extension [Effect] {
  /// The loads among the effects.
  var loads: [Load] { compactMap { if case .load(let load) = $0 { load } else { nil } } }

  /// Returns true if the effects cancel the one with an id.
  func cancel(_ id: EffectID) -> Bool { contains { if case .cancel(id) = $0 { true } else { false } } }
}

extension Controller {
  /// Runs computed work, and returns the effects that follow.
  func finish(_ load: Load) throws -> [Effect] {
    guard case .blocking(let work) = load.work else { return [] }
    return complete(try work(SilentProgress()))
  }

  /// Ends work without a result, and returns the effects that follow.
  func fail(_ load: Load, _ failure: Load.Failure) -> [Effect] {
    load.failed.map { complete($0(failure)) } ?? []
  }
}

/// A progress receiver that ignores reports and never cancels.
struct SilentProgress: WorkProgress {
  var isCancelled: Bool { false }
  func report(_ progress: Progress) {}
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
