import Glibc
import PluginAPI

/// What is known of all library files that were looked at, kept in a cache file across runs.
///
/// The file may be deleted, old or damaged at any time: what is not in it is found out again. It counts only for the
/// very program and contract that wrote it.
struct PluginRegistry: Sendable {
  /// The file.
  let path: String
  private let owner: String
  private var dossiers: [String: PluginDossier] = [:]
  private var isChanged = false

  private static let magic = Array("workbench-registry-1\n".utf8)
  private static let largest = 64 << 20

  /// Reads the registry.
  init(folder: String, installation: HostInstallation, contract: ContractStamp = .current) {
    path = folder + "/plugins.registry"
    let files = [installation.program, installation.libraries + "/libPluginAPI.so"]
    let identities = files.map { FileIdentity(path: $0)?.numbers ?? [] }
    owner = "\(contract.oldest) \(contract.revision) \(contract.compiler) \(identities)"
    for dossier in read() ?? [] { dossiers[dossier.path] = dossier }
  }

  /// What is known of a file, if it is still the same.
  func dossier(of path: String, _ identity: FileIdentity) -> PluginDossier? {
    dossiers[path].flatMap { $0.identity == identity ? $0 : nil }
  }

  /// The verdict on a file of that content, wherever it lies.
  func verdict(onHash hash: String) -> PluginDossier.Verdict? {
    guard !hash.isEmpty else { return nil }
    return dossiers.values.first { $0.hash == hash && $0.verdict != .unprobed }?.verdict
  }

  /// Takes in what was found out.
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

  /// Writes the registry if anything changed; what cannot be written is found out again.
  mutating func save() {
    guard isChanged else { return }
    isChanged = false
    let sorted = dossiers.values.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    let content = Value.record(["owner": .text(owner), "files": .list(sorted.map(\.value))]).encoded()
    let sum = withUnsafeBytes(of: Self.checksum(content[...]).littleEndian) { Array($0) }
    try? HostFile.write(Self.magic + sum + content, to: path, isDurable: false, makesFolder: true)
  }

  private func read() -> [PluginDossier]? {
    guard let (bytes, _) = try? FileTrust.read(path), bytes.count <= Self.largest, bytes.starts(with: Self.magic),
      bytes.count >= Self.magic.count + 8
    else { return nil }
    let content = bytes[(Self.magic.count + 8)...]
    let sum = bytes[Self.magic.count..<Self.magic.count + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    guard sum == Self.checksum(content), let value = try? Value(decoding: Array(content)),
      value["owner"].text == owner, let files = value["files"].list
    else { return nil }
    return files.compactMap { try? PluginDossier(value: $0) }
  }

  /// A sum that tells damage, not intent.
  ///
  /// - Source: FNV-1a over 64-bit words, with the usual offset basis and prime.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.withUnsafeBytes { buffer in
      var sum: UInt64 = 0xCBF2_9CE4_8422_2325
      for offset in stride(from: 0, to: buffer.count - 7, by: 8) {
        sum = (sum ^ buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x100_0000_01B3
        sum ^= sum >> 32
      }
      for byte in buffer.suffix(buffer.count % 8) { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
      return sum
    }
  }
}
