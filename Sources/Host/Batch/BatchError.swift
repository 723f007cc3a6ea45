import PluginAPI
import PluginPostgres

/// The errors of batch runs.
enum BatchError {
  static let noRun = DeclaredError("batch.no-run", .notFound, "the folder has no run; list runs with 'batch list'")
  static let notARun = DeclaredError("batch.not-a-run", .refused, "the folder for a new run contains other files")
  static let brokenRun = DeclaredError("batch.broken-run", .unusableInput, "a file of the run's plan is damaged")
  static let otherPlan = DeclaredError(
    "batch.other-plan", .refused, "the folder has a run of another command, other items or other options")
  static let otherVersion = DeclaredError(
    "batch.other-version", .refused,
    "the run was planned with another version, plugin library or setting; see --allow-other-version")
  static let noItems = DeclaredError("batch.no-items", .usage, "the list of items is empty or missing")
  static let badItems = DeclaredError("batch.bad-items", .unusableInput, "the list of items cannot be read")
  static let unknownField = DeclaredError("batch.unknown-field", .usage, "the items have no field of this name")
  static let badTime = DeclaredError("batch.bad-time", .usage, "the time limit of jobs is not a time, or too short")
  static let notAllowed = DeclaredError(
    "batch.not-allowed", .refused,
    "the command changes something, uses the network, a shared store or personal arguments")
  static let unfitFolder = DeclaredError(
    "batch.unfit-folder", .refused, "the name of the run's folder cannot be written in the recipe")
  static let unusedOption = DeclaredError(
    "batch.unused-option", .usage, "the option has no effect with this executor")
  static let noSlurm = DeclaredError("batch.no-slurm", .network, "Slurm is not on this machine or does not respond")
  static let jobRefused = DeclaredError(
    "batch.job-refused", .refused, "the batch system refused a job; change the options of the jobs")
  static let canceled = DeclaredError(
    "batch.canceled", .interrupted, "the run was canceled; run the command again to resume")
  static let childFailed = DeclaredError(
    "batch.child-failed", .failure, "the process for items cannot start; the folder of the plan may be missing")
  static let itemsFailed = DeclaredError(
    "batch.items-failed", .unusableInput, "items ended in an error; list them with 'batch errors'")
  static let itemsMissing = DeclaredError(
    "batch.items-missing", .failure, "items have no record yet; resume the run with 'batch run'")
  static let gatherFailed = DeclaredError(
    "batch.gather-failed", .failure, "the follow-up job of a run did not write the results")
  static let resultsDiffer = DeclaredError(
    "batch.results-differ", .failure, "two attempts at an item gave different results")
  static let inputChanged = DeclaredError(
    "batch.input-changed", .unusableInput, "the input of an item changed after the run was planned")
  static let itemCrashed = DeclaredError(
    "batch.item-crashed", .pluginFailed, "the process of the item crashed each time it was tried")
  static let itemTimedOut = DeclaredError(
    "batch.item-timed-out", .timedOut, "the item took longer than --item-timeout each time it was tried")
  static let itemOutOfMemory = DeclaredError(
    "batch.item-out-of-memory", .failure, "the item took more than --item-memory each time it was tried")
  static let itemLost = DeclaredError(
    "batch.item-lost", .failure, "three workers were lost while they ran the item")

  /// The codes for the catalog of errors.
  static let codes: [ErrorCodeDescription] =
    [
      noRun, notARun, brokenRun, otherPlan, otherVersion, noItems, badItems, unknownField, badTime, notAllowed,
      unfitFolder, unusedOption, noSlurm, jobRefused, canceled, childFailed, itemsFailed, itemsMissing, gatherFailed,
      resultsDiffer, inputChanged, itemCrashed, itemTimedOut, itemOutOfMemory, itemLost,
    ].map(\.catalogueEntry) + [
      .init("batch.stopped", "note: SIGTERM stopped the workers; run the command again to resume"),
      .init("batch.added", "note: results were added to a database"),
      .init("batch.progress", "note: the progress of a watched run"),
    ] + PostgresError.errorCodes

  /// The codes of errors that depend on machine and time: another attempt may succeed.
  private static let transientCodes: Set<String> = Set(
    [itemCrashed, itemTimedOut, itemOutOfMemory, itemLost, inputChanged].map(\.code))

  /// Returns true if another attempt may not have the error of a record.
  static func isTransient(_ error: Value) -> Bool {
    error["retryable"].bool == true || transientCodes.contains(error["code"].text ?? "")
  }
}
