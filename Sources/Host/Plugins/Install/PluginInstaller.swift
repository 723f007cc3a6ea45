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
    let hash = try ContentHash.required(bytes)
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

/// The contents of a path to be installed: one plugin library, and its resources if there are any.
private struct PluginPackage: Sendable, Hashable {
  /// The library's path, without links.
  var library: String
  /// The folder of its resources; nil for none.
  var resources: String?

  /// Finds the plugin at a path: a library, a folder with one, or a package with one in its build folder.
  init(at path: String) throws(InstallError) {
    guard let real = FilePath.real(path) else { throw .nothingThere(path: path, reason: FilePath.lastError) }
    var status = stat()
    guard stat(real, &status) == 0 else { throw .nothingThere(path: path, reason: FilePath.lastError) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      library = real
      resources = Self.resources(near: [FilePath.folder(of: real)])
      return
    }
    let places = [real, real + "/.build/release", real + "/.build/debug"]
    for place in places {
      let plugins = Self.plugins(in: place)
      if plugins.count > 1 {
        throw .severalPlugins(path: path, names: plugins.map(FilePath.name(of:)))
      }
      if let library = plugins.first {
        self.library = library
        resources = Self.resources(near: [real, place])
        return
      }
    }
    throw .noPlugin(path: path)
  }

  /// Returns the libraries with a stamp in a folder; links are followed, unreadable files are skipped.
  private static func plugins(in folder: String) -> [String] {
    PluginScan.names(in: folder).filter { $0.hasSuffix(".so") }.compactMap { name in
      guard let path = FilePath.real(folder + "/" + name), let (bytes, _) = try? FileTrust.read(path, isTrusted: true),
        let file = try? ELFFile(bytes), (try? PluginStamp(file, path: path)) ?? nil != nil
      else { return nil }
      return path
    }
  }

  private static func resources(near folders: [String]) -> String? {
    for folder in folders {
      for name in ["resources", "Resources"] {
        var status = stat()
        let path = folder + "/" + name
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return path }
      }
    }
    return nil
  }
}

/// Copies a folder of resources: plain files and folders only, bounded in number, size and depth.
private struct ResourceCopy {
  private static let mostFiles = 20_000
  private static let mostBytes = 2 << 30
  private static let deepest = 16
  private var files = 0
  private var bytes = 0

  /// Copies a folder with all it holds, durably.
  static func copy(_ source: String, to target: String) throws {
    var copy = ResourceCopy()
    try copy.folder(source, target, depth: 0)
  }

  private mutating func folder(_ source: String, _ target: String, depth: Int) throws {
    if depth > Self.deepest { throw InstallError.badResource(path: source, reason: "folders are nested too deeply") }
    try HostFile.makeFolder(target)
    for name in PluginScan.names(in: source) {
      let (from, to) = (source + "/" + name, target + "/" + name)
      var status = stat()
      guard lstat(from, &status) == 0 else { throw InstallError.badResource(path: from, reason: FilePath.lastError) }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: try folder(from, to, depth: depth + 1)
      case S_IFREG: try file(from, to, size: Int(status.st_size))
      default: throw InstallError.badResource(path: from, reason: "it is neither a file nor a folder")
      }
    }
    HostFile.synchronize(folder: target)
  }

  private mutating func file(_ source: String, _ target: String, size: Int) throws {
    files += 1
    bytes += size
    if files > Self.mostFiles || bytes > Self.mostBytes {
      throw InstallError.badResource(path: source, reason: "there are too many resources")
    }
    let (content, _) = try FileTrust.read(source, isTrusted: true)
    try HostFile.write(content, to: target)
  }
}

/// An error in installing, removing or enabling a plugin.
enum InstallError: Error, Equatable, ReportableError {
  /// The path names nothing.
  case nothingThere(path: String, reason: String)
  /// The folder holds no plugin library.
  case noPlugin(path: String)
  /// The folder holds more than one plugin library.
  case severalPlugins(path: String, names: [String])
  /// The library's file name cannot be installed.
  case badFileName(String)
  /// The plugin has the id of one that ships with the program.
  case replacesBundled(String)
  /// The plugin has another id than the one it was to replace.
  case notReplaced(id: String, named: String)
  /// A resource is not a plain file or folder, or there are too many.
  case badResource(path: String, reason: String)
  /// The plugin does not belong to the user.
  case notTheUsers(id: String, source: String)
  /// The plugin is not set aside.
  case notQuarantined(String)

  var report: ErrorReport {
    switch self {
    case .nothingThere(let path, let reason):
      ErrorReport(
        code: "host.install-nothing-there", kind: .notFound, "cannot install '\(path)': \(reason)")
    case .noPlugin(let path):
      ErrorReport(
        code: "host.install-no-plugin", kind: .notFound, "'\(path)' does not contain a plugin library",
        advice: "build the plugin first, or name its library file")
    case .severalPlugins(let path, let names):
      ErrorReport(
        code: "host.install-several-plugins", kind: .usage, "'\(path)' contains several plugins",
        advice: "name one of " + names.joined(separator: ", "))
    case .badFileName(let name):
      ErrorReport(
        code: "host.install-bad-file-name", kind: .refused, "'\(name)' is not a valid name for a plugin library",
        advice: "name it lib<Name>.so, with only letters, digits, '-' and '_' in <Name>")
    case .replacesBundled(let id):
      ErrorReport(
        code: "host.install-replaces-bundled", kind: .refused,
        "this plugin would replace the bundled plugin '\(id)' and get access to its stores",
        advice: "give your plugin another id, or replace the bundled one with '--replace \(id)'",
        details: ["plugin": .text(id)])
    case .notReplaced(let id, let named):
      ErrorReport(
        code: "host.install-not-replaced", kind: .usage,
        "the plugin to install is '\(id)' and cannot replace '\(named)'", advice: "omit '--replace \(named)'")
    case .badResource(let path, let reason):
      ErrorReport(
        code: "host.install-bad-resource", kind: .refused, "cannot install the resource '\(path)': \(reason)")
    case .notTheUsers(let id, let source):
      ErrorReport(
        code: "host.plugin-not-removable", kind: .refused,
        "cannot remove plugin '\(id)': it is a \(source), not installed by you",
        advice: "disable it with 'workbench plugin disable \(id)'")
    case .notQuarantined(let id):
      ErrorReport(code: "host.plugin-not-quarantined", kind: .notFound, "plugin '\(id)' is not quarantined")
    }
  }
}
