import PluginAPI
import PluginText

/// Input sheets, and the user's stored data.
extension ScenarioController {
  private static let numberAsked: EffectID = "number"
  private static let mostAsked: EffectID = "most"
  private static let pathwayAsked: EffectID = "pathway"
  private static let observationsListed: EffectID = "observations"
  private static let observationsChosen: EffectID = "observations-chosen"
  private static let observationsRead: EffectID = "observations-read"
  static let observationsNamed: EffectID = "observations-named"
  static let scenarioNamed: EffectID = "scenario-named"
  private static let scenariosListed: EffectID = "scenarios"
  private static let scenarioChosen: EffectID = "scenario-chosen"

  // MARK: Questions

  func askNumber() -> [Effect] {
    guard let findings = state.findings, !findings.set.count.isZero else { return [] }
    return [.ask(Self.numberAsked, PromptRequest("Go to scenario 1 to \(findings.set.largestNumber.grouped)"))]
  }

  func askMostActive() -> [Effect] {
    let now = state.restriction.maximumActive.map(String.init) ?? ""
    return [.ask(Self.mostAsked, PromptRequest("At most how many processes run (nothing for any)", text: now))]
  }

  /// Asks for a pathway of which some process must run, or none.
  func askPathway() -> [Effect] {
    guard let database = request.network.database else { return [] }
    var ids: Set<Identifier> = []
    for process in state.network.processes { ids.insert(process.id) }
    let shared = database.pathways.indices.filter { pathway in
      let members = database.links.processesOfPathways[pathway].map { database.processes[$0].id }
      return members.contains(where: ids.contains)
    }
    let choices = shared.flatMap { pathway -> [ChoiceRequest.Choice] in
      let record = database.pathways[pathway]
      let name = ShownText.name(record.name, or: record.id)
      return [
        .init(id: "on \(record.id)", title: "\(name) runs", detail: "one of its processes at least"),
        .init(id: "off \(record.id)", title: "\(name) is off", detail: "none of its processes"),
      ]
    }
    return [.choose(Self.pathwayAsked, ChoiceRequest("Only scenarios in which", choices: choices))]
  }

  func askScenarioName() -> [Effect] {
    guard let entry = state.selectedEntry else { return [] }
    return [.ask(Self.scenarioNamed, PromptRequest("Keep this scenario as", text: "scenario \(entry.number + .one)"))]
  }

  func askObservationsName() -> [Effect] {
    [.ask(Self.observationsNamed, PromptRequest("Keep these observations as"))]
  }

  func listObservations() -> [Effect] {
    let (shelf, context) = (request.shelf, request.context)
    return [.compute(Self.observationsListed, label: "reading") { _ in try shelf.observationNamesAndWait(context) }]
  }

  func listScenarios() -> [Effect] {
    let (shelf, context, id) = (request.shelf, request.context, Identifier(request.network.word))
    return [.compute(Self.scenariosListed, label: "reading") { _ in try shelf.scenariosAndWait(of: id, context) }]
  }

  // MARK: Responses

  func receiveFromStore(_ message: Message) -> [Effect] {
    switch message {
    case .answered(Self.numberAsked, let text?): return go(to: text)
    case .answered(Self.mostAsked, let text?): return limit(text)
    case .answered(Self.pathwayAsked, let answer?): return filterPathway(answer)
    case .answered(Self.scenarioNamed, let name?): return keepScenario(name)
    case .answered(Self.observationsNamed, let name?): return keepObservations(name)
    case .answered(Self.observationsChosen, let name?): return readObservations(name)
    case .answered(Self.scenarioChosen, let name?): return show(kept: name)
    case .finished(Self.observationsListed, let names as [String]): return chooseObservations(names)
    case .finished(Self.observationsRead, let rows as [SavedObservation]): return take(rows)
    case .finished(Self.scenariosListed, let scenarios as [SavedScenario]): return choose(scenarios)
    case .failed(Self.observationsListed, let report), .failed(Self.observationsRead, let report),
      .failed(Self.scenariosListed, let report):
      return [.status(Diagnostic(telling: report, .error))]
    default: return receiveFromKeeping(message)
    }
  }

