import PluginAPI

/// A plugin for tests of the command line: every form of result and every way to fail.
final class SamplePlugin: Plugin {
  var contributions: Contributions {
    var contributions = Contributions(
      plugin: PluginIdentity(id: "sample", name: "Sample", version: "1.2.3", summary: "Rocks and their weights"))
    contributions.commands = SampleCommand.all.map(\.declaration)
    contributions.textRenderers = ["sample.rock"]
    contributions.settings = [
      Parameter("weight-limit", .number(minimum: 0, maximum: 100), "Heaviest rock", unit: "kilogram", defaultValue: 5),
      Parameter("colors", .text, "Colors of the rocks", isRepeatable: true),
    ]
    contributions.fileTypes = [
      FileTypeDescription("Rock file", extensions: ["rock", "rock.gz"], magic: Array("ROCK".utf8), command: "info"),
      FileTypeDescription("Stone file", extensions: ["stone"], command: "info"),
    ]
    contributions.checks = [CheckDescription("hammer", "Presence of the hammer")]
    contributions.errorCodes = [ErrorCodeDescription("sample.no-rock", "there is no such rock")]
    contributions.screens = [
      ScreenDescription("rocks", title: "Rocks", actions: [ScreenAction("turn", "Turn the rock", keys: ["t"])])
    ]
    return contributions
  }

  func makeCommand(_ name: String, _ context: any PluginContext) throws -> any Command {
    guard let command = SampleCommand.all.first(where: { $0.declaration.name == name }) else {
      throw MissingPart.command(name)
    }
    return command
  }

  func makeTextRenderer(_ typeName: String, _ context: any PluginContext) throws -> any TextRenderer {
    RockRenderer()
  }

  func runCheck(_ name: String, _ context: any PluginContext) async throws -> [Diagnostic] {
    [Diagnostic(.warning, code: "sample.old-hammer", "the hammer is old", advice: "buy one")]
  }
}

private struct RockRenderer: TextRenderer {
  let typeName = "sample.rock"

  func render(_ value: Value, for request: TextRequest) throws -> StyledText {
    StyledText("rock " + (value["name"].text ?? ""), .heading)
  }
}

/// A command of the sample plugin.
struct SampleCommand: Command {
  let declaration: CommandDescription
  private let body: @Sendable (CommandCall) async throws -> Void

  func run(_ call: CommandCall) async throws { try await body(call) }

  static let all: [SampleCommand] = [list, info, distance, render, count, fail, wait, warn, echo, reset]

  private static let list = SampleCommand(
    declaration: CommandDescription(
      "list", "List rocks", output: .init(.table([.init("name", .text), .init("weight", .number, "kilograms")]))
    )
  ) { call in
    let table = Table(columns: [
      .init("name", title: "Name", .texts(["granite", "slate, \"grey\""])),
      .init("weight", title: "Weight", unit: "kg", .numbers([2.5, .nan], decimals: 2)),
    ])
    try await call.emit(.table(table))
  }

  private static let info = SampleCommand(
    declaration: CommandDescription(
      "info", "Show a rock", output: .init(.record([.init("name", .text)]), typeName: "sample.rock")
    ).taking(
      [
        Parameter("rock", .document(extensions: ["rock"]), "Name or file", isRequired: true)
          .completed(by: "list", column: "name", summaryColumn: "weight", otherColumns: ["weight"])
      ],
      options: [
        Parameter("owner", .text, "Owner of the rock").personal(),
        Parameter("finder", .text, "Finder of the rock", isRepeatable: true).personal(),
      ]
    )
    .explained("A rock is a natural solid.", examples: [.init("info granite", "one rock")])
  ) { call in try await call.emit(["name": call["rock"]]) }

  private static let distance = SampleCommand(
    declaration: CommandDescription(
      "measure distance", "Measure the distance between points", output: .init(.quantity), effects: []
    ).taking(
      [Parameter("point", .numbers(count: 3), "x,y,z", unit: "metre", isRequired: true, isRepeatable: true)],
      options: [
        Parameter("scale", .number(minimum: -10, maximum: 10), "Scale factor", defaultValue: 1),
        Parameter("unit", .choice(["metre", "foot"]), "Unit of the result", defaultValue: "metre"),
        Parameter("round", .flag, "Round the result"),
        Parameter("tag", .text, "Tags of the result", isRepeatable: true),
      ])
  ) { call in
    let points = (call["point"].list ?? []).map { ($0.list ?? []).compactMap(\.number) }
    let sum = points.flatMap { $0 }.reduce(0, +) * (call["scale"].number ?? 1)
    try await call.emit(.quantity(call.flag("round") ? sum.rounded() : sum, unit: call.text("unit")))
  }

  private static let render = SampleCommand(
    declaration: CommandDescription("render", "Draw a rock", output: .init(.picture), effects: [])
      .taking(options: [Parameter("color", .choice(["grey", "red"]), "Color of the rock", defaultValue: "grey")])
  ) { call in
    let size = call.presentation.pictureSize ?? Size(width: 4, height: 2)
    let pixel: [UInt8] = call.text("color") == "red" ? [255, 0, 0, 255] : [128, 128, 128, 255]
    let pixels = Array(repeatElement(pixel, count: size.width * size.height).joined())
    try await call.emit(.picture(Picture(width: size.width, height: size.height, pixels: pixels)))
  }

  private static let count = SampleCommand(
    declaration: CommandDescription(
      "count", "Count to a number", output: .init(.record([.init("number", .integer)]), isStream: true), effects: []
    ).taking([Parameter("to", .integer(minimum: 0, maximum: 1_000_000), "Last number", isRequired: true)])
  ) { call in
    for number in 0..<(call["to"].integer ?? 0) { try await call.emit(["number": .integer(number + 1)]) }
  }

  private static let fail = SampleCommand(
    declaration: CommandDescription("fail", "Fail in a chosen way", output: .init(.any), effects: []).taking([
      Parameter("kind", .text, "Kind of failure", isRequired: true)
    ])
  ) { call in
    guard let kind = ErrorReport.Kind(rawValue: call.text("kind")) else { throw SampleFault.broken }
    throw ErrorReport(
      code: "sample.no-rock", kind: kind, "there is no rock 'quartz'", advice: "look in the cellar",
      details: ["rock": "quartz"], isRetryable: kind == .network)
  }

  private static let wait = SampleCommand(
    declaration: CommandDescription("wait", "Wait until canceled", output: .init(.any), effects: [])
  ) { call in
    try await call.emit("waiting")
    _ = try await call.compute("waiting") { progress in
      // A thread of its own that looks for cancellation, as heavy work does.
      while !progress.isCancelled {}
      try progress.checkCancellation()
      return 0
    }
  }

  private static let warn = SampleCommand(
    declaration: CommandDescription("warn", "Print warnings", output: .init(.text), effects: [])
  ) { call in
    call.warn(Diagnostic(.note, code: "sample.note", "granite is hard"))
    call.warn(Diagnostic(.warning, code: "sample.dust", "there is dust", line: 7, column: 3, advice: "sweep"))
    try await call.emit("swept")
  }

  private static let echo = SampleCommand(
    declaration: CommandDescription("echo", "Return the arguments", output: .init(.list(.text)), effects: [])
      .taking([Parameter("words", .text, "Arguments", isRepeatable: true)])
  ) { call in try await call.emit(.list(call.texts("words").map(Value.text))) }

  private static let reset = SampleCommand(
    declaration: CommandDescription("reset", "Return nothing", output: .init(.any), effects: [.writes])
  ) { _ in }
}

enum SampleFault: Error { case broken }
