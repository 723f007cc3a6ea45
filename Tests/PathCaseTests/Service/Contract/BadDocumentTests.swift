import PluginAPI
import Testing

@testable import PathCase

/// Malformed documents of the shared data beside real ones; BadInputTests defines their expected outcomes.
@Suite(.enabled(if: !MawSamples.badCases.isEmpty, "the shared data are absent"))
struct BadDocumentTests {
  private func whole(around document: ContractDocument) throws -> (DatabaseRecords, RecordPlaces) {
    if document.snapshot == "big" { return (big(document.records), document.places) }
    var (records, places, _) = try MawSamples.snapshot("cori").read()
    places[document.type] = document.places[document.type]
    switch document.type {
    case .tissues: records.tissues = document.records.tissues
    case .compartments: records.compartments = document.records.compartments
    case .metabolites: records.metabolites = document.records.metabolites
    case .pools: records.pools = document.records.pools
    case .processes: records.processes = document.records.processes
    case .pathways: records.pathways = document.records.pathways
    case .layout: records.layouts = document.records.layouts
    default: Issue.record("no bad document of the type \(document.type) was expected")
    }
    // The targets of pathways' layouts and conditions may be missing.
    if document.type == .pathways {
      records.activations = []
      records.layouts = []
    }
    return (records, places)
  }

  /// Returns records of processes only, extended by the pools that they refer to.
  private func big(_ records: DatabaseRecords) -> DatabaseRecords {
    var records = records
    records.tissues = [Tissue(id: "t", name: "t")]
    records.compartments = [Compartment(id: "c", name: "c", tissue: "t")]
    records.metabolites = [Metabolite(id: "m", name: "m")]
    let pools = Set(records.processes.flatMap { $0.participants.map(\.pool) }).sorted()
    records.pools = pools.map { MetabolitePool(id: $0, metabolite: "m", compartment: "c") }
    return records
  }

  @Test func `five thousand processes keep their participants`() throws {
    let bytes = try MawSamples.bytes("bad/60-ten-thousand.xml.gz")
    let document = try ContractReader().read(bytes, name: "big", expecting: .processes)
    let database = try DatabaseLinker.link(big(document.records), places: document.places)
    #expect(database.processes.count == 5_000 && database.pools.count == 5_001)
    #expect(database.links.participantPools.count == 5_000 && database.warnings.isEmpty)
  }

  @Test func `messages name both ends of a dangling reference and its position`() throws {
    let bytes = try MawSamples.bytes("bad/23-dangling-pool.xml")
    let (records, places) = try whole(around: try ContractReader().read(bytes, name: "processes.xml"))
    #expect {
      try DatabaseLinker.link(records, places: places)
    } throws: { error in
      (error as? LinkingError)?.report.message
        == "the database has an error: processes.xml:38:100: process 'r-ldhl' refers to the pool 'p-ghost', which does not exist"
    }
  }
}
