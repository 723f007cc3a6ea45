import Glibc
import PluginAPI

/// The dossiers of all examined library files, stored in a cache file between runs.
///
/// The file may be deleted, outdated or damaged at any time: missing dossiers are made again. It is valid only for the
/// very program and contract that wrote it. A run reads only its index, in time that does not depend on how much the
/// plugins contribute; contributions are read on demand.
struct PluginRegistry: Sendable {
  /// The file.
  let path: String
  private let owner: String
  private var dossiers: [String: PluginDossier] = [:]
  private var isChanged = false

  /// Reads the registry of a user.
  init(folder: String, installation: HostInstallation, contract: ContractStamp = .current) {
    let files = [installation.program, installation.libraries + "/libPluginAPI.so"]
    let identities = files.map { FileIdentity(path: $0)?.numbers ?? [] }
    self.init(
      path: folder + "/plugins.registry",
      owner: "\(contract.oldest) \(contract.revision) \(contract.compiler) \(identities)")
  }

  /// Reads a registry.
  ///
  /// - Parameter owner: The identity of the writer; a file of another one counts as empty.
  init(path: String, owner: String) {
    self.path = path
    self.owner = owner
    for dossier in RegistryFile.read(path, owner: owner) { dossiers[dossier.path] = dossier }
  }

  /// Returns the dossier of a file, if the file has not changed.
  func dossier(of path: String, _ identity: FileIdentity) -> PluginDossier? {
    dossiers[path].flatMap { $0.identity == identity ? $0 : nil }
  }

  /// Returns the name and verdict for a file with the same content, wherever it is.
  func verdict(onHash hash: String) -> (name: String?, verdict: PluginDossier.Verdict)? {
    guard !hash.isEmpty else { return nil }
    return dossiers.values.first { $0.hash == hash && $0.verdict != .unprobed }.map { ($0.name, $0.verdict) }
  }

  /// Adds a dossier.
  mutating func keep(_ dossier: PluginDossier) {
    if dossiers[dossier.path] == dossier { return }
    dossiers[dossier.path] = dossier
    isChanged = true
  }

  /// Forgets a file, and every verdict on the same content.
  mutating func forget(_ path: String) {
    guard let dossier = dossiers.removeValue(forKey: path) else { return }
    isChanged = true
    if !dossier.hash.isEmpty { dossiers = dossiers.filter { $0.value.hash != dossier.hash } }
  }

  /// Forgets files that are gone.
  mutating func forgetAll(except paths: Set<String>) {
    let gone = dossiers.keys.filter { !paths.contains($0) && access($0, F_OK) != 0 }
    for path in gone { dossiers[path] = nil }
    if !gone.isEmpty { isChanged = true }
  }

  /// Writes the registry if anything changed; after an error, dossiers are made again later.
  mutating func save() {
    guard isChanged else { return }
    isChanged = false
    try? write()
  }

  private func write() throws {
    let sorted = dossiers.values.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    try HostFile.write(RegistryFile.bytes(of: sorted, owner: owner), to: path, isDurable: false, makesFolder: true)
  }
}
