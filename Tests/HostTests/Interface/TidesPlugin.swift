import Foundation
import PluginAPI
import Synchronization

/// A small plugin that uses every kind of effect, for the tests of the interface.
final class TidesPlugin: Plugin {
  /// The messages between the test and the plugin's work.
  final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let seen = Mutex<[String]>([])

    /// Resumes one waiting piece of work.
    func open() { semaphore.signal() }
    /// Blocks the calling thread until the gate is opened.
    func pass() { semaphore.wait() }
    /// Records an event.
    func note(_ what: String) { seen.withLock { $0.append(what) } }
    /// The events so far.
    var notes: [String] { seen.withLock { $0 } }
  }

  let gate = Gate()

  var contributions: Contributions {
    var all = Contributions(
      plugin: PluginIdentity(id: "tides", name: "Tides", version: "1.0.0", summary: "high and low water of harbours"))
    all.screens = [
      ScreenDescription(
        "ports", title: "Ports", summary: "all harbours",
        actions: [
          ScreenAction("open", "Open the port"), ScreenAction("mode", "Switch the datum", keys: ["m"]),
          ScreenAction("name", "Name a port", keys: ["n"]), ScreenAction("compute", "Compute the year", keys: ["c"]),
          ScreenAction("turn", "Turn left", keys: ["h"], arguments: ["by": -1]),
          ScreenAction("turn", "Turn right", keys: ["l"], arguments: ["by": 1]),
          ScreenAction("break", "Open what is broken", keys: ["x"]), ScreenAction("run", "Run the list", keys: ["r"]),
          ScreenAction("ask", "Run what asks", keys: ["W"]),
          ScreenAction("peek", "Peek at the port", keys: ["p"]), ScreenAction("tell", "Tell the others", keys: ["t"]),
          ScreenAction("copy", "Copy the name", keys: ["y"]), ScreenAction("rename", "Name the datum", keys: ["D"]),
          ScreenAction("gauges", "List the gauges", keys: ["z"]),
        ], topics: ["tides.told"]),
      ScreenDescription("port", title: "Port", actions: [ScreenAction("leave", "Leave with a value", keys: ["v"])]),
      ScreenDescription("broken", title: "Broken"), ScreenDescription("gauges", title: "Gauges"),
    ]
    all.commands = [
      CommandDescription("list", "list harbours", output: .init(.any)),
      CommandDescription("height", "give the height at a time", output: .init(.any)).taking([
        Parameter("port", .choice(["helgoland", "cuxhaven"]), "the harbour", isRequired: true),
        Parameter("hour", .integer(minimum: 0, maximum: 23), "the hour of the day", unit: "hour", isRequired: true),
      ]),
      CommandDescription("fail", "fail always", output: .init(.any)),
      CommandDescription("ask", "ask for a word", output: .init(.any)),
      CommandDescription("draw", "draw the tide", output: .init(.picture)),
    ]
    all.topics = [
      TopicDescription("told", "when it was told", payload: .any),
      TopicDescription("drawing-started", "when drawing starts", payload: .any),
      TopicDescription("drawing-updated", "while drawing", payload: .any),
      TopicDescription("drawing-ended", "when drawing ended", payload: .any),
    ]
    return all
  }

  func makeCommand(_ name: String, _ context: any PluginContext) throws -> any Command {
    guard let declaration = contributions.commands.first(where: { $0.name == name }) else {
      throw MissingPart.command(name)
    }
    return TidesCommand(declaration: declaration)
  }

  func makeController(_ request: ScreenRequest, _ context: any PluginContext) throws -> any Controller {
    switch request.screen {
    case "ports": PortsController(gate: gate, opensAtOnce: request.arguments["document"]?.text == "at once")
    case "gauges": GaugesController(gate: gate)
    case "port": PortController(id: request.arguments["id"]?.text ?? request.arguments["document"]?.text ?? "?")
    default:
      throw ErrorReport(
        code: "tides.no-gauge", kind: .unusableInput, "the gauge of '\(request.screen)' is missing",
        advice: "mount one")
    }
  }
}

struct TidesCommand: Command {
  let declaration: CommandDescription

  func run(_ call: CommandCall) async throws {
    switch declaration.name {
    case "ask":
      let word = try await call.ask(PromptRequest("The harbour master's word", isSecret: true))
      try await call.emit(.list((word ?? "").map { .text(String($0)) }))
    case "list": try await call.emit([["port": "Helgoland", "height": 2.4], ["port": "Cuxhaven", "height": 2.9]])
    case "height":
      try await call.emit(["port": call["port"], "hour": call["hour"], "height": .quantity(1.5, unit: "m")])
    case "draw": try await call.emit(.picture(Picture(width: 2, height: 2, pixels: [UInt8](repeating: 255, count: 16))))
    default: throw ErrorReport(code: "tides.dry", kind: .failure, "the sea is dry", advice: "wait for rain")
    }
  }
}

/// The list of harbours.
@MainActor final class PortsController: Controller {
  private let gate: TidesPlugin.Gate
  private var list = ListState(rows: [
    ListRow(id: "hel", title: "Helgoland", detail: "North Sea", hasDisclosure: true),
    ListRow(id: "cux", title: "Cuxhaven", detail: "mouth of the Elbe", hasDisclosure: true),
    ListRow(id: "bri", title: "Bristol", detail: "Severn estuary", hasDisclosure: true),
  ])
  private var rect = Rect(x: 0, y: 0, width: 0, height: 0)
  private var note = "datum mean"
  private var datum = "mean"
  /// A Boolean value indicating whether a port is opened as soon as the size is known.
  private var opensAtOnce: Bool

