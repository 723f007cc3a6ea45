import PluginAPI

/// A source of packages: a signed index, in a folder or at an address.
struct PackageSource: Sendable, Hashable {
  /// The name in its index.
  var name: String
  /// The path or address of its index.
  var location: String
  /// The key with which its index is signed.
  var key: MinisignKey
}

/// The sources of packages that the user added: the file `plugin-sources` in the configuration folder, with a line per
/// source of name, location and key, separated by tabs.
///
/// The last good copy of each index is kept in the data folder. It records the last known serial, and is used while the
/// source cannot be reached.
struct PackageSources: Sendable {
  /// An index with its warnings.
  struct Loaded: Sendable {
    var source: PackageSource
    var index: PackageIndex
    var diagnostics: [Diagnostic]
  }

  /// A release that a source offers for this host.
  struct Offer: Sendable {
    var source: PackageSource
    var release: PackageIndex.Release
    var artifact: PackageIndex.Artifact
  }

  private static let largestIndex = 16 << 20
  private static let largestSignature = 1 << 20
  private let path: String
  private let copies: String
  private let transfer: PackageTransfer

  init(folders: HostFolders, isOffline: Bool) {
    path = folders.config + "/plugin-sources"
    copies = folders.data + "/plugin-sources"
    transfer = PackageTransfer(isOffline: isOffline)
  }

