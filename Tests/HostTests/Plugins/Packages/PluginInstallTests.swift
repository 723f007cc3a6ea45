import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

/// `plugin install|rollback|pin|unpin|remove|pack`, with a plugin that is a program.
@MainActor struct PluginInstallTests {
  private let run: CommandLineRun
  private let folder: TemporaryFolder

  init() throws {
    run = try CommandLineRun(findsPlugins: true)
    folder = try TemporaryFolder()
  }

  private var plugins: PluginHost { run.interpreter.session.plugins }
  private var lock: PluginLock { PluginLock(data: run.home + "/data") }

  /// Returns the names in a folder of the home, sorted.
  private func names(_ path: String) -> [String] { HostFile.names(in: run.home + "/" + path).sorted() }

  /// Installs a version without asking.
  private func install(_ sample: SamplePackage) async throws {
    try await run("plugin", "install", try sample.write(to: folder), "--allow-unsigned", "--yes")
  }

  /// The version that is used; nil if the plugin cannot be used.
  private var version: String? {
    plugins.forgetCatalog()
    guard let plugin = plugins.catalog.plugin("tides"), plugin.state == .ready else { return nil }
    return plugin.dossier?.stamp?.version
  }

  /// Returns the plugins as the next run of the program finds them.
  private func nextRun() throws -> PluginHost {
    let path = PluginSearchPath(folders: [PluginSearchFolder(path: run.home + "/data/plugins", source: .user)])
    var options = GlobalOptions()
    options.home = run.home
    return try HostSession(options: options, environment: [:], searchPath: path).plugins
  }

  /// Returns the code of the error of an action; nil for none.
  private func code(_ action: () throws -> Void) -> String? {
    do {
      try action()
      return nil
    } catch {
      return ErrorReport(error).code
    }
  }

  @Test func `an unsigned plugin is installed only with '--allow-unsigned'`() async throws {
    let package = try SamplePackage().write(to: folder)
    let unpacked = try SamplePackage().unpack(to: folder)
    for words in [
      [package], [unpacked], [package, "--yes"], [package, "--no-input"], [package, "--yes", "--no-input"],
    ] {
      let error = try #require(await run.error(["plugin", "install"] + words))
      #expect(error.code == "host.package-unsigned" && error.exitStatus == 7, "\(words)")
      #expect(error.advice == "if you trust it, install it with '--allow-unsigned'")
    }
    #expect(names("data/plugins") == [] && version == nil)
    try await run("plugin", "install", package, "--no-input", "--allow-unsigned")
    #expect(version == "1.0.0")
  }

  @Test func `installing a plugin shows what it can do`() async throws {
    let unpacked = try SamplePackage(effects: ["reads", "network"]).unpack(to: folder)
    let output = try await run.output("plugin", "install", unpacked, "--allow-unsigned", "--json")
    let record = try JSONReader.read(Array(output.utf8))
    #expect(record["version"] == "1.0.0" && record["replaced"].isNull && record["key"].isNull)
    #expect(run.messages.contains("a process of its own (sh main.sh)"))
    #expect(run.messages.contains("everything that you can"))
    #expect(run.messages.contains("reads (list), network (list)"))
    let path = try #require(record["path"].text)
    #expect(path == run.home + "/data/plugins/tides/1.0.0/plugin.json")
    #expect(names("data/plugins/tides/1.0.0") == [".contents", "main.sh", "plugin.json", "resources"])
    let info = try JSONReader.read(Array(try await run.output("plugin", "info", "tides", "--json").utf8))
    #expect(info["signed"] == false && info["installedFrom"].text == unpacked && info["state"] == "ready")
  }

