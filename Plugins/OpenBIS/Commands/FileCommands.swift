import PluginAPI
import PluginImages

/// Commands about the files of data sets.
enum FileCommands {
  static let all = [files, DownloadCommand.command, PreviewCommand.command]

  static let dataSet = Argument(
    "data-set", String.self, "the data set's code, or the id of an entity that is one")
  private static let folders = Option(flag: "folders", "folders too")

  static let files = OpenBISCommand(
    CommandDescription(
      "files", "lists the files of a data set", output: .table(of: DataSetFile.self), effects: [.reads, .network]
    ).taking(dataSet, folders, OpenBISCommand.account).explained(
      examples: [.init("files 20260131120000000-17", "what is in it"), .init("files DATA_SET.20260131-17 --csv", "")])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    try await call.emit(table: browser.files(of: call[dataSet]).filter { call[folders] || !$0.isFolder })
  }
}

extension LabBrowser {
  /// Returns the files of a data set, by its code or by the id of an entity.
  func files(of word: String) async throws -> [DataSetFile] {
    let code = try await dataSet(word)
    report(Progress("asking for the files of \(code)"))
    let service = try await native()
    let stores: [NativeDataStore]
    do {
      stores = try await service.dataStores()
    } catch let error as RPCError where error.isMissingMethod {
      let server = account.server.shown
      throw LabError.filesNeedV3(
        "'\(server)' has no V3, by which files are asked for", details: ["server": .text(server)]
      ).harmless
    }
    guard !stores.isEmpty else { throw LabError.noDataSet(named: word) }
    let found = try await service.files(of: code, among: stores)
    guard !found.isEmpty else { throw LabError.noDataSet(named: word) }
    return found
  }

  /// Returns the code of the data set that an argument denotes.
  func dataSet(_ word: String) async throws -> String {
    if let object = Refcon.object(of: word) {
      guard object.kind == .dataSet else { throw LabError.noDataSet(named: word) }
      return object.permID
    }
    if let file = Refcon.file(of: word) { return file.dataSet }
    return word
  }
}

/// The command that shows the content of a data set's file without storing it.
enum PreviewCommand {
  /// The size of the largest file that is fetched for a preview, in bytes.
  static let largest = 64 << 20

  private static let path = Argument("path", String.self, "the file's path, as 'files' lists it")

  static let command = OpenBISCommand(
    CommandDescription(
      "preview", "shows a file of a data set: an image, a table or text", output: .init(.any),
      effects: [.reads, .writes, .network]
    ).taking(FileCommands.dataSet, path, OpenBISCommand.account).explained(
      """
      The result is a picture, a table whose columns are named as in the file, or a text; of what is neither, the first \
      bytes in digits. Files of up to 64 MB are fetched for it; larger ones are to be downloaded.
      """,
      examples: [
        .init("preview 20260131120000000-17 original/readme.txt", "a text"),
        .init("preview 20260131120000000-17 original/values.csv --json", "the rows of a table"),
      ])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    let (word, wanted) = (call[FileCommands.dataSet], call[path])
    guard let file = try await browser.files(of: word).first(where: { $0.path == wanted && !$0.isFolder }) else {
      throw LabError.noFile(dataSet: word, path: wanted)
    }
    guard file.size <= largest else {
      throw LabError.fileTooLarge(
        "'\(wanted)' has \(ShownValue.readableSize(file.size)), too much to be shown", advice: "download it",
        details: ["path": .text(wanted), "bytes": .integer(file.size)])
    }
    let place = call.context.folders.cache + "/" + FileStart.name(file.store, file.dataSet, wanted)
    do {
      _ = try await browser.download(file, to: place, isResuming: true)
    } catch DownloadError.busy(let taken) {
      // Another preview is using this file.
      throw DownloadError.busy(path: taken)
    } catch {
      FileStart.remove(place)
      throw error
    }
    let size = call.presentation.pictureSize
    let shown = try await call.compute("reading '\(LocalName.file(file.path))'") { _ in
      defer { FileStart.remove(place) }
      guard let bytes = FileStart.read(place, limit: largest) else {
        throw LabError.fileUnreadable(
          "what was fetched of '\(wanted)' cannot be read", advice: "look whether there is room on the disk",
          details: ["path": .text(wanted)])
      }
      return Self.value(wanted, bytes, size)
    }
    try await call.emit(shown)
  }

  private static func value(_ path: String, _ bytes: [UInt8], _ size: Size?) -> Value {
    if DataAddress.mediaType(bytes) != nil, let picture = try? ImageReader.picture(from: bytes, drawingSize: size) {
      return .picture(picture.shown(asTile: false))
    }
    return switch FilePreview(name: path, bytes) {
    case .text(let text): .text(text)
    case .table(let table): .table(table)
    }
  }
}
