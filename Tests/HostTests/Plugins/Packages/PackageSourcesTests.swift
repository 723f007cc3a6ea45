import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

/// Sources in folders: their indexes, and what is installed from them.
@MainActor struct PackageSourcesTests {
  private let run: CommandLineRun
  private let folder: TemporaryFolder

  init() throws {
    run = try CommandLineRun(findsPlugins: true)
    folder = try TemporaryFolder()
  }

  /// Publishes packages in a source.
  private func publish(
    _ listed: [SampleSource.Listed], serial: Int = 1, expires: String = "2999-01-01", name: String = "lab",
    to place: String = "lab"
  ) throws {
    try SampleSource(folder: folder, place: place).publish(listed, serial: serial, expires: expires, name: name)
  }

  private func add(_ place: String = "lab") async throws {
    try await run("plugin", "source", "add", folder.url(place).path, "--key", SamplePackage.key)
  }

  /// Returns the result of a line as a value.
  private func value(_ words: String...) async throws -> Value {
    let before = run.streams.output.contents.utf8.count
    try await run.run(words + ["--json"])
    return try JSONReader.read(Array(run.streams.output.contents.utf8.dropFirst(before)))
  }

  private var version: String? {
    PluginLock(data: run.home + "/data")["tides"]?.release.version
  }

  private func sample(_ version: String, effects: [String] = ["reads"]) -> SampleSource.Listed {
    SampleSource.Listed(sample: SamplePackage(version: version, effects: effects))
  }

  @Test func `a source in a folder can be added, searched, installed from, listed and removed`() async throws {
    try publish([sample("1.0.0"), sample("1.2.0"), sample("2.0.0-beta"), sample("1.3.0")])
    try await add()
    let sources = try await value("plugin", "source", "list")
    #expect(sources.list?.count == 1 && sources.list?[0]["name"] == "lab")
    #expect(sources.list?[0]["location"].text == folder.url("lab/index.json").path)
    let found = try await value("plugin", "search", "tide")
    #expect(found.list?.map { $0["version"].text } == ["1.3.0"] && found.list?[0]["license"] == "MIT")
    #expect(try await value("plugin", "search", "molecule") == .list([]))
    #expect(await run.error("plugin", "install", "tides")?.code == "host.not-confirmed")
    let other = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"
    #expect(await run.error("plugin", "install", "tides", "--key", other, "--yes")?.code == "host.bad-signature")
    try await run("plugin", "install", "tides@1.2", "--yes", "--key", SamplePackage.key)
    #expect(version == "1.2.0")
    let info = try await value("plugin", "info", "tides")
    #expect(info["indexedBy"] == "lab" && info["signed"] == true)
    try await run("plugin", "install", "tides@2.0.0-beta", "--yes")
    #expect(version == "2.0.0-beta")
    try await run("plugin", "source", "remove", "lab")
    #expect(await run.error("plugin", "source", "remove", "lab")?.code == "host.unknown-source")
    #expect(await run.error("plugin", "install", "tides")?.code == "host.unknown-package")
    #expect(HostFile.names(in: run.home + "/data/plugin-sources") == [])
  }

  @Test func `upgrades come from the same source, skip pinned plugins and confirm new effects`() async throws {
    try publish([sample("1.0.0")])
    try await add()
    try await run("plugin", "install", "tides", "--yes")
    #expect(try await value("plugin", "upgrade", "tides") == .list([]))
    #expect(run.messages.contains("host.nothing-newer"))
    try publish([sample("1.0.0"), sample("1.1.0")], serial: 2)
    let outdated = try await value("plugin", "outdated")
    #expect(outdated.list?.map { $0["available"].text } == ["1.1.0"])
    try await run("plugin", "pin", "tides")
    #expect(try await value("plugin", "upgrade", "--all") == .list([]))
    #expect(run.messages.contains("no newer version of a plugin that is not pinned"))
    try await run("plugin", "unpin", "tides")
    let upgraded = try await value("plugin", "upgrade", "--all")
    #expect(upgraded.list?.map { $0["replaced"].text } == ["1.0.0"] && version == "1.1.0")
    try publish([sample("1.2.0", effects: ["reads", "deletes"])], serial: 3)
    #expect(await run.error("plugin", "upgrade", "tides", "--no-input")?.code == "host.not-confirmed")
    #expect(version == "1.1.0")
    try await run("plugin", "upgrade", "tides", "--yes")
    #expect(version == "1.2.0")
    // Another source with the same plugin does not take it over.
    try publish([sample("9.0.0")], name: "other", to: "other")
    try await add("other")
    #expect(try await value("plugin", "upgrade", "--all") == .list([]))
    #expect(await run.error("plugin", "install", "tides")?.code == "host.several-sources")
    try await run("plugin", "install", "tides", "--source", "other", "--yes")
    #expect(version == "9.0.0")
  }

