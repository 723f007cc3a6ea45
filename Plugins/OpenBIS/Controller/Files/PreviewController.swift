import PluginAPI

/// The screen with what a file holds: an image, a table or text.
@MainActor final class PreviewController: Controller {
  let title: String
  private let picture: Picture?
  private var table: TableState?
  private var page: TextPageState
  private var size = Size(width: 0, height: 0)

  init(_ request: ScreenRequest) {
    title = ReadableText.line(request.arguments["title"]?.text ?? "File")
    picture = request.arguments["picture"]?.picture
    table = request.arguments["table"]?.table.map { TableState($0.readable) }
    page = TextPageState(ReadableText.block(request.arguments["text"]?.text ?? ""), wraps: false)
  }

  var wantsText: Bool { picture == nil && table == nil && page.isSearching }

  var view: any View {
    if picture != nil { return WholeImageView(picture: picture, description: title, note: "") }
    if let table { return TableView(title, table) }
    return TextPageView(title, page)
  }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event { size = geometry.size }
    if picture != nil { return nil }
    if table != nil { return table?.handle(event, in: Rect(size)) == nil ? nil : [] }
    return page.handle(event, in: Rect(size)) == nil ? nil : []
  }
}

extension Table {
  /// The table with harmless headings and texts.
  fileprivate var readable: Table {
    Table(
      columns: columns.map { column in
        var column = column
        column.title = ReadableText.line(column.title)
        if case .texts(let texts) = column.values { column.values = .texts(texts.map { ReadableText.line($0) }) }
        return column
      })
  }
}
