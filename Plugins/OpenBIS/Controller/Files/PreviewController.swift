import PluginAPI
import PluginText

/// The screen that shows the content of a file: an image, a table or text.
@MainActor final class PreviewController: Controller {
  nonisolated static let description = ScreenDescription("preview", title: "File", summary: "shows what a file holds")

  /// The content of a file, ready for display.
  private enum Content: Sendable {
    case picture(Picture)
    case table(TableState)
    case text(TextPageState)
  }

  let title: String
  private let arguments: Record
  private var content: Content
  private var size = Size(width: 0, height: 0)

  init(_ request: ScreenRequest) {
    arguments = request.arguments
    title = SanitizedText.line(arguments["title"]?.text ?? "File")
    content = arguments["picture"]?.picture.map(Content.picture) ?? .text(TextPageState("…"))
  }

  var wantsText: Bool {
    switch content {
    case .picture, .table: false
    case .text(let page): page.isSearching
    }
  }

  var view: any View {
    switch content {
    case .picture(let picture): WholeImageView(picture: picture, description: title, note: "")
    case .table(let table): TableView(title, table)
    case .text(let page): TextPageView(title, page)
    }
  }

  /// Prepares a table or a text off the loop: a file may be megabytes long.
  func start() -> [Effect] {
    if case .picture = content { return [] }
    return [
      compute("made", "looking into the file") { [arguments] _ -> Content in
        if let table = arguments["table"]?.table { return .table(TableState(table.readable)) }
        let text = SanitizedText.block(arguments["text"]?.text ?? "")
        return .text(TextPageState(StyledText(text), wraps: false))
      } then: {
        $0.content = $1
      }
    ]
  }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event { size = geometry.size }
    switch content {
    case .picture: return nil
    case .table(var table):
      defer { content = .table(table) }
      return table.handle(event, in: Rect(size)).map { _ in [] }
    case .text(var page):
      defer { content = .text(page) }
      return page.handle(event, in: Rect(size)).map { _ in [] }
    }
  }
}

extension Table {
  /// The table with sanitized headings and texts.
  fileprivate var readable: Table {
    Table(
      columns: columns.map { column in
        var column = column
        column.title = SanitizedText.line(column.title)
        if case .texts(let texts) = column.values { column.values = .texts(texts.map { SanitizedText.line($0) }) }
        return column
      })
  }
}
