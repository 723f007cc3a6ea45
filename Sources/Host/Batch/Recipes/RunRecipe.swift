import PluginAPI

/// The workflow engines that a recipe can be written for.
enum RecipeEngine: String, CaseIterable {
  case slurm, snakemake, parallel, nextflow, cwl

  /// Returns the recipe that runs each shard of a run by one job of the engine.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.unfit-folder`.
  func text(_ recipe: RunRecipe) throws(ErrorReport) -> String {
    try recipe.checkPaths()
    switch self {
    case .slurm: return recipe.slurm()
    case .snakemake: return try recipe.snakemake()
    case .parallel: return recipe.parallel()
    case .nextflow: return recipe.nextflow()
    case .cwl: return recipe.cwl()
    }
  }
}

/// A planned run, with everything that an engine must know to run its shards by `batch work`.
struct RunRecipe: Sendable, Equatable {
  var folder: RunFolder
  var plan: RunPlan
  /// The absolute path of the program, and its options.
  var program: [String]
  /// The variables that the program needs.
  var environment: [Variable]
  /// The user's home folder, for engines that clear the environment; nil if the program does not need it.
  var home: String?
  /// The time limit of a shard; nil for none.
  var timeLimitInMinutes: Int?

  struct Variable: Sendable, Equatable {
    var name: String
    var value: String
  }

  /// The memory of the process that supervises the items of a shard.
  private static let supervisorInMebibytes = 128

  /// The memory that a shard needs; nil if its items have no limit.
  var memoryInMebibytes: Int? { plan.limits.itemMemoryInMebibytes.map { $0 + Self.supervisorInMebibytes } }

  /// The words that run a shard, without its number.
  var words: [String] { words(environment) }

  /// Returns the words that run a shard in an environment, without its number.
  func words(_ environment: [Variable]) -> [String] {
    let variables = environment.isEmpty ? [] : ["/usr/bin/env"] + environment.map { $0.name + "=" + $0.value }
    return variables + program + ["batch", "work", folder.path, "--shard"]
  }

  /// The words that run a shard, as a shell reads them.
  var line: String { words.map(FilePath.quoted).joined(separator: " ") }

  /// The beginning of the run's identifier, for names in a recipe.
  var shortID: String { String(plan.id.prefix(8)) }

  /// Refuses characters that terminals or text files do not preserve.
  fileprivate func checkPaths() throws(ErrorReport) {
    guard let word = words.first(where: { StyledTextWriter.harmless($0) != $0 }) else { return }
    throw BatchError.unfitFolder(
      "'\(StyledTextWriter.harmless(word))' has control characters, which a recipe cannot hold",
      advice: "rename the folder, and plan the run again")
  }
}
