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
  /// - Parameter owner: The identity of the writer; a file of another one is treated as empty.
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
    forgetVerdicts(onHash: dossier.hash)
  }

  /// Forgets every verdict on files with this content, wherever they are.
  mutating func forgetVerdicts(onHash hash: String) {
    guard !hash.isEmpty else { return }
    dossiers = dossiers.filter { $0.value.hash != hash }
    isChanged = true
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

/// The format of the registry's file: an index of all libraries, then their contributions.
///
/// A line with the version; the checksum and size of the index, as little-endian 64-bit integers; the index, a record
/// with `owner` and a table `files`; the contributions, at the offsets that the table gives from the end of the index.
enum RegistryFile {
  private static let magic = Array("workbench-registry-3\n".utf8)
  private static let largestIndex = 16 << 20
  /// The number of bytes read at once, enough for the index of a hundred plugins.
  private static let firstRead = 64 << 10

  /// Reads the index.
  ///
  /// - Returns: The dossiers; empty if the file is missing, damaged or of another owner.
  static func read(_ path: String, owner: String) -> [PluginDossier] {
    guard let (start, _) = try? FileTrust.read(path, limit: firstRead), start.starts(with: magic),
      let checksum = number(start, at: magic.count), let size = number(start, at: magic.count + 8),
      size <= UInt64(largestIndex)
    else { return [] }
    let head = magic.count + 16
    let end = head + Int(size)
    var index = Array(start[head..<min(end, start.count)])
    if end > start.count {
      guard let (remaining, _) = try? FileTrust.read(path, from: start.count, limit: end - start.count) else {
        return []
      }
      index += remaining
    }
    guard index.count == Int(size), Checksum.of(index) == checksum, let value = try? Value(decoding: index),
      value["owner"].text == owner, let table = value["files"].table
    else { return [] }
    return RegistryIndex(table)?.dossiers { offset, count, checksum in
      RegistryBlock(path: path, offset: end + offset, count: count, checksum: checksum)
    } ?? []
  }

  /// Returns the content of a file about these libraries, without those whose contributions can no longer be read.
  static func bytes(of dossiers: [PluginDossier], owner: String) -> [UInt8] {
    var contributions: [UInt8] = []
    var rows: [RegistryIndex.Row] = []
    for dossier in dossiers {
      let offset = contributions.count
      if case .usable(let block) = dossier.verdict {
        guard let bytes = block.bytes() else { continue }
        contributions += bytes
      }
      rows.append(RegistryIndex.Row(dossier: dossier, offset: offset))
    }
    let index = Value.record(["owner": .text(owner), "files": .table(RegistryIndex.table(of: rows))]).encoded()
    return magic + bytes(Checksum.of(index)) + bytes(UInt64(index.count)) + index + contributions
  }

  private static func number(_ bytes: [UInt8], at offset: Int) -> UInt64? {
    guard offset + 8 <= bytes.count else { return nil }
    return bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }

  private static func bytes(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}

/// The contributions of one plugin in their stored form: in memory, or a part of the registry's file.
struct RegistryBlock: Sendable, Hashable {
  /// The size in bytes.
  let count: Int
  let checksum: UInt64
  private let content: Content

  private enum Content: Sendable {
    case memory([UInt8])
    case file(String, offset: Int)
  }

  init(_ bytes: [UInt8]) {
    (count, checksum, content) = (bytes.count, Checksum.of(bytes), .memory(bytes))
  }

  init(path: String, offset: Int, count: Int, checksum: UInt64) {
    (self.count, self.checksum, content) = (count, checksum, .file(path, offset: offset))
  }

  /// Reads the bytes; nil if the file was replaced or damaged since its index was read.
  func bytes() -> [UInt8]? {
    switch content {
    case .memory(let bytes): return bytes
    case .file(let path, let offset):
      guard let (bytes, _) = try? FileTrust.read(path, from: offset, limit: count), bytes.count == count,
        Checksum.of(bytes) == checksum
      else { return nil }
      return bytes
    }
  }

  static func == (one: RegistryBlock, other: RegistryBlock) -> Bool {
    one.count == other.count && one.checksum == other.checksum
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(checksum)
  }
}

/// A sum that detects damage, not intent.
private enum Checksum {
  /// - Source: FNV-1a over 64-bit words, with the usual offset basis and prime.
  static func of(_ bytes: [UInt8]) -> UInt64 {
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

/// The table in the registry's file: a row for each library, a column for each of its facts.
///
/// It has columns because a thousand separate small values would take longer to read than all else at the start.
struct RegistryIndex {
  /// A library, and the location of its contributions.
  struct Row {
    var dossier: PluginDossier
    /// The offset in bytes from the end of the index; meaningless without contributions.
    var offset: Int

    fileprivate var block: RegistryBlock? {
      if case .usable(let block) = dossier.verdict { block } else { nil }
    }
  }

  /// The result of examining a file.
  fileprivate enum Verdict: String {
    case notAPlugin = "not-a-plugin"
    case unprobed, refused, usable
  }

  private let table: Table

  init?(_ table: Table) {
    self.table = table
  }

  /// Returns the dossiers of all rows; nil if the table does not have that form.
  ///
  /// - Parameter block: Makes the contributions of a row from their offset, size and checksum.
  func dossiers(_ block: (Int, Int, UInt64) -> RegistryBlock) -> [PluginDossier]? {
    guard let path = texts("path"), let hash = texts("hash"), let buildID = texts("buildID"), let id = texts("id"),
      let searched = texts("searched"), let version = texts("version"), let compiler = texts("compiler"),
      let revision = integers("revision"),
      let name = texts("name"), let needed = texts("needed"), let modules = texts("modules"),
      let verdict = texts("verdict"), let errors = table["error"]?.values, let offset = integers("offset"),
      let count = integers("count"), let checksum = integers("checksum"),
      let identity = Self.identityColumns.reduce(into: [[Int]]?([]), { $0?.append(integers($1) ?? []) }),
      identity.allSatisfy({ $0.count == path.count })
    else { return nil }
    return path.indices.compactMap { row in
      guard let file = FileIdentity(numbers: identity.map { $0[row] }) else { return nil }
      let judged: PluginDossier.Verdict
      switch Verdict(rawValue: verdict[row]) {
      case .notAPlugin: judged = .notAPlugin
      case .unprobed: judged = .unprobed
      case .refused:
        guard let error = try? ErrorReport(value: errors[row]) else { return nil }
        judged = .refused(error)
      case .usable: judged = .usable(block(offset[row], count[row], UInt64(bitPattern: Int64(checksum[row]))))
      case nil: return nil
      }
      let stamp =
        id[row].isEmpty
        ? nil : PluginStamp(id: id[row], version: version[row], revision: revision[row], compiler: compiler[row])
      return PluginDossier(
        path: path[row], identity: file, hash: hash[row], buildID: buildID[row], stamp: stamp,
        name: name[row].isEmpty ? nil : name[row],
        needs: LibraryNeeds(names: Self.names(needed[row]), searchFolders: Self.names(searched[row])),
        modules: Self.names(modules[row]),
        verdict: judged)
    }
  }

  /// Returns the table of these rows.
  static func table(of rows: [Row]) -> Table {
    func texts(_ name: String, _ text: (PluginDossier) -> String?) -> Table.Column {
      Table.Column(name, .texts(rows.map { text($0.dossier) ?? "" }))
    }
    func integers(_ name: String, _ number: (Row) -> Int) -> Table.Column {
      Table.Column(name, .integers(rows.map(number)))
    }
    let identity = identityColumns.indices.map { column in
      integers(identityColumns[column]) { $0.dossier.identity.numbers[column] }
    }
    return Table(
      columns: identity + [
        texts("path") { $0.path }, texts("hash") { $0.hash }, texts("buildID") { $0.buildID },
        texts("id") { $0.stamp?.id }, texts("version") { $0.stamp?.version }, texts("compiler") { $0.stamp?.compiler },
        integers("revision") { $0.dossier.stamp?.revision ?? 0 }, texts("name") { $0.name },
        texts("needed") { $0.needs.names.joined(separator: separator) },
        texts("searched") { $0.needs.searchFolders.joined(separator: separator) },
        texts("modules") { $0.modules.joined(separator: separator) },
        texts("verdict") { Verdict($0.verdict).rawValue },
        Table.Column("error", .values(rows.map { error($0.dossier.verdict) })), integers("offset") { $0.offset },
        integers("count") { $0.block?.count ?? 0 },
        integers("checksum") { Int(Int64(bitPattern: $0.block?.checksum ?? 0)) },
      ])
  }

  /// In the order of `FileIdentity.numbers`.
  private static let identityColumns = ["device", "inode", "size", "modified", "changed"]
  /// Between names in one text; no name has it, as names in ELF files end with it.
  private static let separator = "\0"

  private static func names(_ text: String) -> [String] {
    text.utf8.split(separator: 0).map { String(Substring($0)) }
  }

  private static func error(_ verdict: PluginDossier.Verdict) -> Value {
    if case .refused(let report) = verdict { report.value } else { .null }
  }

  private func texts(_ name: String) -> [String]? {
    if case .texts(let texts) = table[name]?.values { texts } else { nil }
  }

  private func integers(_ name: String) -> [Int]? {
    if case .integers(let numbers) = table[name]?.values { numbers } else { nil }
  }
}

extension RegistryIndex.Verdict {
  fileprivate init(_ verdict: PluginDossier.Verdict) {
    switch verdict {
    case .notAPlugin: self = .notAPlugin
    case .unprobed: self = .unprobed
    case .refused: self = .refused
    case .usable: self = .usable
    }
  }
}
