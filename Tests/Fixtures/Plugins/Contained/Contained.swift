import Glibc
import PluginAPI
import Synchronization

// A plugin that uses every service of the host, for tests that compare a run with '--isolate' with one without.

final class ContainedPlugin: Plugin {
  let identity = PluginIdentity(id: "contained", name: "Contained", version: "1.0.0", summary: "Uses every service")

  private static let unit = Setting("unit", "Unit of heights", default: "meter")
  private static let text = Argument("text", String.self, "A text")
  private static let topic = Argument("topic", String.self, "A topic, 'plugin.topic'")
  private static let command = Argument("command", String.self, "A command, 'plugin.command'")

  var parts: PluginParts {
    var parts = PluginParts(
      commands: [
        Self.make("values") { call in for value in Self.values { try await call.emit(value) } },
        Self.make("typed") { call in try await call.emit(Value.text("Brest").typed("contained.port")) },
        Self.make("process") { call in try await call.emit(.integer(Int(getpid()))) },
        Self.counting(),
        Self.make("unit") { call in try await call.emit(.text(call.context[Self.unit])) },
        Self.make("set-unit", [.reads, .writes], [Self.text]) { call in
          try call.context.set("unit", to: .text(call[Self.text]))
          try await call.emit(.text(call.context[Self.unit]))
        },
        Self.make("refuse-unit", [.reads, .writes]) { call in try call.context.set("height", to: 7) },
        Self.make("line") { call in try await call.emit(.optional(try await call.inputLine())) },
        Self.make("standard-input") { call in
          var byte: UInt8 = 0
          try await call.emit(.integer(read(STDIN_FILENO, &byte, 1)))
        },
        Self.make("call", [.reads, .writes], [Self.command]) { call in
          try await call.emit(try await call.context.call(call[Self.command], Record()))
        },
        Self.make("tell", [.reads], [Self.text]) { call in
          call.context.notify("told", .text(call[Self.text]))
          try await call.emit(.text("told"))
        },
        Self.make("hear", [.reads], [Self.topic, Self.command]) { call in try await Self.hear(call) },
        Self.make("warn") { call in
          call.report(Progress("half", fraction: 0.5))
          call.warn(Diagnostic(.warning, code: "contained.careful", "be careful", advice: "take care"))
          try await call.emit(.text("done"))
        },
        Self.make("box", [.reads, .writes], [Self.text]) { call in
          let box = try call.context.store("box", as: BoxStore.self)
          try box.put(call[Self.text])
          try await call.emit(.text(try box.text()))
        },
      ],
      screens: [ScreenPart(PortsController.description) { try PortsController($0, $1) }],
      stores: [StorePart("box", "Keeps a text") { BoxStore($0) }])
    parts.settings = [Self.unit.parameter]
    parts.topics = [TopicDescription("told", "A text was told", payload: .text)]
    parts.textRenderers = [TextRendererPart("contained.port") { _ in PortRenderer() }]
    parts.checks = [
      CheckPart("box", "The box is light") { context in
        [Diagnostic(.note, code: "contained.light", "the box weighs \(context[Self.unit])")]
      },
      CheckPart("broken", "Nothing is broken") { _ in throw ContainedError(text: "it is broken") },
    ]
    return parts
  }

  private static func make(
    _ name: String, _ effects: Set<CommandDescription.Effect> = [.reads], _ inputs: [any CommandInput] = [],
    _ body: @escaping @Sendable (CommandCall) async throws -> Void
  ) -> CommandPart {
    CommandPart(
      CommandDescription(name, "Uses a service", output: .init(.any, isStream: name == "values"), effects: effects)
        .taking(inputs), body)
  }

  /// Returns a command that emits the number of its runs since it was made.
  private static func counting() -> CommandPart {
    let runs = RunCount()
    return make("count") { call in try await call.emit(.integer(runs.next())) }
  }

  /// A value of each kind.
  private static let values: [Value] = [
    nil, true, 7, 2.5, .decimal("0.10"), .text("text"), .bytes([0, 255]),
    .date(Instant(seconds: 1_795_132_800, nanoseconds: 123_456_789)), .quantity(1.8, unit: "angstrom"),
    [1, ["a": nil]],
    ["$date": "no date"], .table(Table(columns: [Table.Column("port", .texts(["Brest"]))])),
    .picture(Picture(width: 1, height: 2, pixels: [1, 2, 3, 255, 4, 5, 6, 255])),
  ]

