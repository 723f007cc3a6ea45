import Glibc
import PluginAPI

/// Installs plugins into the user's plugin folder, switches between their versions and removes them.
///
/// Each version has a folder of its own, `plugins/ID/VERSION`. Replacing the lock file switches to another one, so that
/// a process killed at any moment leaves the old version or the new one, and programs that use the old one keep it.
struct PluginInstaller: Sendable {
  /// The outcome of an installation.
  struct Outcome: Sendable, Hashable {
    var id: String
    var release: PluginLock.Release
    /// The version that was there before; nil if there was none.
    var replaced: String?
  }

  /// The origin of a plugin's files.
  struct Origin: Sendable, Hashable {
    /// The public key of their signature; nil if they are unsigned.
    var key: String?
    /// The name of the source whose index lists them; nil for a file or folder.
    var index: String?
  }

  /// The facts about a plugin that are known without running anything.
  struct Inspection: Sendable, Hashable {
    var stamp: PluginStamp
    /// The rights and effects of a program; nil for a library, which states them when it is opened.
    var rights: PluginRights?
  }

  /// A plugin that was checked and copied, but is not used yet.
  struct Staged: Sendable {
    let id: String
    let rights: PluginRights
    /// The release, without its final file.
    fileprivate let release: PluginLock.Release
    fileprivate let folder: String
    fileprivate let main: String
    fileprivate let name: String?
    fileprivate let verdict: PluginDossier.Verdict
  }

  let folders: HostFolders
  let installation: HostInstallation
  let probe: PluginProbe
  /// The modules of the plugins there are, by id.
  let modules: [String: [String]]
  /// The ids of the plugins that ship with the program.
  let bundled: Set<String>

  /// The ids of all known plugins, for warnings about ids that look like them.
  var knownIDs: Set<String> { bundled.union(modules.keys) }

  private var pluginsFolder: String { folders.data + "/plugins" }
  private var log: InstallLog { InstallLog(state: folders.state) }

  /// Checks the library or manifest of a plugin without running anything.
  func inspect(_ files: PluginFiles) throws -> Inspection { try inspect(try files.main.read(), of: files) }

  private func inspect(_ main: [UInt8], of files: PluginFiles) throws -> Inspection {
    let name = files.main.name
    let path = FilePath.name(of: files.source) == name ? files.source : files.source + "/" + name
    if ProgramManifest.isManifest(path) {
      let manifest = try ProgramManifest(main, path: path)
      let contributions = StoredContributions(manifest.contributions)
      return Inspection(stamp: manifest.stamp, rights: PluginRights(contributions, run: manifest.run))
    }
    guard Self.isLibraryName(name) else { throw InstallError.badFileName(name) }
    let file: ELFFile
    do throws(ELFError) { file = try ELFFile(main) } catch { throw PluginRefusal.library(path: path, error) }
    guard let stamp = try PluginStamp(file, path: path) else { throw PluginRefusal.noStamp(path: path) }
    try stamp.checkContract()
    for module in SwiftModules.names(in: file) {
      if let other = modules.first(where: { $0.key != stamp.id && $0.value.contains(module) }) {
        throw PluginRefusal.sameModule(id: stamp.id, module: module, other: other.key)
      }
    }
    return Inspection(stamp: stamp, rights: nil)
  }

  /// Checks that the user agrees if the plugin replaces a bundled one, whose stores it would take over.
  func checkReplacement(of id: String, agreed: String?) throws(ErrorReport) {
    if let agreed, agreed != id { throw InstallError.notReplaced(id: id, named: agreed) }
    if bundled.contains(id), agreed != id { throw InstallError.replacesBundled(id) }
  }

