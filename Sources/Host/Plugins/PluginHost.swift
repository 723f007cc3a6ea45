internal import CHost
import PluginAPI

/// The plugins of this run: knows their contributions, activates them on demand and makes their parts.
@MainActor final class PluginHost {
  let folders: HostFolders
  let installation: HostInstallation
  private let loop: HostEventLoop
  private let services: HostContext.Services
  private let searchPath: PluginSearchPath
  /// A Boolean value indicating whether libraries are opened in child processes.
  var isIsolating: Bool
  /// Receives diagnostics about plugins for the user.
  var onDiagnostic: (@MainActor (Diagnostic) -> Void)?
  /// Called when a plugin was loaded or activated, with the time when that began; see ``MonotonicClock``.
  var onPhase: (@MainActor (PluginPhase, Double) -> Void)?
  private var known: PluginCatalog?
  private var stored: [String: StoredContributions] = [:]
  private var active: [String: ActivePlugin] = [:]
  private var failed: [String: ErrorReport] = [:]
  private var adopted: [String] = []

  /// Creates the host of a run.
  ///
  /// - Parameters:
  ///   - isIsolating: True to open libraries in child processes.
  ///   - searchPath: The search path for plugins; nil for none, as in tests of adopted plugins.
  init(
    folders: HostFolders, loop: HostEventLoop, notifications: NotificationHub, settings: Settings, isOffline: Bool,
    isIsolating: Bool = false, searchPath: PluginSearchPath? = nil, installation: HostInstallation = .current
  ) {
    self.isIsolating = isIsolating
    self.folders = folders
    self.loop = loop
    services = HostContext.Services(
      notifications: notifications, settings: settings, log: HostLog(folder: folders.state), isOffline: isOffline)
    self.searchPath = searchPath ?? PluginSearchPath(folders: [])
    self.installation = installation
  }

  /// The plugins on the search path; the search runs at first use.
  var catalog: PluginCatalog {
    if let known { return known }
    var rules = rules()
    var examiner = examiner()
    let catalog = PluginCatalog(path: searchPath, rules: &rules, examiner: &examiner)
    known = catalog
    return catalog
  }

  /// Searches again at the next use; loaded plugins stay loaded.
  func forgetCatalog() {
    known = nil
    stored = stored.filter { active[$0.key] != nil }
    failed = [:]
  }

  /// The ids of all usable plugins, in the order they are listed.
  private var order: [String] {
    adopted + catalog.plugins.compactMap { $0.state == .ready ? $0.id : nil }.filter { !adopted.contains($0) }
  }

  /// The contributions of all usable plugins, in the order they are listed.
  var contributions: [StoredContributions] { order.compactMap { contributions(of: $0) } }

  /// Returns the contributions of a plugin.
  func contributions(of id: String) -> StoredContributions? {
    if let plugin = active[id] { return plugin.contributions }
    if let contributions = stored[id] { return contributions }
    let contributions = readContributions(of: id) ?? readContributionsAgain(of: id)
    stored[id] = contributions
    return contributions
  }

  private func readContributions(of id: String) -> StoredContributions? {
    guard let plugin = catalog.plugin(id), plugin.state == .ready else { return nil }
    return plugin.contributions?.bytes().flatMap(StoredContributions.init)
  }

  /// Probes a plugin again if its contributions are not where the registry's index says, because another process has
  /// written the registry.
  private func readContributionsAgain(of id: String) -> StoredContributions? {
    guard let plugin = catalog.plugin(id), plugin.state == .ready, plugin.contributions != nil else { return nil }
    var examiner = examiner()
    examiner.registry.forget(plugin.path)
    examiner.registry.save()
    known = nil
    return readContributions(of: id)
  }

  /// Adds a plugin that is already in the process; for tests.
  func adopt(_ plugin: any Plugin) throws {
    let contributions = StoredContributions(plugin.contributions)
    adopted.append(contributions.plugin.id)
    try activate(plugin, contributions, library: nil)
  }

