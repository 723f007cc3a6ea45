import Foundation
import Testing

@testable import PathCase

/// The structure of the bundled database: complete, connected, in order.
struct BundledDatabaseTests {
  private let database: MetabolicDatabase

  init() throws { database = try BundledDatabase.linked.get() }

  @Test func `the documents match their manifest and are read without warnings`() throws {
    let files = SnapshotFiles { path in
      [UInt8](try Data(contentsOf: BundledDatabase.folder.appendingPathComponent(path)))
    }
    #expect(try files.read().warnings.isEmpty)
    #expect(database.warnings.map(\.text) == [])
    let documents = try FileManager.default.contentsOfDirectory(atPath: BundledDatabase.folder.path)
    #expect(
      documents.sorted() == [
        "compartments.xml", "manifest.xml", "metabolites.xml", "pathways.xml", "pools.xml", "processes.xml",
        "ranges.xml", "smdapathways.xml", "tissues.xml",
      ])
  }

  @Test func `the database contains the promised pathways`() {
    let promised = [
      "glycolysis", "gluconeogenesis", "tca", "pentose-phosphate", "glycogen", "fatty-acid-oxidation",
      "fatty-acid-synthesis", "ketogenesis", "ketolysis", "urea", "glutamate", "serine-glycine", "branched-chain",
      "phenylalanine-tyrosine", "methionine-cysteine", "purine-synthesis", "purine-salvage", "pyrimidine-synthesis",
      "cholesterol", "haem", "respiration", "cori", "alanine",
    ]
    #expect(promised.filter { database.index.pathways[Identifier("w-" + $0)] == nil } == [])
    #expect(database.pathways.count >= 40 && database.processes.count >= 550 && database.metabolites.count >= 320)
    #expect(database.pathways.allSatisfy { $0.organism == "Homo sapiens" && $0.processes.count >= 4 })
  }

  @Test func `all items have names, and those of metabolites and pathways are unique`() {
    let names =
      database.tissues.map(\.name) + database.compartments.map(\.name) + database.metabolites.map(\.name)
      + database.processes.map(\.name) + database.pathways.map(\.name)
    #expect(names.allSatisfy { !$0.isEmpty && $0.count <= 80 })
    #expect(Set(database.metabolites.map(\.name)).count == database.metabolites.count)
    #expect(Set(database.pathways.map(\.name)).count == database.pathways.count)
  }

  @Test func `references to other databases are well-formed and unique`() {
    for (name, prefix, digits) in [("kegg", "C", 5), ("chebi", "", 0), ("hmdb", "HMDB", 7)] {
      let given = database.metabolites.compactMap { $0.references[name] }
      #expect(given.count > 40)
      let odd = given.filter { text in
        let number = text.dropFirst(prefix.count)
        return !text.hasPrefix(prefix) || UInt32(number) == nil || (digits > 0 && number.count != digits)
      }
      #expect(odd == [])
      // The two kinds of glycogen residues are one compound there.
      let repeats = Dictionary(grouping: given) { $0 }.filter { $0.value.count > 1 }.map(\.key)
      #expect(repeats == (name == "kegg" ? ["C00182"] : []))
    }
  }

  @Test func `every enzyme has genes with well-formed symbols`() {
    for process in database.processes {
      #expect(process.enzyme == nil || !process.genes.isEmpty, "\(process.id)")
      #expect(Set(process.genes).count == process.genes.count, "\(process.id)")
      for gene in process.genes {
        #expect(gene.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || $0 == 0x2D })
      }
    }
    let genes = Dictionary(database.processes.map { ($0.id, $0.genes) }, uniquingKeysWith: { first, _ in first })
    #expect(genes["r-pdh-liver"] == ["PDHA1", "PDHB", "PDHX", "DLAT", "DLD"])
    #expect(genes["r-cps1-liver"] == ["CPS1"] && genes["r-otc-liver"] == ["OTC"])
  }

  @Test func `synonyms find pathways, and no two pathways share one`() throws {
    let names = database.pathways.flatMap { $0.synonyms + [$0.name] }
    #expect(Set(names.map { $0.lowercased() }).count == names.count)
    for (word, id) in [
      ("krebs cycle", "w-tca"), ("Mevalonate pathway", "w-cholesterol"), ("BETA-OXIDATION", "w-fatty-acid-oxidation"),
    ] {
      let found = try #require(try PathwayShelf.pathway(word, in: database))
      #expect(database.pathways[found].id.text == id)
    }
  }

  @Test func `every process is in a pathway, and every pool and metabolite in a process`() {
    #expect(database.processes.indices.allSatisfy { !database.links.pathwaysOfProcesses[$0].isEmpty })
    #expect(database.pools.indices.allSatisfy { !database.links.processesOfPools[$0].isEmpty })
    #expect(database.metabolites.indices.allSatisfy { !database.links.poolsOfMetabolites[$0].isEmpty })
    #expect(database.tissues.count == 9 && database.links.compartmentTissues.allSatisfy { $0 != nil })
  }

  @Test func `every pathway is connected through the pools that pictures show`() {
    for pathway in database.pathways.indices {
      let processes = Array(database.links.processesOfPathways[pathway])
      var reached: Set<Int> = [processes[0]]
      var pools = shownPools(processes[0])
      while let next = processes.first(where: { !reached.contains($0) && !pools.isDisjoint(with: shownPools($0)) }) {
        reached.insert(next)
        pools.formUnion(shownPools(next))
      }
      #expect(reached.count == processes.count, "\(database.pathways[pathway].id) falls into parts")
    }
  }

  /// Returns the pools that are not drawn beside a process.
  private func shownPools(_ process: Int) -> Set<Int> {
    let sides = zip(database.processes[process].participants, database.links.participantPools[process])
    return Set(
      sides.filter { participant, pool in
        switch participant.role {
        case .substrate, .product: true
        case .cofactorIn, .cofactorOut: !database.metabolites[database.links.poolMetabolites[pool]].isCommon
        default: false
        }
      }.map(\.1))
  }

  @Test func `links are mutual, through a pool that both pathways contain`() throws {
    for pathway in database.pathways {
      for link in pathway.links {
        let other = try #require(database.pathways.first { $0.id == link.pathway })
        #expect(other.links.contains(PathwayLink(pathway: pathway.id, via: link.via)))
        let pool = try #require(link.via.flatMap { database.index.pools[$0] })
        for id in [pathway.id, other.id] {
          let index = try #require(database.index.pathways[id])
          #expect(database.members(ofPathway: index).pools.contains(pool))
        }
      }
    }
    #expect(database.pathways.allSatisfy { !$0.links.isEmpty })
  }

  @Test func `ranges increase, apply to blood, and have a unit`() {
    #expect(database.ranges.count >= 30)
    for range in database.ranges {
      let limits = [range.unavailableBelow, range.accumulatedAbove, range.severeAbove].compactMap { $0 }
      #expect(limits.count >= 2 && limits[0] > 0)
      #expect(zip(limits, limits.dropFirst()).allSatisfy { $0 < $1 }, "\(range.pool)")
      #expect(range.unit == "mmol/L" && range.pool.text.hasSuffix("-blood"))
    }
  }

  @Test func `conditions refer to participants that are not common molecules`() throws {
    for pathway in database.pathways {
      #expect(!pathway.activations.isEmpty)
      for condition in pathway.activations {
        let process = try #require(database.index.processes[condition.process])
        #expect(pathway.processes.contains(condition.process))
        #expect(
          database.processes[process].participants.contains { $0.pool == condition.pool && $0.role == condition.role })
        let pool = try #require(database.index.pools[condition.pool])
        #expect(!database.metabolites[database.links.poolMetabolites[pool]].isCommon)
        #expect(condition.trigger == (condition.role == .inhibitor ? .accumulated : .available))
      }
    }
  }

  @Test func `known regulation from textbooks is included`() {
    let known: [(process: String, role: Participant.Role, pool: String)] = [
      ("r-hk-muscle", .inhibitor, "p-g6p-muscle-cyt"), ("r-pfk-liver", .inhibitor, "p-cit-liver-cyt"),
      ("r-pfk-liver", .activator, "p-f26bp-liver-cyt"), ("r-fbp-liver", .inhibitor, "p-f26bp-liver-cyt"),
      ("r-pc-liver", .activator, "p-accoa-liver-mit"), ("r-pdh-liver", .inhibitor, "p-accoa-liver-mit"),
      ("r-cpt1-liver", .inhibitor, "p-malcoa-liver-cyt"), ("r-acc-liver", .activator, "p-cit-liver-cyt"),
      ("r-cps1-liver", .activator, "p-nag-liver-mit"), ("r-hmgcr-liver", .inhibitor, "p-chol-liver-cyt"),
      ("r-alas-liver", .inhibitor, "p-haem-liver-cyt"), ("r-pyk-liver", .activator, "p-f16bp-liver-cyt"),
      ("r-ppat-liver", .inhibitor, "p-gmp-liver-cyt"), ("r-cps2-liver", .inhibitor, "p-utp-liver-cyt"),
    ]
    for (process, role, pool) in known {
      let participants = database.index.processes[Identifier(process)].map { database.processes[$0].participants }
      #expect(participants?.contains { $0.role == role && $0.pool == Identifier(pool) } == true, "\(process)")
    }
  }

  @Test func `internal pools are produced and consumed, and storage pools are boundaries`() throws {
    for (index, pool) in database.pools.enumerated() where !pool.isBoundary {
      #expect(!database.metabolites[database.links.poolMetabolites[index]].isCommon)
      var isMade = false
      var isUsed = false
      for process in database.links.processesOfPools[index].map({ database.processes[$0] }) {
        isMade = isMade || process.outputs.contains { $0.pool == pool.id }
        isUsed = isUsed || process.inputs.contains { $0.pool == pool.id }
        if process.isReversible, process.participants.contains(where: { $0.pool == pool.id }) {
          (isMade, isUsed) = (true, true)
        }
      }
      #expect(isMade && isUsed, "\(pool.id)")
    }
    for store in ["p-glycogen-liver-cyt", "p-tag-adipose-cyt", "p-gln-blood", "p-atp-liver-cyt"] {
      #expect(database.pools.first { $0.id == Identifier(store) }?.isBoundary == true)
    }
  }
}
