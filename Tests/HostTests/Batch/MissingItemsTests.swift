import PluginAPI
import Testing

@testable import Host

struct MissingItemsTests {
  /// Returns the numbers of the missing items of a run's only shard, and their losses.
  private static func missing(of run: BatchFolder) throws -> [(number: Int, losses: Int?)] {
    var items = try MissingItems(of: 1, in: run.folder, run.records())
    defer { items.close() }
    var found: [(number: Int, losses: Int?)] = []
    while let next = try items.next() { found.append((next.item.number, next.losses)) }
    #expect(try items.next() == nil)
    return found
  }

  @Test func `items without a record are in order, those that ran when an attempt was lost last`() throws {
    let run = try BatchFolder(itemCount: 6)
    try run.log("a", [BatchFolder.value(1, "x"), BatchFolder.begin(2), BatchFolder.heartbeat(seconds: 70)])
    try run.log("b", [BatchFolder.begin(3), BatchFolder.value(3, "y"), BatchFolder.begin(4)])
    let found = try Self.missing(of: run)
    #expect(found.map(\.number) == [5, 6, 2, 4])
    #expect(found.map(\.losses) == [nil, nil, 1, 0])
  }

  @Test func `a shard larger than a read buffer is read completely, its last line without a line feed`() throws {
    let run = try BatchFolder(itemCount: 0)
    let id = String(repeating: "a", count: 100)
    let lines = (1...2000).map { JSONWriter.bytes(of: BatchItem(number: $0, id: id).value) }
    try HostFile.write(Array(lines.joined(separator: [0x0A, 0x0A])), to: run.folder.shard(1))
    let found = try Self.missing(of: run)
    #expect(found.map(\.number) == Array(1...2000))
  }

  @Test(arguments: ["{", "{\"item\":2}", "[]"])
  func `a line that is not an item ends the run with a code and the line's number`(line: String) throws {
    let run = try BatchFolder(itemCount: 1)
    try HostFile.append(Array(("\n" + line + "\n").utf8), to: run.folder.shard(1))
    let error = #expect(throws: ErrorReport.self) { try Self.missing(of: run) }
    #expect(error?.code == "batch.broken-run" && error?.details["line"] == 3)
    #expect(error?.message == "line 3 of '\(run.folder.shard(1))' is not an item")
    let again = #expect(throws: ErrorReport.self) { try run.folder.items(of: 1) }
    #expect(again == error)
    #expect(try run.folder.firstItem(of: 1)?.number == 1)
  }
}