  /// All sources, in the order in which they were added.
  var all: [PackageSource] {
    guard let (bytes, _) = try? FileTrust.read(path, limit: 1 << 20) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let fields = FieldText.fields(of: String(line))
      guard fields.count == 3, let name = fields[0], PluginID.objection(to: name) == nil, let location = fields[1],
        let key = fields[2].flatMap(MinisignKey.init)
      else { return nil }
      return PackageSource(name: name, location: location, key: key)
    }
  }

  /// The ids of the plugins in the last good copies of all indexes.
  var knownPlugins: [String] { all.flatMap { copy(of: $0)?.releases.map(\.id) ?? [] } }

  /// Adds a source whose index is there and signed.
  ///
  /// - Parameter location: The index, or the folder or address that it is in.
  func add(_ location: String, key: MinisignKey, _ progress: any WorkProgress) throws -> Loaded {
    var source = PackageSource(name: "", location: Self.index(at: location), key: key)
    let (index, copy) = try fetch(source, progress)
    source.name = index.name
    try change { sources in
      if sources.contains(where: { $0.name == source.name }) { throw SourceError.exists(source.name) }
      sources.append(source)
    }
    try HostFile.write(copy, to: copies + "/" + source.name, makesFolder: true)
    return Loaded(source: source, index: index, diagnostics: expiry(of: index))
  }

  /// Removes a source and its copy.
  func remove(_ name: String) throws {
    try change { sources in
      guard sources.contains(where: { $0.name == name }) else {
        throw SourceError.unknown(name, known: sources.map(\.name))
      }
      sources.removeAll { $0.name == name }
    }
    try HostFile.remove(copies + "/" + name)
  }

  private func change(_ edit: (inout [PackageSource]) throws -> Void) throws {
    try HostFile.whileAlone(with: path) {
      var sources = all
      try edit(&sources)
      let lines = sources.map { FieldText.line([$0.name, $0.location, $0.key.text]) + "\n" }
      try HostFile.write(Array(lines.joined().utf8), to: path, makesFolder: true)
    }
  }

  /// Returns the index at a location that names a folder or an index.
  private static func index(at location: String) -> String {
    let whole = PackageTransfer.isAddress(location) ? location : FilePath.absolute(location)
    if whole.hasSuffix(".json") { return whole }
    return whole + (whole.hasSuffix("/") ? "" : "/") + "index.json"
  }

  /// Fetches the index of a source; its last good copy if that is not possible.
  ///
  /// - Throws: ``SourceError`` and the like if there is no copy, `CancellationError`.
  func load(_ source: PackageSource, _ progress: any WorkProgress) throws -> Loaded {
    let known = copy(of: source)
    do {
      let (index, copy) = try fetch(source, progress)
      if let known, index.serial < known.serial { throw SourceError.older(serial: index.serial, known: known.serial) }
      guard index.name == source.name else { throw SourceError.badIndex("its name is now '\(index.name)'") }
      // Without a copy, the next run has no earlier serial to compare with; this run is not affected.
      if index.serial != known?.serial { try? HostFile.write(copy, to: copies + "/" + source.name, makesFolder: true) }
      return Loaded(source: source, index: index, diagnostics: expiry(of: index))
    } catch {
      guard !(error is CancellationError), let known else { throw error }
      let report = ErrorReport(error)
      let stale = Diagnostic(
        .warning, code: "host.source-stale",
        "cannot use the index of '\(source.name)': \(report.message); its copy with serial \(known.serial) is used",
        advice: report.advice)
      return Loaded(source: source, index: known, diagnostics: [stale] + expiry(of: known))
    }
  }

  private func expiry(of index: PackageIndex) -> [Diagnostic] {
    guard let expires = index.expires, expires < .now else { return [] }
    return [
      Diagnostic(
        .warning, code: "host.source-expired", "the index of '\(index.name)' expired on \(expires.dateText)",
        advice: "ask its publisher for a new one")
    ]
  }

  /// Fetches an index and checks its signature.
  ///
  /// - Returns: The index, and the signature and index as they are copied: one file, so that they fit together.
  private func fetch(
    _ source: PackageSource, _ progress: any WorkProgress
  ) throws -> (index: PackageIndex, copy: [UInt8]) {
    let bytes = try transfer.bytes(of: source.location, limit: Self.largestIndex, progress)
    let signature = try transfer.bytes(
      of: source.location + MinisignSignature.fileExtension, limit: Self.largestSignature, progress)
    try MinisignSignature(signature).check(bytes, key: source.key)
    return (try PackageIndex(bytes), signature + bytes)
  }

  /// Returns the last good copy of an index; nil if there is none that is signed.
  private func copy(of source: PackageSource) -> PackageIndex? {
    guard let (bytes, _) = try? FileTrust.read(copies + "/" + source.name) else { return nil }
    // A signature has four lines.
    var ends = bytes.indices.lazy.filter { bytes[$0] == UInt8(ascii: "\n") }.makeIterator()
    var end = 0
    for _ in 0..<4 {
      guard let next = ends.next() else { return nil }
      end = next + 1
    }
    let index = Array(bytes[end...])
    guard let signature = try? MinisignSignature(Array(bytes[..<end])),
      (try? signature.check(index, key: source.key)) != nil
    else { return nil }
    return try? PackageIndex(index)
  }

  /// Returns the newest release of a plugin that fits this host.
  ///
  /// - Parameters:
  ///   - version: The version or its start, such as `1.2`; nil for any final one.
  ///   - sources: The sources to look in; several that have the plugin are refused.
  /// - Throws: ``SourceError``.
  static func offer(_ id: String, version: String?, in sources: [Loaded]) throws(ErrorReport) -> Offer {
    let word = version.map { id + "@" + $0 } ?? id
    let having = sources.filter { $0.index.releases.contains { $0.id == id } }
    guard let loaded = having.first else {
      let known = sources.flatMap { $0.index.releases.map(\.id) }
      throw SourceError.unknownPackage(
        word, advice: sources.isEmpty ? nil : Suggestion.advice(for: id, in: known) ?? Self.search)
    }
    guard having.count == 1 else { throw SourceError.severalSources(id, having.map(\.source.name)) }
    let releases = loaded.index.releases.filter { release in
      guard release.id == id else { return false }
      // Withdrawn versions and previews are used only if they are named.
      return version.map { release.version.isMeant(by: $0) && (!release.isYanked || release.version.description == $0) }
        ?? (!release.isYanked && !release.version.isPreview)
    }
    guard let newest = releases.max(by: { $0.version < $1.version }) else {
      let versions = loaded.index.releases.filter { $0.id == id && !$0.isYanked }.map(\.version.description)
      throw SourceError.unknownPackage(word, advice: "versions are " + versions.joined(separator: ", "))
    }
    var objection = "it has no packages"
    for release in releases.sorted(by: { $0.version > $1.version }) {
      for artifact in release.artifacts {
        guard let reason = artifact.objection(.current, plugin: id) else {
          return Offer(source: loaded.source, release: release, artifact: artifact)
        }
        if release == newest { objection = reason }
      }
    }
    throw SourceError.noFittingPackage(word, reason: objection)
  }

  private static let search = "list plugins with 'workbench plugin search'"

  /// Fetches the package of an offer.
  ///
  /// - Throws: ``PackageError/otherContent(_:)`` if it is not the one that the index lists.
  func fetch(_ offer: Offer, _ progress: any WorkProgress) throws -> PluginFiles {
    let address = Self.address(offer.artifact.address, besides: offer.source.location)
    let bytes = try transfer.bytes(of: address, limit: PackageArchive.largest, progress)
    guard bytes.count == offer.artifact.size else {
      throw PackageError.otherContent("it has \(bytes.count) bytes instead of \(offer.artifact.size)")
    }
    guard try ContentHash.required(bytes) == offer.artifact.hash else {
      throw PackageError.otherContent("its SHA-256 is different")
    }
    return try PluginFiles(package: bytes, source: address)
  }

  /// Returns an address that an index names, which may be relative to the index.
  private static func address(_ address: String, besides index: String) -> String {
    let isAbsolute = PackageTransfer.isAddress(address) || address.hasPrefix("/") && !PackageTransfer.isRemote(index)
    if isAbsolute { return address }
    return FilePath.folder(of: index) + (address.hasPrefix("/") ? "" : "/") + address
  }
}
