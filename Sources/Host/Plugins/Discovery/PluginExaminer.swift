import PluginAPI

/// Examines libraries and manifests, using the registry where it is still valid.
struct PluginExaminer {
  var registry: PluginRegistry
  let probe: PluginProbe
  let contract: ContractStamp
  private let shipped: ShippedPlugins

  init(registry: PluginRegistry, probe: PluginProbe, contract: ContractStamp = .current) {
    self.registry = registry
    self.probe = probe
    self.contract = contract
    shipped = ShippedPlugins(installation: probe.installation, contract: contract)
  }

  /// Looks at a file without running any of its code.
  ///
  /// - Parameter isTrusted: True if owner and mode do not matter, because the program itself is there.
  func look(at path: String, isTrusted: Bool) -> (dossier: PluginDossier?, refusal: ErrorReport?) {
    do throws(ErrorReport) {
      let identity = try FileTrust.checkFile(path, isTrusted: isTrusted)
      if isTrusted, let known = shipped.dossier(of: path, identity) { return (known, nil) }
      if let known = registry.dossier(of: path, identity) { return (known, nil) }
      return (try ProgramManifest.isManifest(path) ? manifest(path) : read(path, isTrusted: isTrusted), nil)
    } catch {
      return (nil, error)
    }
  }

  /// Reads the manifest of a program, which has all the data that a library provides in a probe.
  private func manifest(_ path: String) throws(ErrorReport) -> PluginDossier {
    let (bytes, identity) = try FileTrust.read(path, limit: ProgramManifest.largest + 1)
    var dossier = PluginDossier(
      path: path, identity: identity, hash: ContentHash.of(bytes) ?? "", buildID: "", stamp: nil, name: nil,
      needs: LibraryNeeds(), modules: [], verdict: .notAPlugin)
    do throws(ErrorReport) {
      let manifest = try ProgramManifest(bytes, path: path)
      dossier.stamp = manifest.stamp
      dossier.name = manifest.contributions.plugin.name
      dossier.verdict = .usable(RegistryBlock(StoredContributions(manifest.contributions).bytes))
    } catch {
      dossier.verdict = .refused(error.report)
    }
    return dossier
  }

  /// Reads a library and judges it by its bytes.
  private func read(_ path: String, isTrusted: Bool) throws(ErrorReport) -> PluginDossier {
    let (bytes, identity) = try FileTrust.read(path, isTrusted: isTrusted)
    var dossier = PluginDossier(
      path: path, identity: identity, hash: "", buildID: BuildID.of(path) ?? "", stamp: nil, name: nil,
      needs: LibraryNeeds(), modules: [], verdict: .notAPlugin)
    do throws(ErrorReport) {
      let file: ELFFile
      do throws(ELFError) { file = try ELFFile(bytes) } catch { throw PluginRefusal.library(path: path, error) }
      guard let stamp = try PluginStamp(file, path: path) else { return dossier }
      dossier.stamp = stamp
      dossier.needs = LibraryNeeds(file)
      dossier.modules = SwiftModules.names(in: file)
      dossier.hash = ContentHash.of(bytes) ?? ""
      try stamp.checkContract(contract)
      if let copy = dossier.modules.first(where: { $0.hasPrefix("Plugin") && isOfTheHouse($0) }) {
        throw PluginRefusal.carriesCopy(id: stamp.id, of: copy)
      }
      dossier.verdict = .unprobed
    } catch {
      dossier.verdict = .refused(error.report)
    }
    return dossier
  }

  private func isOfTheHouse(_ module: String) -> Bool {
    FileIdentity(path: probe.installation.libraries + "/lib" + module + ".so") != nil
  }

  /// Opens an unprobed plugin in a child process, unless a file of the same content was probed.
  func probed(_ dossier: PluginDossier) -> PluginDossier {
    guard dossier.verdict == .unprobed, let stamp = dossier.stamp else { return dossier }
    var result = dossier
    (result.name, result.verdict) =
      registry.verdict(onHash: dossier.hash) ?? probe.verdict(on: dossier.path, id: stamp.id)
    return result
  }

  /// Stores a dossier, unless the plugin is shipped or the result may change although the file is the same.
  mutating func keep(_ dossier: PluginDossier) {
    if shipped.has(dossier) { return }
    if case .refused(let error) = dossier.verdict, PluginRefusal.codesOfLibraries.contains(error.code) {
      var again = dossier
      again.verdict = .unprobed
      registry.keep(again)
    } else {
      registry.keep(dossier)
    }
  }
}

/// The facts known about a library or manifest without running its code, stored in the registry.
struct PluginDossier: Sendable, Hashable {
  /// The result of examining the file.
  enum Verdict: Sendable, Hashable {
    /// A library without a stamp, which is not a plugin.
    case notAPlugin
    /// Its file is in order; it was not opened yet.
    case unprobed
    /// It cannot be used, and why.
    case refused(ErrorReport)
    /// It can be used, with these contributions.
    case usable(RegistryBlock)
  }

  var path: String
  var identity: FileIdentity
  /// SHA-256 of the file in hexadecimal digits; empty where it could not be computed.
  var hash: String
  /// The linker's identifier of the content in hexadecimal digits; empty where there is none.
  var buildID: String
  var stamp: PluginStamp?
  /// The name people read; nil until it was probed.
  var name: String?
  /// The libraries it needs.
  var needs: LibraryNeeds
  /// The Swift modules it carries.
  var modules: [String]
  var verdict: Verdict

  /// The stamp of a library; nil for a program, which is built on no contract.
  var build: PluginStamp? { ProgramManifest.isManifest(path) ? nil : stamp }
}
