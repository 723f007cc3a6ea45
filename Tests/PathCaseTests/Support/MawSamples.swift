import Foundation
import TestSupport
import Testing

@testable import PathCase

/// The snapshots and bad contract documents used by tests.
enum MawSamples {
  /// The folder with the real snapshots; nil if it is absent.
  static let folder = SharedData.folder?.appendingPathComponent("pathcase")

  /// A case in the list of bad documents.
  struct BadCase: Decodable, Sendable, CustomTestStringConvertible {
    var file: String
    var kind: String
    var expect: String
    var code: String

    var testDescription: String { file }
  }

  /// All bad inputs; empty if they are absent.
  static let badCases: [BadCase] = {
    guard let folder, let list = try? Data(contentsOf: folder.appendingPathComponent("bad/INDEX.json")),
      let cases = try? JSONDecoder().decode([BadCase].self, from: list)
    else { return [] }
    return cases
  }()

  static func bytes(_ path: String) throws -> [UInt8] {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    return [UInt8](try Data(contentsOf: folder.appendingPathComponent(path)))
  }

  /// Returns the documents of a real snapshot, keyed by path.
  static func documents(_ name: String) throws -> [String: [UInt8]] {
    let manifest = try ContractReader().read(bytes("maw/\(name)/manifest.xml"), name: "manifest.xml").manifest
    return Dictionary(
      try manifest.documents.map { ($0.path, try bytes("maw/\(name)/\($0.path)")) }, uniquingKeysWith: { $1 })
  }

  /// Returns the files of a real snapshot.
  static func snapshot(_ name: String) -> SnapshotFiles {
    SnapshotFiles { try bytes("maw/\(name)/\($0)") }
  }

  /// A small synthetic database: two compartments, a reaction, a transport, a layout.
  static var small: DatabaseRecords {
    var records = DatabaseRecords(snapshot: "small")
    records.tissues = [Tissue(id: "t", name: "Liver"), Tissue(id: "b", name: "Blood", kind: .fluid)]
    records.compartments = [
      Compartment(id: "c", name: "Cytosol", tissue: "t"),
      Compartment(id: "m", name: "Matrix & more", tissue: "t", outside: "c"),
    ]
    records.metabolites = [
      Metabolite(
        id: "m-a", name: "α \"A\" <1>", formula: "C3H3O3", charge: -1, references: ["kegg": "C00022"],
        synonyms: ["A acid", "a\tb"]),
      Metabolite(id: "m-b", name: "B", isCommon: true),
    ]
    records.pools = [
      MetabolitePool(id: "a-c", metabolite: "m-a", compartment: "c"),
      MetabolitePool(id: "a-m", metabolite: "m-a", compartment: "m", isBoundary: true),
      MetabolitePool(id: "b-c", metabolite: "m-b", compartment: "c"),
    ]
    records.processes = [
      MetabolicProcess(
        id: "r", name: "A to B", isReversible: true, enzyme: "1.1.1.1",
        participants: [
          Participant(pool: "a-c", role: .substrate, stoichiometry: 0.1),
          Participant(pool: "b-c", role: .product, stoichiometry: 2),
          Participant(pool: "a-m", role: .inhibitor, trigger: .severelyAccumulated),
        ], genes: ["ABC1", "MT-AB2"]),
      MetabolicProcess(
        id: "t-a", name: "A into the matrix", kind: .transport,
        participants: [Participant(pool: "a-c", role: .substrate), Participant(pool: "a-m", role: .product)]),
    ]
    records.pathways = [
      MetabolicPathway(
        id: "w", name: "First", organism: "nobody", synonyms: ["Krebs–Henseleit <cycle>", "beginning"],
        processes: ["r", "t-a"],
        links: [PathwayLink(pathway: "v", via: "a-m")]),
      MetabolicPathway(id: "v", name: "", processes: ["t-a"], links: [PathwayLink(pathway: "w")]),
    ]
    records.activations = [
      PathwayActivation(
        pathway: "w",
        conditions: [ActivationCondition(process: "r", pool: "a-c", role: .substrate, trigger: .accumulated)])
    ]
    records.ranges = [BiofluidRange(pool: "a-c", unavailableBelow: 0.02, accumulatedAbove: 1e-1, unit: "mmol/L")]
    records.layouts = [
      FrozenLayout(
        pathway: "v", width: 10, height: 20.5,
        nodes: [
          FrozenNode(ref: "t-a", x: 1, y: -2.25), FrozenNode(ref: "a-c", clone: "1", x: 1e9, y: 0, width: 3, height: 4),
          FrozenNode(ref: "a-m", x: 0, y: 1),
        ], paths: [FrozenPath(process: "t-a", pool: "a-c", points: [FrozenPath.Point(x: 0.5, y: 7)])])
    ]
    return records
  }

  /// Returns a document of a type with a text as its records.
  static func document(_ type: String, _ records: String, snapshot: String = "s") -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <MAW xmlns="urn:pathcase:maw:1" type="\(type)" version="1" snapshot="\(snapshot)">
      \(records)
      </MAW>
      """.utf8)
  }
}
