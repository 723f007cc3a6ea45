import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

/// `batch status --watch`, while the test writes the logs of workers.
@MainActor @Suite(.timeLimit(.minutes(2))) struct RunWatchTests {
  @Test func `watching a run reports each change of progress until it is done`() async throws {
    let folder = try BatchFolder(itemCount: 3)
    let run = try CommandLineRun()
    let path = folder.folder.path
    async let state = run.output("batch", "status", path, "--watch", "--jsonl")
    await until { run.messages.contains("planned: 0 of 3 items") }
    try folder.log("a", [BatchFolder.value(1, "x"), BatchFolder.end])
    await until { run.messages.contains("stopped: 1 of 3 items") }
    let failure = BatchFolder.error(3, ErrorReport(code: "sample.no-rock", kind: .notFound, "there is no rock"))
    try folder.log("b", [BatchFolder.value(2, "y"), failure, BatchFolder.end])
    let result = try JSONReader.read(Array(try await state.utf8))
    #expect(result["state"] == "done" && result["done"] == 3)
    let notes = run.messages.split(separator: "\n").compactMap { line in
      (try? JSONReader.read(Array(line.utf8)))?["diagnostic"]
    }
    #expect(notes.allSatisfy { $0["code"] == "batch.progress" && $0["severity"] == "note" })
    #expect(
      notes.compactMap { $0["message"].text } == [
        "planned: 0 of 3 items", "stopped: 1 of 3 items", "done: 3 of 3 items, 1 in error",
      ])
  }

  @Test func `watching a canceled run ends at once`() async throws {
    let folder = try BatchFolder(itemCount: 2)
    try HostFile.write([], to: folder.folder.cancel)
    let run = try CommandLineRun()
    let text = try await run.output("batch", "status", folder.folder.path, "--watch")
    #expect(text.contains("canceled") && run.messages == "note: canceled: 0 of 2 items\n")
  }

  @Test func `cancellation ends a watch, and without '--watch' nothing is reported`() async throws {
    let folder = try BatchFolder(itemCount: 2)
    let run = try CommandLineRun()
    let path = folder.folder.path
    _ = try await run.output("batch", "status", path)
    #expect(run.messages.isEmpty)
    let watch = Task { try await run.output("batch", "status", path, "--watch") }
    await until { !run.messages.isEmpty }
    watch.cancel()
    await #expect(throws: CancellationError.self) { try await watch.value }
  }

  @Test func `the status line of a running run shows the remaining time`() throws {
    let folder = try BatchFolder(itemCount: 20)
    let lines = (1...4).map { BatchFolder.value($0, "x") }
    try folder.log("a", lines + [BatchFolder.heartbeat(seconds: 1024)])
    let claim = try ShardClaims.claim(1, of: folder.folder)
    defer { claim?.release() }
    let summary = try RunSummary(of: folder.folder, shards: [1])
    #expect(summary.state(folder.folder) == .running)
    // 4 items in 1,024 s, 16 to go: 4,096 s.
    #expect(summary.line(folder.folder) == "running: 4 of 20 items, 1:08:16 left")
  }
}
