import Glibc
import PluginAPI

/// The contributions of the plugins that ship with the program, recorded at installation.
///
/// They spare every start from probing these plugins: a user's first start, and any start with an unwritable cache. A
/// library that was replaced since then is examined like any other.
struct ShippedPlugins: Sendable {
  /// By file name, which is also their path.
  private let dossiers: [String: PluginDossier]
  /// The folder of the shipped libraries.
  private let folder: String

  /// The argument that makes the program print the content of the file.
  static let word = "__shipped-plugins"

  /// Reads the file; empty in a checkout.
  init(installation: HostInstallation, contract: ContractStamp = .current) {
    folder = installation.bundledPlugins
    guard let path = installation.shippedRegistry else {
      dossiers = [:]
      return
    }
    let known = RegistryFile.read(path, owner: Self.owner(installation, contract))
    dossiers = Dictionary(known.map { ($0.path, $0) }) { first, _ in first }
  }

  /// Returns the dossier of a shipped library, if its content has not changed.
  func dossier(of path: String, _ identity: FileIdentity) -> PluginDossier? {
    guard var dossier = dossiers[FilePath.name(of: path)], dossier.identity.size == identity.size else { return nil }
    let isSame = dossier.verdict == .notAPlugin || !dossier.buildID.isEmpty && BuildID.of(path) == dossier.buildID
    guard isSame else { return nil }
    (dossier.path, dossier.identity) = (path, identity)
    return dossier
  }

  /// Returns a Boolean value indicating whether this is a dossier of a shipped library, in the shipped place.
  func has(_ dossier: PluginDossier) -> Bool {
    guard FilePath.folder(of: dossier.path) == folder else { return false }
    return dossiers[FilePath.name(of: dossier.path)].map { $0.buildID == dossier.buildID && $0.hash == dossier.hash }
      ?? false
  }

  /// Returns the content of the file, which `Scripts/install` installs.
  static func bytes(_ installation: HostInstallation, contract: ContractStamp = .current) -> [UInt8] {
    let examiner = PluginExaminer(
      registry: PluginRegistry(path: "", owner: ""), probe: PluginProbe(installation: installation), contract: contract)
    let folder = PluginSearchFolder(path: installation.bundledPlugins, source: .bundled)
    let dossiers = PluginScan.candidates(in: PluginSearchPath(folders: [folder])).found.compactMap {
      examiner.look(at: $0.path, isTrusted: true).dossier.map { portable(examiner.probed($0)) }
    }
    return RegistryFile.bytes(of: dossiers, owner: owner(installation, contract))
  }

  /// Returns a dossier without the parts that depend on the machine and folder.
  private static func portable(_ dossier: PluginDossier) -> PluginDossier {
    var dossier = dossier
    dossier.path = FilePath.name(of: dossier.path)
    dossier.identity = FileIdentity(device: 0, inode: 0, size: dossier.identity.size, modified: 0, changed: 0)
    return dossier
  }

  /// Prints the content of the file and ends the process.
  static func print() -> Never {
    _exit(HostFile.writeAll(bytes(.current), to: STDOUT_FILENO) == 0 ? 0 : 1)
  }

  /// Returns the identity of the host, whose build identifier identifies its form of stored contributions.
  private static func owner(_ installation: HostInstallation, _ contract: ContractStamp) -> String {
    "\(contract.oldest) \(contract.revision) \(contract.compiler) \(BuildID.of(installation.program) ?? "")"
  }
}
