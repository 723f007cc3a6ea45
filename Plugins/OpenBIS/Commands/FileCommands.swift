import PluginAPI
import PluginText

/// Commands about the files of data sets.
enum FileCommands {
  static let all = [files, DownloadCommand.command, PreviewCommand.command]

  static let dataSet = Parameter(
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

  private static let fields: [ValueSchema.Field] = [
    .init("path", .text, "the path in the data set"), .init("isFolder", .bool, "whether it is a folder"),
    .init("size", .integer, "bytes; 0 for folders"),
    .init("crc32", .optional(.text), "CRC-32 in eight hexadecimal digits; null if the data store keeps none"),
  ]

  private static func table(_ files: [DataSetFile]) -> Table {
    Table(columns: [
      .init("path", title: "Path", .texts(files.map(\.path))),
      .init("isFolder", title: "Folder", .values(files.map { .bool($0.isFolder) })),
      .init("size", title: "Size", unit: "byte", .integers(files.map(\.size))),
      .init(
        "crc32", title: "CRC-32", .values(files.map { .optional($0.checksum.map { Hexadecimal.text($0, digits: 8) }) })),
    ])
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
      throw LabError.filesNeedV3(server: account.server.shown)
    }
    guard !stores.isEmpty else { throw LabError.noDataSet(word) }
    let found = try await service.files(of: code, among: stores)
    guard !found.isEmpty else { throw LabError.noDataSet(word) }
    return found
  }

  /// Returns the code of the data set that an argument denotes.
  func dataSet(_ word: String) async throws -> String {
    if let object = Refcon.object(of: word) {
      guard object.kind == .dataSet else { throw LabError.noDataSet(word) }
      return object.permID
    }
    if let file = Refcon.file(of: word) { return file.dataSet }
    return word
  }
}
