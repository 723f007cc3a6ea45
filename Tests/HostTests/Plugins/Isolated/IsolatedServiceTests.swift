import Foundation
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import Host

/// The services of a plugin whose library a child process opens.
@Suite(.timeLimit(.minutes(5))) struct IsolatedServiceTests {
  @Test func `values of every kind arrive as they were emitted`() async throws {
    let library = try await ContainedLibrary()
    let values = try await library.values("values")
    #expect(values.count == 13)
    #expect(values[3] == 2.5 && values[4] == .decimal("0.10") && values[6] == .bytes([0, 255]))
    #expect(values[7] == .date(Instant(seconds: 1_795_132_800, nanoseconds: 123_456_789)))
    #expect(values[10] == ["$date": "no date"])
    #expect(values[12].picture?.pixels == [1, 2, 3, 255, 4, 5, 6, 255])
    #expect(try await library.values("typed").first?.typeName == "contained.port")
  }

  @Test func `one child serves many calls, and ends in order`() async throws {
    let library = try await ContainedLibrary()
    let process = try await library.process()
    #expect(process != getpid())
    for _ in 0..<20 { #expect(try await library.process() == process) }
    _ = try await library.values("box", ["text": "tin"])
    await library.isolated.end()
    #expect(!ScriptedProgram.exists("\(process)"))
    #expect(library.plugin.context.logLines.contains { $0.message == "the box is closed" })
    #expect(try await library.process() != process)
    await library.isolated.end()
  }

  @Test func `a command is made once in a child`() async throws {
    let library = try await ContainedLibrary()
    for runs in 1...3 { #expect(try await library.values("count") == [.integer(runs)]) }
    async let first = library.values("count")
    async let second = library.values("count")
    #expect(Set(try await (first + second).compactMap(\.integer)) == [4, 5])
    await library.isolated.end()
    #expect(try await library.values("count") == [1])
    await library.isolated.end()
  }

  @Test func `a plugin reads and changes its settings`() async throws {
    let library = try await ContainedLibrary()
    #expect(try await library.values("unit") == ["meter"])
    #expect(try await library.values("set-unit", ["text": "foot"]) == ["foot"])
    #expect(library.plugin.context.setting("unit") == "foot")
    #expect(await library.plugin.report("refuse-unit") != nil)
  }

  @Test func `progress, warnings and questions reach the caller`() async throws {
    let library = try await ContainedLibrary()
    let result = try await library.plugin.run("warn")
    #expect(result.progress == [Progress("half", fraction: 0.5)])
    #expect(result.diagnostics.map(\.code) == ["contained.careful"] && result.diagnostics.first?.advice == "take care")
    #expect(result.values == ["done"])
  }

  @Test func `a plugin calls commands and hears notifications`() async throws {
    let library = try await ContainedLibrary()
    library.plugin.context.answer("tides.tell") { arguments in
      // Not for the first call: its notification might arrive after the plugin has subscribed.
      if let text = arguments["text"] {
        library.plugin.context.deliver(Notification(topic: "tides.told", plugin: "tides", payload: text))
      }
      return "told"
    }
    #expect(try await library.values("call", ["command": "tides.tell"]) == ["told"])
    let heard = try await library.values("hear", ["topic": "tides.told", "command": "tides.tell"])
    #expect(heard.first?["payload"] == "news")
    _ = try await library.values("tell", ["text": "spring tide"])
    #expect(library.plugin.context.notifications.contains { $0.payload == "spring tide" })
  }

  @Test func `values are rendered for the colors of the output`() async throws {
    let library = try await ContainedLibrary()
    let text = try library.plugin.text(
      "Brest", for: TextRequest(width: 33, colorDepth: .palette), as: "contained.port")
    #expect(text == "port Brest, 33 columns, palette")
  }

  @Test func `checks return findings, and one that throws is named`() async throws {
    let library = try await ContainedLibrary()
    let context = library.plugin.context
    #expect(try await library.isolated.runCheck("box", context).map(\.code) == ["contained.light"])
    do {
      _ = try await library.isolated.runCheck("broken", context)
      Issue.record("the check succeeds")
    } catch {
      let report = ErrorReport(error)
      #expect(report.code == "host.plugin-threw" && report.message.contains("'check broken'"))
    }
  }

  @Test func `a store is checked, backed up, restored, exported and shared in the child`() async throws {
    let library = try await ContainedLibrary()
    _ = try await library.values("box", ["text": "bad"])
    let store = try #require(try library.plugin.context.store("box") as? any ShareableStore)
    #expect(store.path == library.plugin.context.folders.data + "/box")
    #expect(store.name == "box" && store.schemaVersion == 3 && store.sharedAddress == nil)
    #expect(try await store.check().map(\.code) == ["contained.bad-box"])
    let copy = library.folder.url("copy").path
    try await store.backup(to: copy)
    #expect(try String(contentsOfFile: copy, encoding: .utf8) == "bad")
    try "good".write(toFile: copy, atomically: true, encoding: .utf8)
    try await store.restore(from: copy)
    #expect(try await store.export() == ["text": "good"])
    #expect(try await store.check() == [])
    let summary = try await store.share(to: "postgresql://ada@localhost/lab") { _ in }
    #expect(summary == SharedStoreSummary(copied: 1, known: 2, notCopied: 3))
    #expect(store.sharedAddress == "postgresql://ada@localhost/lab")
    try await store.unshare()
    #expect(store.sharedAddress == nil)
    await #expect(throws: ErrorReport.self) { try await store.restore(from: "/nowhere/file") }
  }

  @Test func `a library that changed since it was examined is not opened`() async throws {
    let library = try await ContainedLibrary()
    try library.folder.write([1, 2, 3], "libContained.so")
    #expect(await library.plugin.report("process")?.code == "host.plugin-changed")
  }

  @Test func `a child that was killed is replaced, and three crashes quarantine the plugin`() async throws {
    let library = try await ContainedLibrary()
    for count in 1...3 {
      kill(try await library.process(), SIGKILL)
      #expect(
        polls { library.plugin.context.logLines.count { $0.message.hasSuffix("during no call: SIGKILL") } == count })
    }
    #expect(polls { FileManager.default.fileExists(atPath: library.folder.url("state/quarantine/contained").path) })
    #expect(await library.plugin.report("process")?.code == "host.plugin-quarantined")
  }

  @Test func `standard input is empty`() async throws {
    let library = try await ContainedLibrary()
    #expect(try await library.values("standard-input") == [0])
  }
}
