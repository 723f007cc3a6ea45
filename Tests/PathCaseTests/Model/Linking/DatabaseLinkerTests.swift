import PluginAPI
import Testing

@testable import PathCase

struct DatabaseLinkerTests {
  /// Returns the messages with which records are rejected; empty if they are accepted.
  private func refusals(_ change: (inout DatabaseRecords) -> Void) -> [String] {
    var records = MawSamples.small
    change(&records)
    do throws(LinkingError) {
      _ = try DatabaseLinker.link(records)
      return []
    } catch {
      guard case .unusable(let issues, _) = error else { return ["another error"] }
      return issues.map { "\($0.code.rawValue) \($0.message)" }
    }
  }

  private func warnings(_ change: (inout DatabaseRecords) -> Void) throws -> [RecordIssue.Code] {
    var records = MawSamples.small
    change(&records)
    return try DatabaseLinker.link(records).warnings.map(\.code)
  }

  @Test func `links are available in both directions`() throws {
    let database = try DatabaseLinker.link(MawSamples.small)
    let links = database.links
    #expect(database.warnings.isEmpty)
    #expect(links.outerCompartments == [nil, 0] && links.compartmentTissues == [0, 0])
    #expect(Array(links.participantPools[0]) == [0, 2, 1] && Array(links.processesOfPools[0]) == [0, 1])
    #expect(Array(links.pathwaysOfProcesses[1]) == [0, 1] && Array(links.poolsOfMetabolites[0]) == [0, 1])
    #expect(Array(links.linkedPathways[0]) == [1])
    #expect(links.layoutsOfPathways == [1: 0] && links.rangesOfPools == [0: 0])
    #expect(database.pathways[0].activations.count == 1 && database.neighbors(ofPathway: 0) == [1])
    let members = database.members(ofPathway: 1)
    #expect(members.pools == [0, 1] && members.metabolites == [0] && members.tissues == [0])
  }

