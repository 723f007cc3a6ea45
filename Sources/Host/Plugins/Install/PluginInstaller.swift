internal import CHost
import Glibc
import PluginAPI

/// Installs plugins into the user's plugin folder and removes them.
struct PluginInstaller: Sendable {
  /// The outcome of an installation.
  struct Outcome: Sendable, Hashable {
    var id: String
    var version: String
    var path: String
    var hash: String
    /// The version that was there before; nil if there was none.
    var replaced: String?
  }

  let folders: HostFolders
  let installation: HostInstallation
  let probe: PluginProbe
  /// The modules of the plugins there are, by id.
  let modules: [String: [String]]
  /// The ids of the plugins that ship with the program.
  let bundled: Set<String>

  private var pluginsFolder: String { folders.data + "/plugins" }

  /// Installs the plugin at a path: checks its bytes, copies it, probes it at its destination, then moves it into
  /// place.
  ///
  /// - Parameter replaced: The id of the bundled plugin that it may replace; nil for none.
  func install(_ path: String, replacing replaced: String? = nil) throws -> Outcome {
    let package = try PluginPackage(at: path)
    let name = FilePath.name(of: package.library)
    guard Self.isLibraryName(name) else { throw InstallError.badFileName(name) }
    let (bytes, _) = try FileTrust.read(package.library, isTrusted: true)
    let stamp = try judge(bytes, path: package.library)
    try checkReplacement(of: stamp.id, agreed: replaced)
    guard let hash = ContentHash.of(bytes) else { throw InstallError.noHash }
    let fresh = "\(pluginsFolder)/.new-\(getpid())-\(stamp.id)"
    removeLeftovers()
    try HostFile.remove(fresh)
    defer { try? HostFile.remove(fresh) }
    try HostFile.write(bytes, to: fresh + "/" + name, makesFolder: true)
    if let resources = package.resources { try ResourceCopy.copy(resources, to: fresh + "/resources") }
    let probed = probe.verdict(on: fresh + "/" + name, id: stamp.id)
    if case .refused(let error) = probed.verdict { throw error }
    return try settle(fresh, name: name, stamp, hash: hash, probed, source: path)
  }

  /// Checks that the user agrees if the plugin replaces a bundled one, whose stores it would take over.
  func checkReplacement(of id: String, agreed: String?) throws(InstallError) {
    if let agreed, agreed != id { throw .notReplaced(id: id, named: agreed) }
    if bundled.contains(id), agreed != id { throw .replacesBundled(id) }
  }

  private func judge(_ bytes: [UInt8], path: String) throws -> PluginStamp {
    let file: ELFFile
    do throws(ELFError) { file = try ELFFile(bytes) } catch { throw PluginRefusal.library(path: path, error) }
    guard let stamp = try PluginStamp(file, path: path) else { throw PluginRefusal.noStamp(path: path) }
    try stamp.checkContract()
    for module in SwiftModules.names(in: file) {
      if let other = modules.first(where: { $0.key != stamp.id && $0.value.contains(module) }) {
        throw PluginRefusal.sameModule(id: stamp.id, module: module, other: other.key)
      }
    }
    return stamp
  }

  /// Moves a finished folder into place and records it.
  private func settle(
    _ fresh: String, name: String, _ stamp: PluginStamp, hash: String,
    _ probed: (name: String?, verdict: PluginDossier.Verdict),
    source: String
  ) throws -> Outcome {
    let place = pluginsFolder + "/" + stamp.id
    if rename(fresh, place) != 0, chost_exchange(fresh, place) != 0 {
      throw HostFileError.cannot(.write, place, code: errno)
    }
    HostFile.synchronize(folder: pluginsFolder)
    let replaced = try PluginLock.change(data: folders.data) { lock in
      let replaced = lock[stamp.id]?.source == nil ? nil : lock[stamp.id]?.version
      lock[stamp.id] = PluginLock.Entry(
        id: stamp.id, isEnabled: true, version: stamp.version, hash: hash, file: place + "/" + name,
        date: Instant.now.description, source: FilePath.absolute(source))
      return replaced
    }
    var quarantine = PluginQuarantine(state: folders.state)
    if quarantine.entries[stamp.id] != nil { try quarantine.remove(stamp.id) }
    remember(place + "/" + name, probed)
    return Outcome(id: stamp.id, version: stamp.version, path: place + "/" + name, hash: hash, replaced: replaced)
  }

  /// Stores the verdict, so that the next start need not probe again.
  private func remember(_ path: String, _ probed: (name: String?, verdict: PluginDossier.Verdict)) {
    var examiner = PluginExaminer(
      registry: PluginRegistry(folder: folders.cache, installation: installation), probe: probe)
    guard var dossier = examiner.look(at: path, isTrusted: false).dossier else { return }
    (dossier.name, dossier.verdict) = probed
    examiner.keep(dossier)
    examiner.registry.save()
  }

  /// Removes an installed plugin, or a library the user dropped into the folder; its stores stay.
  ///
  /// - Returns: The path that was removed.
  func remove(_ plugin: CatalogedPlugin, id: String) throws -> String {
    guard plugin.source == .user else {
      throw InstallError.notTheUsers(id: id, source: "\(plugin.source.rawValue) plugin")
    }
    let folder = FilePath.folder(of: plugin.path)
    let path = folder == pluginsFolder ? plugin.path : folder
    let hidden = "\(pluginsFolder)/.old-\(getpid())-\(id)"
    try HostFile.remove(hidden)
    guard rename(path, hidden) == 0 else { throw HostFileError.cannot(.remove, path, code: errno) }
    try PluginLock.change(data: folders.data) { $0[id] = nil }
    try HostFile.remove(hidden)
    return path
  }

  /// Removes the remains of killed installations and removals: hidden folders with the number of an ended process.
  private func removeLeftovers() {
    for name in HostFile.names(in: pluginsFolder) where name.hasPrefix(".new-") || name.hasPrefix(".old-") {
      guard let process = name.split(separator: "-").dropFirst().first.flatMap({ pid_t($0) }), process > 0,
        kill(process, 0) != 0, errno == ESRCH
      else { continue }
      try? HostFile.remove(pluginsFolder + "/" + name)
    }
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
