import PathCaseSimulator
import PluginAPI

/// All stable codes of errors and notes in this plugin.
enum PathCaseErrorCodes {
  /// Each code is listed once: formats share codes for common errors.
  static let all: [ErrorCodeDescription] = {
    var known: Set<String> = []
    return lists.joined().filter { known.insert($0.code).inserted }
  }()

  private static let lists: [[ErrorCodeDescription]] = [
    PathwayError.all.map(\.catalogueEntry), notes, NetworkFileError.all.map(\.catalogueEntry), MapError.errorCodes,
    ContractError.errorCodes, SnapshotError.errorCodes, RecordIssue.errorCodes, SBMLError.errorCodes,
    FluxError.all.map(\.catalogueEntry), PictureError.all.map(\.catalogueEntry),
    [NetworkOutput.notWritable.catalogueEntry],
    ExportError.all.map(\.catalogueEntry), ImportError.all.map(\.catalogueEntry), SBMLWriteError.errorCodes,
    COBRAError.errorCodes, ScenarioFileError.errorCodes, ScenarioError.all.map(\.catalogueEntry),
    ObservationError.all.map(\.catalogueEntry),
    SnapshotStoreError.errorCodes, UpdateError.errorCodes,
    SimulatorError.all.map(\.catalogueEntry), ModeError.errorCodes,
  ]

  private static let notes: [ErrorCodeDescription] = [
    .init("pathcase.database-updated", "note: another state of the database is in use now"),
    .init("pathcase.database-unchanged", "note: there was nothing new to fetch"),
    .init("pathcase.ids-changed", "note: ids were changed, as a format cannot have them"),
    .init("pathcase.overlay-missing", "numbers name what a network does not have"),
    .init("pathcase.import-known", "note: a network was imported before"),
    .init("pathcase.cut", "a drawing is wider than what is shown of it"),
    .init("pathcase.picture-scaled", "a PNG was scaled to fit 4000 pixels"),
    .init("pathcase.coarse", "a network is so large that it is laid out roughly"),
    .init("pathcase.empty", "there is nothing in a network to draw"),
    .init("pathcase.no-objective", "a model says of no flux that it is to be large or small"),
  ]
}