  /// Returns the plugin of that id, loaded and activated.
  func activated(_ id: String) throws -> ActivePlugin {
    if let plugin = active[id] { return plugin }
    if let report = failed[id] { throw report }
    guard let plugin = catalog.plugin(id) else { throw missing(id, known: order) }
    if let error = plugin.error { throw error }
    guard let contributions = contributions(of: id), let dossier = plugin.dossier else {
      throw PluginRefusal.probeFailed(id: id, "its description cannot be read")
    }
    do {
      try checkFiles(of: plugin, id)
      let made: any Plugin
      if ProgramManifest.isManifest(plugin.path) {
        made = try program(dossier)
      } else if isIsolating {
        made = isolated(dossier, contributions, plugin.source)
      } else {
        made = try load(dossier, id, plugin.source)
      }
      return try activate(made, contributions, library: plugin.path)
    } catch {
      failed[id] = ErrorReport(wrapping: error, plugin: id, command: "activate")
      throw error
    }
  }

  /// Returns the reason why there is no plugin with an id: the refusal of an untrusted one, if there is one.
  func missing(_ id: String, known: [String]) -> any Error {
    if let refusal = catalog.refusal(hiding: id) { return PluginHostError.untrusted(id, reason: refusal) }
    return PluginHostError.unknownPlugin(id, known: known)
  }

  /// Checks that the files of an installed plugin are those that were installed.
  ///
  /// The library or manifest was compared by the catalog. Resources are data, of which there may be a lot;
  /// `plugin verify` compares them.
  private func checkFiles(of plugin: CatalogedPlugin, _ id: String) throws {
    guard plugin.source == .user, let release = PluginLock(data: folders.data)[id]?.release,
      release.file == plugin.path, let hash = release.contents
    else { return }
    let main = FilePath.name(of: plugin.path)
    let altered = InstalledFiles.altered(in: FilePath.folder(of: plugin.path), hash: hash) {
      $0 != main && !$0.hasPrefix("resources/")
    }
    guard let altered else { return }
    do throws(ErrorReport) {
      _ = try FileTrust.checkFile(altered)
    } catch {
      // Its reason names the command that mends the mode.
      if PluginRefusal.unsafeReason(error) != nil { throw error }
    }
    throw PluginRefusal.altered(id: id, path: altered, isInstalled: true)
  }

  /// Returns the plugin whose program the manifest names; the program starts at its first use.
  private func program(_ dossier: PluginDossier) throws -> any Plugin {
    let (manifest, identity) = try ProgramManifest.read(dossier.path)
    guard identity == dossier.identity else {
      throw PluginRefusal.changed(id: manifest.stamp.id, path: dossier.path)
    }
    return ProgramPlugin(
      ProgramService.Source(
        manifest: manifest, path: dossier.path, identity: identity, state: folders.state,
        memoryInBytes: memoryLimitInBytes))
  }

  /// The limit of the writable memory of a process with a plugin; 0 for none.
  private var memoryLimitInBytes: UInt64 {
    UInt64(HostSettings.memoryLimitInMegabytes(services.settings) ?? 0) << 20
  }

  /// Returns a plugin whose library a child opens at its first use.
  private func isolated(
    _ dossier: PluginDossier, _ contributions: StoredContributions, _ source: PluginSource
  ) -> any Plugin {
    // The loop waits for the child's controllers.
    loop.watchdog.start()
    let library = IsolatedLibrary(
      contributions: contributions, needs: dossier.needs, isBundled: source == .bundled, installation: installation)
    return IsolatedPlugin(
      library,
      ProgramService.Source(
        library: library, path: dossier.path, identity: dossier.identity, state: folders.state,
        memoryInBytes: memoryLimitInBytes))
  }

  /// Opens the library that was checked, and no other.
  private func load(_ dossier: PluginDossier, _ id: String, _ source: PluginSource) throws -> any Plugin {
    if let problem = CrashJournal.open(state: folders.state) { onDiagnostic?(problem) }
    divertOutput()
    if let megabytes = HostSettings.memoryLimitInMegabytes(services.settings) {
      _ = chost_limit_memory(UInt64(megabytes) << 20)
    }
    loop.watchdog.start()
    let isTrusted = source == .bundled
    let start = MonotonicClock.seconds
    func isSame() -> Bool { (try? FileTrust.checkFile(dossier.path, isTrusted: isTrusted)) == dossier.identity }
    guard isSame() else { throw PluginRefusal.changed(id: id, path: dossier.path) }
    let opened = try PluginEntrance(id: id, loop: loop)(.load) {
      try PluginLibrary.open(
        dossier.path, id: id, needs: dossier.needs, installation: installation, isBundled: isTrusted)
    }
    CrashJournal.noteLibrary(id, at: opened.entry, dossier.identity)
    guard isSame() else { throw PluginRefusal.changed(id: id, path: dossier.path) }
    onPhase?(.load, start)
    return opened.plugin
  }

