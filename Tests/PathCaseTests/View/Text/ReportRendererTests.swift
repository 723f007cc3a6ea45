import PluginAPI
import Testing

@testable import PathCase

/// The renderers of reports, and records that no command of this version made.
struct ReportRendererTests {
  @Test func `each renderer of records is for a model`() {
    let models: [any Model.Type] = [ScenarioReport.self, ModesReport.self]
    // A drawing is a text.
    let names = models.map { $0.typeName } + [PathCaseValueType.drawing]
    #expect(PathCasePlugin().contributions.textRenderers.sorted() == names.sorted())
    #expect(ScenarioRenderer().typeName == ScenarioReport.typeName)
    #expect(ModesRenderer().typeName == ModesReport.typeName)
  }

  @Test func `records without fields are rendered`() {
    for value: Value in [.null, [:], 3, ["scenarios": [nil], "modes": [nil], "conflicts": [nil], "observed": [nil]]] {
      #expect(ScenarioRenderer().render(value, for: TextRequest()).plainText.contains("scenarios"))
      #expect(ModesRenderer().render(value, for: TextRequest()).plainText.hasPrefix(": 0 elementary modes"))
    }
  }

  @Test func `states, fluxes and shares of another kind or size are rendered`() {
    let scenarios: Value = [
      "count": "1", "scenarioNumbers": ["1"], "scenarios": [["A": "+", "B": "0", "C": "++", "D": 4]],
      "marginals": [["process": "A", "activeShare": 1e300], ["process": "B", "activeShare": -4]],
    ]
    let text = ScenarioRenderer().render(scenarios, for: TextRequest(isPlain: true)).plainText
    #expect(text.contains("1: A +\n"))
    #expect(text.contains("100.0 %") && text.contains("0.0 %"))
    let modes: Value = ["count": 1, "modes": [["mode": 1, "fluxes": ["A": .integer(.min), "B": "x", "C": -1]]]]
    let lines = ModesRenderer().render(modes, for: TextRequest(width: 200, isPlain: true)).plainText
    #expect(lines.contains("1: - 9223372036854775808 A - C"))
  }
}