  init(gate: TidesPlugin.Gate, opensAtOnce: Bool) { (self.gate, self.opensAtOnce) = (gate, opensAtOnce) }

  var title: String { "Ports" }
  var wantsText: Bool { list.isFiltering }
  var view: any View { ListView("Ports", list, action: "open") }
  var status: [StyledText.Run] { [.init(note)] }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      rect = Rect(geometry.size)
      if opensAtOnce {
        opensAtOnce = false
        return [.push(ScreenRequest("port", arguments: ["id": "hel"]))]
      }
    case .visible(let isVisible): gate.note(isVisible ? "shown" : "hidden")
    case .mouse(let mouse) where mouse.action == .drag:
      gate.note("drag \(mouse.position.x),\(mouse.position.y)")
    default: break
    }
    switch list.handle(event, in: rect) {
    case .chosen(let id): return [.push(ScreenRequest("port", arguments: ["id": .text(id)]))]
    case .disclosed(let id): return [.detail(ScreenRequest("port", arguments: ["id": .text(id)]))]
    case .changed: return []
    default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    switch invocation.action {
    case "open": return [.push(ScreenRequest("port", arguments: invocation.arguments))]
    case "mode":
      let request = ChoiceRequest(
        "Datum",
        choices: [
          .init(id: "chart", title: "Chart datum"), .init(id: "mean", title: "Mean level", detail: "of ten years"),
          .init(id: "lowest", title: "Lowest tide"),
        ], selected: datum)
      return [
        choose(request) { screen, id in
          screen.datum = id
          return screen.tell("datum \(id)")
        }
      ]
    case "name": return [name("Name of the port")]
    case "compute":
      return [
        compute("year", "computing the year") { [gate] progress in
          progress.report(Progress("computing the year", fraction: 0.5))
          gate.pass()
          gate.note(progress.isCancelled ? "work saw cancel" : "work done")
          return 365
        } then: { screen, days in
          screen.tell("finished \(days)")
        } failed: { screen, _ in
          screen.tell("cancelled")
        }
      ]
    case "turn": note = "turned \(invocation.arguments["by"]?.integer ?? 0)"
    case "break": return [.push(ScreenRequest("broken"))]
    case "run": return [.run("list", command: "list", arguments: [:])]
    case "ask": return [.run("ask", command: "ask", arguments: [:])]
    case "peek": return [.present(ScreenRequest("port", arguments: ["id": .text(list.selectedID ?? "")]))]
    case "tell": return [.notify(topic: "told", "high water")]
    case "rename": return [name("Name of the datum", text: datum)]
    case "gauges": return [.push(ScreenRequest("gauges"))]
    case "copy": return [.copy(list.selectedRow?.title ?? "")]
    default: break
    }
    return []
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .cancelled: note = "cancelled"
    case .emitted(_, let value): note = "got \(value.list?.count ?? 0)"
    case .returned(let screen, let value): note = "back from \(screen) with \(value.text ?? "nothing")"
    case .notification(let notification): note = "heard \(notification.payload.text ?? "")"
    default: break
    }
    gate.note(note)
    return []
  }

  private func name(_ title: String, text: String = "") -> Effect {
    ask(PromptRequest(title, text: text)) { $0.tell("named \($1)") }
  }

  private func tell(_ note: String) -> [Effect] {
    self.note = note
    gate.note(note)
    return []
  }

  func saveState() -> [UInt8] { Array((list.selectedID ?? "").utf8) }
  func restore(_ state: [UInt8]) { list.select(String(decoding: state, as: UTF8.self)) }
}

/// A list that is read from behind the gate.
@MainActor final class GaugesController: Controller {
  private let gate: TidesPlugin.Gate
  private var list = ListState(rows: [ListRow(id: "new", title: "New gauge")])
  private var rect = Rect(x: 0, y: 0, width: 0, height: 0)
  private(set) var isLoading = true

  init(gate: TidesPlugin.Gate) { self.gate = gate }

  var title: String { "Gauges" }
  var wantsText: Bool { list.isFiltering }
  var view: any View { ListView("Gauges", list) }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      let isFirst = rect.isEmpty
      rect = Rect(geometry.size)
      let read = compute("read", "reading gauges") { [gate] _ in
        gate.pass()
        if gate.notes.contains("drained") { throw ErrorReport(code: "tides.dry", kind: .failure, "the sea is dry") }
        return ["aft", "bow", "keel"]
      } then: {
        $0.show($1)
      } failed: { screen, _ in
        screen.show([])
      }
      return isFirst ? [read] : []
    }
    switch list.handle(event, in: rect) {
    case .chosen(let id): return [.push(ScreenRequest("port", arguments: ["id": .text(id)]))]
    case .changed: return []
    default: return nil
    }
  }

  private func show(_ names: [String]) -> [Effect] {
    list.rows += names.map { ListRow(id: $0, title: $0) }
    isLoading = false
    return gate.notes.contains("moved") ? [.replace(ScreenRequest("ports"))] : []
  }
}

/// One harbour.
@MainActor final class PortController: Controller {
  private let id: String
  private var form: FormState
  private var rect = Rect(x: 0, y: 0, width: 0, height: 0)

  init(id: String) {
    self.id = id
    form = FormState([FormSection("Place", [.init("Code", id), .init("Range", "2.4 m")])])
  }

  func saveState() -> [UInt8] { id == "whole sea" ? [UInt8](repeating: 7, count: 2 << 20) : [] }

  var title: String { "Port \(id)" }
  var view: any View { FormView(title, form) }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event { rect = Rect(geometry.size) }
    return form.handle(event, in: rect) == .changed ? [] : nil
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] { [.pop(.text(id))] }
}
