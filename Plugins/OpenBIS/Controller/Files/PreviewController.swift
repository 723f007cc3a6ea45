import PluginAPI
import PluginText

/// The screen that shows the content of a file: an image, a table or text.
@MainActor final class PreviewController: Controller {
  static let making: EffectID = "made"

  let title: String
  private let picture: Picture?
  private let text: String
  private let whole: Table?
  private var table: TableState?
  private var page = TextPageState("…")
  private var hasStarted = false
  private var size = Size(width: 0, height: 0)

  init(_ request: ScreenRequest) {
    title = SanitizedText.line(request.arguments["title"]?.text ?? "File")
    picture = request.arguments["picture"]?.picture
    whole = request.arguments["table"]?.table
    text = request.arguments["text"]?.text ?? ""
  }

  var wantsText: Bool { picture == nil && table == nil && page.isSearching }

  var view: any View {
    if picture != nil { return WholeImageView(picture: picture, description: title, note: "") }
    if let table { return TableView(title, table) }
    return TextPageView(title, page)
  }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      if !hasStarted {
        hasStarted = true
        return make()
      }
    }
    if picture != nil { return nil }
    if table != nil { return table?.handle(event, in: Rect(size)) == nil ? nil : [] }
    return page.handle(event, in: Rect(size)) == nil ? nil : []
  }

  /// Prepares the content off the loop: a file may be megabytes long.
  private func make() -> [Effect] {
    if picture != nil { return [] }
    let (whole, text) = (whole, text)
    return [
      .compute(Self.making, label: "looking into the file") { _ in
        MadePreview(
          table: whole.map { TableState($0.readable) },
          page: TextPageState(StyledText(SanitizedText.block(text)), wraps: false))
      }
    ]
  }

  func receive(_ message: Message) -> [Effect] {
    if case .finished(Self.making, let made as MadePreview) = message { (table, page) = (made.table, made.page) }
    return []
  }
}

/// The content of a file, ready for display.
private struct MadePreview: Sendable {
  var table: TableState?
  var page: TextPageState
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
