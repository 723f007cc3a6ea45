import PluginAPI
import PluginText

/// Numbers shown on the graph: measurements from a file, and the optimal fluxes of a model.
extension GraphController {
  static let numbersAsked: EffectID = "numbers-path"
  static let layingNumbers: EffectID = "numbers"

  nonisolated static let numberActions = [
    ScreenAction("overlay-file", "Numbers of a file over the graph", keys: ["F"]),
    ScreenAction("overlay-fluxes", "Best fluxes of the model over the graph", keys: ["B"]),
  ]

  func askNumbers() -> [Effect] {
    [.ask(Self.numbersAsked, PromptRequest("Path of a JSON, CSV or TSV file with fluxes or levels"))]
  }

  func layNumbers(ofFile answer: String?) -> [Effect] {
    let path = (answer ?? "").trimmed()
    if path.isEmpty { return [] }
    let graph = network.graph
    return [
      .compute(Self.layingNumbers, label: "reading numbers") { _ in
        try LaidNumbers.file(path, over: graph, title: ShownText.fileName(path))
      }
    ]
  }

  func layBestFluxes() -> [Effect] {
    let opened = network.opened
    return [
      .compute(Self.layingNumbers, label: "finding the best fluxes") { _ in try LaidNumbers.bestFluxes(of: opened) }
    ]
  }

  func take(_ numbers: LaidNumbers) -> [Effect] {
    show(numbers.overlay)
    return numbers.warning.map { [.status($0)] } ?? []
  }
}
