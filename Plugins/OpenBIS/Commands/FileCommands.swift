import PluginAPI

/// Commands about the files of data sets.
enum FileCommands {
  static let all = [files, download, PreviewCommand.command]

  private static let dataSet = Parameter(
    "data-set", .text, "the data set's code, or the id of an entity that is one", isRequired: true)

  static let files = OpenBISCommand(
    CommandDescription(
      "files", "lists the files of a data set", output: .init(.table(fields)), effects: [.reads, .network]
    ).taking([dataSet], options: [Parameter("folders", .flag, "folders too"), OpenBISCommand.account]).explained(
      examples: [.init("files 20260131120000000-17", "what is in it"), .init("files DATA_SET.20260131-17 --csv", "")])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    let files = try await browser.files(of: call.text("data-set")).filter { call.flag("folders") || !$0.isFolder }
    try await call.emit(.table(table(files)))
  }

  static let download = OpenBISCommand(
    CommandDescription(
      "download", "fetches a file of a data set", output: .init(.record(doneFields)),
      effects: [.reads, .writes, .network]
    ).taking(
      [dataSet, Parameter("path", .text, "the file's path, as 'files' lists it", isRequired: true)],
      options: [
        Parameter("output", .outputFile, "the plain file it goes to; one of its name here by default"),
        Parameter("anew", .flag, "begin anew even if a part of it is here"), OpenBISCommand.account,
      ]
    ).explained(
      """
      Until it is whole and its checksum is right the file has '.part' behind its name. A download that was interrupted \
      goes on where it stopped.
      """,
      examples: [.init("download 20260131120000000-17 original/gel.png", "into this folder")])
  ) { call, laboratory in
    if let output = call["output"].text { try OutputFile.check(output) }
    let browser = try await LabBrowser(call, laboratory)
    let (word, path) = (call.text("data-set"), call.text("path"))
    let wanted = path.hasPrefix("/") ? String(path.dropFirst()) : path
    let all = try await browser.files(of: word)
    guard let file = all.first(where: { $0.path == wanted && !$0.isFolder }) else {
      throw LabError.noFile(dataSet: word, path: path)
    }
    let target = call.text("output").isEmpty ? file.name : call.text("output")
    let isChecked = try await browser.download(file, to: target, isResuming: !call.flag("anew"))
    try await call.emit([
      "file": .text(target), "bytes": .integer(file.size), "checked": .bool(isChecked),
    ])
  }

  private static let fields: [ValueSchema.Field] = [
    .init("path", .text, "the path in the data set"), .init("isFolder", .bool, "whether it is a folder"),
    .init("size", .integer, "bytes; 0 for folders"),
    .init("crc32", .optional(.text), "CRC-32 in eight hexadecimal digits; null if the data store keeps none"),
  ]

  private static let doneFields: [ValueSchema.Field] = [
    .init("file", .text, "where it is now"), .init("bytes", .integer, "its size"),
    .init("checked", .bool, "whether the data store had a checksum, which was right then"),
  ]

  private static func table(_ files: [DataSetFile]) -> Table {
    Table(columns: [
      .init("path", title: "Path", .texts(files.map(\.path))),
      .init("isFolder", title: "Folder", .values(files.map { .bool($0.isFolder) })),
      .init("size", title: "Size", unit: "byte", .integers(files.map(\.size))),
      .init("crc32", title: "CRC-32", .values(files.map { .optional($0.checksum.map(hexadecimal)) })),
    ])
  }

  private static func hexadecimal(_ checksum: UInt32) -> String {
    let digits = String(checksum, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}

extension DataSetFile {
  /// The last part of its path.
  var name: String { String(path.split(separator: "/").last ?? "file") }
}

extension LabBrowser {
  /// The files of a data set, by its code or by the id of an entity.
  func files(of word: String) async throws -> [DataSetFile] {
    let code = try await dataSet(word)
    report(Progress("asking for the files of \(code)"))
    let service = try await native()
    let stores: [NativeDataStore]
    do {
      stores = try await service.dataStores()
    } catch let error as RPCError where error.isMissingMethod {
      throw LabError.filesNeedV3(server: account.server.shown)
    }
    guard !stores.isEmpty else { throw LabError.noDataSet(word) }
    let found = try await service.files(of: code, among: stores)
    guard !found.isEmpty else { throw LabError.noDataSet(word) }
    return found
  }

  /// The code of the data set a word means.
  private func dataSet(_ word: String) async throws -> String {
    if let object = Refcon.object(of: word) {
      guard object.kind == .dataSet else { throw LabError.noDataSet(word) }
      return object.permID
    }
    if let file = Refcon.file(of: word) { return file.dataSet }
    return word
  }

  /// Fetches a file.
  ///
  /// - Returns: Whether there was a checksum to hold it against.
  func download(_ file: DataSetFile, to path: String, isResuming: Bool) async throws -> Bool {
    let session = try await session()
    let access = LabAccess(context, keys: try await servers.snapshot().trustedKeys).servers
    let report = self.report
    let download = access.download(session)
    return try await download.fetch(file, to: path, isResuming: isResuming) { count in
      let fraction = file.size > 0 ? Double(count) / Double(file.size) : nil
      report(Progress("fetching \(file.name)", fraction: fraction))
    }
  }
}
