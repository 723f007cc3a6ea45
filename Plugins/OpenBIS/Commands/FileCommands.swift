import PluginAPI

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
      throw LabError.filesNeedV3(server: account.server.shown)
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