  /// Copies the files of an inspected plugin beside the installed ones and lets it describe itself there, a library in
  /// a child process.
  ///
  /// - Returns: The plugin, for ``commit(_:)`` or ``discard(_:)``.
  func stage(_ files: PluginFiles, _ inspection: Inspection, origin: Origin = Origin()) throws -> Staged {
    let stamp = inspection.stamp
    let folder = "\(pluginsFolder)/.new-\(getpid())-\(stamp.id)"
    removeLeftovers()
    try HostFile.remove(folder)
    do {
      let contents = try InstalledFiles.write(files, to: folder)
      let main = folder + "/" + files.main.name
      let (bytes, _) = try FileTrust.read(main)
      // The file may have changed since it was inspected.
      guard try inspect(bytes, of: files) == inspection else {
        throw PluginRefusal.changed(id: stamp.id, path: files.source)
      }
      let release = PluginLock.Release(
        version: stamp.version, hash: try ContentHash.required(bytes), date: Instant.now.description,
        source: files.source, contents: contents, key: origin.key, index: origin.index)
      let (name, verdict) = try describe(main, bytes, id: stamp.id)
      guard case .usable(let block) = verdict, let stored = block.bytes().flatMap(StoredContributions.init) else {
        throw PluginRefusal.probeFailed(id: stamp.id, "its description cannot be read")
      }
      return Staged(
        id: stamp.id, rights: inspection.rights ?? PluginRights(stored, run: nil), release: release, folder: folder,
        main: files.main.name, name: name, verdict: verdict)
    } catch {
      try? HostFile.remove(folder)
      throw error
    }
  }

  /// Returns a plugin's name and contributions.
  private func describe(
    _ main: String, _ bytes: [UInt8], id: String
  ) throws -> (name: String?, verdict: PluginDossier.Verdict) {
    if ProgramManifest.isManifest(main) {
      let manifest = try ProgramManifest(bytes, path: main)
      return (
        manifest.contributions.plugin.name,
        .usable(RegistryBlock(StoredContributions(manifest.contributions).bytes))
      )
    }
    let probed = probe.verdict(on: main, id: id)
    if case .refused(let error) = probed.verdict { throw error }
    return probed
  }

  /// Removes the copy of a plugin that is not to be used.
  func discard(_ staged: Staged) { try? HostFile.remove(staged.folder) }

  /// Gives a plugin its folder and switches to it; the copy is removed if that fails.
  func commit(_ staged: Staged) throws -> Outcome {
    let outcome: Outcome
    do {
      outcome = try PluginLock.change(data: folders.data) { lock in try commit(staged, &lock) }
    } catch {
      discard(staged)
      throw error
    }
    try settle(staged.id)
    if let file = outcome.release.file { remember(file, staged) }
    return outcome
  }

  private func commit(_ staged: Staged, _ lock: inout PluginLock) throws -> Outcome {
    let id = staged.id
    let old = lock[id]
    let isUpgrade = old?.release.source != nil
    let folder = freeFolder(of: id, version: staged.release.version ?? "")
    var release = staged.release
    release.file = folder + "/" + staged.main
    // Written first, so that nothing is installed without a line in the log.
    try log.add(isUpgrade ? Self.action(replacing: old?.release.version, with: release.version) : .install, id, release)
    try HostFile.makeFolder(FilePath.folder(of: folder))
    guard rename(staged.folder, folder) == 0 else { throw HostFileError.cannot(.write, folder, code: errno) }
    HostFile.synchronize(folder: FilePath.folder(of: folder))
    HostFile.synchronize(folder: pluginsFolder)
    // Reinstalling the same version, to repair it, keeps the version before.
    let isSame = old?.release.hash == release.hash && old?.release.contents == release.contents
    let previous = isSame ? old?.previous : old?.release
    lock[id] = PluginLock.Entry(
      id: id, isEnabled: true, isPinned: old?.isPinned ?? false, release: release,
      previous: previous?.file == nil ? nil : previous)
    return Outcome(id: id, release: release, replaced: isUpgrade ? old?.release.version : nil)
  }

  /// Returns the action of the log for a version that replaces another one.
  private static func action(replacing old: String?, with new: String?) -> InstallLog.Action {
    guard let old = old.flatMap(PluginVersion.init), let new = new.flatMap(PluginVersion.init) else { return .install }
    if old < new { return .upgrade }
    return new < old ? .downgrade : .install
  }

  /// Returns the folder for a version that no other copy of it has.
  private func freeFolder(of id: String, version: String) -> String {
    let folder = "\(pluginsFolder)/\(id)/\(version)"
    if access(folder, F_OK) != 0 { return folder }
    // A copy in use stays as it is.
    return (2...).lazy.map { "\(folder)-\($0)" }.first { access($0, F_OK) != 0 } ?? folder
  }

