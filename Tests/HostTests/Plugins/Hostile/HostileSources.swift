import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

/// Signed files `index.json` that are not indexes.
enum HostileIndexes {
  static let all: [HostileCase<[UInt8]>] = documents + heads + plugins + artifacts

  private static func hostile(_ label: String, _ index: String, _ message: String? = nil) -> HostileCase<[UInt8]> {
    HostileCase(label, "host.source-bad-index", Array(index.utf8), message: message)
  }

  private static let documents: [HostileCase<[UInt8]>] = [
    hostile("empty file", "", "line 1, column 1"),
    hostile("list", "[]", "'format' is not a number"),
    hostile("nothing in it", "{}", "'format' is not a number"),
    hostile("deep lists", String(repeating: "[", count: 1000), "nested more than 16 levels deep"),
    hostile("NUL after it", index() + "\u{0}", "text follows the end of the document"),
    hostile("two indexes", index() + index(), "text follows the end of the document"),
    hostile("half an index", String(index().prefix(40)), "line 1"),
    hostile("a name twice", #"{"format": 1, "format": 1}"#, "occurs twice"),
    HostileCase(
      "text that is not UTF-8", "host.source-bad-index", Array("{\"format\": \"".utf8) + [0xFF, 0x22, 0x7D],
      message: "not UTF-8"),
  ]

  /// Returns an index with other fields.
  private static func index(
    format: String = "1", name: String = "\"lab\"", serial: String = "1", expires: String = "\"2999-01-01\"",
    plugins: String = "[]"
  ) -> String {
    #"{"format": \#(format), "name": \#(name), "serial": \#(serial), "expires": \#(expires), "plugins": \#(plugins)}"#
  }

  private static let heads: [HostileCase<[UInt8]>] = [
    hostile("a later format", index(format: "2"), "its format is 2; this workbench reads format 1"),
    hostile("format in letters", index(format: "\"1\""), "'format' is not a number"),
    hostile("name that is a path", index(name: "\"../x\""), "'name': its id '../x'"),
    hostile("name of a command", index(name: "\"plugin\""), "'name': its id 'plugin'"),
    hostile("name with an escape", index(name: "\"la\\u001bb\""), "'name': its id"),
    hostile("no name", index(name: "null"), "'name': its id ''"),
    hostile("serial 0", index(serial: "0"), "'serial' is not a number of 1 or more"),
    hostile("negative serial", index(serial: "-7"), "'serial' is not a number of 1 or more"),
    hostile("serial in letters", index(serial: "\"7\""), "'serial' is not a number of 1 or more"),
    hostile("serial with a fraction", index(serial: "1.5"), "'serial' is not a number of 1 or more"),
    hostile("serial beyond 64 bits", index(serial: "100000000000000000000"), "'serial' is not a number of 1 or more"),
    hostile("expires some day", index(expires: "\"soon\""), "'expires' is not a date"),
    hostile("expires at a number", index(expires: "20300101"), "'expires' is not a date"),
    hostile("no plugins", index(plugins: "null"), "'plugins' is not a list"),
    hostile("plugins by name", index(plugins: "{\"tides\": {}}"), "'plugins' is not a list"),
  ]

  /// Returns an index with one plugin.
  private static func plugin(
    id: String = "\"tides\"", version: String = "\"1.0.0\"", artifacts: String = "[]"
  ) -> String {
    index(plugins: #"[{"id": \#(id), "version": \#(version), "artifacts": \#(artifacts)}]"#)
  }

  private static let plugins: [HostileCase<[UInt8]>] = [
    hostile("plugin that is a path", plugin(id: "\"../x\""), "'plugins[0].id' is not the id of a plugin"),
    hostile("plugin with a look-alike letter", plugin(id: "\"t\\u0456des\""), "'plugins[0].id' is not"),
    hostile("plugin of a reserved name", plugin(id: "\"host\""), "'plugins[0].id' is not"),
    hostile("plugin without a name", plugin(id: "7"), "'plugins[0].id' is not"),
    hostile("version with one number", plugin(version: "\"1\""), "'plugins[0].version' is not three numbers"),
    hostile("version with a path", plugin(version: "\"1.0.0-/../x\""), "'plugins[0].version' is not three numbers"),
    hostile(
      "version of digits without an end", plugin(version: "\"1.0.\(String(repeating: "9", count: 80))\""), "version"),
    hostile("no artifacts", plugin(artifacts: "null"), "'plugins[0].artifacts' is not a list"),
    hostile("artifact without fields", plugin(artifacts: "[{}]"), "'plugins[0].artifacts[0].url' is not an address"),
  ]

  /// Returns an index with one package.
  private static func artifact(
    url: String = "\"a.wbplugin\"", hash: String = String(repeating: "a", count: 64), size: String = "1",
    more: String = ""
  ) -> String {
    plugin(artifacts: #"[{"url": \#(url), "sha256": "\#(hash)", "size": \#(size)\#(more)}]"#)
  }

  private static let place = "'plugins[0].artifacts[0]"

  private static let artifacts: [HostileCase<[UInt8]>] = [
    hostile("empty address", artifact(url: "\"\""), place + ".url' is not an address"),
    hostile("address that is a list", artifact(url: "[\"a\"]"), place + ".url' is not an address"),
    hostile("hash of 63 digits", artifact(hash: String(repeating: "a", count: 63)), place + ".sha256' is not"),
    hostile("hash in capital letters", artifact(hash: String(repeating: "A", count: 64)), place + ".sha256' is not"),
    hostile("empty package", artifact(size: "0"), place + ".size' is not"),
    hostile("package of negative size", artifact(size: "-1"), place + ".size' is not"),
    hostile("package of a terabyte", artifact(size: "1000000000000"), place + ".size' is not"),
    hostile("size in letters", artifact(size: "\"12\""), place + ".size' is not"),
    hostile("revision without a compiler", artifact(more: ", \"contractRevision\": 5"), "has only one of"),
    hostile("compiler without a revision", artifact(more: ", \"compiler\": \"c\""), "has only one of"),
  ]
}

/// A change of a source after it was added, and the command that meets it.
struct HostileSource: Sendable {
  let words: [String]
  /// Changes the source, whose index has serial 5 and lists 'tides' 1.0.0.
  let change: @Sendable (SampleSource) throws -> Void
}

/// Sources that become hostile after they were added.
enum HostileSources {
  static let all: [HostileCase<HostileSource>] = indexes + packages

  /// Returns a case in which the index cannot be used, so that its last good copy is.
  private static func stale(
    _ label: String, _ message: String? = nil, _ change: @escaping @Sendable (SampleSource) throws -> Void
  ) -> HostileCase<HostileSource> {
    HostileCase(
      label, "host.source-stale", HostileSource(words: ["plugin", "search"], change: change), message: message)
  }

  /// Returns a case in which a plugin of the index cannot be installed.
  private static func install(
    _ label: String, _ code: String, _ word: String = "tides",
    _ change: @escaping @Sendable (SampleSource) throws -> Void
  ) -> HostileCase<HostileSource> {
    HostileCase(
      label, "host." + code, HostileSource(words: ["plugin", "install", word, "--yes"], change: change))
  }

  private static let good = SampleSource.Listed(sample: SamplePackage())
  private static let indexName = "lab/index.json"
  private static let packageName = SampleSource.package("tides", "1.0.0", "lab")

  private static func remove(_ name: String, of source: SampleSource) throws {
    try FileManager.default.removeItem(at: source.folder.url(name))
  }

  private static let indexes: [HostileCase<HostileSource>] = [
    stale("rollback to a lower serial", "serial 4, lower than the known 5") { try $0.publish([good], serial: 4) },
    stale("another name", "its name is now 'other'") { try $0.publish([good], serial: 6, name: "other") },
    stale("a changed byte") { source in
      let index = try source.publish([good], serial: 6)
      try source.folder.write(Array(index.replacing("Shows", with: "Hides").utf8), indexName)
    },
    stale("signature of an earlier index") { source in
      let before = try HostFile.read(source.path + "/index.json.minisig")
      try source.publish([good], serial: 6)
      try source.folder.write(before, indexName + ".minisig")
    },
    stale("signature of another key") { source in
      try source.publish([good], serial: 6)
      let name = indexName + ".minisig"
      let text = String(decoding: try HostFile.read(source.folder.url(name).path), as: UTF8.self)
      // The same bytes of a signature under the identifier of a key that nobody has.
      try source.folder.write(Array(text.replacing("RUR3b3JrYm5j", with: "RUR3b3JrYm5k").utf8), name)
    },
    stale("no signature") { try remove(indexName + ".minisig", of: $0) },
    stale("no index") { try remove(indexName, of: $0) },
    stale("signed text that is not an index") { try $0.sign(Array("{}".utf8)) },
    stale("folder in place of the index") { source in
      try remove(indexName, of: source)
      try FileManager.default.createDirectory(at: source.folder.url(indexName), withIntermediateDirectories: true)
    },
    stale("pipe in place of the index") { source in
      try remove(indexName, of: source)
      #expect(mkfifo(source.folder.url(indexName).path, 0o600) == 0)
    },
    stale("device in place of the signature") { source in
      try remove(indexName + ".minisig", of: source)
      try FileManager.default.createSymbolicLink(
        atPath: source.folder.url(indexName + ".minisig").path, withDestinationPath: "/dev/zero")
    },
    stale("link in a circle in place of the index") { source in
      try remove(indexName, of: source)
      try FileManager.default.createSymbolicLink(
        atPath: source.folder.url(indexName).path, withDestinationPath: "index.json")
    },
    stale("index of 17 MiB") { try $0.sign([UInt8](repeating: 0x20, count: 17 << 20)) },
    HostileCase(
      "expired index", "host.source-expired",
      HostileSource(words: ["plugin", "search"]) { try $0.publish([good], serial: 6, expires: "2020-01-31") }),
  ]

  /// Returns a case whose package is at another address than its own.
  private static func address(_ label: String, _ code: String, _ address: String) -> HostileCase<HostileSource> {
    install(label, code) { source in
      var listed = good
      listed.address = address
      try source.publish([listed], serial: 6)
    }
  }

  /// Returns a case whose version has other fields.
  private static func fields(
    _ label: String, _ code: String, version: String = "", package: String = ""
  ) -> HostileCase<HostileSource> {
    install(label, code) { source in
      var listed = good
      (listed.fields, listed.packageFields) = (version, package)
      try source.publish([listed], serial: 6)
    }
  }

  private static let packages: [HostileCase<HostileSource>] = [
    install("changed package", "package-altered") { source in
      var bytes = try HostFile.read(source.folder.url(packageName).path)
      bytes[bytes.count / 2] ^= 1
      try source.folder.write(bytes, packageName)
    },
    install("longer package", "package-altered") { source in
      try source.folder.write(try HostFile.read(source.folder.url(packageName).path) + [0], packageName)
    },
    install("other package", "package-altered") { source in
      try source.folder.write(try SamplePackage(effects: ["deletes"]).package(), packageName)
    },
    install("package without content", "package-altered") { try $0.folder.write([], packageName) },
    install("no package", "source-unreachable") { try remove(packageName, of: $0) },
    install("pipe in place of the package", "source-unreachable") { source in
      try remove(packageName, of: source)
      #expect(mkfifo(source.folder.url(packageName).path, 0o600) == 0)
    },
    install("package of another plugin", "package-altered", "moons") { source in
      var listed = good
      listed.id = "moons"
      try source.publish([listed], serial: 6)
    },
    address("package that is the index itself", "package-altered", "index.json"),
    address("package outside of the source", "package-altered", "../../../../../../../../../../etc/passwd"),
    address("package that is a device", "source-unreachable", "/dev/zero"),
    address("package over http", "source-unreachable", "http://example.org/tides.wbplugin"),
    address("package of another scheme", "source-unreachable", "file:///etc/passwd"),
    fields("withdrawn version", "unknown-package", version: ", \"yanked\": true"),
    fields("a later contract", "no-fitting-package", package: ", \"contractRevision\": 99, \"compiler\": \"c\""),
    fields("another C library", "no-fitting-package", package: ", \"libc\": \"musl\""),
  ]
}

@MainActor struct HostileSourceTests {
  private let run: CommandLineRun
  private let source: SampleSource

  init() throws {
    run = try CommandLineRun(findsPlugins: true)
    source = SampleSource(folder: try TemporaryFolder())
  }

  private var installed: [String: PluginLock.Entry] { PluginLock(data: run.home + "/data").entries }

  @Test(arguments: HostileIndexes.all)
  func `a signed index that is none is not added, and its error names the place`(hostile: HostileCase<[UInt8]>)
    async throws
  {
    try source.sign(hostile.subject)
    let error = try #require(await run.error("plugin", "source", "add", source.path, "--key", SamplePackage.key))
    #expect(error.code == hostile.code)
    #expect(hostile.isNamed(in: error.message), "\(error.message)")
    let sources = try await run.output("plugin", "source", "list", "--json")
    #expect(try JSONReader.read(Array(sources.utf8)) == .list([]))
  }

  @Test(arguments: [[], ["--csv"], ["--json"]])
  func `texts of an index command no terminal`(format: [String]) async throws {
    let index = try source.publish([SampleSource.Listed(sample: SamplePackage())])
    try source.sign(Array(index.replacing("Shows tides", with: "Shows\\u001b[2J\\u009b\\u202etides").utf8))
    try await run("plugin", "source", "add", source.path, "--key", SamplePackage.key)
    try await run.run(["plugin", "search"] + format)
    let output = run.streams.output.contents
    #expect(output.contains("tides"))
    #expect(!output.unicodeScalars.contains { ["\u{1B}", "\u{9B}", "\u{202E}"].contains($0) })
  }

  @Test(arguments: HostileSources.all)
  func `a source that becomes hostile installs nothing, and the last good index is kept`(
    hostile: HostileCase<HostileSource>
  ) async throws {
    try source.publish([SampleSource.Listed(sample: SamplePackage())], serial: 5)
    try await run("plugin", "source", "add", source.path, "--key", SamplePackage.key)
    try hostile.subject.change(source)
    let error = await run.error(hostile.subject.words + ["--json"])
    // A warning if the last good copy serves.
    #expect(error.map { $0.code == hostile.code } ?? run.messages.contains(hostile.code), "\(run.messages)")
    #expect(hostile.isNamed(in: run.messages), "\(run.messages)")
    #expect(installed.isEmpty)
    if hostile.code == "host.source-stale" {
      #expect(try await run.output("plugin", "search", "--json").contains("\"tides\""))
    }
  }
}
