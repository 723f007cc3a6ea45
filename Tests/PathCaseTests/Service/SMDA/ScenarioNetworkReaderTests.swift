import PluginAPI
import Testing

@testable import PathCase

struct ScenarioNetworkReaderTests {
  private func read(_ text: String) throws -> ScenarioNetwork { try ScenarioNetworkReader.read(Array(text.utf8)) }

  private func place(_ text: String) -> String? {
    #expect(throws: ScenarioFileError.self) { try read(text) }?.location
  }

  @Test func `pools, processes and observations are read`() throws {
    let network = try read(
      """
      {"name": "n", "labels": ["U", "A", "C", "S"], "more": {},
       "pools": [{"id": "a", "kind": "boundary"}, {"id": "b", "kind": "internal"}, {"id": "c"}],
       "processes": [{"id": "r", "reversible": true, "in": ["a", "a", {"pool": "b", "trigger": "C"}], "out": ["c"],
         "inhibitors": [{"pool": "c"}], "activators": [{"pool": "a", "trigger": "S"}]}, {"id": "s"}],
       "observations": [{"pool": "b", "label": "C"}, {"pool": "a", "label": ["U", "A"]}]}
      """)
    #expect(network.name == "n" && network.rules.levels == 4)
    #expect(network.pools.map(\.isBoundary) == [true, false, false])
    #expect(network.pools.map(\.observed) == [LevelSet([.unavailable, .available]), .accumulated, nil])
    let process = network.processes[0]
    #expect(process.isReversible && process.outputs == [2])
    #expect(
      process.inputs == [.init(pool: 0, trigger: .available, isUsual: true), .init(pool: 1, trigger: .accumulated)])
    #expect(process.inhibitors == [.init(pool: 2, trigger: .accumulated, isUsual: true)])
    #expect(process.activators == [.init(pool: 0, trigger: .severelyAccumulated)])
    #expect(network.processes[1] == ScenarioProcess(id: "s"))
  }

  @Test func `an error names its position in the file`() {
    #expect(place("{") == "")
    #expect(place("[]") == "")
    #expect(place("{}") == "pools")
    #expect(place(#"{"pools": [1], "processes": []}"#) == "pools[0]")
    #expect(place(#"{"pools": [{"id": ""}], "processes": []}"#) == "pools[0].id")
    #expect(place(#"{"pools": [{"id": "a"}, {"id": "a"}], "processes": []}"#) == "pools[1]")
    #expect(place(#"{"pools": [{"id": "a", "kind": "x"}], "processes": []}"#) == "pools[0].kind")
    #expect(place(#"{"labels": ["A", "U"], "pools": [], "processes": []}"#) == "labels")
    let pool = #"{"pools": [{"id": "a"}], "processes": "#
    #expect(place(pool + #"[{"id": "r", "in": ["b"]}]}"#) == "processes[0].in[0]")
    #expect(place(pool + #"[{"id": "r", "out": "a"}]}"#) == "processes[0].out")
    #expect(place(pool + #"[{"id": "r", "reversible": "yes"}]}"#) == "processes[0].reversible")
    #expect(place(pool + #"[{"id": "r", "in": [{"pool": "a", "trigger": "S"}]}]}"#) == "processes[0].in[0].trigger")
    #expect(place(pool + #"[{"id": "r"}, {"id": "r"}]}"#) == "processes[1]")
    #expect(place(pool + String(repeating: "[", count: 100_000)) == "")
  }

  @Test func `an observation of an unknown pool names its row`() {
    let error = #expect(throws: ErrorReport.self) {
      try read(#"{"pools": [{"id": "glc"}], "processes": [], "observations": [{"pool": "GLC", "label": "A"}]}"#)
    }
    #expect(error?.report.code == "pathcase.smda-unknown-pool")
    #expect(
      error?.report.description
        == "observations[0] cannot be used: the network has no pool 'GLC'; did you mean 'glc'?")
  }
}
