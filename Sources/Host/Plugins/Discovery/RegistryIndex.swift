import PluginAPI

/// The table in the registry's file: a row for each library, a column for each of its facts.
///
/// Columns, because a thousand small values of their own would take longer to read than all else at the start.
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
        texts("needed") { $0.needs.names.joined(separator: String(separator)) },
        texts("searched") { $0.needs.searchFolders.joined(separator: String(separator)) },
        texts("modules") { $0.modules.joined(separator: String(separator)) },
        texts("verdict") { Verdict($0.verdict).rawValue },
        Table.Column("error", .values(rows.map { error($0.dossier.verdict) })), integers("offset") { $0.offset },
        integers("count") { $0.block?.count ?? 0 },
        integers("checksum") { Int(Int64(bitPattern: $0.block?.checksum ?? 0)) },
      ])
  }

  /// In the order of `FileIdentity.numbers`.
  private static let identityColumns = ["device", "inode", "size", "modified", "changed"]
  /// Between names in one text; no name has it, as names in ELF files end with it.
  private static let separator: Character = "\0"

  private static func names(_ text: String) -> [String] {
    text.split(separator: separator).map(String.init)
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
