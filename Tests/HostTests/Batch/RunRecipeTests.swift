import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

/// Recipes for engines of workflows, as texts; the engines themselves run them in the integration tests.
@MainActor struct RunRecipeTests {
  private static let hostile = "/it's \"é\" $HOME \\n/run"

  private static func recipe(
    _ path: String = hostile, program: [String] = ["/opt/w b/workbench", "--offline"], memory: Int? = 500,
    environment: [RunRecipe.Variable] = []
  ) -> RunRecipe {
    RunRecipe(
      folder: RunFolder(path),
      plan: RunPlan(
        id: "0123456789abcdef0123456789abcdef", command: ["sample", "info", "{}"], folder: "/", itemCount: 30,
        shardCount: 3, listDigest: "", fields: [],
        limits: RunPlan.Limits(itemTimeoutInSeconds: 600, itemMemoryInMebibytes: memory),
        version: HostVersion.number, plugin: nil),
      program: program, environment: environment, home: "/home/ada", timeLimitInMinutes: memory == nil ? nil : 90)
  }

  @Test func `the Slurm script has an array of shards and runs the shard of its task`() throws {
    let recipe = Self.recipe(program: ["/usr/bin/printf", "%s|"])
    let script = try RecipeEngine.slurm.text(recipe)
    #expect(
      script.hasPrefix(
        """
        #!/bin/sh
        #SBATCH --job-name=workbench-01234567
        #SBATCH --array=1-3
        #SBATCH --cpus-per-task=1
        #SBATCH --mem=628M
        #SBATCH --time=90
        #SBATCH --signal=B:TERM@60

        """))
    let outcome = try BuiltProgram.run(
      URL(fileURLWithPath: "/bin/sh"), ["-c", script, "FILE"], environment: ["SLURM_ARRAY_TASK_ID": "3"])
    #expect(outcome.output == "batch|work|\(Self.hostile)|--shard|3|", "\(outcome.errors)")
    var large = recipe
    large.plan.shardCount = 2500
    let lines = large.slurm().split(separator: "\n")
    #expect(lines.contains("#SBATCH --array=1-1000"))
    #expect(lines.contains("# Shards after 1000: sbatch --array=1-1000 FILE 1000, and so on."))
    let later = try BuiltProgram.run(
      URL(fileURLWithPath: "/bin/sh"), ["-c", large.slurm(), "FILE", "2000"],
      environment: ["SLURM_ARRAY_TASK_ID": "500"])
    #expect(later.output.hasSuffix("|--shard|2500|"), "\(later.errors)")
  }

  @Test func `the Snakefile has a rule whose output is a shard's marker`() throws {
    #expect(
      try RecipeEngine.snakemake.text(Self.recipe()) == #"""
        # The shards of a run of Workbench: snakemake --snakefile FILE --cores N
        # A marker of a finished shard is a hint: 'batch work' runs only items without a record.
        from pathlib import Path

        RUN_01234567 = "/it's \"é\" $HOME \\n/run"
        WORK_01234567 = ["/opt/w b/workbench","--offline","batch","work","/it's \"é\" $HOME \\n/run","--shard"]

        onstart: Path(RUN_01234567, "cancel").unlink(missing_ok=True)

        rule workbench_01234567:
          input: [f"{RUN_01234567}/done/{shard:05}.json" for shard in range(1, 4)]

        rule workbench_01234567_shard:
          output: RUN_01234567 + "/done/{shard,[0-9]+}.json"
          params: work=lambda wildcards: WORK_01234567 + [str(int(wildcards.shard))]
          retries: 2
          resources: mem_mb=659, runtime=90
          shell: "{params.work:q} > /dev/null"
        """#)
    let unlimited = try RecipeEngine.snakemake.text(Self.recipe(memory: nil))
    #expect(!unlimited.contains("resources") && unlimited.contains("retries: 2\n  shell:"))
  }

  @Test func `the GNU parallel script passes each number to a correctly quoted bash function`() throws {
    let recipe = Self.recipe(
      program: ["/usr/bin/printf", "%s|"], environment: [.init(name: "RUN_NAME", value: "it's {}")])
    let script = try RecipeEngine.parallel.text(recipe)
    #expect(
      script.hasSuffix(
        #"""
        seq 3 | parallel --joblog '/it'\''s "é" $HOME \n/run/done/parallel.log' \
          --resume-failed --halt never --memfree 628M --timeout 5400 --termseq TERM,60000,KILL,25 "$@" work
        """#))
    let functions = script.split(separator: "\n").filter { $0.hasPrefix("work() ") }
    let function = try #require(functions.first)
    let shown = function.replacingOccurrences(of: " > /dev/null", with: "") + "\nwork 7"
    let outcome = try BuiltProgram.run(URL(fileURLWithPath: "/bin/bash"), ["-c", shown])
    #expect(outcome.output == "batch|work|\(Self.hostile)|--shard|7|", "\(outcome.errors)")
  }

  @Test func `the Nextflow workflow has balanced blocks and a correctly quoted bash script`() throws {
    let text = try RecipeEngine.nextflow.text(Self.recipe())
    #expect(
      text == #"""
        #!/usr/bin/env nextflow
        // The shards of a run of Workbench: nextflow run FILE
        // A marker of a finished shard is a hint: 'batch work' runs only items without a record.
        nextflow.enable.dsl = 2

        process runShard {
          tag "shard ${number}"
          cache false
          errorStrategy { task.attempt <= 2 ? 'retry' : 'finish' }
          maxRetries 2
          cpus 1
          memory '628 MB'
          time '90 min'

          input:
          val number

          script:
          "'/opt/w b/workbench' --offline batch work '/it'\\''s \"é\" \$HOME \\n/run' --shard ${number} > /dev/null"
        }

        workflow {
          new File("/it's \"é\" \$HOME \\n/run/cancel").delete()
          def done = "/it's \"é\" \$HOME \\n/run/done"
          runShard(
            channel.of(1..3)
              .filter { number -> !new File(done, String.format('%05d.json', number)).exists() }
          )
        }
        """#)
    for recipe in [Self.recipe(), Self.recipe(memory: nil), Self.recipe("/plain")] {
      var groovy = GroovyText(try RecipeEngine.nextflow.text(recipe))
      try groovy.check()
    }
    let shown = try RecipeEngine.nextflow.text(Self.recipe(program: ["/usr/bin/printf", "%s|"]))
    var groovy = GroovyText(shown)
    let scripts = try groovy.check().filter { $0.contains("printf") }
    let script = try #require(scripts.first)
    let line = script.replacingOccurrences(of: "${number}", with: "7").replacingOccurrences(
      of: " > /dev/null", with: "")
    let outcome = try BuiltProgram.run(URL(fileURLWithPath: "/bin/bash"), ["-c", line])
    #expect(outcome.output == "batch|work|\(Self.hostile)|--shard|7|", "\(outcome.errors)")
  }

  @Test(arguments: ["process x {", "x(1]", "'open\n'", "\"open", "} {", "x ${"])
  func `the check of Nextflow's blocks finds unbalanced ones`(text: String) {
    var groovy = GroovyText(text)
    #expect(throws: GroovyText.Unbalanced.self) { try groovy.check() }
  }

  @Test func `the CWL workflow is JSON that scatters over the shards`() throws {
    let text = try RecipeEngine.cwl.text(Self.recipe(environment: [.init(name: "WORKBENCH_COLOR", value: "never")]))
    let workflow = try JSONReader.read(Array(text.utf8))
    #expect(workflow["cwlVersion"] == "v1.2" && workflow["class"] == "Workflow")
    #expect(workflow["requirements"]["ScatterFeatureRequirement"].record?.isEmpty == true)
    #expect(workflow["inputs"]["shards"] == ["type": "int[]", "default": [1, 2, 3]])
    #expect(workflow["outputs"]["summaries"] == ["type": "File[]", "outputSource": "shard/summary"])
    let step = workflow["steps"]["shard"]
    #expect(step["scatter"] == "number" && step["in"] == ["number": "shards"] && step["out"] == ["summary"])
    let tool = step["run"]
    // The engine clears the environment.
    #expect(
      tool["baseCommand"].list?.compactMap(\.text) == [
        "/usr/bin/env", "WORKBENCH_COLOR=never", "HOME=/home/ada", "/opt/w b/workbench", "--offline", "batch",
        "work", Self.hostile, "--json", "--shard",
      ])
    #expect(tool["class"] == "CommandLineTool" && tool["stdout"] == "$(inputs.number).json")
    #expect(tool["inputs"] == ["number": ["type": "int", "inputBinding": ["position": 1]]])
    #expect(tool["outputs"] == ["summary": ["type": "stdout"]])
    #expect(
      tool["hints"] == [
        "ResourceRequirement": ["coresMin": 1, "ramMin": 628], "ToolTimeLimit": ["timelimit": 5400],
      ])
    let unlimited = try JSONReader.read(Array(try RecipeEngine.cwl.text(Self.recipe(memory: nil)).utf8))
    #expect(unlimited["steps"]["shard"]["run"]["hints"].record?.isEmpty == true)
  }

  @Test func `folders whose names a recipe cannot contain are refused`() throws {
    for engine in RecipeEngine.allCases {
      let error = #expect(throws: ErrorReport.self) { try engine.text(Self.recipe("/data/a\nb")) }
      #expect(error?.code == "batch.unfit-folder" && error?.exitStatus == 7)
    }
    let error = #expect(throws: ErrorReport.self) { try RecipeEngine.snakemake.text(Self.recipe("/data/{x}")) }
    #expect(error?.code == "batch.unfit-folder" && error?.message.contains("braces") == true)
    #expect(try RecipeEngine.parallel.text(Self.recipe("/data/{x}")).contains("'/data/{x}'"))
  }

  @Test func `a recipe includes the variables of folders and settings, and no others`() async throws {
    let run = try CommandLineRun(environment: [
      "WORKBENCH_PLUGIN_PATH": "/plug ins", "WORKBENCH_SAMPLE_WEIGHT_LIMIT": "7", "WORKBENCH_SAMPLE_TOKEN": "secret",
      "XDG_DATA_HOME": "/elsewhere", "HOME": "/home/ada",
    ])
    let items = try run.file("items.txt", "granite\nslate\n")
    let folder = run.home + "/run"
    try await run("batch", "plan", folder, "--items", items, "--shards", "2", "--", "sample", "info", "{}")
    let text = try await run.output("batch", "script", folder, "--engine", "cwl", "--time", "5")
    let tool = try JSONReader.read(Array(text.utf8))["steps"]["shard"]["run"]
    #expect(
      tool["baseCommand"].list?.compactMap(\.text) == [
        "/usr/bin/env", "WORKBENCH_PLUGIN_PATH=/plug ins", "WORKBENCH_SAMPLE_WEIGHT_LIMIT=7",
        HostInstallation.current.program, "--home", run.home, "--offline", "batch", "work", folder, "--json", "--shard",
      ])
    #expect(tool["hints"] == ["ToolTimeLimit": ["timelimit": 300]])
    let unknown = await run.error("batch", "script", run.home + "/none", "--engine", "parallel")
    #expect(unknown?.code == "batch.no-run")
  }
}

/// The blocks and texts of a Groovy file.
///
/// A small grammar in place of Nextflow's own check: comments, texts with escapes on one line, and three pairs of
/// brackets.
private struct GroovyText {
  struct Unbalanced: Error {
    var line: Int
  }

  private var rest: Substring
  private var line = 1

  init(_ text: String) { rest = text[...] }

  /// Checks that texts and brackets are closed.
  ///
  /// - Returns: The texts in double quotes, without escapes; expressions stay.
  @discardableResult mutating func check() throws -> [String] {
    var (open, texts): ([Character], [String]) = ([], [])
    let closing: [Character: Character] = ["(": ")", "[": "]", "{": "}"]
    while let character = rest.popFirst() {
      switch character {
      case "\n": line += 1
      case "/" where rest.first == "/": rest = rest.drop { $0 != "\n" }
      case "#" where line == 1: rest = rest.drop { $0 != "\n" }
      case "'": _ = try text(until: "'")
      case "\"": texts.append(try text(until: "\""))
      case "(", "[", "{": open.append(character)
      case ")", "]", "}":
        guard let last = open.popLast(), closing[last] == character else { throw Unbalanced(line: line) }
      default: break
      }
    }
    guard open.isEmpty else { throw Unbalanced(line: line) }
    return texts
  }

  private mutating func text(until quote: Character) throws -> String {
    var text = ""
    while let character = rest.popFirst(), character != "\n" {
      if character == quote { return text }
      if character == "\\" {
        guard let escaped = rest.popFirst(), "\"\\$'".contains(escaped) else { throw Unbalanced(line: line) }
        text.append(escaped)
      } else {
        text.append(character)
      }
    }
    throw Unbalanced(line: line)
  }
}
