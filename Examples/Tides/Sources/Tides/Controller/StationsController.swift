import PluginAPI

/// The screen: stations at the left, the chosen one's curve and waters at the right.
@MainActor final class StationsController: Controller {
  nonisolated static let description = ScreenDescription(
    "stations", title: "Tides", summary: "stations and the tide of a day",
    actions: [
      ScreenAction("move-days", "A day later", keys: [">"], arguments: ["days": 1]),
      ScreenAction("move-days", "A day earlier", keys: ["<"], arguments: ["days": -1]),
      ScreenAction("show-today", "Today", keys: ["t"]),
      ScreenAction("add-station", "Add a station", keys: ["a"]),
      ScreenAction("remove-station", "Remove the station", keys: ["x"]),
      ScreenAction("choose-station", "Choose a station"),
    ],
    topics: ["tides.stations-changed"])

  private let context: any PluginContext
  private var geometry = ScreenGeometry(size: Size(width: 0, height: 0))
  private var list = ListState()
  private var day: Instant
  private var stations: [Station] = []
  private var loaded: [Station] = []
  private var prediction: Prediction?
  private var generation = 0
  private var hasStarted = false

  init(_ request: ScreenRequest, _ context: any PluginContext) {
    self.context = context
    day = StationsController.midnight(context.now())
  }

  var title: String { "Tides" }

  var status: [StyledText.Run] { [StyledText.Run(String(day.description.prefix(10)), .secondary)] }

  var wantsText: Bool { list.isFiltering }

  var view: any View {
    SplitView(
      ListView("Stations", list, action: "choose-station", emptyText: "no station yet; 'a' adds one"),
      StationView(station: selected, prediction: prediction, unit: TideUnit(context), day: day),
      layout: StationsController.layout)
  }

  private static let layout = SplitView.Layout(fraction: 0.3, minimumWidth: 60)

  private var selected: Station? { stations.first { $0.name == list.selectedID } }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      self.geometry = geometry
      defer { hasStarted = true }
      return hasStarted ? [] : [load()]
    }
    let before = list.selectedID
    guard list.handle(event, in: StationsController.layout.rects(in: Rect(geometry.size)).first) != nil else {
      return nil
    }
    return list.selectedID == before ? [] : predict()
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    switch invocation.action {
    case "move-days":
      day = Instant(seconds: day.seconds + 86_400 * Int64(invocation.arguments["days"]?.integer ?? 0))
      return predict()
    case "show-today":
      day = StationsController.midnight(context.now())
      return predict()
    case "choose-station":
      list.select(invocation.arguments["id"]?.text ?? "")
      return predict()
    case "add-station": return [.ask("name", PromptRequest("Name of the new station"))]
    case "remove-station":
      guard let selected else { return [] }
      let choice = ChoiceRequest.Choice(id: selected.name, title: "Remove \(selected.name)")
      return [.choose("removal", ChoiceRequest("Remove this station?", choices: [choice], isDestructive: true))]
    default: return []
    }
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .emitted("stations", let value):
      if let station = try? Station(value: value) { loaded.append(station) }
      return []
    case .finished("stations", _):
      stations = loaded
      list.rows = stations.map { station in
        ListRow(id: station.name, title: station.name, badge: "\(station.constants.count)")
      }
      return predict()
    case .finished(EffectID("prediction", generation: generation), let result as Prediction):
      prediction = result
      return []
    case .answered("name", let name?) where !name.isEmpty:
      return [.run("adding", command: "add", arguments: ["name": .text(name)])]
    case .answered("removal", let name?):
      return [.run("removing", command: "remove", arguments: ["name": .text(name)])]
    case .notification(let notification) where notification.topic == "tides.stations-changed": return [load()]
    case .failed(_, let report):
      return [.status(Diagnostic(.error, code: report.code, report.message, advice: report.advice))]
    default: return []
    }
  }

  func saveState() -> [UInt8] {
    (["station": .optional(list.selectedID)] as Value).encoded()
  }

  func restore(_ state: [UInt8]) {
    if let station = (try? Value(decoding: state))?["station"].text { list.select(station) }
  }

  /// Asks the plugin's own command; what it emits comes as messages.
  private func load() -> Effect {
    loaded = []
    return .run("stations", command: "show", arguments: Record())
  }

  private func predict() -> [Effect] {
    prediction = nil
    guard let station = selected else { return [] }
    // A late answer of the one before has another generation and is dropped.
    generation += 1
    let (day, id) = (self.day, EffectID("prediction", generation: generation))
    return [
      .compute(id, label: "predicting \(station.name)") { progress in
        try Prediction(
          station, from: day, hours: 24, stepInMinutes: 10, checkCancellation: progress.checkCancellation)
      }
    ]
  }

  private static func midnight(_ instant: Instant) -> Instant {
    Instant(seconds: instant.seconds - (instant.seconds % 86_400 + 86_400) % 86_400)
  }
}
