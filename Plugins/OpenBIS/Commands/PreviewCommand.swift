import PluginAPI
import PluginImages

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
    guard file.size <= largest else { throw LabError.fileTooLarge(path: wanted, size: file.size) }
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
      guard let bytes = FileStart.read(place, limit: largest) else { throw LabError.fileUnreadable(path: wanted) }
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
