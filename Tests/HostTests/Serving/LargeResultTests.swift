import PluginAPI
import TestSupport
import Testing

@testable import Host

/// Results that take long to join: screens and other calls do not wait for them.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct LargeResultTests {
  private let run: CommandLineRun
  private let client: ServedClient
  /// A list whose JSON has more than 100 KB.
  private let many: Value = .list((10_000..<30_000).map(Value.integer))
  private let declaration = CommandDescription("list", "List numbers", output: .init(.list(.integer), isStream: true))

  init() throws {
    run = try CommandLineRun()
    let commands = ServedCommands(run.interpreter, isReadOnly: false, limits: ServeLimits())
    client = ServedClient(input: -1, output: -1, service: RPCService(commands), limits: ServeLimits())
  }

  /// Takes a result while other work waits for the loop.
  ///
  /// - Returns: `other`, `taken` if the loop did that work meanwhile.
  private func order(_ take: @MainActor () async throws -> Void) async rethrows -> [String] {
    let steps = Steps()
    let other = Task { steps.names.append("other") }
    try await take()
    steps.names.append("taken")
    await other.value
    return steps.names
  }

  private func served(_ value: Value) async throws -> ServedResult {
    let request = ServedRequest(id: 1, method: "list", parameters: nil, bytes: 0, client: client)
    let result = ServedResult(of: declaration, for: request, .init(), pictures: run.interpreter.pictures)
    for _ in 0..<2 { try await result.emit(value) }
    return result
  }

  @Test func `the loop works on while a large result of 'serve' is joined`() async throws {
    let result = try await served(many)
    let steps = await order {
      let json = await result.takeJSON()
      #expect(json.first == UInt8(ascii: "[") && json.count > 200_000)
    }
    #expect(steps == ["other", "taken"])
  }

  @Test func `a small result is joined at once`() async throws {
    let result = try await served([1, 2])
    let steps = await order {
      #expect(String(decoding: await result.takeJSON(), as: UTF8.self) == "[1,2,1,2]")
    }
    #expect(steps == ["taken", "other"])
  }

  @Test func `the loop works on while the text of a large result is made for an agent`() async throws {
    let output = ToolOutput(.json, of: declaration, client: client, progressToken: nil)
    try await output.emit(many)
    var steps = await order { #expect(await output.text().items.count == 20_000) }
    #expect(steps == ["other", "taken"])
    let rows = ToolOutput(
      .rows(.table([.init("n", .integer)]), columns: []), of: declaration, client: client, progressToken: nil)
    try await rows.emit(.table(Table(columns: [Table.Column("n", .integers(Array(10_000..<30_000)))])))
    steps = await order { #expect(await rows.text().items.count == 20_000) }
    #expect(steps == ["other", "taken"])
  }

  @Test func `the loop works on while a large result of a script is joined`() async {
    let record = RecordedResult()
    for _ in 0..<20 { #expect(record.add(many)) }
    let output = CommandDescription.Output(.any, isStream: true)
    var steps = await order { #expect(await record.result(of: output).list?.count == 20) }
    #expect(steps == ["other", "taken"])
    let small = RecordedResult()
    #expect(small.add(1))
    steps = await order { #expect(await small.result(of: output) == [1]) }
    #expect(steps == ["taken", "other"])
  }

  @Test func `large and small results arrive whole`() async throws {
    let trial = try ServeTrial()
    for id in 1...6 {
      trial.request(.integer(id), "served.long", ["count": .integer(id * 30_000)])
      trial.request(.integer(100 + id), "sample.echo", ["a"])
    }
    for id in 1...6 {
      let numbers = try await trial.response(to: .integer(id))["result"].list
      #expect(numbers?.count == id * 30_000 && numbers?.last == .integer(id * 30_000 - 1))
      #expect(try await trial.response(to: .integer(100 + id))["result"] == ["a"])
    }
    #expect(try await trial.end().isEmpty)
  }
}

/// The steps that were taken on the loop.
@MainActor private final class Steps {
  var names: [String] = []
}