  @Test func `an index that is altered or signed with another key is refused`() async throws {
    try publish([sample("1.0.0")])
    let (index, signature) = (folder.url("lab/index.json").path, folder.url("lab/index.json.minisig").path)
    let (bytes, signed) = (try HostFile.read(index), try HostFile.read(signature))
    let sources = PackageSources(folders: run.interpreter.session.folders, isOffline: true)
    let key = try #require(MinisignKey(SamplePackage.key))
    var accepted: [Int] = []
    for offset in bytes.indices {
      var changed = bytes
      changed[offset] ^= 1
      try HostFile.write(changed, to: index, isDurable: false)
      do {
        _ = try sources.add(index, key: key, NoProgress())
        accepted.append(offset)
      } catch {
        if ErrorReport(error).code != "host.bad-signature" { accepted.append(offset) }
      }
    }
    #expect(accepted == [] && sources.all.isEmpty)
    try HostFile.write(bytes, to: index)
    try HostFile.write(Array(signed.dropLast(10)), to: signature)
    #expect(await run.error("plugin", "source", "add", index, "--key", SamplePackage.key)?.code == "host.bad-signature")
    try HostFile.write(signed, to: signature)
    let other = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"
    #expect(await run.error("plugin", "source", "add", index, "--key", other)?.code == "host.bad-signature")
    #expect(await run.error("plugin", "source", "add", index, "--key", "RWQ")?.code == "host.bad-key")
    #expect(await run.error("plugin", "source", "add", index)?.code == "host.missing-argument")
    try await add()
    #expect(
      await run.error("plugin", "source", "add", index, "--key", SamplePackage.key)?.code == "host.source-exists")
  }

  @Test func `a lower serial is refused, and the last valid copy is used`() async throws {
    try publish([sample("1.0.0"), sample("1.1.0")], serial: 7)
    try await add()
    try publish([sample("1.0.0")], serial: 6)
    #expect(try await value("plugin", "search").list?.map { $0["version"].text } == ["1.1.0"])
    #expect(run.messages.contains("host.source-stale") && run.messages.contains("serial 6, lower than the known 7"))
    try publish([sample("1.0.0")], serial: 8)
    #expect(try await value("plugin", "search").list?.map { $0["version"].text } == ["1.0.0"])
  }

  @Test func `an expired index is used with a warning`() async throws {
    try publish([sample("1.0.0")], expires: "2020-01-31T12:00")
    try await add()
    #expect(run.messages.contains("expired on 2020-01-31"))
    try await run("plugin", "install", "tides", "--yes")
    #expect(version == "1.0.0")
  }

  @Test func `an unreachable source does not stop other commands`() async throws {
    try publish([sample("1.0.0")])
    try publish([SampleSource.Listed(sample: SamplePackage(id: "moons"))], name: "other", to: "other")
    try await add()
    try await add("other")
    try HostFile.remove(folder.url("lab").path)
    #expect(try await value("plugin", "search").list?.map { $0["id"].text } == ["tides", "moons"])
    #expect(run.messages.contains("its copy with serial 1 is used"))
    #expect(await run.error("plugin", "install", "tides", "--yes")?.code == "host.source-unreachable")
    // A damaged copy is as good as none.
    let copy = run.home + "/data/plugin-sources/lab"
    try HostFile.write(try HostFile.read(copy) + [0x20], to: copy)
    #expect(try await value("plugin", "search").list?.map { $0["id"].text } == ["moons"])
    for words in [["plugin", "list"], ["plugin", "outdated"], ["config", "list"], ["help"]] {
      try await run.run(words)
    }
  }

  @Test func `without a network, the last good copy of an index at an address is used`() async throws {
    try publish([sample("1.0.0")])
    try await add()
    let list = run.home + "/config/plugin-sources"
    let lines = String(decoding: try HostFile.read(list), as: UTF8.self)
    let address = "https://packages.invalid/lab/index.json"
    try HostFile.write(Array(lines.replacing(folder.url("lab/index.json").path, with: address).utf8), to: list)
    run.interpreter.session.options.isOffline = true
    #expect(try await value("plugin", "search").list?.map { $0["version"].text } == ["1.0.0"])
    #expect(run.messages.contains("host.source-stale") && run.messages.contains("the network is turned off"))
    let error = await run.error("plugin", "install", "tides", "--yes")
    #expect(
      error?.code == "host.source-unreachable" && error?.message.contains("packages.invalid/lab/packages") == true)
    #expect(version == nil)
  }

  @Test func `an upgrade never goes back, also if the newer version is listed no more`() async throws {
    try publish([sample("1.1.0")])
    try await add()
    try await run("plugin", "install", "tides", "--yes")
    try publish([sample("1.0.0")], serial: 2)
    #expect(try await value("plugin", "outdated") == .list([]))
    #expect(try await value("plugin", "upgrade", "--all") == .list([]))
    #expect(version == "1.1.0")
  }

  @Test func `the effects of the package count, whatever its index states`() async throws {
    try publish([sample("1.0.0", effects: ["reads", "deletes"])])
    try await add()
    #expect(try await value("plugin", "search").list?.map { $0["effects"] } == [.list(["reads"])])
    #expect(await run.error("plugin", "install", "tides")?.code == "host.not-confirmed")
    #expect(run.messages.contains("reads (list), deletes (list)"))
  }

  @Test func `addresses must use https and are not requested offline`() async throws {
    for address in ["http://example.org/plugins", "ftp://example.org/index.json", "file:///tmp"] {
      let error = await run.error("plugin", "source", "add", address, "--key", SamplePackage.key)
      #expect(error?.code == "host.source-unreachable" && error?.message.contains("https") == true)
    }
    let words = ["plugin", "source", "add", "https://example.org/plugins", "--key", SamplePackage.key]
    run.interpreter.session.options.isOffline = true
    #expect(await run.error(words)?.message.contains("network is turned off") == true)
    run.interpreter.session.options.isOffline = false
    // Nothing listens there.
    let local = ["plugin", "source", "add", "https://127.0.0.1:9/plugins", "--key", SamplePackage.key]
    let error = await run.error(local)
    #expect(["host.source-unreachable", "host.library-missing"].contains(error?.code))
  }

  @Test func `a package that differs from the listed one is not installed`() async throws {
    try publish([sample("1.0.0")])
    try await add()
    let name = "lab/packages/tides-1.0.0.wbplugin"
    let good = try HostFile.read(folder.url(name).path)
    var changed = good
    changed[good.count / 2] ^= 1
    let other = try SamplePackage(version: "1.0.0", effects: ["deletes"]).package()
    for bytes in [changed, other, good + [0], []] {
      try folder.write(bytes, name)
      #expect(await run.error("plugin", "install", "tides", "--yes")?.code == "host.package-altered")
    }
    // Listed under another version.
    let listed = try HostFile.read(folder.url("lab/index.json").path)
    try folder.write(good, name)
    let relisted = String(decoding: listed, as: UTF8.self).replacing(
      #""version": "1.0.0""#, with: #""version": "1.0.1""#)
    try SampleSource(folder: folder).sign(Array(relisted.utf8))
    #expect(await run.error("plugin", "install", "tides", "--yes")?.code == "host.package-altered")
    #expect(version == nil)
  }

  @Test func `packages for other machines and withdrawn versions are skipped`() async throws {
    var (foreign, yanked) = (sample("3.0.0"), sample("2.0.0"))
    foreign.packageFields = #", "contractRevision": 1, "compiler": "another compiler""#
    yanked.fields = #", "yanked": true"#
    try publish([sample("1.0.0"), yanked, foreign])
    try await add()
    try await run("plugin", "install", "tides", "--yes")
    #expect(version == "1.0.0")
    let error = await run.error("plugin", "install", "tides@3", "--yes")
    #expect(error?.code == "host.no-fitting-package" && error?.message.contains("contract revision 1") == true)
    #expect(await run.error("plugin", "install", "tides@4", "--yes")?.code == "host.unknown-package")
    #expect(await run.error("plugin", "install", "tide", "--yes")?.advice == "did you mean 'tides'?")
    try await run("plugin", "install", "tides@2.0.0", "--yes")
    #expect(version == "2.0.0")
  }

  @Test func `names of plugins and sources are completed from cached copies`() async throws {
    try publish([sample("1.0.0")])
    try await add()
    let completer = Completer(run.interpreter)
    #expect(await completer.candidates(["plugin", "install", "ti"]).contains(.word("tides", "")))
    #expect(await completer.candidates(["plugin", "source", "remove", ""]) == [.word("lab", "")])
  }

  @Test func `versions are ordered by Semantic Versioning`() throws {
    let words = [
      "0.9.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11",
      "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0",
    ]
    let versions = try words.map { try #require(PluginVersion($0)) }
    #expect(versions.shuffled().sorted() == versions)
    #expect(PluginVersion("1.0") == nil)
    let version = try #require(PluginVersion("1.2.10"))
    #expect(["1", "1.2", "1.2.10"].allSatisfy { version.isMeant(by: $0) })
    #expect(!["1.2.1", "2", "1.20"].contains { version.isMeant(by: $0) })
  }
}

/// Work that nobody follows or cancels.
private final class NoProgress: WorkProgress {
  var isCancelled: Bool { false }
  func report(_ progress: PluginAPI.Progress) {}
}