  /// Releases a plugin that crashed in another version from quarantine, and removes the folders of versions that are
  /// neither used nor kept.
  private func settle(_ id: String) throws {
    var quarantine = PluginQuarantine(state: folders.state)
    if quarantine.entries[id] != nil { try quarantine.remove(id) }
    try PluginLock.change(data: folders.data) { lock in
      let kept = [lock[id]?.release, lock[id]?.previous].compactMap { $0?.file.map(FilePath.folder(of:)) }
      let folder = pluginsFolder + "/" + id
      for name in HostFile.names(in: folder) where PluginID.isVersion(name) && !kept.contains(folder + "/" + name) {
        try HostFile.remove(folder + "/" + name)
      }
    }
  }

  /// Stores the verdict, so that the next start need not probe again.
  private func remember(_ path: String, _ staged: Staged) {
    var examiner = PluginExaminer(
      registry: PluginRegistry(folder: folders.cache, installation: installation), probe: probe)
    guard var dossier = examiner.look(at: path, isTrusted: false).dossier else { return }
    (dossier.name, dossier.verdict) = (staged.name, staged.verdict)
    examiner.keep(dossier)
    examiner.registry.save()
  }

  /// Switches back to the version before, which then is the one to return to.
  func rollback(_ id: String) throws -> Outcome {
    let outcome = try PluginLock.change(data: folders.data) { lock in
      guard var entry = lock[id], entry.release.file != nil else { throw InstallError.notInstalled(id) }
      guard let previous = entry.previous, let file = previous.file, access(file, F_OK) == 0 else {
        throw InstallError.noEarlierVersion(id)
      }
      let replaced = entry.release.version
      (entry.release, entry.previous) = (previous, entry.release)
      lock[id] = entry
      try log.add(.rollback, id, previous)
      return Outcome(id: id, release: previous, replaced: replaced)
    }
    try settle(id)
    return outcome
  }

  /// Sets whether upgrades skip a plugin.
  func setPinned(_ id: String, _ isPinned: Bool) throws -> PluginLock.Entry {
    try PluginLock.change(data: folders.data) { lock in
      guard var entry = lock[id], entry.release.file != nil else { throw InstallError.notInstalled(id) }
      entry.isPinned = isPinned
      lock[id] = entry
      try log.add(isPinned ? .pin : .unpin, id, entry.release)
      return entry
    }
  }

  /// Removes an installed plugin with its earlier versions, or a library the user dropped into the folder; its stores,
  /// documents and settings stay.
  ///
  /// - Returns: The path that was removed.
  func remove(_ plugin: CatalogedPlugin, id: String) throws -> String {
    guard plugin.source == .user else {
      throw InstallError.notTheUsers(id: id, source: "\(plugin.source.rawValue) plugin")
    }
    let own = pluginsFolder + "/" + id
    let folder = FilePath.folder(of: plugin.path)
    let path = folder == pluginsFolder ? plugin.path : folder.hasPrefix(own + "/") ? own : folder
    let hidden = "\(pluginsFolder)/.old-\(getpid())-\(id)"
    try HostFile.remove(hidden)
    try PluginLock.change(data: folders.data) { lock in
      try log.add(.remove, id, lock[id]?.release ?? PluginLock.Release())
      guard rename(path, hidden) == 0 else { throw HostFileError.cannot(.remove, path, code: errno) }
      lock[id] = nil
    }
    try HostFile.remove(hidden)
    return path
  }

  /// Removes leftovers of killed installations and removals, which are named after processes that have ended.
  private func removeLeftovers() {
    for name in HostFile.names(in: pluginsFolder) {
      guard let process = Self.process(leaving: name), process > 0, kill(process, 0) != 0, errno == ESRCH else {
        continue
      }
      try? HostFile.remove(pluginsFolder + "/" + name)
    }
  }

  /// Returns the id of the process that made a temporary folder or an unfinished lock file; nil for other names.
  private static func process(leaving name: String) -> pid_t? {
    let prefix = [".new-", ".old-", "plugins.lock."].first { name.hasPrefix($0) }
    return prefix.flatMap { pid_t(name.dropFirst($0.count).prefix { $0 != "-" }) }
  }

