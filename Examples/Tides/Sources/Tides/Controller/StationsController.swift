import PluginAPI

/// The screen: stations at the left, the chosen one's curve and waters at the right.
@MainActor final class StationsController: ListController {
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
  private static let layout = SplitView.Layout(fraction: 0.3, minimumWidth: 60)

  var list = ListState()
  private let context: any PluginContext
  private var day: Instant
  private var stations: [Station] = []
  private var prediction: Prediction?

  init(_ context: any PluginContext) { (self.context, day) = (context, context.now().startOfDay) }

  var title: String { "Tides" }
  var status: [StyledText.Run] { [StyledText.Run(day.dateText, .secondary)] }

  var view: any View {
    SplitView(
      ListView("Stations", list, action: "choose-station", emptyText: "No stations; press 'a' to add one"),
      StationView(station: selected, prediction: prediction, unit: context[TideUnit.setting], day: day),
      layout: Self.layout)
  }

  func listRect(in screen: Rect) -> Rect { Self.layout.rects(in: screen).first }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    switch invocation.action {
    case "move-days": day = day.adding(seconds: 86_400 * (invocation.arguments["days"]?.integer ?? 0))
    case "show-today": day = context.now().startOfDay
    case "choose-station": list.select(invocation.arguments["id"]?.text ?? "")
    case "add-station": return [ask(PromptRequest("Name of the new station")) { $0.change("add", $1) }]
    case "remove-station":
      guard let selected else { return [] }
      let choice = ChoiceRequest.Choice(id: selected.name, title: "Remove \(selected.name)")
      let request = ChoiceRequest("Remove this station and its constants?", choices: [choice], isDestructive: true)
      return [choose(request) { $0.change("remove", $1) }]
    default: return []
    }
    return predict()
  }

  func reload() -> [Effect] {
    let work = load("stations", "Reading stations") { [context] _ in
      try await StationStore(context).stations()
    } then: { controller, stations in
      controller.stations = stations
      controller.list.rows = stations.map { ListRow(id: $0.name, title: $0.name, badge: "\($0.constants.count)") }
      return controller.predict()
    }
    return [work]
  }

  func selectionDidChange() -> [Effect] { predict() }

  private func predict() -> [Effect] {
    prediction = nil
    guard let selected else { return [] }
    let work = compute("prediction", "Predicting \(selected.name)") { [day] progress in
      try Prediction(selected, from: day, hours: 24, stepInMinutes: 10, checkCancellation: progress.checkCancellation)
    } then: {
      $0.prediction = $1
    }
    return [work]
  }

  func saveState() -> [UInt8] { list.savedSelection }
  func restore(_ state: [UInt8]) { list.restoreSelection(state) }

  private var selected: Station? { stations.first { $0.name == list.selectedID } }

  /// Adds or removes a station with the plugin's own command, whose notification reloads the list.
  private func change(_ command: String, _ name: String) -> [Effect] {
    name.isEmpty ? [] : [.run("change", command: command, arguments: ["name": .text(name)])]
  }
}