  func tell(_ text: String) -> [Effect] {
    [.status(Diagnostic(.note, code: "pathcase.scenarios-kept", text))]
  }

  private func limit(_ text: String) -> [Effect] {
    let digits = text.filter { $0 != " " }
    let most = Int(digits).flatMap { $0 < 0 ? nil : $0 }
    guard most != nil || digits.isEmpty else {
      return [
        .status(
          Diagnostic(
            .warning, code: "pathcase.no-number", "'\(SanitizedText.line(text))' is no number of processes",
            advice: "write 0 or more, or nothing for any"))
      ]
    }
    guard state.restriction.maximumActive != most else { return [] }
    state.restriction.maximumActive = most
    return count()
  }

  private func filterPathway(_ answer: String) -> [Effect] {
    let words = answer.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2, let database = request.network.database,
      let pathway = database.index.pathways[Identifier(words[1])]
    else { return [] }
    let wanted = Set(database.links.processesOfPathways[pathway].map { database.processes[$0].id })
    let members = state.network.processes.indices.filter { wanted.contains(state.network.processes[$0].id) }
    let name = ShownText.name(database.pathways[pathway].name, or: database.pathways[pathway].id)
    if words[0] == "on" {
      state.restriction.anyActive.append(members)
      state.restriction.groupNames[members] = name
      state.pathwayFilters.append("\(name) runs")
    } else {
      for member in members { state.restriction.states[member] = .idle }
    }
    return count()
  }

  // MARK: Stored data

  private func chooseObservations(_ names: [String]) -> [Effect] {
    if names.isEmpty { return tell("no observations are kept yet; O keeps those of the screen") }
    let choices = names.map { ChoiceRequest.Choice(id: $0, title: SanitizedText.line($0)) }
    return [.choose(Self.observationsChosen, ChoiceRequest("Observations", choices: choices))]
  }

  private func readObservations(_ name: String) -> [Effect] {
    let (shelf, context) = (request.shelf, request.context)
    return [
      .compute(Self.observationsRead, label: "reading") { _ in
        try shelf.observationsAndWait(name, context) ?? []
      }
    ]
  }

  /// Replaces the observations of the screen by stored ones; reports pools that are not in the network.
  private func take(_ rows: [SavedObservation]) -> [Effect] {
    var places: [Identifier: Int] = [:]
    for (index, pool) in state.network.pools.enumerated() { places[pool.id] = index }
    for pool in state.network.pools.indices { state.network.pools[pool].observed = nil }
    for row in rows {
      let levels = row.levels.intersection(.lowest(state.network.rules.levels))
      if let place = places[row.pool], !levels.isEmpty { state.network.pools[place].observed = levels }
    }
    let missing = rows.count { places[$0.pool] == nil }
    return count() + (missing == 0 ? [] : tell("\(ShownText.count(missing, "pool")) of them are not in this network"))
  }

  private func choose(_ scenarios: [SavedScenario]) -> [Effect] {
    kept = scenarios
    if scenarios.isEmpty { return tell("no scenarios of this pathway are kept yet; e keeps the selected one") }
    let choices = scenarios.map { scenario in
      ChoiceRequest.Choice(
        id: scenario.name, title: SanitizedText.line(scenario.name),
        detail: "\(scenario.activities.count { $0.state != .idle }) run")
    }
    return [.choose(Self.scenarioChosen, ChoiceRequest("Kept scenarios", choices: choices))]
  }

  /// Goes to a stored scenario; if it is no longer among the scenarios, only shows it on the graph.
  private func show(kept name: String) -> [Effect] {
    guard let scenario = kept.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return [] }
    var known: [Identifier: ProcessState] = [:]
    for activity in scenario.activities { known[activity.process] = activity.state }
    let states = state.network.processes.map { known[$0.id] ?? .idle }
    if let set = state.findings?.set, let number = set.analysis.number(of: Scenario(states: states)),
      set.realizable?.contains(where: { $0.number == number }) ?? true
    {
      return go(to: (number + .one).description)
    }
    request.onOverlay(GraphOverlay(scenario))
    return tell("it lies over the graph; it is none of those that are counted now")
  }
}
