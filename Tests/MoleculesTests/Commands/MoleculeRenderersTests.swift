import PluginAPI
import Testing

@testable import Molecules

/// The renderers of outputs, and records that no command of this version made.
struct MoleculeRenderersTests {
  private let renderers: [any TextRenderer] = [
    InfoRenderer(), ImportRenderer(), DoneRenderer.deletion, DoneRenderer.opened, SequenceRenderer(),
    SecondaryStructureRenderer(), SelectionRenderer(), MeasurementRenderer(), SuperpositionRenderer(), MotifRenderer(),
    PageRenderer(),
  ]

  @Test func `each renderer is for a model or a list of one`() throws {
    let contributions = MoleculesPlugin().contributions
    let models: [any Model.Type] = [
      MoleculeInfo.self, ImportedMolecule.self, DeletedMolecule.self, MoleculeSummary.self, ChainSequence.self,
      SecondaryStructureReport.self, SelectionSummary.self, Measurement.self, SuperpositionReport.self,
      MoleculePage.self,
    ]
    let names = models.map { $0.typeName } + [MoleculeValueType.motifSites]
    #expect(contributions.textRenderers.sorted() == names.sorted())
    #expect(renderers.map(\.typeName).sorted() == names.sorted())
    let outputs = contributions.commands.map(\.output).filter { $0.typeName == MoleculeValueType.motifSites }
    #expect(outputs.map(\.schema) == [.list(MotifSite.schema)])
  }

  @Test func `records without fields are rendered`() throws {
    let reads: [Value] = [
      .null, [:], [nil, nil],
      [
        "points": [nil], "pairs": [nil, nil], "links": [nil], "text": "text", "abstract": "abstract", "rejected": 2,
        "rotation": [[1]], "translation": [1], "identity": 1, "chains": ["A": nil], "metadata": ["sequence": [nil]],
        "cell": [:], "assemblies": [nil], "diagnostics": [nil, nil],
      ],
      ["models": [nil], "metadata": ["compounds": [nil], "authors": [nil]], "diagnostics": 3, "chains": [nil]],
    ]
    for renderer in renderers {
      for value in reads {
        for detail in [TextRequest.Detail.summary, .normal, .full] {
          _ = try renderer.render(value, for: TextRequest(detail: detail))
        }
      }
    }
    let imported = ImportRenderer().render([["file": "a.pdb", "atoms": 1]], for: TextRequest()).plainText
    #expect(imported.contains("imported from a.pdb: 0 models, 0 chains, 0 residues, 1 atom, 0 bonds"))
  }
}
