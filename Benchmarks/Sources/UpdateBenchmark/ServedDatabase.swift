@testable import PathCase
@testable import PathCaseSimulator

/// The database that the simulated services serve, and their speed.
enum ServedDatabase {
  /// The behavior of a service.
  struct Script: Sendable {
    /// The latency of each response in milliseconds, by the number of its document in the manifest.
    var latency: @Sendable (Int) -> Int
    /// The fault in the first response for a document, by its number.
    var fault: @Sendable (Int) -> DatabaseFault?
  }

  static let even = Script(latency: { _ in 100 }, fault: { _ in nil })
  static let uneven = Script(latency: { 20 + $0 * 7919 % 281 }, fault: { _ in nil })
  static let faulty = Script(
    latency: { _ in 100 }, fault: { $0 % 4 == 1 ? ($0 % 8 == 1 ? .busy503 : .reset) : nil })

  /// Returns the bundled database with a layout of each pathway.
  static func bundledWithLayouts(_ resources: String) throws -> DatabaseRecords {
    var records = try BundledDatabase.read(resources).records
    let database = try DatabaseLinker.link(records)
    for pathway in database.pathways.indices {
      let graph = database.graph(ofPathway: pathway)
      let layout = LayeredLayout.layout(graph)
      records.layouts.append(FrozenLayout(layout, of: graph, pathway: database.pathways[pathway].id))
    }
    return records
  }

  /// Chains of ten processes with a layout each.
  static func generated(pathways count: Int) -> DatabaseRecords {
    var records = DatabaseRecords(snapshot: "generated")
    records.tissues = [Tissue(id: "t", name: "Tissue")]
    records.compartments = [Compartment(id: "c", name: "Cytosol", tissue: "t")]
    for pathway in 0..<count {
      var path = MetabolicPathway(id: Identifier("w\(pathway)"), name: "Pathway \(pathway)")
      var layout = FrozenLayout(pathway: path.id)
      for step in 0...10 {
        let name = "\(pathway)-\(step)"
        records.metabolites.append(Metabolite(id: Identifier("m\(name)"), name: "Metabolite \(name)"))
        records.pools.append(
          MetabolitePool(id: Identifier("p\(name)"), metabolite: Identifier("m\(name)"), compartment: "c"))
        layout.nodes.append(FrozenNode(ref: Identifier("p\(name)"), x: 0, y: Double(step) * 100))
        if step == 0 { continue }
        let process = MetabolicProcess(
          id: Identifier("r\(name)"), name: "Process \(name)",
          participants: [
            Participant(pool: Identifier("p\(pathway)-\(step - 1)"), role: .substrate),
            Participant(pool: Identifier("p\(name)"), role: .product),
          ])
        records.processes.append(process)
        path.processes.append(process.id)
        layout.nodes.append(FrozenNode(ref: process.id, x: 0, y: Double(step) * 100 - 50))
      }
      records.pathways.append(path)
      records.layouts.append(layout)
    }
    return records
  }
}
