import Glibc
import PluginAPI

/// Commands that take people out of the store and into it.
enum ExchangeCommands {
  static let all = [export, load]

  /// The files that `import` accepts: those that `export` writes, and transactions from other systems.
  static let fileTypes = [
    FileTypeDescription(
      "Biometric transaction (ANSI/NIST-ITL, traditional encoding)", extensions: ["an2", "an2k", "eft", "nist"],
      magic: Array("1.001:".utf8), command: "import"),
    // Archives of many programs look like this; the command refuses those without a person.
    FileTypeDescription(
      "Person with all captures ('wsabi export --format zip')", extensions: ["zip"],
      magic: [0x50, 0x4B, 3, 4], command: "import"),
  ]

  private static let format = Option(
    "format", ExchangeFiles.Form.self,
    "Format: 'json' is a folder with a manifest, 'zip' the same in one file, 'an2k' ANSI/NIST-ITL, 'ebts' the "
      + "same with the FBI's codes; the default follows the ending of '--output': '.zip', '.an2', '.an2k', '.eft'")
  private static let output = Option(
    "output", String.self, kind: .outputFile,
    "Output file or folder; - for standard output; the default is 'person-N' with the format's ending")
  private static let to = Option("to", String.self, kind: .outputFile, "Same as '--output'")
  private static let origin = Option("origin", "Sending agency, for AN2K", default: "WORKBENCH")
  private static let destination = Option("destination", "Receiving agency, for AN2K", default: "UNKNOWN")
  private static let controlNumber = Option(
    "control-number", String.self, "Transaction number, for AN2K; made of person and time if omitted")

  static let export = WSABICommand(
    CommandDescription(
      "export", "Export a person with all items and captures",
      output: .model(ExportSummary.self), effects: [.reads, .writes]
    ).taking(
      PersonCommands.person, format, output, to, origin, destination, controlNumber, StationKey.option,
      StationKey.standardInput
    ).explained(
      """
      The files are not encrypted; only their owner can read them. The command asks for the key of the store, and the \
      audit log records the export. Existing files are never replaced.
      """,
      examples: [
        .init("export 1 --output ada", "A folder with all data as received"),
        .init("export 1 --output ada.zip", "The same in one file"),
        .init("export 1 --output ada.an2", "For systems that read ANSI/NIST-ITL"),
        .init("export 1 --output ada.eft", "The same, with the FBI's codes for the biography"),
      ])
  ) { call, station in
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station, for: .exportRecords)
    try await records.checkPermission(.exportRecords)
    try await key.confirm(records, .exportRecords)
    let person = call[PersonCommands.person]
    let form = call[format] ?? ExchangeFiles.Form(endingOf: named(call))
    let path = target(call, form)
    let export = PersonExport(records: records, person: person, exported: call.context.now())
    let outcome =
      [.an2k, .ebts].contains(form)
      ? try await export.writeTransaction(to: path, envelope(call, form))
      : try await export.write(form, to: path) { call.report(Progress("captures", fraction: $0)) }
    for entry in outcome.leftOut {
      call.warn(Diagnostic(.warning, code: "wsabi.left-out", "item \(entry.item.id) was left out: \(entry.reason)"))
    }
    for entry in outcome.incomplete {
      call.warn(Diagnostic(.warning, code: "wsabi.left-out", "item \(entry.item.id) is incomplete: \(entry.reason)"))
    }
    for entry in outcome.uncoded {
      call.warn(
        Diagnostic(
          .warning, code: "wsabi.left-out",
          entry.isCut ? "the \(entry.field) was shortened" : "the \(entry.field) was left out, as it has no code",
          advice: entry.isCut
            ? "the format allows \(entry.expected)" : "set it with 'person edit \(person)' to \(entry.expected)"))
    }
    try await call.emit(ExportSummary(outcome, person: person, form, path: path))
  }

  private static let path = Argument(
    "path", String.self, kind: .inputFile(extensions: []), "Folder, ZIP archive or AN2K file")
  private static let allowsKnownData = Option(
    flag: "allow-known-data", "Import data that the store already has under another id")

  static let load = WSABICommand(
    CommandDescription(
      "import", "Import a person from an export",
      output: .model(ImportSummary.self), effects: [.reads, .writes]
    ).taking(path, allowsKnownData, StationKey.option, StationKey.standardInput).explained(
      """
      Checks every file against its hash. An import is complete or changes nothing. A capture that is already in the \
      store is rejected. The person gets a new number.
      """,
      examples: [.init("import ada", "A folder that 'wsabi export' wrote"), .init("import ada.an2", "A transaction")])
  ) { call, station in
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station)
    try await records.checkPermission(.importRecords)
    let reader = PersonImport(
      records: records, takesKnownData: call[allowsKnownData], now: call.context.now())
    let outcome = try await reader.read(call[path]) { call.report(Progress("captures", fraction: $0)) }
    for entry in outcome.leftOut {
      call.warn(
        Diagnostic(.warning, code: "wsabi.left-out", "record \(entry.record) was not imported: \(entry.reason)"))
    }
    try await call.emit(ImportSummary(outcome))
  }

  /// Returns the name of the output; empty if none was given.
  private static func named(_ call: CommandCall) -> String { call[output] ?? call[to] ?? "" }

  private static func target(_ call: CommandCall, _ form: ExchangeFiles.Form) -> String {
    let named = named(call)
    if !named.isEmpty { return named.count > 1 && named.hasSuffix("/") ? String(named.dropLast()) : named }
    let ending: String =
      switch form {
      case .json: ""
      case .zip: ".zip"
      case .an2k: ".an2"
      case .ebts: ".eft"
      }
    return "person-\(call[PersonCommands.person])\(ending)"
  }

  private static func envelope(_ call: CommandCall, _ form: ExchangeFiles.Form) -> ITLExport.Envelope {
    let now = call.context.now()
    let named = call[controlNumber] ?? ""
    let number = named.isEmpty ? "P\(call[PersonCommands.person])-\(now.seconds)" : named
    return ITLExport.Envelope(
      destination: call[destination], origin: call[origin], controlNumber: number, created: now,
      coding: form == .ebts ? .ebts : .own)
  }
}

extension ExportSummary {
  fileprivate init(_ outcome: PersonExport.Outcome, person: Int, _ form: ExchangeFiles.Form, path: String) {
    let items = outcome.leftOut + outcome.incomplete
    self.init(
      person: person, format: form.rawValue, path: path, files: outcome.files, captures: outcome.captures,
      sizeInBytes: outcome.sizeInBytes,
      leftOut: items.map { Omission(what: $0.item.submodality.title, reason: $0.reason) }
        + outcome.uncoded.map { Omission(what: $0.field, reason: $0.isCut ? "it is cut" : "it has no code") })
  }
}

extension ImportSummary {
  fileprivate init(_ outcome: PersonImport.Outcome) {
    self.init(
      person: outcome.person, items: outcome.items, captures: outcome.captures, sizeInBytes: outcome.sizeInBytes,
      leftOut: outcome.leftOut.map { Omission(what: "record \($0.record)", reason: $0.reason) })
  }
}

extension ExchangeFiles.Form: ParameterValue {}
