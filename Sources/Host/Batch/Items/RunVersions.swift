import PluginAPI

/// The versions of the program and of a command's plugin, which all workers of a run share.
struct RunVersions: Sendable, Equatable {
  var program: String
  var plugin: RunPlan.PluginVersion?

  /// The versions of this program and of the plugin of a command.
  @MainActor init(of entry: CommandEntry, _ plugins: PluginHost) throws {
    program = HostVersion.number
    guard case .plugin(let id) = entry.owner else { return }
    let version = plugins.contributions(of: id)?.plugin.version ?? ""
    let library = plugins.catalog.plugin(id)?.path
    plugin = RunPlan.PluginVersion(
      id: id, version: version,
      sha256: try library.map { (path) throws in try ContentHash.required(try HostFile.read(path)) })
  }

  /// Refuses to work on a run that was planned with other versions.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.other-version`.
  func check(against plan: RunPlan) throws(ErrorReport) {
    if plan.version == program, plan.plugin == plugin { return }
    let planned = [plan.version, plan.plugin.map { "\($0.id) \($0.version)" }].compactMap(\.self)
    let present = [program, plugin.map { "\($0.id) \($0.version)" }].compactMap(\.self)
    let same = planned == present ? " built differently" : ""
    throw BatchError.otherVersion(
      "the run was planned with workbench \(planned.joined(separator: ", ")), this is"
        + " \(present.joined(separator: ", "))\(same)",
      advice: "plan a new run, or allow other results with '--allow-other-version'")
  }
}
