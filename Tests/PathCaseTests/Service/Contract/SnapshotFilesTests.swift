import Foundation
import Testing

@testable import PathCase

@Suite(.enabled(if: MawSamples.folder != nil, "the shared data are absent"))
struct SnapshotFilesTests {
  /// The expected number of records of each type in a snapshot, as given by its list.
  private struct Expected: Decodable {
    var tissues, compartments, metabolites, pools, processes, participants, pathways, layouts, ranges: Int
  }

  @Test(arguments: ["cori", "recon1-central"])
  func `real snapshots have the listed contents`(_ name: String) throws {
    let data = Data(try MawSamples.bytes("maw/\(name)/expected.json"))
    let expected = try JSONDecoder().decode(Expected.self, from: data)
    let (records, places, warnings) = try MawSamples.snapshot(name).read()
    let database = try DatabaseLinker.link(records, places: places)
    #expect(warnings.isEmpty)
    let counts = [
      database.tissues.count, database.compartments.count, database.metabolites.count, database.pools.count,
      database.processes.count, database.processes.reduce(0) { $0 + $1.participants.count }, database.pathways.count,
      database.layouts.count, database.ranges.count,
    ]
    #expect(
      counts == [
        expected.tissues, expected.compartments, expected.metabolites, expected.pools, expected.processes,
        expected.participants, expected.pathways, expected.layouts, expected.ranges,
      ])
    #expect(database.warnings.allSatisfy { $0.code == .oddTransport || $0.code == .selfLoop })
  }

  @Test(arguments: ["cori", "recon1-central"])
  func `a written real snapshot is read back unchanged`(_ name: String) throws {
    let (records, _, _) = try MawSamples.snapshot(name).read()
    let documents = ContractWriter.documents(of: records)
    let again = SnapshotFiles { path in
      try #require(documents.first { $0.path == path }).bytes
    }
    #expect(try again.read().records == records)
  }

  @Test func `a pathway's neighbors and tissues are found in a real snapshot`() throws {
    let (records, places, _) = try MawSamples.snapshot("cori").read()
    let database = try DatabaseLinker.link(records, places: places)
    let cori = try #require(database.index.pathways["w-cori"])
    #expect(database.neighbors(ofPathway: cori).map { database.pathways[$0].id } == ["w-glycogen", "w-pyr"])
    #expect(database.members(ofPathway: cori).tissues.count == 3)
  }
}