  @discardableResult
  private func activate(_ plugin: any Plugin, _ contributions: StoredContributions, library: String?) throws
    -> ActivePlugin
  {
    let id = contributions.plugin.id
    let entrance = PluginEntrance(id: id, loop: loop)
    let resources = library.map { installation.resources(of: id, library: $0) } ?? ""
    let context = HostContext(
      plugin: plugin, contributions: contributions, host: self, folders: pluginFolders(id, resources: resources),
      entrance: entrance, services: services)
    let part = ActivePlugin(plugin: plugin, contributions: contributions, context: context, entrance: entrance)
    active[id] = part
    let start = MonotonicClock.seconds
    do {
      try entrance(.activate) { try plugin.activate(context) }
    } catch {
      active[id] = nil
      let reason = ErrorReport(wrapping: error, plugin: id, command: "activate")
      throw PluginHostError.activationFailed(id, reason: reason)
    }
    onPhase?(.activate, start)
    return part
  }

  /// Makes the controller of a screen; calls into it are noted and watched.
  func controller(_ request: ScreenRequest, askedBy asker: String) throws -> any Controller {
    let plugin = try activated(request.plugin ?? asker)
    let made = try plugin.entrance(.screen, request.screen) {
      try plugin.plugin.makeController(request, plugin.context)
    }
    return EnteredController(made, screen: request.screen, entrance: plugin.entrance)
  }

  /// Closes the stores of all plugins, so that the next run need not recover them, and ends the children.
  ///
  /// No store may be used afterwards. A task that was canceled waits too.
  ///
  /// - Parameter limit: Seconds to wait. Stores still open then are left as after a crash.
  func closeStores(withinSeconds limit: Double = 2) async {
    let open = active.values.flatMap { plugin in plugin.context.openStores.map { (plugin, $0) } }
    let children = active.values.compactMap { $0.plugin as? IsolatedPlugin }
    if open.isEmpty, children.isEmpty { return }
    var left = open.count + children.count
    await withCheckedContinuation { continuation in
      var waiting: CheckedContinuation<Void, Never>? = continuation
      func end() {
        waiting?.resume()
        waiting = nil
      }
      MainQueue.async(afterSeconds: limit) { end() }
      for child in children {
        Task {
          await child.end()
          left -= 1
          if left == 0 { end() }
        }
      }
      for (plugin, store) in open {
        Task {
          do { try await plugin.close(store) } catch { log(ErrorReport(error), of: plugin.id) }
          left -= 1
          if left == 0 { end() }
        }
      }
    }
  }

  /// Returns the text renderer for values of a type; nil if no plugin has one.
  func textRenderer(_ typeName: String) throws -> (any TextRenderer)? {
    // A plugin renders types of its own namespace only.
    let id = String(typeName.prefix { $0 != "." })
    guard contributions(of: id)?.textRenderers.contains(typeName) == true else { return nil }
    return try activated(id).textRenderer(typeName)
  }

  /// Redirects text printed by plugins to the log; once per process.
  func divertOutput() { StandardOutput.divert(to: services.log) }

  /// Writes an error of a plugin to the log.
  func log(_ error: ErrorReport, of plugin: String) {
    services.log.write(.error, from: plugin, error.message)
  }

  /// Returns the context for the host's own commands.
  func hostContext() -> HostContext {
    let identity = PluginIdentity(id: "host", name: "Workbench", version: "", summary: "")
    return HostContext(
      plugin: nil, contributions: StoredContributions(Contributions(plugin: identity)), host: self,
      folders: pluginFolders("host", resources: ""), entrance: PluginEntrance(id: "host", loop: loop),
      services: services)
  }

  private func pluginFolders(_ id: String, resources: String) -> PluginFolders {
    PluginFolders(
      resources: resources, data: folders.stores + "/" + id, state: folders.pluginState + "/" + id,
      cache: folders.cache + "/plugins/" + id)
  }
}

extension PluginHost {
  /// Returns the user's choices and earlier crashes, after collecting new crash journals.
  func rules() -> PluginCatalog.Rules {
    var quarantine = PluginQuarantine(state: folders.state)
    for crash in CrashJournal.collect(state: folders.state) {
      // An entry that cannot be written counts for this run.
      try? quarantine.add(crash)
      // Orderly ends were already reported by that run.
      if crash.phase == PluginPhase.probe.rawValue { onDiagnostic?(PluginHostError.setAside(crash)) }
    }
    return PluginCatalog.Rules(lock: PluginLock(data: folders.data), quarantine: quarantine)
  }