  /// Returns true if a file name is `lib<Name>.so`.
  static func isLibraryName(_ name: String) -> Bool {
    guard name.hasPrefix("lib"), name.hasSuffix(".so"), name.utf8.count <= 80 else { return false }
    let middle = name.utf8.dropFirst(3).dropLast(3)
    return !middle.isEmpty
      && middle.allSatisfy {
        (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
          || $0 == 0x5F
      }
  }
}

/// An error in installing, removing or enabling a plugin.
enum InstallError {
  static let nothingThere = DeclaredError(
    "host.install-nothing-there", .notFound, "the path to install does not exist")
  static func nothingThere(path: String, reason: String) -> ErrorReport {
    nothingThere("cannot install '\(path)': \(reason)")
  }
  static let noPlugin = DeclaredError(
    "host.install-no-plugin", .notFound, "the file or folder to install does not contain a plugin")
  static func noPlugin(path: String) -> ErrorReport {
    noPlugin("'\(path)' does not contain a plugin", advice: "build the plugin first, or name its file")
  }
  static let severalPlugins = DeclaredError(
    "host.install-several-plugins", .usage, "the folder to install contains several plugins; name one")
  static func severalPlugins(path: String, names: [String]) -> ErrorReport {
    severalPlugins("'\(path)' contains several plugins", advice: "name one of " + names.joined(separator: ", "))
  }
  static let badFileNameCode = DeclaredError(
    "host.install-bad-file-name", .refused, "the library is not named lib<Name>.so")
  static func badFileName(_ name: String) -> ErrorReport {
    badFileNameCode(
      "'\(name)' is not a valid name for a plugin library",
      advice: "name it lib<Name>.so, with only letters, digits, '-' and '_' in <Name>")
  }
  static let replacesBundledCode = DeclaredError(
    "host.install-replaces-bundled", .refused, "the plugin would replace a bundled plugin")
  static func replacesBundled(_ id: String) -> ErrorReport {
    replacesBundledCode(
      "this plugin would replace the bundled plugin '\(id)' and get access to its stores",
      advice: "give your plugin another id, or replace the bundled one with '--replace \(id)'",
      details: ["plugin": .text(id)])
  }
  static let notReplaced = DeclaredError(
    "host.install-not-replaced", .usage, "--replace names a different plugin than the one to install")
  static func notReplaced(id: String, named: String) -> ErrorReport {
    notReplaced("the plugin to install is '\(id)' and cannot replace '\(named)'", advice: "omit '--replace \(named)'")
  }
  static let badResource = DeclaredError(
    "host.install-bad-resource", .refused, "a resource is neither a file nor a folder, or there are too many")
  static func badResource(path: String, reason: String) -> ErrorReport {
    badResource("cannot install the resource '\(path)': \(reason)")
  }
  static let notTheUsers = DeclaredError(
    "host.plugin-not-removable", .refused, "the plugin was not installed by the user; disable it")
  static func notTheUsers(id: String, source: String) -> ErrorReport {
    notTheUsers(
      "cannot remove plugin '\(id)': it is a \(source), not installed by you",
      advice: "disable it with 'workbench plugin disable \(id)'")
  }
  static let notQuarantinedCode = DeclaredError(
    "host.plugin-not-quarantined", .notFound, "the plugin is not quarantined")
  static func notQuarantined(_ id: String) -> ErrorReport { notQuarantinedCode("plugin '\(id)' is not quarantined") }
  static let notInstalledCode = DeclaredError(
    "host.plugin-not-installed", .notFound, "the user has not installed this plugin")
  static func notInstalled(_ id: String) -> ErrorReport {
    notInstalledCode(
      "you have not installed plugin '\(id)'", advice: "list plugins with 'workbench plugin list'",
      details: ["plugin": .text(id)])
  }
  static let noEarlierVersionCode = DeclaredError(
    "host.no-earlier-version", .notFound, "there is no earlier version to return to")
  static func noEarlierVersion(_ id: String) -> ErrorReport {
    noEarlierVersionCode("there is no earlier version of plugin '\(id)'", details: ["plugin": .text(id)])
  }
  static let pinned = DeclaredError("host.plugin-pinned", .refused, "the plugin is pinned to its version")
  static func pinned(_ id: String, version: String) -> ErrorReport {
    pinned(
      "plugin '\(id)' is pinned to version \(version)",
      advice: "allow other versions with 'workbench plugin unpin \(id)'", details: ["plugin": .text(id)])
  }
  static let noSourceCode = DeclaredError(
    "host.upgrade-no-source", .refused, "the plugin was installed from a file; install a newer file")
  static func noSource(_ id: String) -> ErrorReport {
    noSourceCode(
      "plugin '\(id)' was installed from a file, not from a source",
      advice: "install a newer file with 'workbench plugin install FILE'", details: ["plugin": .text(id)])
  }

}
