import Foundation
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import Molecules

struct PageCommandTests {
  private static let html = """
    <html><head><title>1CRN page</title></head><body><h1>Crambin</h1><p>See <a href="/structure/4HHB">another</a> or
    <a href="mailto:x@y.z">write</a>.</p></body></html>
    """

  @Test func `a page has a title, an abstract and an address`() async throws {
    let services = try await ServiceFixture()
    let result = try await services.plugin.run("page", ["code": "1crn"])
    #expect(result.value["code"] == "1CRN" && result.value["title"] == "CRAMBIN")
    #expect(result.value["abstract"] == "A small protein.")
    #expect(result.value["address"] == .text(services.server.address + "/structure/1CRN"))
    #expect(result.value["text"] == .null)
    #expect(!services.server.requests.contains { $0.path.hasPrefix("/structure") })
    let text = try services.plugin.text(result.value)
    #expect(text.contains("1CRN CRAMBIN") && text.contains("A small protein.") && text.contains("/structure/1CRN"))
  }

  @Test func `the web page is read as text with numbered links`() async throws {
    let services = try await ServiceFixture {
      $0.path.hasPrefix("/structure") ? .text(Self.html, type: "text/html; charset=utf-8") : nil
    }
    let value = try await services.plugin.run("page", ["code": "1crn", "read": true]).value
    #expect(value["text"] == "Crambin\n\nSee another[1] or write[2].")
    #expect(
      value["links"] == [
        ["number": 1, "text": "another", "address": .text(services.server.address + "/structure/4HHB")]
      ])
    let next = try #require(value["links"].list?.first?["address"].text)
    let followed = try await services.plugin.run("page", ["url": .text(next)]).value
    #expect(followed["title"] == "1CRN page" && followed["text"].text?.hasPrefix("Crambin") == true)
    #expect(try services.plugin.text(value).contains("[1] \(next)"))
  }

  @Test func `the legacy and small-molecule services have pages too`() async throws {
    let services = try await ServiceFixture()
    let old = try await services.plugin.run("page", ["code": "1CRN", "service": "soap"]).value
    #expect(old["title"] == "WATER STRUCTURE" && old["abstract"] == .null)
    #expect(old["address"] == .text(services.server.address + "/explore.do?structureId=1CRN"))
    let small = try await services.plugin.run("page", ["code": "2519", "service": "pubchem"]).value
    #expect(small["title"] == "Caffeine" && small["abstract"] == "A stimulant.")
    let unknown = await services.plugin.report("page", ["code": "9ZZZ", "service": "soap"])
    #expect(unknown?.code == "molecules.unknown-code" && unknown?.exitStatus == 3)
    #expect(await services.plugin.report("page")?.code == "molecules.nothing-named")
  }

  @Test(.timeLimit(.minutes(5))) func `a browser is started with the address only`() async throws {
    let services = try await ServiceFixture()
    let folder = try TemporaryFolder()
    let (program, note) = (folder.url("browser"), folder.url("note"))
    let words = "$#:$1:$(ulimit -S -d):$$"
    let script = "#!/bin/sh\necho \"\(words)\" > '\(note.path).new'\nmv '\(note.path).new' '\(note.path)'\n"
    try folder.write(Array(script.utf8), "browser")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    try services.plugin.context.set("browser", to: .text(program.path))
    // A memory limit of this process, here one that is never reached, must not apply to the browser.
    let memory = __rlimit_resource_t(RLIMIT_DATA.rawValue)
    var limit = rlimit()
    #expect(getrlimit(memory, &limit) == 0)
    var lower = rlimit(rlim_cur: min(limit.rlim_cur, 1 << 40), rlim_max: limit.rlim_max)
    #expect(setrlimit(memory, &lower) == 0)
    defer { setrlimit(memory, &limit) }
    _ = try await services.plugin.run("page", ["code": "1crn", "open": true])
    while !FileManager.default.fileExists(atPath: note.path) { await Task.yield() }
    let noted = try String(contentsOf: note, encoding: .utf8)
    #expect(noted.hasPrefix("1:\(services.server.address)/structure/1CRN:"))
    #expect(!noted.contains(":\(1 << 30):"), "the limit in kilobytes")
    // After its end nothing remains of it, not even its entry in the process table.
    let number = noted.split(separator: ":").last?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "self"
    while FileManager.default.fileExists(atPath: "/proc/\(number)") { await Task.yield() }
    try services.plugin.context.set("browser", to: "/nowhere/browser")
    let report = await services.plugin.report("page", ["code": "1crn", "open": true])
    #expect(report?.code == "molecules.no-browser" && report?.exitStatus == 1)
    let bad = await services.plugin.report("page", ["url": "javascript:alert(1)", "open": true])
    #expect(bad?.code == "net.bad-address")
  }
}
