import PluginAPI

/// Stands where the scenarios of a pathway are browsed.
@MainActor final class ScenarioPlaceholder: Controller {
  private let word: String

  init(_ request: ContentRequest) { word = request.network.word }

  var title: String { "Scenarios" }
  var view: any View {
    NoticeView(
      title: title, text: "'workbench pathcase smda \(ShownText.line(word))' tells the scenarios of this pathway")
  }
}
