import Foundation
import PluginAPI
import Synchronization
import Testing

@testable import Host

@MainActor struct RecentDocumentsTests {
  private let home = NSTemporaryDirectory() + "workbench-recent-" + UUID().uuidString

  /// Puts documents into the list, the last one first.
  private func keep(_ documents: String...) throws {
    try HostFile.makeFolder(home + "/state")
    var recent = RecentDocuments(folder: home + "/state")
    for document in documents { recent.add(RecentDocuments.Entry(plugin: "tides", document: document)) }
  }

  private var kept: [String] { RecentDocuments(folder: home + "/state").entries.map(\.document) }

  /// Writes a document and returns its path.
  private func document(_ name: String) throws -> String {
    let path = home + "/" + name
    try HostFile.write([0x74], to: path, makesFolder: true)
    return path
  }

  @Test func `the list has at most 50 documents, is private, and preserves additions of other runs`() throws {
    try HostFile.makeFolder(home + "/state")
    var (one, other) = (RecentDocuments(folder: home + "/state"), RecentDocuments(folder: home + "/state"))
    for number in 0..<60 { one.add(RecentDocuments.Entry(plugin: "tides", document: "d\(number)")) }
    other.add(RecentDocuments.Entry(plugin: "tides", document: "other"))
    #expect(kept.count == 50 && kept[0] == "other" && kept[1] == "d59" && kept[49] == "d11")
    let mode = try FileManager.default.attributesOfItem(atPath: home + "/state/recent")[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try FileManager.default.removeItem(atPath: home)
  }

  @Test func `a damaged list counts as empty, and of a long one the first 50 entries are read`() throws {
    try HostFile.makeFolder(home + "/state")
    try HostFile.write(Array("{".utf8), to: home + "/state/recent")
    #expect(kept == [])
    let values = (0..<200).map { number -> Value in
      number == 1 ? "no record" : ["plugin": "tides", "document": .text("d\(number)")]
    }
    try HostFile.write(Value.list(values).encoded(), to: home + "/state/recent")
    #expect(kept.count == 49 && kept.last == "d49")
    try FileManager.default.removeItem(atPath: home)
  }

  @Test func `nothing is stored in safe mode or if the setting is off`() throws {
    let flow = try Flow(atHome: true, home: home)
    let launch = ScreenLaunch(plugin: "tides", documents: [try document("hel.tide")])
    flow.session.options.isSafeMode = true
    InterfaceRun.remember(launch, in: flow.session)
    flow.session.options.isSafeMode = false
    let settings = home + "/config/settings.json"
    try HostFile.write(Array(#"{"host":{"recent-documents":false}}"#.utf8), to: settings, makesFolder: true)
    InterfaceRun.remember(launch, in: flow.session)
    #expect(kept == [])
    try HostFile.remove(settings)
    InterfaceRun.remember(launch, in: flow.session)
    #expect(kept == [home + "/hel.tide"])
    withExtendedLifetime(flow) {}
  }

  @Test func `documents are stored unless a plugin has only personal parameters`() {
    func isHarmless(_ parameters: Parameter...) -> Bool {
      var contributions = Contributions(
        plugin: PluginIdentity(id: "people", name: "People", version: "1.0.0", summary: "people"))
      contributions.commands = parameters.enumerated().map { index, parameter in
        CommandDescription("show \(index)", "Show a person", output: .init(.any)).taking([], options: [parameter])
      }
      return StoredContributions(contributions).hasHarmlessDocuments
    }
    let person = Parameter("person", .text, "Person").personal()
    #expect(isHarmless() && isHarmless(Parameter("width", .text, "Width")))
    #expect(!isHarmless(person) && !isHarmless(Parameter("width", .text, "Width"), person))
    #expect(!isHarmless(Parameter("record", .document(extensions: []), "Record").personal()))
    #expect(isHarmless(person, Parameter("device", .document(extensions: []), "Device")))
  }

  @Test func `a missing document is marked and can be removed, and an existing one opens`() async throws {
    let there = try document("there.tide")
    try keep(there, home + "/gone.tide")
    let flow = try Flow(70, 18, atHome: true, home: home)
    try await flow.feed("wait")
    let (gone, found) = (flow.lines.first { $0.contains("gone.tide") }, flow.lines.first { $0.contains("there.tide") })
    #expect(gone?.contains("✗ missing: tides") == true && found?.contains("✗") == false)
    try await flow.feed("down enter")
    #expect(flow.screen.contains("1 Remove it from the list"))
    try await flow.feed("3")
    #expect(kept == [home + "/gone.tide", there])
    try await flow.feed("enter enter")
    #expect(kept == [there] && !flow.screen.contains("gone.tide"))
    try await flow.feed("enter")
    #expect(flow.lines[0].hasPrefix(" Workbench › Tides"))
  }

  @Test func `the delete key removes documents from the list, and nothing else`() async throws {
    try keep("a", "b")
    let flow = try Flow(70, 18, atHome: true, home: home)
    try await flow.feed("delete")
    #expect(kept == ["b", "a"] && !flow.status.contains("delete remove"))
    try await flow.feed("down")
    #expect(flow.status.contains("delete remove"))
    try await flow.feed("delete delete delete")
    #expect(kept == [] && !flow.screen.contains("Recent documents"))
  }

  @Test func `the latest of many documents are shown, and all on request`() async throws {
    try keep("m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m10")
    let flow = try Flow(70, 30, atHome: true, home: home)
    #expect(flow.screen.contains("m3 ") && !flow.screen.contains("m2 ") && flow.screen.contains("3 more"))
    try await flow.feed("down down down down down down down down down enter")
    #expect(flow.screen.contains("m0 ") && !flow.screen.contains("3 more"))
  }

  @Test func `the home screen shows no documents in safe mode`() async throws {
    try keep("a")
    let flow = try Flow(70, 18, atHome: true, home: home)
    #expect(flow.screen.contains("Recent documents"))
    flow.session.options.isSafeMode = true
    try await flow.feed("ctrl-p type:home enter")
    #expect(!flow.screen.contains("Recent documents") && !flow.screen.contains("Forget documents"))
  }

  @Test func `linear text marks missing documents, and numbers remove them`() async throws {
    let there = try document("there.tide")
    try keep(there, home + "/gone.tide")
    var options = GlobalOptions()
    options.home = home
    let session = try HostSession(options: options, environment: [:], searchPath: PluginSearchPath(folders: []))
    try session.plugins.adopt(TidesPlugin())
    let waiting = Mutex(["6", "2"])
    var output: [String] = []
    let status = await PlainRun.run(
      session: session, ScreenLaunch(),
      readLine: { waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() } }, print: { output.append($0) },
      note: { _ in })
    #expect(status == 0)
    #expect(output.contains("2. gone.tide: ✗ missing: tides  \(home)/gone.tide"), "\(output)")
    #expect(output.contains("2. Remove missing ones  1"), "\(output)")
    #expect(output.contains("2. there.tide: tides  \(there)"), "\(output)")
    #expect(kept == [there])
    try FileManager.default.removeItem(atPath: home)
  }
}