  /// Subscribes to a topic, calls a command that notifies, and emits the notification.
  private static func hear(_ call: CommandCall) async throws {
    let (heard, continuation) = AsyncStream.makeStream(of: Notification.self)
    let subscription = call.context.subscribe(call[topic]) { continuation.yield($0) }
    defer { subscription.cancel() }
    _ = try await call.context.call(call[command], ["text": "news"])
    for await notification in heard {
      return try await call.emit(notification.value)
    }
  }
}

struct ContainedError: Error {
  var text: String
}

struct PortRenderer: TextRenderer {
  let typeName = "contained.port"

  func render(_ value: Value, for request: TextRequest) throws -> StyledText {
    StyledText("port \(value.text ?? "?"), \(request.width) columns, \(request.colorDepth)")
  }
}

/// A store of one text, which pretends that it can be shared.
final class BoxStore: ShareableStore {
  let name = "box"
  let path: String
  let schemaVersion = 3
  private let context: any PluginContext
  private let address = Mutex<String?>(nil)

  init(_ context: any PluginContext) {
    self.context = context
    path = context.folders.data + "/box"
  }

  var sharedAddress: String? { address.withLock { $0 } }

  func put(_ text: String) throws {
    try Self.write(text, to: path)
    context.notify("told", .text(text))
  }

  func text() throws -> String { try Self.read(path) }

  func check() async throws -> [Diagnostic] {
    try text() == "bad" ? [Diagnostic(.error, code: "contained.bad-box", "the box is bad")] : []
  }

  func backup(to path: String) async throws { try Self.write(try text(), to: path) }
  func restore(from path: String) async throws { try Self.write(try Self.read(path), to: self.path) }
  func export() async throws -> Value { ["text": .text(try text())] }

  func close() async { context.log(.note, "the box is closed") }

  func share(
    to address: String, progress: @escaping @Sendable (Progress) -> Void
  ) async throws -> SharedStoreSummary {
    progress(Progress("sharing", fraction: 1))
    self.address.withLock { $0 = address }
    return SharedStoreSummary(copied: 1, known: 2, notCopied: 3)
  }

  func unshare() async throws { address.withLock { $0 = nil } }

  private static func read(_ path: String) throws -> String {
    guard let file = fopen(path, "r") else { throw ContainedError(text: "no file '\(path)'") }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1000)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  private static func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "w") else { throw ContainedError(text: "no file '\(path)'") }
    defer { fclose(file) }
    _ = text.withCString { fwrite($0, 1, strlen($0), file) }
  }
}

/// A screen that uses every kind of effect and draws a picture.
@MainActor final class PortsController: Controller {
  nonisolated static let description = ScreenDescription(
    "ports", title: "Ports",
    actions: [
      ScreenAction("load", "Load", keys: ["l", "enter"]), ScreenAction("compute", "Compute", keys: ["c"]),
      ScreenAction("fail", "Fail", keys: ["f"]), ScreenAction("wait-and-load", "Supersede", keys: ["w"]),
      ScreenAction("stop", "Cancel", keys: ["s"]), ScreenAction("ask", "Ask", keys: ["a"]),
      ScreenAction("choose", "Choose", keys: ["o"]), ScreenAction("run", "Run a command", keys: ["r"]),
      ScreenAction("picture", "Show a picture", keys: ["p"]), ScreenAction("later", "Change later", keys: ["t"]),
      ScreenAction("call", "Call a command", keys: ["k"]), ScreenAction("peek", "Peek", keys: ["i"]),
      ScreenAction("trap", "Crash", keys: ["x"]), ScreenAction("hang", "Hang", keys: ["h"]),
    ], topics: ["contained.told"])

  private let context: any PluginContext
  private var lines = ["first"]
  private var showsPicture = false
  private var geometry = ScreenGeometry(size: Size(width: 0, height: 0))

  init(_ request: ScreenRequest, _ context: any PluginContext) throws {
    if request.arguments["document"]?.text == "missing" { throw ContainedError(text: "there is no such port") }
    self.context = context
  }

  var title: String { "Ports (\(lines.count))" }
  var status: [StyledText.Run] { [StyledText.Run("last: " + (lines.last ?? ""), .accent)] }
  var view: any View { PortsView(lines: lines, showsPicture: showsPicture, geometry: geometry) }

