import PluginAPI
import Testing

@testable import PathCase

/// The messages of scenario analysis errors.
struct ScenarioErrorTests {
  private let row = ObservationRow(location: "line 2", pool: "glc", content: .missing)

  @Test func `every used error code is listed once`() {
    let search = [
      ScenarioError.tooWide(network: "n", states: 1, process: 2, of: 3),
      ScenarioError.tooManyOpenPools(network: "n", bits: 200), ScenarioError.noSuchScenario("5", count: "4"),
      ScenarioError.tooMany(count: "9", limit: 8),
    ]
    let faults = [
      ObservationError.unknownPool(row, nearest: nil),
      ObservationError.twoLevels(row, "A", before: "C", location: "line 1"),
      ObservationError.unknownLabel(row, "X", known: "UAC"), ObservationError.noThresholds(row),
      ObservationError.thresholdsOutOfOrder(row), ObservationError.otherUnit(row, wanted: "mol"),
      ObservationError.reversedInterval(row),
    ]
    let files = ["network", "observations", "rules"].map {
      ScenarioFileError(kind: $0, location: "", reason: "it is empty")
    }
    let used = search.map(\.code) + faults.map(\.code) + files.map(\.report.code)
    let listed =
      (ScenarioError.all + ObservationError.all).map(\.code) + ScenarioFileError.errorCodes.map(\.code)
    #expect(Set(used) == Set(listed) && Set(listed).count == listed.count)
    #expect(faults.allSatisfy { $0.kind == .unusableInput })
    #expect(files.allSatisfy { $0.report.kind == .unusableInput })
  }

  @Test func `a message states the problem, its location and the remedy`() {
    #expect(
      ScenarioError.tooWide(network: "n", states: 10, process: 2, of: 3).report.description
        == "the network 'n' is too wide: more than 10 states at process 2 of 3; "
        + "make common molecules boundaries, analyze fewer pathways, or observe more pools")
    #expect(
      ScenarioError.noSuchScenario("5", count: "4").report.description
        == "there is no scenario 5; choose a number from 1 to 4"
    )
    #expect(
      ObservationError.unknownLabel(row, "X", known: "UAC").description
        == "line 2 cannot be used: 'X' is not a level; use one of U, A, C")
    #expect(
      ScenarioFileError(kind: "network", location: "pools[3]", reason: "it is not an object").report.message
        == "the network cannot be read at pools[3]: it is not an object")
  }
}
