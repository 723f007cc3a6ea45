import PluginAPI
import PluginImages
import PluginText

/// Commands about the files of data sets.
enum FileCommands {
  static let all = [files, DownloadCommand.command, PreviewCommand.command]

  static let dataSet = Argument("data-set", String.self, "Code of the data set, or id of its entity")
    .completed(by: "data-sets", column: "code", summaryColumn: "title", otherColumns: ["permId"])
  private static let folders = Option(flag: "folders", "List folders too")

  static let files = OpenBISCommand(
    CommandDescription(
      "files", "List the files of a data set", output: .table(of: DataSetFile.self), effects: [.reads, .network]
    ).taking(dataSet, folders, LabInputs.account).explained(
      examples: [
        .init("files 20260131120000000-17", "By code"), .init("files DATA_SET.20260131-17 --csv", "By entity, as CSV"),
      ])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    try await call.emit(table: browser.files(of: call[dataSet]).filter { call[folders] || !$0.isFolder })
  }
}

extension LabBrowser {
  /// Returns the files of a data set, by its code or by the id of an entity.
  func files(of word: String) async throws -> [DataSetFile] {
    let code = try await dataSet(word)
    report(Progress("requesting the files of \(code)"))
    let service = try await native()
    let stores: [NativeDataStore]
    do {
      stores = try await service.dataStores()
    } catch let error as RPCError where error.isMissingMethod {
      let server = account.server.shown
      throw LabError.filesNeedV3(
        "'\(server)' does not support V3, which lists files", details: ["server": .text(server)]
      ).sanitized
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

  private static let path = Argument("path", String.self, "Path of the file, as 'files' lists it")

  static let command = OpenBISCommand(
    CommandDescription(
      "preview", "Show an image, table or text file of a data set", output: .init(.any),
      effects: [.reads, .writes, .network]
    ).taking(FileCommands.dataSet, path, LabInputs.account).explained(
      """
      The result is a picture, a table with the column names of the file, or a text. For other files, it is a hex dump \
      of the first bytes. A preview fetches files of up to 64 MB; download larger ones.
      """,
      examples: [
        .init("preview 20260131120000000-17 original/readme.txt", "A text file"),
        .init("preview 20260131120000000-17 original/values.csv --json", "The rows of a table as JSON"),
      ])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    let (word, wanted) = (call[FileCommands.dataSet], call[path])
    guard let file = try await browser.files(of: word).first(where: { $0.path == wanted && !$0.isFolder }) else {
      throw LabError.noFile(dataSet: word, path: wanted)
    }
    guard file.size <= largest else {
      throw LabError.fileTooLarge(
        "'\(wanted)' is too large for a preview: \(ShownValue.readableSize(file.size))",
        advice: "download it with 'workbench openbis download'",
        details: ["path": .text(wanted), "bytes": .integer(file.size)])
    }
    let copy = call.context.folders.cache + "/" + FileStart.name(file.store, file.dataSet, wanted)
    do {
      _ = try await browser.download(file, to: copy, isResuming: true)
    } catch DownloadError.busy(let taken) {
      // Another preview is using this file.
      throw DownloadError.busy(path: taken)
    } catch {
      FileStart.remove(copy)
      throw error
    }
    let size = call.presentation.pictureSize
    let shown = try await call.compute("reading '\(LocalName.file(file.path))'") { _ in
      defer { FileStart.remove(copy) }
      guard let bytes = FileStart.read(copy, limit: largest) else {
        throw LabError.fileUnreadable(
          "the downloaded copy of '\(wanted)' cannot be read", advice: "check the free disk space",
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

/// The command that downloads one file of a data set, or all of them.
enum DownloadCommand {
  private static let path = Argument(
    "path", optional: String.self, "Path of the file, as 'files' lists it; leave it out with '--all'")
  private static let isAll = Option(flag: "all", "Download all files of the data set into a folder")
  fileprivate static let match = Option(
    "match", String.self, "Pattern of the paths to download, such as 'original/*.png'; implies '--all'")
  fileprivate static let output = Option(
    "output", String.self, kind: .outputFile,
    "Output file, or the folder with '--all'; by default the file's name or the data set's code")
  private static let overwrite = Option(flag: "overwrite", "Overwrite existing files without asking")
  fileprivate static let anew = Option(flag: "anew", "Start over instead of resuming an interrupted download")

  static let command = OpenBISCommand(
    CommandDescription(
      "download", "Download a file of a data set, or all of its files", output: .model(Download.self),
      effects: [.reads, .writes, .network]
    ).taking(
      FileCommands.dataSet, path, isAll, match, output, overwrite, anew, LabInputs.account
    ).explained(
      """
      An incomplete file has the suffix '.part' until it is complete and its checksum is correct; the next download \
      resumes it. Large files and whole data sets are downloaded in chunks over several connections, if the data store \
      supports it. With '--all', files that are present with the right checksum are not downloaded again. \
      'manifest.json' in the folder lists every file with its size and checksum.
      """,
      examples: [
        .init("download 20260131120000000-17 original/gel.png", "Into the current folder"),
        .init("download 20260131120000000-17 --all", "The whole data set, into a folder with its code as name"),
        .init("download 20260131120000000-17 --match '*.csv' --output tables", "Only its tables"),
      ])
  ) { call, laboratory in
    let wantsAll = call[isAll] || !(call[match] ?? "").isEmpty
    let wanted = call[path] ?? ""
    if wantsAll == !wanted.isEmpty {
      throw LabError.pathOrAll(
        "give either the path of one file, or '--all' or '--match'",
        advice: "list the files with 'workbench openbis files'")
    }
    if let name = call[output] { try OutputFile.check(name) }
    let browser = try await LabBrowser(call, laboratory)
    if wantsAll {
      try await call.emit(DataSetFolder(call: call, browser: browser).fetch())
    } else {
      try await call.emit(fetch(wanted, call, browser))
    }
  }

  private static func fetch(_ path: String, _ call: CommandCall, _ browser: LabBrowser) async throws -> Download {
    let word = call[FileCommands.dataSet]
    let wanted = path.hasPrefix("/") ? String(path.dropFirst()) : path
    let all = try await browser.files(of: word)
    guard let file = all.first(where: { $0.path == wanted && !$0.isFolder }) else {
      throw LabError.noFile(dataSet: word, path: path)
    }
    let target = call[output] ?? LocalName.file(file.path)
    try await agreeToReplace([target], call)
    let isChecked = try await browser.download(file, to: target, isResuming: !call[anew])
    return Download(path: target, bytes: file.size, isChecked: isChecked)
  }

  /// Asks once for confirmation before existing files are replaced.
  ///
  /// - Throws: `DownloadError.exists` if the user does not agree, or cannot be asked.
  fileprivate static func agreeToReplace(_ paths: [String], _ call: CommandCall) async throws {
    let existing = paths.filter(LocalFile.exists)
    guard !call[overwrite], let first = existing.first else { return }
    let name = SanitizedText.line(first)
    let question =
      existing.count == 1
      ? "Overwrite '\(name)'? Its content will be lost."
      : "Overwrite \(existing.count) files that differ, such as '\(name)'? Their content will be lost."
    guard try await call.isConfirmed(question) else { throw DownloadError.exists(path: first) }
  }
}

/// The result of a download.
struct Download: Model {
  var path: String
  var bytes: Int
  var isChecked: Bool
  /// The number of files of a data set, and of those that were there already; nil for a single file.
  var files: Int?
  var kept: Int?
  var manifest: String?

  static let typeName = "openbis.download"
  static let fields = Fields<Download> {
    Field("file", \.path, "Path of the file; with '--all' of the folder")
    Field("bytes", \.bytes, "Size in bytes; with '--all' of all files")
    Field(
      "checked", \.isChecked,
      "True if the content was verified with a checksum; with '--all' if every file was")
    Field("files", \.files, "Number of files, with '--all'")
    Field("kept", \.kept, "Number of files that were present already, with '--all'")
    Field("manifest", \.manifest, "Path of the manifest, with '--all'")
  }
}

/// A download of a whole data set into a folder.
private struct DataSetFolder {
  let call: CommandCall
  let browser: LabBrowser

  /// A file, its path below the folder, and the state of the local copy.
  private struct Entry {
    var file: DataSetFile
    var local: String
    var path: String
    /// True if the local copy already had the right content.
    var isKept = false
    /// The checksum of the local copy.
    var checksum: UInt32?
    var isChecked = false
  }

  func fetch() async throws -> Download {
    let word = call[FileCommands.dataSet]
    let code = try await browser.dataSet(word)
    let match = call[DownloadCommand.match] ?? ""
    let pattern = match.isEmpty ? nil : FilePattern(text: match)
    let files = try await browser.files(of: word).filter { file in
      !file.isFolder && (pattern?.matches(file.path) ?? true)
    }
    guard !files.isEmpty else { throw LabError.noFile(dataSet: word, path: match) }
    if let bad = files.first(where: { !$0.isInDataSet }) { throw DownloadError.badPath(file: bad.path) }
    let folder = call[DownloadCommand.output] ?? LocalName.file(code)
    let locals = LocalName.paths(files.map(\.path))
    var entries = zip(files, locals).map { Entry(file: $0, local: $1, path: folder + "/" + $1) }
    let manifest = folder + "/" + LocalName.manifest
    try await lookForKept(&entries, manifest, code)
    let missing = entries.indices.filter { !entries[$0].isKept }
    for index in missing { try LocalFile.makeFolder(of: entries[index].path) }
    let outcomes = try await browser.download(
      missing.map { .init(file: entries[$0].file, path: entries[$0].path) }, isResuming: !call[DownloadCommand.anew])
    var failure: (any Error)?
    for (index, outcome) in zip(missing, outcomes) {
      switch outcome {
      case .success(let isChecked):
        entries[index].isChecked = isChecked
        entries[index].checksum = entries[index].file.checksum
      case .failure(let error):
        failure = failure ?? error
        call.warn(Self.warning(entries[index].file.path, error))
      }
    }
    if let failure { throw failure }
    try OutputFile.write(Self.manifest(code, browser.account, entries, at: call.context.now()), to: manifest)
    return Download(
      path: folder, bytes: entries.reduce(0) { $0 + $1.file.size }, isChecked: entries.allSatisfy(\.isChecked),
      files: entries.count, kept: entries.count - missing.count, manifest: manifest)
  }

  /// Finds local copies that are current; asks before anything else is replaced.
  private func lookForKept(_ entries: inout [Entry], _ manifest: String, _ code: String) async throws {
    for index in entries.indices {
      let (path, file) = (entries[index].path, entries[index].file)
      // The size alone does not prove that the content is right.
      guard let listed = file.checksum, !call[DownloadCommand.anew], LocalFile.exists(path) else { continue }
      guard try await LocalFile.checksum(of: path, size: file.size) == listed else { continue }
      (entries[index].isKept, entries[index].isChecked) = (true, true)
      entries[index].checksum = listed
    }
    var others = entries.filter { !$0.isKept && LocalFile.exists($0.path) }.map(\.path)
    if LocalFile.exists(manifest), !DataSetManifest.isAt(manifest, of: code, on: browser.account.server.base) {
      others.append(manifest)
    }
    try await DownloadCommand.agreeToReplace(others, call)
  }

  private static func warning(_ path: String, _ error: any Error) -> Diagnostic {
    let report = (error as? any ReportableError)?.report
    return Diagnostic(
      .warning, code: report?.code ?? "openbis.download-refused",
      "cannot download '\(path)': \(report?.message ?? "\(error)")", advice: report?.advice
    ).sanitized
  }

  private static func manifest(_ code: String, _ account: Account, _ entries: [Entry], at time: Instant) -> [UInt8] {
    let files: [Value] = entries.map { entry in
      [
        "path": .text(entry.file.path), "file": .text(entry.local), "bytes": .integer(entry.file.size),
        "crc32": .optional(entry.checksum.map { Hexadecimal.text($0, digits: 8) }), "checked": .bool(entry.isChecked),
      ]
    }
    let manifest: Value = [
      "dataSet": .text(code), "server": .text(account.server.base), "fetchedAt": .text("\(time)"),
      "files": .list(files),
    ]
    return manifest.json + [UInt8(ascii: "\n")]
  }
}

extension LabBrowser {
  /// Downloads a file.
  ///
  /// - Returns: True if there was a checksum to verify it with.
  func download(_ file: DataSetFile, to path: String, isResuming: Bool) async throws -> Bool {
    let outcomes = try await download([.init(file: file, path: path)], isResuming: isResuming)
    return try outcomes.first?.get() ?? false
  }

  /// Downloads files.
  ///
  /// - Returns: For each file, true if there was a checksum to verify it with, or the error that prevented the
  ///   download.
  func download(
    _ targets: [DataSetDownload.Target], isResuming: Bool
  ) async throws -> [Result<Bool, any Error>] {
    let session = try await session()
    let access = try await access().servers
    let (report, size) = (self.report, targets.reduce(0) { $0 + $1.file.size })
    let label =
      targets.count == 1 ? "downloading \(LocalName.file(targets[0].file.path))" : "downloading \(targets.count) files"
    let isLarge = targets.count > 1 || size >= 1 << 20
    let version = isLarge ? try? await native().serverInformation()["api-version"] : nil
    return try await access.download(session, apiVersion: version).fetch(targets, isResuming: isResuming) { count in
      report(Progress(label, fraction: size > 0 ? Double(count) / Double(size) : nil))
    }
  }
}
