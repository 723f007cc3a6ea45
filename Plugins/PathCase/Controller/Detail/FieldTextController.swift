import PluginAPI
import PluginText

/// The screen that shows one long text.
@MainActor final class FieldTextController: Controller {
  let title: String
  private var page: TextPageState
  private var size = Size(width: 0, height: 0)

  init(_ request: ScreenRequest) {
    title = SanitizedText.line(request.arguments["title"]?.text ?? "Text")
    page = TextPageState(request.arguments["text"]?.text ?? "")
  }

  var view: any View { TextPageView(title, page) }
  var wantsText: Bool { page.isSearching }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      return []
    }
    return page.handle(event, in: Rect(size)) == nil ? nil : []
  }
}
