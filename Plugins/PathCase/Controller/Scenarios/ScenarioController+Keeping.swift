import PluginAPI
import PluginText

/// Storing observations and scenarios; nothing is overwritten without the user's consent.
extension ScenarioController {
  /// An item to store.
  enum Keepsake: Sendable {
    case observations([SavedObservation], name: String)
    case scenario(SavedScenario)

    var name: String {
      switch self {
      case .observations(_, let name): name
      case .scenario(let scenario): scenario.name
      }
    }
  }

  /// The result of storing.
  private enum Outcome: Sendable {
    case kept
    /// Another item has the name.
    case taken
  }

  private static let keeping: EffectID = "keep"
  private static let replacing: EffectID = "replace"

  func keepObservations(_ name: String) -> [Effect] {
    guard !name.isEmpty else { return [] }
    let rows = state.network.pools.compactMap { pool in
      pool.observed.map { SavedObservation(pool: pool.id, levels: $0) }
    }
    return keep(.observations(rows, name: name), replaces: false)
  }

  func keepScenario(_ name: String) -> [Effect] {
    guard !name.isEmpty, let entry = state.selectedEntry else { return [] }
    let activities = zip(state.network.processes, entry.scenario.states).map { process, state in
      SavedScenario.Activity(process: process.id, state: state)
    }
    return keep(
      .scenario(SavedScenario(name: name, pathway: Identifier(request.network.word), activities: activities)),
      replaces: false)
  }

  func receiveFromKeeping(_ message: Message) -> [Effect] {
    switch message {
    case .finished(Self.keeping, let outcome as Outcome):
      guard let keepsake else { return [] }
      if outcome == .taken { return askToReplace(keepsake) }
      self.keepsake = nil
      return tell("'\(SanitizedText.line(keepsake.name))' is kept")
    case .answered(Self.replacing, let answer):
      guard let keepsake else { return [] }
      self.keepsake = nil
      switch answer {
      case "replace": return keep(keepsake, replaces: true)
      case "rename": return askName(of: keepsake)
      default: return []
      }
    case .failed(Self.keeping, let report):
      keepsake = nil
      return [.status(Diagnostic(telling: report, .error))]
    default: return []
    }
  }

  private func keep(_ keepsake: Keepsake, replaces: Bool) -> [Effect] {
    self.keepsake = keepsake
    let (shelf, context) = (request.shelf, request.context)
    return [
      .compute(Self.keeping, label: "keeping") { _ in
        if try !replaces && Self.isTaken(keepsake, shelf, context) { return Outcome.taken }
        switch keepsake {
        case .observations(let rows, let name): try shelf.keepAndWait(rows, as: name, context)
        case .scenario(let scenario): try shelf.keepAndWait(scenario, context)
        }
        return Outcome.kept
      }
    ]
  }

  /// Returns whether another item is stored under the name.
  private nonisolated static func isTaken(
    _ keepsake: Keepsake, _ shelf: PathwayShelf, _ context: any PluginContext
  ) throws -> Bool {
    switch keepsake {
    case .observations(let rows, let name):
      guard let before = try shelf.observationsAndWait(name, context) else { return false }
      return before != rows
    case .scenario(let scenario):
      let all = try shelf.scenariosAndWait(of: scenario.pathway, context)
      let before = all.first { $0.name.utf8.elementsEqual(scenario.name.utf8) }
      return before.map { $0.activities != scenario.activities } ?? false
    }
  }

  private func askToReplace(_ keepsake: Keepsake) -> [Effect] {
    let choices = [
      ChoiceRequest.Choice(id: "rename", title: "Another name", detail: "both are kept"),
      ChoiceRequest.Choice(id: "replace", title: "Replace", detail: "what is kept under this name is lost"),
    ]
    return [
      .choose(
        Self.replacing, ChoiceRequest("'\(SanitizedText.line(keepsake.name))' is something else", choices: choices))
    ]
  }

  private func askName(of keepsake: Keepsake) -> [Effect] {
    switch keepsake {
    case .observations(_, let name):
      [.ask(Self.observationsNamed, PromptRequest("Keep these observations as", text: name))]
    case .scenario(let scenario):
      [.ask(Self.scenarioNamed, PromptRequest("Keep this scenario as", text: scenario.name))]
    }
  }
}
