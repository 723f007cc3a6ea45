import PluginAPI

/// The screen: stations at the left, the chosen one's curve and waters at the right.
@MainActor final class StationsController: Controller {
  nonisolated static let description = ScreenDescription(
    "stations", title: "Tides", summary: "Stations and the tide of a day",
    actions: [
      ScreenAction("move-days", "Move a day later", keys: [">"], arguments: ["days": 1]),
      ScreenAction("move-days", "Move a day earlier", keys: ["<"], arguments: ["days": -1]),
      ScreenAction("show-today", "Go to today", keys: ["t"]),
      ScreenAction("add-station", "Add a station", keys: ["a"]),
      ScreenAction("remove-station", "Remove the station", keys: ["x"]),
      ScreenAction("choose-station", "Select a station"),
    ],
    topics: ["tides.stations-changed"])

  private let context: any PluginContext
  private var size = Size(width: 0, height: 0)
  private var list = ListState()
  private var day: Instant
  private var stations: [Station] = []
  private var prediction: Prediction?

  init(_ context: any PluginContext) {
    self.context = context
    day = context.now().startOfDay
  }

  var title: String { "Tides" }

  var status: [StyledText.Run] { [StyledText.Run(String(day.description.prefix(10)), .secondary)] }

  var wantsText: Bool { list.isFiltering }

  var view: any View {
    SplitView(
      ListView("Stations", list, action: "choose-station", emptyText: "No stations; press 'a' to add one"),
      StationView(station: selected, prediction: prediction, unit: TideUnit(context), day: day),
      layout: Self.layout)
  }

  private static let layout = SplitView.Layout(fraction: 0.3, minimumWidth: 60)

  private var selected: Station? { stations.first { $0.name == list.selectedID } }

  func start() -> [Effect] { [reload()] }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event { size = geometry.size }
    let before = list.selectedID
    guard list.handle(event, in: Self.layout.rects(in: Rect(size)).first) != nil else { return nil }
    return list.selectedID == before ? [] : predict()
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    switch invocation.action {
    case "move-days":
      day = day.adding(seconds: 86_400 * (invocation.arguments["days"]?.integer ?? 0))
      return predict()
    case "show-today":
      day = context.now().startOfDay
      return predict()
    case "choose-station":
      list.select(invocation.arguments["id"]?.text ?? "")
      return predict()
    case "add-station":
      return [ask(PromptRequest("Name of the new station")) { $0.change("add", $1) }]
    case "remove-station":
      guard let selected else { return [] }
      let choice = ChoiceRequest.Choice(id: selected.name, title: "Remove \(selected.name)")
      let request = ChoiceRequest("Remove this station and its constants?", choices: [choice], isDestructive: true)
      return [choose(request) { $0.change("remove", $1) }]
    default: return []
    }
  }

  func receive(_ message: Message) -> [Effect] {
    if case .notification = message { return [reload()] }
    return []
  }

  func saveState() -> [UInt8] { (["station": .optional(list.selectedID)] as Value).encoded() }

  func restore(_ state: [UInt8]) {
    if let station = (try? Value(decoding: state))?["station"].text { list.select(station) }
  }

  private func reload() -> Effect {
    load("stations", "Reading stations") { [context] _ in
      try await StationStore(context).stations()
    } then: { controller, stations in
      controller.stations = stations
      controller.list.rows = stations.map { ListRow(id: $0.name, title: $0.name, badge: "\($0.constants.count)") }
      return controller.predict()
    }
  }

  /// Adds or removes a station with the plugin's own command, whose notification reloads the list.
  private func change(_ command: String, _ name: String) -> [Effect] {
    name.isEmpty ? [] : [.run("change", command: command, arguments: ["name": .text(name)])]
  }

  private func predict() -> [Effect] {
    prediction = nil
    guard let station = selected else { return [] }
    let work = compute("prediction", "Predicting \(station.name)") { [day] progress in
      try Prediction(station, from: day, hours: 24, stepInMinutes: 10, checkCancellation: progress.checkCancellation)
    } then: {
      $0.prediction = $1
    }
    return [work]
  }
}
