import Glibc
import PluginAPI

// A plugin written on the contract as revision 5 first had it. Do not change it: later contracts must build and run it
// as it is.

/// The number of times that a name was added.
struct Tally: Model {
  var name: String
  var count: Int
  var share: Double?

  static let typeName = "fifth-revision.tally"
  static let fields = Fields<Tally> {
    Field("name", \.name, "Name", heading: "Name")
    Field("count", \.count, "Number of times", heading: "Times")
    Field("share", \.share, "Share of all names", heading: "Share", unit: "percent", decimals: 1)
  }
}

enum FifthErrors {
  static let unknownName = DeclaredError("fifth-revision.unknown-name", .notFound, "nobody added this name")
}

/// The names that were added, in a file with one name on each line.
actor Shelf: Store {
  nonisolated let name = "shelf"
  nonisolated let path: String
  nonisolated let schemaVersion = 1

  init(_ context: any PluginContext) { path = context.folders.data + "/shelf.txt" }

  func add(_ name: String) throws { try Self.write(Self.names(path) + [name], to: path) }

  func tallies() -> [Tally] {
    let names = Self.names(path)
    let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    return counts.sorted { $0.key < $1.key }
      .map { Tally(name: $0.key, count: $0.value, share: 100 * Double($0.value) / Double(names.count)) }
  }

  func check() async throws -> [Diagnostic] { [] }
  func backup(to path: String) async throws { try Self.write(Self.names(self.path), to: path) }
  func restore(from path: String) async throws { try Self.write(Self.names(path), to: self.path) }
  func export() async throws -> Value { .list(Self.names(path).map(Value.text)) }
  func close() async {}

  private static func names(_ path: String) -> [String] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes = [CChar](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  private static func write(_ names: [String], to path: String) throws {
    guard let file = fopen(path, "w") else {
      throw ErrorReport(code: "fifth-revision.not-written", kind: .failure, "cannot write '\(path)'")
    }
    for name in names { fputs(name + "\n", file) }
    fclose(file)
  }
}

final class FifthRevisionPlugin: Plugin {
  let identity = PluginIdentity(
    id: "fifth-revision", name: "Fifth", version: "5.0.0", summary: "Built on the first sources of revision 5")

  private static let name = Argument("name", String.self, "Name")
  private static let least = Option("least", in: 1...1000, "Smallest number", default: 1)

  private static func shelf(_ context: any PluginContext) throws -> Shelf {
    guard let shelf = try context.store("shelf") as? Shelf else { throw MissingPart.store("shelf") }
    return shelf
  }

  private static let add = CommandPart(
    CommandDescription("add", "Add a name", output: .model(Tally.self), effects: [.reads, .writes]).taking(name)
  ) { call in
    let shelf = try shelf(call.context)
    try await shelf.add(call[name])
    call.context.notify("added", .text(call[name]))
    let tally = await shelf.tallies().first { $0.name == call[name] }
    try await call.emit(tally ?? Tally(name: call[name], count: 0, share: nil))
  }

  private static let list = CommandPart(
    CommandDescription("list", "List names", output: .table(of: Tally.self)).taking(least)
  ) { call in
    call.report(Progress("counting", fraction: 0.5))
    try await call.emit(table: try await shelf(call.context).tallies().filter { $0.count >= call[least] })
  }

  private static let show = CommandPart(
    CommandDescription("show", "Show a name", output: .model(Tally.self)).taking(name)
  ) { call in
    guard let tally = try await shelf(call.context).tallies().first(where: { $0.name == call[name] }) else {
      throw FifthErrors.unknownName("nobody added '\(call[name])'", advice: "add it first")
    }
    try await call.emit(tally)
  }

  private static let total = CommandPart(
    CommandDescription("total", "Add up the numbers", output: .init(.any))
  ) { call in
    let table = try await call.context.call("list", [:]).table
    let counts = (0..<(table?.columns.first?.values.count ?? 0)).compactMap { table?["count"]?.values[$0].integer }
    let sum = try await call.compute("adding") { progress in
      progress.report(Progress("adding"))
      return counts.reduce(0, +)
    }
    call.warn(Diagnostic(.note, code: "fifth-revision.added-up", "\(counts.count) numbers were added up"))
    let unit = call.context.setting("unit").text ?? ""
    try await call.emit(["total": .quantity(Double(sum), unit: unit), "at": .date(Instant(seconds: 0))])
  }

  var parts: PluginParts {
    var parts = PluginParts(
      commands: [Self.add, Self.list, Self.show, Self.total],
      screens: [ScreenPart(ShelfScreen.description) { _, context in ShelfScreen(context) }],
      stores: [StorePart("shelf", "Names that were added") { Shelf($0) }])
    parts.textRenderers = [TextRendererPart(Tally.typeName) { TallyRenderer(unit: $0.setting("unit").text ?? "") }]
    parts.settings = [Parameter("unit", .choice(["times", "dozens"]), "Unit of numbers", defaultValue: "times")]
    parts.checks = [
      CheckPart("shelf", "The shelf") { _ in [Diagnostic(.note, code: "fifth-revision.holds", "the shelf holds")] }
    ]
    parts.topics = [TopicDescription("added", "A name was added", payload: .text)]
    parts.errorCodes = [FifthErrors.unknownName.catalogueEntry]
    return parts
  }

  @MainActor func activate(_ context: any PluginContext) throws { context.log(.note, "the fifth is active") }
}

struct TallyRenderer: TextRenderer {
  let unit: String
  let typeName = Tally.typeName

  func render(_ value: Value, for request: TextRequest) throws -> StyledText {
    var text = StyledText()
    text.add(StyledText.Run("\(value["name"].text ?? ""): \(value["count"].integer ?? 0) \(unit)"))
    return text
  }
}

/// A screen that lists the names, and adds one.
@MainActor final class ShelfScreen: Controller {
  nonisolated static let description = ScreenDescription(
    "shelf", title: "Shelf",
    actions: [ScreenAction("add-pear", "Add a pear", keys: ["a"]), ScreenAction("refuse", "Refuse", keys: ["f"])],
    topics: ["fifth-revision.added"])

  private let context: any PluginContext
  private var lines: [String] = []

  init(_ context: any PluginContext) { self.context = context }

  var title: String { "Shelf" }
  var view: any View {
    var text = StyledText()
    for line in lines { text.add(StyledText.Run(line)) }
    return TextPageView("", TextPageState(text))
  }

  func start() -> [Effect] { [loading("list", [:])] }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    switch invocation.action {
    case "add-pear": [loading("add", ["name": "pear"])]
    case "refuse": [loading("show", ["name": "quince"])]
    default: []
    }
  }

  func receive(_ message: Message) -> [Effect] {
    if case .notification(let notification) = message { lines.append("heard of \(notification.payload.text ?? "")") }
    return []
  }

  private func loading(_ command: String, _ arguments: Record) -> Effect {
    load("work", "Working") { [context] _ in
      try await context.call(command, arguments)
    } then: { screen, value in
      screen.lines.append(command + " ended")
      for row in 0..<(value.table?.columns.first?.values.count ?? 0) {
        screen.lines.append("has \(value.table?["name"]?.values[row].text ?? "")")
      }
      return []
    } failed: { screen, failure in
      if case .failed(let report) = failure { screen.lines.append("failed with \(report.code)") }
      return []
    }
  }
}

/// Returns the plugin in a box; the entry point of the library.
@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  PluginEntry.box(FifthRevisionPlugin())
}
