import Foundation
import PluginAPI
import PluginCompression
import PluginTesting
import TestSupport
import Testing

@testable import Molecules

struct FetchCommandTests {
  /// Returns the error code of a download, the number of molecules in the library afterward, and the requests.
  private func outcome(
    _ arguments: Record, _ answer: @escaping @Sendable (FixtureRequest) -> FixtureReply?
  ) async throws -> (code: String?, molecules: Int, requests: [FixtureRequest]) {
    let services = try await ServiceFixture(answer)
    let report = await services.plugin.report("fetch", arguments)
    let count = try await services.plugin.run("list").value.table?.rowCount ?? -1
    #expect(Self.originals(services.plugin).count == count)
    #expect(Self.parts(services.plugin) == [])
    return (report?.code, count, services.server.requests)
  }

  static func originals(_ plugin: TestPlugin) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: plugin.context.folders.data + "/originals")) ?? []).sorted()
  }

  private static func parts(_ plugin: TestPlugin) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: plugin.context.folders.cache + "/downloads")) ?? []
  }

  @Test func `an entry is imported into the library as the server sends it, with progress`() async throws {
    let packed = try Gzip.compress(ServiceFixture.file("4HHB"))
    let services = try await ServiceFixture { $0.path == "/download/4HHB.pdb.gz" ? FixtureReply(200, packed) : nil }
    let result = try await services.plugin.run("fetch", ["code": "4hhb", "format": "pdb"])
    let first = try #require(result.value.list?.first)
    #expect(first["code"] == "4HHB" && first["atoms"] == 6 && first["wasKnown"] == false)
    #expect(Self.originals(services.plugin) == ["4HHB.pdb.gz"])
    #expect(result.progress.contains { $0.fraction == 1 && $0.label.contains("4HHB.pdb.gz") })
    #expect(Self.parts(services.plugin) == [])
    #expect(try services.plugin.text(result.value).contains("4HHB"))
  }

  @Test(arguments: [
    ("rcsb", "/download/4HHB.cif.gz"), ("soap", "/pdb/files/4HHB.pdb.gz"), ("text", "/pdb/files/4HHB.pdb.gz"),
  ])
  func `the file is requested from each service at its own path`(service: String, path: String) async throws {
    let found = try await outcome(["code": "4hhb", "service": .text(service)]) {
      $0.path == path ? FixtureReply(200, ServiceFixture.file("4HHB")) : nil
    }
    #expect(found.code == nil && found.molecules == 1)
    #expect(found.requests.map(\.path) == [path])
  }

  @Test func `AlphaFold's file address is requested first, and missing predictions are reported`() async throws {
    let found = try await outcome(["code": "p69905", "service": "alphafold"]) { request in
      let host = "http://" + (request.headers["host"] ?? "")
      switch request.path {
      case "/prediction/P69905":
        return .text(
          #"[{"entryId":"AF-P69905-F1","cifUrl":"\#(host)/files/AF-P69905-F1-model_v6.cif"}]"#,
          type: "application/json")
      case "/files/AF-P69905-F1-model_v6.cif": return FixtureReply(200, ServiceFixture.file("AF-P69905-F1"))
      default: return nil
      }
    }
    #expect(found.code == nil && found.molecules == 1)
    #expect(found.requests.map(\.path) == ["/prediction/P69905", "/files/AF-P69905-F1-model_v6.cif"])
    let none = try await outcome(["code": "P00001", "service": "alphafold"]) { _ in nil }
    #expect(none.code == "molecules.unknown-code" && none.molecules == 0)
    let odd = try await outcome(["code": "P69905", "service": "alphafold", "format": "pdb"]) { _ in nil }
    #expect(odd.code == "molecules.unreadable-reply")
    let words = try await outcome(["code": "4hhb", "service": "alphafold"]) { _ in nil }
    #expect(words.code == "molecules.unfitting-code" && words.requests.isEmpty)
  }

  @Test func `a link of the original program is fetched, and opened`() async throws {
    let services = try await ServiceFixture { request in
      request.path == "/x/one.pdb" ? FixtureReply(200, ServiceFixture.file("1ABC")) : nil
    }
    let link = "molecules://" + services.server.address.dropFirst("http://".count) + "/x/one.pdb"
    for _ in 0..<2 {
      let opened = try await services.plugin.run("open", ["molecule": .text(link)]).value
      #expect(opened["code"] == "1ABC")
    }
    #expect(services.server.requests.count == 1)
    let report = await services.plugin.report("fetch", ["url": .text(link)])
    #expect(report?.code == "molecules.already-there")
    let missing = await services.plugin.report("open", ["molecule": .text(link + "x")])
    #expect(missing?.code == "molecules.no-such-file")
  }

  @Test func `the 3-D form is requested from PubChem`() async throws {
    let found = try await outcome(["code": "CID2519", "service": "pubchem"]) { _ in nil }
    #expect(found.code == "molecules.unknown-code" && found.molecules == 0)
    #expect(found.requests.map(\.target) == ["/pug/compound/cid/2519/SDF?record_type=3d"])
  }

  @Test(arguments: [
    (FixtureReply.text("<!DOCTYPE html><html>no</html>", status: 404, type: "text/html"), "molecules.unknown-code"),
    (FixtureReply.text("\n <HTML>Sorry</HTML>", type: "text/html"), "molecules.unknown-code"),
    (FixtureReply(200, []), "molecules.unknown-code"), (FixtureReply.text("nonsense"), "molecules.unreadable-file"),
    (FixtureReply(500), "net.status"), (FixtureReply(403), "net.status"), (FixtureReply(503), "net.busy"),
  ]) func `a response that is not a structure is not imported`(reply: FixtureReply, code: String) async throws {
    let found = try await outcome(["code": "4hhb"]) { $0.path.hasPrefix("/download") ? reply : nil }
    #expect(found.code == code && found.molecules == 0)
  }

  @Test func `gzip is recognized by content, in the file and in the content encoding`() async throws {
    let plain = ServiceFixture.file("4HHB")
    let packed = try Gzip.compress(plain)
    let twice = try Gzip.compress(packed)
    let encoding = [("Content-Encoding", "gzip")]
    for (body, headers) in [(plain, []), (packed, []), (packed, encoding), (twice, encoding)] {
      let found = try await outcome(["code": "4hhb"]) {
        $0.path.hasPrefix("/download") ? FixtureReply(200, body, headers: headers) : nil
      }
      #expect(found.code == nil && found.molecules == 1)
    }
  }

  @Test(arguments: ["1CRNX", "CRN", "../etc", "ABCD", "", "pdb_1", "1CR/"])
  func `text that is not a code is refused before a request is sent`(
    code: String
  ) async throws {
    let services = try await ServiceFixture()
    let report = await services.plugin.report("fetch", ["code": .text(code)])
    #expect(report?.code == (code.isEmpty ? "molecules.nothing-named" : "molecules.unfitting-code"))
    #expect(report?.exitStatus == 2)
    #expect(services.server.connections == 0)
  }

  @Test func `a molecule already in the library is fetched again only on request`() async throws {
    let services = try await ServiceFixture {
      $0.path.hasPrefix("/download") ? FixtureReply(200, ServiceFixture.file("4HHB")) : nil
    }
    _ = try await services.plugin.run("fetch", ["code": "4hhb"])
    let report = await services.plugin.report("fetch", ["code": "4HHB"])
    #expect(report?.code == "molecules.already-there" && report?.exitStatus == 7)
    #expect(report?.details["id"] == 1)
    #expect(services.server.requests.count == 1)
    let again = try await services.plugin.run("fetch", ["code": "4hhb", "force": true])
    #expect(again.value.list?.first?["wasKnown"] == true)
    #expect(try await services.plugin.run("list").value.table?.rowCount == 1)
  }

  @Test func `a file at any address is fetched once, under its own name`() async throws {
    let services = try await ServiceFixture {
      $0.path == "/x/mine.pdb" ? FixtureReply(200, ServiceFixture.file("1ABC")) : nil
    }
    let url = services.server.address + "/x/mine.pdb?version=2#top"
    _ = try await services.plugin.run("fetch", ["url": .text(url)])
    #expect(Self.originals(services.plugin) == ["mine.pdb"])
    #expect(await services.plugin.report("fetch", ["url": .text(url)])?.code == "molecules.already-there")
    let missing = await services.plugin.report("fetch", ["url": .text(services.server.address + "/none.pdb")])
    #expect(missing?.code == "molecules.no-such-file" && missing?.exitStatus == 3)
    #expect(await services.plugin.report("fetch", ["url": "file:///etc/passwd"])?.code == "net.bad-address")
    #expect(
      await services.plugin.report("fetch", ["url": .text(url), "code": "4hhb"])?.code == "molecules.code-and-url")
  }

  @Test func `a lost connection is reopened and the download resumed`() async throws {
    let file = ServiceFixture.file("4HHB")
    let found = try await outcome(["code": "4hhb"]) { request in
      guard let range = request.headers["range"] else {
        return FixtureReply(200, file, headers: [("ETag", "\"one\"")], .cut(after: 200))
      }
      // An expectation on a thread of the server would not belong to a test.
      guard range == "bytes=200-", request.headers["if-range"] == "\"one\"" else { return FixtureReply(400) }
      return FixtureReply(
        206, Array(file[200...]),
        headers: [("ETag", "\"one\""), ("Content-Range", "bytes 200-\(file.count - 1)/\(file.count)")])
    }
    #expect(found.code == nil && found.molecules == 1 && found.requests.count == 2)
  }

  @Test func `a download restarts if the file changed or the server cannot resume it`() async throws {
    let file = ServiceFixture.file("4HHB")
    for status in [200, 206, 416] {
      let found = try await outcome(["code": "4hhb"]) { request in
        if request.headers["range"] == nil {
          let isFirst = status != 200
          return FixtureReply(
            200, file, headers: [("ETag", "\"one\"")], isFirst && Self.first(request) ? .cut(after: 200) : .whole)
        }
        if status == 200 { return FixtureReply(200, file, headers: [("ETag", "\"two\"")]) }
        return FixtureReply(status, [1, 2, 3], headers: status == 206 ? [("Content-Range", "bytes 0-2/3")] : [])
      }
      #expect(found.code == nil && found.molecules == 1)
    }
  }

  /// Returns true for the first request of its server, identified by its port.
  private static func first(_ request: FixtureRequest) -> Bool {
    firsts.add(request.headers["host"] ?? "")
  }

  private static let firsts = Seen()

  @Test func `a canceled download leaves no file in the library and is resumed next time`()
    async throws
  {
    let file = ServiceFixture.file("4HHB")
    let services = try await ServiceFixture { request in
      guard request.path.hasPrefix("/download") else { return nil }
      if let range = request.headers["range"], range == "bytes=300-" {
        return FixtureReply(
          206, Array(file[300...]), headers: [("Content-Range", "bytes 300-\(file.count - 1)/\(file.count)")])
      }
      return FixtureReply(200, file, headers: [("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")], .stuck(after: 300))
    }
    let plugin = services.plugin
    let task = Task { try await plugin.run("fetch", ["code": "4hhb"]) }
    #expect(await Task.detached { services.server.waitForBody() }.value)
    // The part is written as soon as it is visible on the disk.
    while (try? FileManager.default.attributesOfItem(atPath: Self.part(plugin))[.size] as? Int) != 300 {
      await Task.yield()
    }
    // The server hangs: without cancellation the request would end with a timeout.
    task.cancel()
    let result = await task.result
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(Self.originals(plugin) == [])
    #expect(try await plugin.run("fetch", ["code": "4hhb"]).value.list?.first?["atoms"] == 6)
    #expect(services.server.requests.last?.headers["if-range"] == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(Self.parts(plugin) == [])
  }

  private static func part(_ plugin: TestPlugin) -> String {
    let name = parts(plugin).first { $0.hasSuffix(".part") } ?? "none"
    return plugin.context.folders.cache + "/downloads/" + name
  }

  @Test func `a file above the limit is refused, with or without a stated length`() async throws {
    for manner in [FixtureReply.Manner.whole, .endless] {
      let services = try await ServiceFixture { request in
        request.path.hasPrefix("/download") ? FixtureReply(200, [UInt8](repeating: 65, count: 2 << 20), manner) : nil
      }
      try services.plugin.context.set("download-limit", to: 1)
      #expect(await services.plugin.report("fetch", ["code": "4hhb"])?.code == "net.too-large")
      #expect(Self.originals(services.plugin) == [])
    }
  }

  @Test func `a compressed response is not unpacked beyond the limit`() async throws {
    let bomb = try Gzip.compress([UInt8](repeating: 65, count: 20 << 20))
    let services = try await ServiceFixture { request in
      request.path.hasPrefix("/download") ? FixtureReply(200, bomb, headers: [("Content-Encoding", "gzip")]) : nil
    }
    try services.plugin.context.set("download-limit", to: 1)
    #expect(await services.plugin.report("fetch", ["code": "4hhb"])?.code == "net.damaged")
  }
}

/// Records the names it has seen.
private final class Seen: Sendable {
  private let lock = NSLock()
  nonisolated(unsafe) private var all: Set<String> = []

  /// Records a name and returns true if it is new.
  func add(_ name: String) -> Bool {
    lock.withLock { all.insert(name).inserted }
  }
}