  @Test func `every missing reference is reported with the referring item`() {
    let found = refusals { records in
      records.compartments[0].tissue = "t-0"
      records.pools[0].metabolite = "m-0"
      records.processes[1].participants[0].pool = "p-0"
      records.pathways[0].processes.append("r-0")
      records.pathways[1].links[0].via = "p-1"
      records.activations[0].conditions[0].process = "r-1"
      records.ranges[0].pool = "p-2"
      records.layouts[0].pathway = "w-0"
    }
    #expect(
      found == [
        "ref-001 compartment 'c' refers to the tissue 't-0', which does not exist",
        "ref-001 pool 'a-c' refers to the metabolite 'm-0', which does not exist",
        "ref-001 process 't-a' refers to the pool 'p-0', which does not exist",
        "ref-001 pathway 'w' refers to the process 'r-0', which does not exist",
        "ref-001 pathway 'v' refers to the pool 'p-1', which does not exist",
        "ref-001 an activation condition of pathway 'w' refers to the process 'r-1', which does not exist",
        "ref-001 the range of pool 'p-2' refers to the pool 'p-2', which does not exist",
        "ref-001 the layout of pathway 'w-0' refers to the pathway 'w-0', which does not exist",
      ])
  }

  @Test func `at most a hundred errors are listed and all are counted`() {
    var records = MawSamples.small
    records.pools += (0..<250).map { MetabolitePool(id: Identifier("p\($0)"), metabolite: "none", compartment: "c") }
    do throws(LinkingError) {
      _ = try DatabaseLinker.link(records)
      Issue.record("it was taken")
    } catch {
      guard case .unusable(let issues, let total) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(issues.count == 100 && total == 250)
      #expect(error.report.code == "pathcase.ref-001" && error.report.kind == .unusableInput)
      #expect(error.report.details["errors"] == .integer(250))
    }
  }

  @Test func `a repeated id is an error unless the items are equal`() throws {
    #expect(
      refusals { $0.tissues.append(Tissue(id: "t", name: "other")) }
        == ["id-001 the tissue 't' differs from an earlier one"])
    #expect(try warnings { $0.tissues.append($0.tissues[0]) } == [.identicalDuplicate])
    #expect(try warnings { $0.pathways[0].processes.append("r") } == [.identicalDuplicate])
  }

  @Test func `ids that only look alike differ`() throws {
    #expect(
      try warnings {
        $0.tissues += [
          Tissue(id: "T", name: ""), Tissue(id: "caf\u{E9}", name: ""), Tissue(id: "cafe\u{301}", name: ""),
        ]
      } == [])
  }

  @Test func `both positions of a repeated id are reported`() throws {
    let document = try ContractReader().read(
      MawSamples.document("tissues", "<Tissue id=\"t\" name=\"A\"/>\n<Tissue id=\"t\" name=\"B\"/>"), name: "t.xml")
    do throws(LinkingError) {
      _ = try DatabaseLinker.link(document.records, places: document.places)
      Issue.record("it was taken")
    } catch {
      guard case .unusable(let issues, _) = error else { return }
      #expect(issues.map(\.text) == ["t.xml:4:24: the tissue 't' differs from an earlier one in line 3 of 't.xml'"])
    }
  }

  @Test func `cycles of compartments are reported once`() {
    #expect(
      refusals {
        $0.compartments[0].outside = "m"
        $0.compartments.append(Compartment(id: "x", name: "", outside: "x"))
        $0.compartments.append(Compartment(id: "y", name: "", outside: "c"))
      } == [
        "sem-001 2 compartments contain each other in a cycle: c in m in c",
        "sem-001 a compartment contains itself: x in x",
      ])
    let long = refusals { records in
      records.compartments += (0..<100_000).map {
        Compartment(id: Identifier("k\($0)"), name: "", outside: Identifier("k\(($0 + 1) % 100_000)"))
      }
    }
    #expect(long.count == 1 && (long.first?.utf8.count ?? 0) < 200)
  }

  @Test func `unusual processes are accepted with a warning`() throws {
    #expect(try warnings { $0.processes[0].participants = [] } == [.noMovedMatter])
    #expect(try warnings { $0.processes[0].participants.removeFirst(2) } == [.noMovedMatter])
    #expect(try warnings { $0.processes[0].participants[1].pool = "a-c" } == [.selfLoop])
    #expect(
      try warnings { $0.processes[0].participants.append(Participant(pool: "a-c", role: .cofactorIn)) }
        == [.repeatedInput])
    #expect(
      try warnings {
        $0.processes[1].participants[1].pool = "b-c"
        $0.layouts = []
      } == [.oddTransport])
  }

  @Test func `thresholds that do not increase are refused`() {
    #expect(
      refusals { $0.ranges[0].severeAbove = 0.05 } == [
        "sem-006 the range of pool 'a-c' has thresholds that do not increase: 0.02, 0.1, 0.05"
      ])
    #expect(refusals { $0.ranges[0].accumulatedAbove = 0.02 } == [])
  }

  @Test func `layouts drop nodes and paths that their pathways lack, with a warning`() throws {
    var records = MawSamples.small
    records.layouts[0].nodes.append(FrozenNode(ref: "ghost", x: 1, y: 1))
    records.layouts[0].paths.append(FrozenPath(process: "r", pool: "a-c"))
    records.layouts[0].nodes.removeFirst()
    let database = try DatabaseLinker.link(records)
    #expect(database.warnings.map(\.code) == [.layoutOfUnknown, .layoutOfUnknown, .layoutLacksNodes])
    #expect(database.layouts[0].nodes.map(\.ref) == ["a-c", "a-m"] && database.layouts[0].paths.count == 1)
    #expect(
      try warnings { records in
        for node in records.layouts[0].nodes.indices {
          records.layouts[0].nodes[node].x = 3
          records.layouts[0].nodes[node].y = 3
        }
      } == [.layoutOfOnePoint])
  }
}
