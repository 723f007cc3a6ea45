import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

@Suite struct PluginRegistryTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.url("plugins.registry").path
  }

  private static func dossier(_ id: String, _ verdict: PluginDossier.Verdict) -> PluginDossier {
    PluginDossier(
      path: "/plugins/lib\(id).so",
      identity: FileIdentity(device: 1, inode: 2, size: 3, modified: 4, changed: id.utf8.count),
      hash: "hash of \(id)", buildID: "0a0b", stamp: PluginStamp(id: id, version: "1.0.0", revision: 4, compiler: "6"),
      name: id.uppercased(), needs: LibraryNeeds(names: ["libc.so.6", "libm.so.6"], searchFolders: ["$ORIGIN/lib"]),
      modules: [id], verdict: verdict)
  }

  private static func contributions(_ id: String, commands: Int = 1) -> RegistryBlock {
    var contributions = Contributions(plugin: PluginIdentity(id: id, name: id, version: "1.0.0", summary: ""))
    contributions.commands = (0..<commands).map {
      CommandDescription("do-\($0)", String(repeating: "much ", count: 99), output: .init(.any))
    }
    return RegistryBlock(StoredContributions(contributions).bytes)
  }

  private static let refusal = ErrorReport(code: "host.plugin-x", kind: .pluginFailed, "'x' is of no use", advice: "y")

  /// Returns a registry with four plugins, one of each verdict, as the next start reads it.
  @discardableResult private func written() -> [PluginDossier] {
    let dossiers = [
      Self.dossier("one", .usable(Self.contributions("one"))), Self.dossier("two", .refused(Self.refusal)),
      Self.dossier("three", .unprobed), Self.dossier("four", .notAPlugin),
      Self.dossier("five", .usable(Self.contributions("five", commands: 3))),
    ]
    var registry = PluginRegistry(path: path, owner: "me")
    for dossier in dossiers { registry.keep(dossier) }
    registry.save()
    return dossiers
  }

  private func read(_ dossier: PluginDossier, owner: String = "me") -> PluginDossier? {
    PluginRegistry(path: path, owner: owner).dossier(of: dossier.path, dossier.identity)
  }

  @Test func `stored plugins are known at the next start`() throws {
    for dossier in written() { #expect(read(dossier) == dossier) }
  }

  @Test func `contributions belong to their plugin`() throws {
    for dossier in written() {
      guard case .usable = dossier.verdict else { continue }
      guard case .usable(let block) = try #require(read(dossier)).verdict else { throw Missing() }
      let stored = try #require(block.bytes().flatMap(StoredContributions.init))
      #expect(stored.plugin.id == dossier.stamp?.id)
    }
  }

  @Test func `a registry of another program counts as empty`() {
    let dossier = written()[0]
    #expect(read(dossier, owner: "somebody else") == nil)
  }

  @Test func `an index damaged at any byte counts as empty`() throws {
    let dossiers = written()
    let bytes = Array(try Data(contentsOf: folder.url("plugins.registry")))
    guard case .usable(let first) = dossiers[0].verdict, case .usable(let last) = dossiers[4].verdict else { return }
    let end = bytes.count - first.count - last.count
    for offset in 0..<end {
      var damaged = bytes
      damaged[offset] ^= 1
      try Data(damaged).write(to: folder.url("plugins.registry"))
      #expect(read(dossiers[0]) == nil)
    }
  }

  @Test func `damaged contributions are not used, but the index is`() throws {
    let dossiers = written()
    var bytes = Array(try Data(contentsOf: folder.url("plugins.registry")))
    bytes[bytes.count - 1] ^= 1
    try Data(bytes).write(to: folder.url("plugins.registry"))
    let blocks = dossiers.compactMap { dossier in
      if case .usable(let block) = read(dossier)?.verdict { block } else { nil }
    }
    #expect(blocks.count == 2)
    #expect(blocks.filter { $0.bytes() == nil }.count == 1)
  }

  @Test func `contributions survive rewriting the registry`() throws {
    let dossiers = written()
    var registry = PluginRegistry(path: path, owner: "me")
    registry.keep(Self.dossier("six", .unprobed))
    registry.save()
    guard case .usable(let block) = try #require(read(dossiers[4])).verdict else { throw Missing() }
    #expect(block.bytes().flatMap(StoredContributions.init)?.commandNames == ["do-0", "do-1", "do-2"])
  }

  @Test func `an index of any length is read`() throws {
    var registry = PluginRegistry(path: path, owner: "me")
    let dossiers = (0..<2000).map { Self.dossier("plugin-\($0)", .unprobed) }
    for dossier in dossiers { registry.keep(dossier) }
    registry.save()
    let again = PluginRegistry(path: path, owner: "me")
    #expect(dossiers.allSatisfy { again.dossier(of: $0.path, $0.identity) == $0 })
  }

  private struct Missing: Error {}
}
