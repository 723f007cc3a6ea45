import PluginAPI
import PluginText

/// The screen that lists the files of a data set, shows a file, and downloads files.
@MainActor final class FilesController: ListController {
  /// The actions of the screen.
  enum Action: String, CaseIterable { case preview, download, refresh }

  nonisolated static let description = ScreenDescription(
    "files", title: "Files", summary: "Files of a data set",
    actions: [
      ScreenAction(Action.preview, "Show the file"),
      ScreenAction(Action.download, "Download the file", keys: ["D"]),
      ScreenAction(Action.refresh, "Refresh the list", keys: ["r"]),
    ])

  private static let listing: EffectID = "files"
  private static let previewing: EffectID = "preview"
  private static let downloading: EffectID = "download"

  /// Returns the action by which another screen opens the files of an entity.
  nonisolated static func action(_ action: some RawRepresentable<String>) -> ScreenAction {
    ScreenAction(action, "Show the files of the data set", keys: ["f"])
  }

  /// Shows the files of an entity; says at once that there are none if the entity is known not to be a data set.
  static func open(_ id: String, account: String?, isNavigation: Bool) -> [Effect] {
    let isOther = Refcon.object(of: id).map { $0.kind != .dataSet } ?? false
    guard isNavigation || isOther else { return [.push(ScreenRequest("files", of: id, account: account))] }
    let text = "'\(SanitizedText.line(id, limit: 60))' is not a data set; only data sets have files"
    return [.status(Diagnostic(.note, code: "openbis.no-data-set", text))]
  }

  var list = ListState()
  private let dataSet: String
  private let account: String
  private var message = "requesting the files …"
  private var progress: Progress?
  /// The file being downloaded, and its local path.
  private var download: (path: String, output: String)?
  /// The path of the file to show.
  private var previewed: String?

  init(_ request: ScreenRequest) {
    dataSet = request.arguments[OpenBISArgument.entity] ?? ""
    account = request.arguments[OpenBISArgument.account] ?? ""
  }

  var title: String { "Files of " + SanitizedText.line(dataSet, limit: 60) }
  var view: any View { MessageListView(ListView(title, list, action: Action.preview.rawValue, emptyText: message)) }

  var status: [StyledText.Run] {
    guard let progress else { return [.init("enter to show · D to download", .secondary)] }
    let share = progress.fraction.map { " \(Int($0 * 100)) %" } ?? ""
    return [.init(SanitizedText.line(progress.label, limit: 60) + share, .accent)]
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard let action = Action(rawValue: invocation.action) else { return [] }
    let path = invocation.arguments[OpenBISArgument.id] ?? list.selectedID
    switch action {
    case .preview: return path.map(openRow) ?? []
    case .download: return path.map(askOutput) ?? []
    case .refresh: return reload()
    }
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .emitted(Self.listing, let value): take(value)
    case .finished(Self.listing): if list.rows.isEmpty { self.message = "the data set has no files" }
    case .failed(Self.listing, let report):
      self.message = report.description + "\npress r to try again"
      // The page shows the whole message: the status line need not repeat it.
      return [.status(Diagnostic(.note, code: report.code, "the files are not available"))]
    case .progress(Self.downloading, let progress), .progress(Self.previewing, let progress): self.progress = progress
    case .emitted(Self.previewing, let value): return show(value)
    case .finished(Self.previewing), .cancelled(Self.previewing), .cancelled(Self.downloading): progress = nil
    case .emitted(Self.downloading, let value): return downloaded(ModelRecord(value))
    case .finished(Self.downloading): progress = nil
    case .failed(Self.downloading, let report) where report.code == "openbis.file-exists":
      progress = nil
      return askReplacement()
    case .failed(Self.downloading, let report), .failed(Self.previewing, let report):
      progress = nil
      return [.status(Diagnostic(report, .error))]
    default: break
    }
    return []
  }

  // MARK: Files

  func reload() -> [Effect] {
    [
      .cancel(Self.listing),
      .run(Self.listing, command: "files", arguments: ["data-set": .text(dataSet), "account": .text(account)]),
    ]
  }

  /// Shows the files of a table; any other value is ignored.
  private func take(_ value: Value) {
    guard value.table != nil else { return }
    var known: Set<String> = []
    list.rows = ModelRecord<DataSetFile>.list(value).compactMap { file in
      let path = file[\.path]
      guard known.insert(path).inserted else { return nil }
      let size = file[\.isFolder] ? "folder" : ShownValue.readableSize(file[\.size])
      return ListRow(id: path, title: SanitizedText.line(path), badge: size)
    }
  }

  func openRow(_ path: String) -> [Effect] {
    progress = Progress("downloading \(SanitizedText.line(path, limit: 60))")
    previewed = path
    return [.cancel(Self.previewing), .run(Self.previewing, command: "preview", arguments: arguments(path))]
  }

  private func show(_ value: Value) -> [Effect] {
    progress = nil
    let request = ScreenRequest("preview").with(OpenBISArgument.title, previewed ?? title)
      .with(OpenBISArgument.picture, value.picture).with(OpenBISArgument.table, value.table)
      .with(OpenBISArgument.text, value.text)
    return [.push(request)]
  }

  private func arguments(_ path: String) -> Record {
    ["data-set": .text(dataSet), "path": .text(path), "account": .text(account)]
  }

  private func askOutput(_ path: String) -> [Effect] {
    let name = path.split(separator: "/").last.map(String.init) ?? "file"
    return [
      ask(PromptRequest("Output file", text: SanitizedText.line(name))) { controller, output in
        output.isEmpty ? [] : controller.download(path, to: output)
      }
    ]
  }

  private func askReplacement() -> [Effect] {
    guard let download else { return [] }
    return [
      ask(PromptRequest("Overwrite '\(SanitizedText.line(download.output))'? Its content will be lost. [y/N]")) {
        controller, answer in
        guard ["y", "yes"].contains(answer.lowercased()) else { return [] }
        return controller.download(download.path, to: download.output, isReplacing: true)
      }
    ]
  }

  private func download(_ path: String, to output: String, isReplacing: Bool = false) -> [Effect] {
    download = (path, output)
    progress = Progress("downloading \(SanitizedText.line(path, limit: 60))")
    var arguments = arguments(path)
    arguments["output"] = .text(output)
    if isReplacing { arguments["overwrite"] = true }
    return [.run(Self.downloading, command: "download", arguments: arguments)]
  }

  private func downloaded(_ download: ModelRecord<Download>) -> [Effect] {
    let path = download[\.path]
    let text =
      "downloaded '\(path.isEmpty ? "the file" : SanitizedText.line(path))'"
      + (download[\.isChecked] ? "; its checksum is correct" : "; the server has no checksum to verify it")
    return [.status(Diagnostic(.note, code: "openbis.downloaded", text))]
  }
}

/// The screen that shows the content of a file: an image, a table or text.
@MainActor final class PreviewController: Controller {
  nonisolated static let description = ScreenDescription("preview", title: "File", summary: "Content of a file")

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
    title = SanitizedText.line(arguments[OpenBISArgument.title] ?? "File")
    content = arguments[OpenBISArgument.picture].map(Content.picture) ?? .text(TextPageState("…"))
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
      compute("made", "reading the file") { [arguments] _ -> Content in
        if let table = arguments[OpenBISArgument.table] { return .table(TableState(table.readable)) }
        let text = SanitizedText.block(arguments[OpenBISArgument.text] ?? "")
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