  @Test func `a signed package requires confirmation, and its key is recorded`() async throws {
    let package = try SamplePackage().write(to: folder, isSigned: true)
    let unknown = try #require(await run.error("plugin", "install", package))
    #expect(
      unknown.code == "host.package-unsigned" && unknown.message.hasSuffix("the key of its signature is not known"))
    #expect(unknown.advice?.hasPrefix("give the publisher's key with '--key', or, if you trust it") == true)
    let words = ["plugin", "install", package, "--key", SamplePackage.key]
    #expect(await run.error(words)?.code == "host.not-confirmed")
    #expect(version == nil && names("data/plugins") == [])
    try await run.run(words + ["--yes"])
    #expect(version == "1.0.0" && lock["tides"]?.release.key == SamplePackage.key)
    let info = try JSONReader.read(Array(try await run.output("plugin", "info", "tides", "--json").utf8))
    #expect(info["signed"] == true && info["key"].text == SamplePackage.key)
    // The key of the installed version is known.
    try await run("plugin", "install", try SamplePackage(version: "1.1.0").write(to: folder, isSigned: true))
    #expect(version == "1.1.0")
  }

  @Test func `a package altered after signing is refused, even with all options`() async throws {
    let package = try SamplePackage().write(to: folder, isSigned: true)
    try folder.write(try SamplePackage(effects: ["deletes"]).package(), "tides-1.0.0.wbplugin")
    let words = ["plugin", "install", package, "--key", SamplePackage.key, "--allow-unsigned", "--yes"]
    #expect(await run.error(words)?.code == "host.bad-signature")
    #expect(version == nil && names("data/plugins") == [])
    try FileManager.default.removeItem(atPath: package + ".minisig")
    #expect(await run.error(words)?.code == "host.bad-signature")
    #expect(await run.error("plugin", "install", package, "--key", "RWQ")?.code == "host.bad-key")
  }

  @Test func `an upgrade with new effects requires confirmation and shows them`() async throws {
    try await install(SamplePackage())
    let more = try SamplePackage(version: "2.0.0", effects: ["reads", "network"]).write(to: folder)
    #expect(await run.error("plugin", "install", more, "--allow-unsigned")?.code == "host.not-confirmed")
    #expect(version == "1.0.0" && names("data/plugins") == ["plugins.lock", "tides"])
    #expect(run.messages.contains("new in version 2.0.0 of 'tides': network (list)"))
    try await run("plugin", "install", more, "--allow-unsigned", "--yes")
    #expect(version == "2.0.0")
    let same = try SamplePackage(version: "3.0.0", effects: ["reads"]).write(to: folder)
    try await run("plugin", "install", same, "--allow-unsigned")
    #expect(version == "3.0.0")
  }

  @Test func `an id similar to that of an installed plugin causes one warning`() async throws {
    try await install(SamplePackage())
    let twin = try SamplePackage(id: "tide5").write(to: folder)
    try await run("plugin", "install", twin, "--allow-unsigned")
    let warning = "the id 'tide5' looks like that of the plugin 'tides'"
    #expect(run.messages.contains(warning))
    let before = run.messages
    try await run("plugin", "install", twin, "--allow-unsigned")
    #expect(!run.messages.dropFirst(before.count).contains(warning))
  }

  @Test func `a rollback returns to the previous version, and a second one to the newer`() async throws {
    #expect(await run.error("plugin", "rollback", "tides")?.code == "host.plugin-not-installed")
    try await install(SamplePackage())
    #expect(await run.error("plugin", "rollback", "tides")?.code == "host.no-earlier-version")
    try await install(SamplePackage(version: "1.1.0"))
    try await install(SamplePackage(version: "1.2.0"))
    #expect(names("data/plugins/tides") == ["1.1.0", "1.2.0"])
    let output = try await run.output("plugin", "rollback", "tides", "--json")
    #expect(try JSONReader.read(Array(output.utf8))["replaced"] == "1.2.0")
    #expect(version == "1.1.0")
    try await run("plugin", "rollback", "tides")
    #expect(version == "1.2.0")
    // Mending a version keeps the one before.
    try await install(SamplePackage(version: "1.2.0"))
    #expect(version == "1.2.0" && lock["tides"]?.previous?.version == "1.1.0")
  }

  @Test func `stores, documents and settings are unchanged byte for byte`() async throws {
    try await install(SamplePackage())
    let stores = [
      "data/stores/tides/a.sqlite": [UInt8](0...255), "data/stores/tides/originals/brest.csv": [1, 2, 3],
      "config/settings.json": Array("{\"x\": 1}".utf8), "brest.tide": Array("a document".utf8),
    ]
    for (name, bytes) in stores {
      try HostFile.write(bytes, to: run.home + "/" + name, makesFolder: true)
    }
    try await install(SamplePackage(version: "2.0.0"))
    try await run("plugin", "rollback", "tides")
    try await run("plugin", "remove", "tides")
    #expect(version == nil && names("data/plugins") == ["plugins.lock"])
    for (name, bytes) in stores { #expect(try HostFile.read(run.home + "/" + name) == bytes) }
  }

  @Test func `an interrupted installation leaves the old version, and its files are removed`() async throws {
    try await install(SamplePackage())
    let installer = plugins.installer
    let files = try PluginFiles(at: try SamplePackage(version: "2.0.0").write(to: folder))
    let inspection = try installer.inspect(files)
    // Killed before the new version has its folder.
    _ = try installer.stage(files, inspection)
    #expect(version == "1.0.0")
    // Killed between that and the change of the lock file.
    let staged = "\(run.home)/data/plugins/.new-\(getpid())-tides"
    #expect(rename(staged, run.home + "/data/plugins/tides/2.0.0") == 0)
    #expect(version == "1.0.0")
    try await run("plugin", "verify")
    try await install(SamplePackage(version: "3.0.0"))
    #expect(version == "3.0.0" && names("data/plugins/tides") == ["1.0.0", "3.0.0"])
    // Of a process that ended.
    for name in [".new-999999999-tides/x", "plugins.lock.999999999-1.new"] {
      try HostFile.write([1], to: run.home + "/data/plugins/" + name, makesFolder: true)
    }
    try await install(SamplePackage(version: "3.1.0"))
    #expect(names("data/plugins") == ["plugins.lock", "tides"])
  }

  @Test func `a file changed after the installation prevents the plugin from starting`() async throws {
    try await install(SamplePackage())
    let place = run.home + "/data/plugins/tides/1.0.0/"
    #expect(code { _ = try nextRun().activated("tides") } == nil)
    let resource = try HostFile.read(place + "resources/stations.csv")
    try HostFile.write([1], to: place + "resources/stations.csv")
    #expect(await run.error("plugin", "verify")?.code == "host.plugin-verify-failed")
    // Resources may be large; a start does not read them.
    #expect(code { _ = try nextRun().activated("tides") } == nil)
    try HostFile.write(resource, to: place + "resources/stations.csv")
    try await run("plugin", "verify")
    for name in ["main.sh", ".contents"] {
      let content = try HostFile.read(place + name)
      try HostFile.write(content + [0x0A], to: place + name)
      #expect(await run.error("plugin", "verify")?.code == "host.plugin-verify-failed")
      #expect(code { _ = try nextRun().activated("tides") } == "host.plugin-altered")
      try HostFile.write(content, to: place + name)
    }
    try HostFile.remove(place + "main.sh")
    #expect(code { _ = try nextRun().activated("tides") } == "host.plugin-altered")
    try await install(SamplePackage())
    #expect(code { _ = try nextRun().activated("tides") } == nil)
  }

  @Test func `a file that others can write is refused with the command that mends its mode`() async throws {
    try await install(SamplePackage())
    let file = run.home + "/data/plugins/tides/1.0.0/main.sh"
    chmod(file, 0o666)
    var report: ErrorReport?
    do { _ = try nextRun().activated("tides") } catch { report = ErrorReport(error) }
    #expect(report?.code == "host.plugin-unsafe" && report?.advice == "run: chmod go-w \(file)")
    chmod(file, 0o600)
    #expect(code { _ = try nextRun().activated("tides") } == nil)
  }

  @Test func `an older version is installed with a warning and logged as a downgrade`() async throws {
    try await install(SamplePackage(version: "1.10.0"))
    try await install(SamplePackage(version: "1.10.0"))
    #expect(!run.messages.contains("is older than"))
    let older = try SamplePackage(version: "1.9.0").write(to: folder)
    #expect(await run.error("plugin", "install", older)?.code == "host.package-unsigned")
    #expect(run.messages.contains("version 1.9.0 of 'tides' is older than the installed 1.10.0"))
    // Nothing was installed that a rollback could return from.
    #expect(version == "1.10.0" && !run.messages.contains("plugin rollback"))
    try await install(SamplePackage(version: "1.9.0"))
    #expect(run.messages.contains("return to it with 'workbench plugin rollback tides'"))
    #expect(version == "1.9.0")
    let text = String(decoding: try HostFile.read(run.home + "/state/plugins.log"), as: UTF8.self)
    let actions = text.split(separator: "\n").map { FieldText.fields(of: String($0))[2] }
    #expect(actions == ["install", "install", "downgrade"])
  }

  @Test func `verify finds files that were added, apart from caches and hidden files`() async throws {
    try await install(SamplePackage())
    let place = run.home + "/data/plugins/tides/1.0.0/"
    for name in [".venv/bin/python", "__pycache__/main.pyc", "resources/__pycache__/more.pyc"] {
      try HostFile.write([1], to: place + name, makesFolder: true)
    }
    try FileManager.default.createDirectory(atPath: place + "nothing/in/it", withIntermediateDirectories: true)
    try await run("plugin", "verify")
    for name in ["statistics.py", "nothing/in/it/late.csv", "resources/late.csv"] {
      try HostFile.write([1], to: place + name, makesFolder: true)
      #expect(await run.error("plugin", "verify")?.code == "host.plugin-verify-failed")
      #expect(run.streams.output.contents.contains(place + name))
      // A program may write into its own folder; that does not stop it.
      #expect(code { _ = try nextRun().activated("tides") } == nil)
      try HostFile.remove(place + name)
    }
    try FileManager.default.createSymbolicLink(atPath: place + "linked", withDestinationPath: "resources")
    #expect(await run.error("plugin", "verify")?.code == "host.plugin-verify-failed")
    unlink(place + "linked")
    try await run("plugin", "verify")
  }

  @Test func `doctor reports an altered plugin as an error`() async throws {
    try await install(SamplePackage())
    try await run("plugin", "doctor", "tides")
    let file = run.home + "/data/plugins/tides/1.0.0/plugin.json"
    try HostFile.write(try HostFile.read(file) + [0x0A], to: file)
    plugins.forgetCatalog()
    #expect(await run.error("plugin", "doctor", "tides")?.code == "host.doctor-found-errors")
  }

  @Test func `a version that changed while it was not used is refused after a rollback`() async throws {
    try await install(SamplePackage())
    try await install(SamplePackage(version: "1.1.0"))
    let file = run.home + "/data/plugins/tides/1.0.0/main.sh"
    try HostFile.write(try HostFile.read(file) + [0x0A], to: file)
    try await run("plugin", "rollback", "tides")
    #expect(lock["tides"]?.release.version == "1.0.0")
    #expect(code { _ = try nextRun().activated("tides") } == "host.plugin-altered")
    try await run("plugin", "rollback", "tides")
    #expect(code { _ = try nextRun().activated("tides") } == nil)
  }

  @Test func `the lock file has the hashes, origin, date and key of what was installed`() async throws {
    let sample = SamplePackage()
    let package = try sample.write(to: folder, isSigned: true)
    let before = Instant.now
    try await run("plugin", "install", package, "--key", SamplePackage.key, "--yes")
    let release = try #require(lock["tides"]?.release)
    let place = run.home + "/data/plugins/tides/1.0.0/"
    #expect(release.file == place + "plugin.json" && release.source == package && release.key == SamplePackage.key)
    #expect(release.hash == ContentHash.of(try HostFile.read(place + "plugin.json")))
    let list = try HostFile.read(place + ".contents")
    #expect(release.contents == ContentHash.of(list))
    let lines = sample.files.map { "\(ContentHash.of($0.content) ?? "")  \($0.name)\n" }
    #expect(String(decoding: list, as: UTF8.self) == lines.sorted().joined())
    let date = try #require(release.date.flatMap(Instant.init(iso8601:)))
    #expect(date.seconds >= before.seconds && date.seconds <= Instant.now.seconds)
  }

  @Test func `nothing is installed, changed or removed if the log cannot be written`() async throws {
    try await install(SamplePackage())
    let log = run.home + "/state/plugins.log"
    try HostFile.remove(log)
    // Not even through a link.
    try FileManager.default.createSymbolicLink(atPath: log, withDestinationPath: folder.url("elsewhere").path)
    let upgrade = try SamplePackage(version: "2.0.0").write(to: folder)
    for words in [
      ["install", upgrade, "--allow-unsigned", "--yes"], ["pin", "tides"], ["remove", "tides"],
    ] {
      #expect(await run.error(["plugin"] + words)?.message.contains("plugins.log") == true, "\(words)")
    }
    #expect(lock["tides"]?.release.version == "1.0.0" && lock["tides"]?.isPinned == false && version == "1.0.0")
    #expect(!FileManager.default.fileExists(atPath: folder.url("elsewhere").path))
    // Not even a copy stays.
    #expect(names("data/plugins") == ["plugins.lock", "tides"] && names("data/plugins/tides") == ["1.0.0"])
  }

  @Test func `a pinned plugin stays pinned through installations`() async throws {
    #expect(await run.error("plugin", "pin", "tides")?.code == "host.plugin-not-installed")
    try await install(SamplePackage())
    try await run("plugin", "pin", "tides")
    #expect(await run.error("plugin", "upgrade", "tides")?.code == "host.plugin-pinned")
    try await install(SamplePackage(version: "1.1.0"))
    #expect(lock["tides"]?.isPinned == true && version == "1.1.0")
    try await run("plugin", "unpin", "tides")
    #expect(lock["tides"]?.isPinned == false)
    #expect(await run.error("plugin", "upgrade", "tides")?.code == "host.upgrade-no-source")
    #expect(await run.error("plugin", "upgrade")?.code == "host.missing-argument")
  }

  @Test func `the log records who installed what, and the lock file records the source`() async throws {
    let package = try SamplePackage().write(to: folder, isSigned: true)
    try await run("plugin", "install", package, "--key", SamplePackage.key, "--yes")
    try await install(SamplePackage(version: "1.1.0"))
    try await run("plugin", "rollback", "tides")
    try await run("plugin", "pin", "tides")
    try await run("plugin", "unpin", "tides")
    try await run("plugin", "remove", "tides")
    let text = String(decoding: try HostFile.read(run.home + "/state/plugins.log"), as: UTF8.self)
    let lines = text.split(separator: "\n").map { FieldText.fields(of: String($0)) }
    #expect(lines.map { $0[2] } == ["install", "upgrade", "rollback", "pin", "unpin", "remove"])
    #expect(lines.allSatisfy { $0.count == 8 && $0[3] == "tides" && $0[5]?.utf8.count == 64 })
    #expect(lines.map { $0[4] } == ["1.0.0", "1.1.0", "1.0.0", "1.0.0", "1.0.0", "1.0.0"])
    #expect(lines[0][6] == package && lines[0][7] == SamplePackage.key && lines[1][7] == "unsigned")
    let user = try #require(Account(getuid()))
    #expect(lines.allSatisfy { $0[1]?.hasPrefix(user.name) == true })
  }

  @Test func `the lock file preserves all fields and is read in the older format`() throws {
    let release = PluginLock.Release(
      version: "1.0.0", hash: "ab", file: "/p/tab\there", date: "2026-11-20T06:30:00Z", source: "/s", contents: "cd",
      key: "RW", index: "lab")
    let entry = PluginLock.Entry(
      id: "tides", isEnabled: true, isPinned: true, release: release, previous: PluginLock.Release(version: "0.9.0"))
    try PluginLock.change(data: run.home + "/data") { $0["tides"] = entry }
    #expect(lock["tides"] == entry)
    try HostFile.write(
      Array("tides\tdisabled\t1.0.0\tab\t/p\t-\t/s\n../x\tenabled\t-\t-\t-\t-\t-\nshort\tenabled\n".utf8),
      to: lock.path)
    #expect(lock.entries.count == 1)
    #expect(lock["tides"]?.isEnabled == false && lock["tides"]?.release.source == "/s")
  }

  @Test func `packing a folder twice gives the same bytes, which can be installed`() async throws {
    let unpacked = try SamplePackage().unpack(to: folder)
    try folder.write([1], "tides/.hidden")
    try folder.write([1], "tides/__pycache__/main.pyc")
    let key = try folder.write(Array(SamplePackage.secretFile.utf8), "test.key").path
    for name in ["one", "two"] {
      // In the plugin's folder, as 'plugin pack .' writes them.
      let file = folder.url("tides/\(name).wbplugin").path
      let output = try await run.output("plugin", "pack", unpacked, "--output", file, "--key", key, "--json")
      let record = try JSONReader.read(Array(output.utf8))
      #expect(record["id"] == "tides" && record["contractRevision"].isNull && record["os"] == "any")
      #expect(record["sha256"].text == ContentHash.of(try HostFile.read(file)))
      #expect(record["signature"].text == file + ".minisig")
    }
    let bytes = try HostFile.read(folder.url("tides/one.wbplugin").path)
    #expect(try HostFile.read(folder.url("tides/two.wbplugin").path) == bytes)
    #expect(try PackageArchive(bytes).entries.map(\.name) == ["main.sh", "plugin.json", "resources/stations.csv"])
    #expect(names("data/plugins") == [])
    try await run("plugin", "install", folder.url("tides/one.wbplugin").path, "--key", SamplePackage.key, "--yes")
    #expect(version == "1.0.0")
    try await run("plugin", "install", unpacked, "--allow-unsigned", "--yes")
    let installed = FilePath.folder(of: try #require(lock["tides"]?.release.file))
    #expect(HostFile.names(in: installed).sorted() == [".contents", "main.sh", "plugin.json", "resources"])
  }

  @Test func `folders and packages without a valid plugin are refused`() async throws {
    let unpacked = try SamplePackage().unpack(to: folder)
    try FileManager.default.createSymbolicLink(
      atPath: folder.url("tides/link").path, withDestinationPath: "/etc/passwd")
    #expect(await run.error("plugin", "pack", unpacked)?.code == "host.install-bad-resource")
    #expect(await run.error("plugin", "pack", folder.path.path)?.code == "host.install-no-plugin")
    let nothing = try folder.write([], "nothing.wbplugin").path
    #expect(await run.error("plugin", "install", nothing)?.code == "host.package-damaged")
    let empty = try PackageArchive.bytes(of: [(name: "readme.txt", isExecutable: false, content: [1])])
    let path = try folder.write(empty, "empty.wbplugin").path
    #expect(await run.error("plugin", "install", path)?.code == "host.install-no-plugin")
  }
}
