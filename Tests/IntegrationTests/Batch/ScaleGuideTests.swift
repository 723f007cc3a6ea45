import Foundation
import TestSupport
import Testing

/// The guide Documentation/Scale.md, whose commands run as they are written.
@Suite(.timeLimit(.minutes(10)))
struct ScaleGuideTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Array(Self.model.utf8), "model.json")
  }

  /// A model of two reactions, each with a gene.
  private static let model = """
    {"id": "m", "compartments": {"c": ""}, "genes": [{"id": "g", "name": ""}, {"id": "h", "name": ""}],
    "metabolites": [{"id": "a_c", "name": "", "compartment": "c"}], "reactions": [
    {"id": "in", "name": "", "metabolites": {"a_c": 1}, "lower_bound": 0, "upper_bound": 7,
    "gene_reaction_rule": "g", "objective_coefficient": 0},
    {"id": "out", "name": "", "metabolites": {"a_c": -1}, "lower_bound": 0, "upper_bound": 9,
    "gene_reaction_rule": "h", "objective_coefficient": 1}]}
    """

  /// The blocks of commands, without those for servers and Slurm.
  private static var blocks: [String] {
    get throws {
      let page = Checkout.root.appendingPathComponent("Documentation/Scale.md")
      let parts = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n```\n")
      return parts.indices.filter { !$0.isMultiple(of: 2) }.map { parts[$0] }.filter {
        $0.hasPrefix("workbench batch ") && !$0.contains("://") && !$0.contains("batch submit")
      }
    }
  }

  /// Runs a script of bash in the folder, with the program on its search path.
  private func shell(_ script: String) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(
      URL(fileURLWithPath: "/bin/bash"),
      ["-euo", "pipefail", "-c", "cd '\(folder.path.path)'; PATH=$PWD/bin:$PATH\n" + script],
      environment: [
        "HOME": folder.path.path, "WORKBENCH_HOME": folder.url("home").path, "WORKBENCH_PLUGIN_PATH": nil,
        "XDG_CACHE_HOME": nil,
      ], deadlineInSeconds: 300)
  }

  @Test func `the commands of the guide write the results that it names`() throws {
    let blocks = try Self.blocks
    try #require(blocks.count == 4)
    let prepared = try shell(
      """
      mkdir bin archive archive/pdb archive/pdb/cr
      ln -s '\(BuiltProgram.workbench.path)' bin/workbench
      workbench molecules export 2 --output archive/pdb/cr/1.cif
      gzip archive/pdb/cr/1.cif
      for number in {2..9}; do cp archive/pdb/cr/1.cif.gz archive/pdb/cr/$number.cif.gz; done
      workbench pathcase export model.json --output archive/iJO1366.xml
      """)
    try #require(prepared.status == 0, "\(prepared.errors)")
    for (number, block) in blocks.enumerated() {
      let engines = ["snakemake", "parallel"].filter { block.contains("--engine " + $0) }
      if engines.contains(where: { InstalledProgram.url($0) == nil }) { continue }
      let outcome = try shell("cp -r archive block-\(number); cd block-\(number)\n" + block)
      #expect(outcome.status == 0, "\(block)\n\(outcome.errors)")
      let result = try #require(block.split(separator: " ").last)
      let text = try String(contentsOf: folder.url("block-\(number)/\(result)"), encoding: .utf8)
      let lines = text.split(separator: "\n")
      if result.hasSuffix(".jsonl") {
        #expect(lines.count == 9 && lines.allSatisfy { $0.contains(#""value":{"chains":{"#) })
      } else {
        // The two genes are the only pair.
        #expect(lines.count { $0.contains(",G_g,") && $0.contains(",G_h,") } == 1, "\(text.prefix(2000))")
      }
    }
  }
}