  func start() -> [Effect] { [loading("start")] }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry): self.geometry = geometry
    case .paste(let text): lines.append("pasted " + text)
    case .key(let key) where key.typedCharacter == "z": lines.append("zet")
    default: return nil
    }
    return []
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    switch invocation.action {
    case "load": return [loading("Brest")]
    case "compute":
      return [
        compute("sum", "Adding") { progress in
          progress.report(Progress("adding", fraction: 0.5))
          return (1...10).reduce(0, +)
        } then: {
          $0.lines.append("sum \($1)")
        }
      ]
    case "fail": return [failing()]
    case "wait-and-load": return [waiting(), loading("Hull")]
    case "stop": return [waiting(), .cancel("port")]
    case "ask": return [ask(PromptRequest("Port")) { $0.added("asked " + $1) }]
    case "choose":
      let choices = [ChoiceRequest.Choice(id: "b", title: "Brest"), .init(id: "c", title: "Cork")]
      return [choose(ChoiceRequest("Port", choices: choices)) { $0.added("chose " + $1) }]
    case "run": return [.run("unit", command: "unit", arguments: Record())]
    case "picture": showsPicture.toggle()
    case "later":
      context.eventLoop.schedule(after: 0.01, every: nil) { [weak self] in self?.lines.append("later") }
    case "call":
      return [
        load("call", "Calling") { [context] _ in
          try await context.call("contained.unit", Record())
        } then: {
          $0.lines.append("unit \($1.text ?? "?")")
        }
      ]
    case "peek": return [.present(ScreenRequest("ports"))]
    case "trap": fatalError("trapped in the screen")
    case "hang": while true { sleep(600) }
    default: break
    }
    return []
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .emitted(let id, let value): added("\(id.name) gave \(value.text ?? "?")")
    case .finished(let id): added(id.name + " ended")
    case .notification(let notification): added("heard " + (notification.payload.text ?? "?"))
    case .returned(let screen, _): added(screen + " returned")
    default: []
    }
  }

  func saveState() -> [UInt8] { Array(lines.joined(separator: ",").utf8) }

  func restore(_ state: [UInt8]) {
    lines = String(decoding: state, as: UTF8.self).split(separator: ",").map { String($0) } + ["restored"]
  }

  private func added(_ line: String) -> [Effect] {
    lines.append(line)
    return []
  }

  private func loading(_ name: String) -> Effect {
    load("port", "Reading \(name)") { progress in
      progress.report(Progress("reading"))
      return name
    } then: {
      $0.lines.append("loaded \($1)")
    }
  }

  private func failing() -> Effect {
    load("port", "Failing") { _ -> String in
      throw ContainedError(text: "no luck")
    } then: {
      $0.lines.append($1)
    } failed: { controller, failure in
      controller.added(failure.text(ifCanceled: "canceled"))
    }
  }

  private func waiting() -> Effect {
    load("port", "Waiting") { _ -> String in
      // The sleep is the subject: work that tests cancel, or leave running.
      try await Task.sleep(for: .seconds(600))
      return "never"
    } then: {
      $0.lines.append($1)
    } failed: { controller, failure in
      controller.added(failure.text(ifCanceled: "canceled"))
    }
  }
}

struct PortsView: View {
  var lines: [String]
  var showsPicture: Bool
  var geometry: ScreenGeometry

  func draw(into frame: inout TextFrame) {
    frame.put("\(geometry.size.width)x\(geometry.size.height)", x: 0, y: 0, .secondary)
    for (index, line) in lines.enumerated() { frame.put(line + " 界é", x: 1, y: index + 1, .accent) }
    if showsPicture {
      let rect = Rect(x: frame.size.width / 2, y: 1, width: 8, height: 4)
      let (width, height) = (rect.width * frame.pixelsPerCell.width, rect.height * frame.pixelsPerCell.height)
      let pixels = (0..<width * height).flatMap { index -> [UInt8] in
        [UInt8(truncatingIfNeeded: index * 7), 200, 30, 255]
      }
      frame.place(Picture(width: width, height: height, pixels: pixels), in: rect)
    }
    frame.setCursor(x: 2, y: 1)
  }

  var outline: Outline {
    Outline(
      title: "Ports", text: lines, fields: [Outline.Field("picture", showsPicture ? "shown" : "hidden")],
      items: [Outline.Item(id: "load", text: "Load", action: ActionInvocation("load"))])
  }
}

@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  PluginEntry.box(ContainedPlugin())
}

/// The number of runs of a command.
private final class RunCount: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
