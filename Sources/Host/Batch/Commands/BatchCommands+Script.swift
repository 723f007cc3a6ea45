import PluginAPI

/// `batch script`.
extension BatchCommands {
  static func script(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "batch script", "Write a recipe that runs the shards of a run with a workflow engine",
      output: .init(.text)
    ).taking(
      [runFolder],
      options: [
        Parameter("engine", .choice(RecipeEngine.allCases.map(\.rawValue)), "Workflow engine", isRequired: true),
        JobTime.option,
      ]
    ).explained(
      """
      Each shard is one job, which calls 'batch work'. Completed shards are not run again. The recipe contains the \
      absolute paths of this program and the run, and the environment variables for its folders and settings that are \
      set now. The engine gets the memory limit from --item-memory of the run, and the time limit from --time.
      """,
      examples: [
        .init("batch script dssp --engine snakemake --output dssp.smk", "Run it with: snakemake -s dssp.smk --cores 4"),
        .init("batch script dssp --engine parallel --output dssp.sh", "Run it with: bash dssp.sh --jobs 4"),
      ])
    return HostCommand(declaration) { [unowned interpreter] call in
      let folder = RunFolder(call.text("run"))
      let plan = try RunPlan(reading: folder)
      let engine = RecipeEngine(rawValue: call.text("engine"))
      if engine == .slurm { try JobTime.checkForJobs(call) }
      var recipe = await BatchSetup(interpreter: interpreter).recipe(plan, folder)
      recipe.timeLimitInMinutes = try JobTime.seconds(call).map { ($0 + 59) / 60 }
      if let engine { try await call.emit(.text(try engine.text(recipe))) }
    }
  }
}

extension BatchSetup {
  /// Returns the recipe for a run, with this program and its folders.
  fileprivate func recipe(_ plan: RunPlan, _ folder: RunFolder) -> RunRecipe {
    let launch = launch(plan, folder)
    let environment = interpreter.streams.environment
    let hasHome = launch.options.contains("--home")
    let folders = hasHome ? [] : ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"]
    let names = ["WORKBENCH_PLUGIN_PATH"] + folders + SettingsBook(interpreter).variables
    return RunRecipe(
      folder: folder, plan: plan, program: [launch.program] + launch.options,
      environment: names.compactMap { name in
        environment[name].map { RunRecipe.Variable(name: name, value: $0) }
      },
      home: hasHome ? nil : environment["HOME"])
  }
}
