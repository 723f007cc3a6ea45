import PluginAPI

/// A plugin found on the search path, a library or the manifest of a program, with its state.
struct CatalogedPlugin: Sendable, Hashable {
  /// The state of a plugin.
  enum State: String, Sendable, Hashable, CaseIterable {
    /// The plugin can be used.
    case ready
    /// The user disabled the plugin or did not enable it.
    case disabled
    /// The plugin crashed and is set aside.
    case quarantined
    /// The plugin cannot be used.
    case refused
    /// Another plugin with the same id takes precedence.
    case shadowed
  }

  /// The id in its stamp, or else that of its folder; nil if neither is known.
  var id: String?
  var path: String
  var source: PluginSource
  var state: State
  var dossier: PluginDossier?
  /// The reason why it cannot be used.
  var error: ErrorReport?

  /// The contributions, if it was probed.
  var contributions: RegistryBlock? {
    if case .usable(let block) = dossier?.verdict { block } else { nil }
  }
}

/// All plugins of this run, in the order of precedence.
struct PluginCatalog: Sendable {
  /// The rules for plugins, besides their files.
  struct Rules: Sendable {
    var lock: PluginLock
    var quarantine: PluginQuarantine
  }

  /// The plugins found.
  private(set) var plugins: [CatalogedPlugin] = []
  /// Folders that were left out.
  private(set) var problems: [PluginFolderProblem] = []
  /// The index of the plugin for each id: the first one that is neither shadowed nor merely dropped into a folder.
  private var holders: [String: Int] = [:]
  /// The id, or else the path, of the plugin ready for use that has a module.
  private var owners: [String: String] = [:]

  /// Searches a search path; probes new plugins that are allowed to run.
  init(path: PluginSearchPath, rules: inout Rules, examiner: inout PluginExaminer) {
    let (candidates, problems) = PluginScan.candidates(in: path, lock: rules.lock)
    self.problems = problems
    for candidate in candidates {
      if let plugin = judge(candidate, &rules, &examiner) { append(plugin) }
    }
    examiner.registry.forgetAll(except: Set(candidates.map(\.path)))
    examiner.registry.save()
  }

  /// Returns the plugin of that id which comes first.
  func plugin(_ id: String) -> CatalogedPlugin? {
    if let holder = holders[id] { return plugins[holder] }
    return plugins.first { $0.id == id }
  }

  private mutating func append(_ plugin: CatalogedPlugin) {
    if let id = plugin.id, holders[id] == nil, plugin.state != .shadowed, !isMerelyDropped(plugin) {
      holders[id] = plugins.count
    }
    if plugin.state == .ready {
      for module in plugin.dossier?.modules ?? [] { owners[module] = plugin.id ?? plugin.path }
    }
    plugins.append(plugin)
  }

  /// Returns true for a plugin in the user's folder that is not enabled; it does not hide others.
  private func isMerelyDropped(_ plugin: CatalogedPlugin) -> Bool {
    plugin.state == .disabled && plugin.error?.code == PluginHostError.notEnabled.code
  }

  /// Returns the refusal of an untrusted library with an id, or of one in an untrusted folder; nil if there is none.
  ///
  /// It reads the stamps of libraries that the search skips, so use it only for messages.
  func refusal(hiding id: String) -> ErrorReport? {
    if let plugin = plugins.first(where: { $0.id == nil && $0.error != nil && Self.hasStamp(id, $0.path) }) {
      return plugin.error
    }
    let problem = problems.first { problem in
      // The folder of the plugin has its library or manifest, or one folder for each version.
      let own = FilePath.name(of: problem.path) == id ? problem.path : problem.path + "/" + id
      let folders = [problem.path, own] + PluginScan.names(in: own).map { own + "/" + $0 }
      return folders.contains { folder in
        PluginScan.names(in: folder).contains { name in
          (name.hasSuffix(".so") || name == ProgramManifest.fileName) && Self.hasStamp(id, folder + "/" + name)
        }
      }
    }
    return problem?.refusal.report
  }

  private static func hasStamp(_ id: String, _ path: String) -> Bool {
    guard let (bytes, _) = try? FileTrust.read(path, isTrusted: true) else { return false }
    if ProgramManifest.isManifest(path) { return (try? ProgramManifest(bytes, path: path))?.stamp.id == id }
    return (try? ELFFile(bytes)).flatMap { (try? PluginStamp($0, path: path)) ?? nil }?.id == id
  }

  private func judge(
    _ candidate: PluginCandidate, _ rules: inout Rules, _ examiner: inout PluginExaminer
  ) -> CatalogedPlugin? {
    var plugin = CatalogedPlugin(
      id: candidate.folderName, path: candidate.path, source: candidate.source, state: .refused)
    let (looked, refusal) = examiner.look(at: candidate.path, isTrusted: candidate.source == .bundled)
    guard var dossier = looked else {
      plugin.error = refusal?.report
      return plugin
    }
    defer { examiner.keep(dossier) }
    if dossier.verdict == .notAPlugin { return nil }
    plugin.id = dossier.stamp?.id ?? candidate.folderName
    if let id = plugin.id {
      (plugin.state, plugin.error) = standing(id, candidate, dossier, &rules)
      if plugin.state == .ready { dossier = examiner.probed(dossier) }
    }
    plugin.dossier = dossier
    if plugin.state == .ready || plugin.id == nil { settle(&plugin) }
    return plugin
  }

  /// Returns the state of a plugin by the user's choices, earlier crashes and other plugins.
  private func standing(
    _ id: String, _ candidate: PluginCandidate, _ dossier: PluginDossier, _ rules: inout Rules
  ) -> (CatalogedPlugin.State, ErrorReport?) {
    if holders[id] != nil { return (.shadowed, nil) }
    let entry = rules.lock[id]
    if candidate.source == .user, entry?.release.file != candidate.path {
      return (.disabled, PluginHostError.notEnabled(id, path: candidate.path))
    }
    if let entry, !entry.isEnabled { return (.disabled, PluginHostError.disabled(id)) }
    if candidate.source == .user, let known = entry?.release.hash, !dossier.hash.isEmpty, known != dossier.hash {
      let isInstalled = entry?.release.source != nil
      return (.refused, PluginRefusal.altered(id: id, path: candidate.path, isInstalled: isInstalled))
    }
    if let crash = rules.quarantine.entry(keepingOut: id, dossier.identity) {
      return (.quarantined, PluginHostError.quarantined(crash))
    }
    return (.ready, nil)
  }

  /// Applies the verdict on a file that is not otherwise excluded.
  private func settle(_ plugin: inout CatalogedPlugin) {
    if case .refused(let error) = plugin.dossier?.verdict {
      (plugin.state, plugin.error) = (.refused, error)
    }
    guard plugin.state == .ready, let id = plugin.id, let modules = plugin.dossier?.modules else { return }
    for module in modules {
      guard let other = owners[module] else { continue }
      let refusal = PluginRefusal.sameModule(id: id, module: module, other: other)
      (plugin.state, plugin.error) = (.refused, refusal.report)
      return
    }
  }
}
