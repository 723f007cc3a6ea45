import PluginAPI

/// Recipes for engines of workflow languages: Nextflow and the Common Workflow Language.
extension RunRecipe {
  /// The workflow in Nextflow's DSL 2, which starts the shards without a marker.
  ///
  /// Nextflow's own cache is off, as it does not know which items to run again.
  /// - Source: https://www.nextflow.io/docs/latest/process.html, 2026-11-28.
  func nextflow() -> String {
    let memory = memoryInMebibytes.map { "\n  memory '\($0) MB'" } ?? ""
    let time = timeLimitInMinutes.map { "\n  time '\($0) min'" } ?? ""
    return """
      #!/usr/bin/env nextflow
      // The shards of a run of Workbench: nextflow run FILE
      // A marker of a finished shard is a hint: 'batch work' runs only items without a record.
      nextflow.enable.dsl = 2

      process runShard {
        tag "shard ${number}"
        cache false
        errorStrategy { task.attempt <= 2 ? 'retry' : 'finish' }
        maxRetries 2
        cpus 1\(memory)\(time)

        input:
        val number

        script:
        \(Self.groovy(line + " ").dropLast())${number} > /dev/null"
      }

      workflow {
        new File(\(Self.groovy(folder.cancel))).delete()
        def done = \(Self.groovy(folder.done))
        runShard(
          channel.of(1..\(plan.shardCount))
            .filter { number -> !new File(done, String.format('%05d.json', number)).exists() }
        )
      }
      """
  }

  /// Returns a text as a literal of Groovy, which reads the escapes of JSON and a dollar sign as the start of an
  /// expression.
  private static func groovy(_ text: String) -> String {
    JSONWriter.text(of: .text(text)).split(separator: "$", omittingEmptySubsequences: false).joined(separator: "\\$")
  }

  /// The workflow in CWL 1.2, as JSON, which scatters over the numbers of the shards.
  ///
  /// CWL cannot look at files outside of a job: a job of a finished shard ends as soon as it has read the records.
  /// - Source: https://www.commonwl.org/v1.2/, 2026-11-28.
  func cwl() -> String {
    var hints: Record = [:]
    if let memoryInMebibytes {
      hints["ResourceRequirement"] = ["coresMin": 1, "ramMin": .integer(memoryInMebibytes)]
    }
    if let timeLimitInMinutes { hints["ToolTimeLimit"] = ["timelimit": .integer(timeLimitInMinutes * 60)] }
    let work = words(environment + (home.map { [Variable(name: "HOME", value: $0)] } ?? []))
    let tool: Value = [
      "class": "CommandLineTool", "hints": .record(hints),
      "baseCommand": .list((work.dropLast() + ["--json", "--shard"]).map(Value.text)),
      "inputs": ["number": ["type": "int", "inputBinding": ["position": 1]]],
      "stdout": "$(inputs.number).json", "outputs": ["summary": ["type": "stdout"]],
    ]
    let workflow: Value = [
      "cwlVersion": "v1.2", "class": "Workflow", "doc": "The shards of a run of Workbench: cwltool FILE",
      "requirements": ["ScatterFeatureRequirement": .record([:])],
      "inputs": ["shards": ["type": "int[]", "default": .list((1...plan.shardCount).map(Value.integer))]],
      "outputs": ["summaries": ["type": "File[]", "outputSource": "shard/summary"]],
      "steps": ["shard": ["scatter": "number", "in": ["number": "shards"], "out": ["summary"], "run": tool]],
    ]
    return JSONWriter.text(of: workflow, indentation: 2)
  }
}