  /// A probe, which lets a library describe itself, within the memory limit of the settings.
  var probe: PluginProbe {
    var probe = PluginProbe(installation: installation, state: folders.state)
    if let megabytes = HostSettings.memoryLimitInMegabytes(services.settings) {
      probe.memoryLimitInMegabytes = min(megabytes, probe.memoryLimitInMegabytes)
    }
    return probe
  }

  /// Returns an examiner of library files.
  func examiner() -> PluginExaminer {
    PluginExaminer(registry: PluginRegistry(folder: folders.cache, installation: installation), probe: probe)
  }
}

extension PluginHost {
  /// An installer, which also removes plugins.
  var installer: PluginInstaller {
    var modules: [String: [String]] = [:]
    for plugin in catalog.plugins where plugin.state != .shadowed {
      if let id = plugin.id { modules[id] = plugin.dossier?.modules }
    }
    let bundled = catalog.plugins.compactMap { $0.source == .bundled ? $0.id : nil }
    return PluginInstaller(
      folders: folders, installation: installation, probe: probe, modules: modules, bundled: Set(bundled))
  }

  /// Returns the plugin of that id.
  ///
  /// - Throws: An error with the nearest id if there is none.
  func cataloged(_ id: String) throws -> CatalogedPlugin {
    if let plugin = catalog.plugin(id) { return plugin }
    throw missing(id, known: catalog.plugins.compactMap(\.id))
  }

  /// Enables a disabled plugin, or a library dropped into the user's folder.
  ///
  /// - Parameter replaced: The id of the bundled plugin that a dropped library may replace; nil for none.
  /// - Returns: The plugin in its new state.
  func enable(_ id: String, replacing replaced: String? = nil) throws -> CatalogedPlugin {
    let known = PluginLock(data: folders.data)[id]
    let candidates = catalog.plugins.filter { $0.id == id && $0.state != .shadowed }
    // A bundled plugin that is disabled comes before a library that was dropped into the folder under its id.
    let isBundledMeant = replaced == nil && candidates.contains { $0.source == .bundled && $0.state == .disabled }
    let meant = isBundledMeant ? candidates.filter { $0.source != .user || $0.path == known?.release.file } : candidates
    guard let plugin = meant.first(where: { $0.state == .disabled }) ?? meant.first else {
      return try cataloged(id)
    }
    if let verdict = plugin.dossier?.verdict, case .refused(let error) = verdict { throw error }
    let isAltered = plugin.error?.code == PluginRefusal.altered.code
    guard plugin.state == .disabled || isAltered else { return plugin }
    if plugin.source == .user, known?.release.file != plugin.path {
      try installer.checkReplacement(of: id, agreed: replaced)
    }
    try PluginLock.change(data: folders.data) { lock in
      guard plugin.source == .user else {
        lock[id] = nil
        return
      }
      var entry = lock[id] ?? PluginLock.Entry(id: id, isEnabled: true)
      entry.isEnabled = true
      if entry.release.file != plugin.path { entry.release = PluginLock.Release(file: plugin.path) }
      entry.release.version = plugin.dossier?.stamp?.version
      if entry.release.source == nil {
        entry.release.hash = plugin.dossier.flatMap { $0.hash.isEmpty ? nil : $0.hash }
      }
      lock[id] = entry
    }
    forgetCatalog()
    let enabled = try cataloged(id)
    if let error = enabled.error { throw error }
    return enabled
  }

  /// Disables a plugin from the next start on.
  func disable(_ id: String) throws {
    _ = try cataloged(id)
    try PluginLock.change(data: folders.data) { lock in
      var entry = lock[id] ?? PluginLock.Entry(id: id, isEnabled: false)
      entry.isEnabled = false
      lock[id] = entry
    }
    forgetCatalog()
  }

  /// Lets a plugin in again that crashed.
  func unquarantine(_ id: String) throws -> CatalogedPlugin {
    var rules = rules()
    guard rules.quarantine.entries[id] != nil else { throw InstallError.notQuarantined(id) }
    try rules.quarantine.remove(id)
    forgetCatalog()
    return try cataloged(id)
  }
}
