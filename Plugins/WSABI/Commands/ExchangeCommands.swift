import Glibc
import PluginAPI

/// Commands that take people out of the store and into it.
enum ExchangeCommands {
  static let all = [export, load]

  /// The files that `import` accepts: those that `export` writes, and transactions from other systems.
  static let fileTypes = [
    FileTypeDescription(
      "biometric transaction (ANSI/NIST-ITL, traditional encoding)", extensions: ["an2", "an2k", "eft", "nist"],
      magic: Array("1.001:".utf8), command: "import"),
    // Archives of many programs look like this; the command refuses those without a person.
    FileTypeDescription(
      "person with all captures, as 'wsabi export --format zip' writes it", extensions: ["zip"],
      magic: [0x50, 0x4B, 3, 4], command: "import"),
  ]

  private static let format = Option(
    "format", ExchangeFiles.Form.self,
    "'json' is a folder with a manifest, 'zip' the same in one file, 'an2k' ANSI/NIST-ITL, 'ebts' the same with the "
      + "FBI's codes; as '--output' ends unless it is said: '.zip', '.an2', '.an2k', '.eft', else a folder")
  private static let output = Option(
    "output", String.self, kind: .outputFile,
    "the file or folder, 'person-N' with the format's ending if none is named; - is standard output, for a file")
  private static let to = Option("to", String.self, kind: .outputFile, "the same, where '--output' is not given")
  private static let origin = Option("origin", "for AN2K: the agency that sends it", default: "WORKBENCH")
  private static let destination = Option("destination", "for AN2K: the agency that gets it", default: "UNKNOWN")
  private static let controlNumber = Option(
    "control-number", String.self, "for AN2K: the number of the transaction; made of person and time if none")

  static let export = WSABICommand(
    CommandDescription(
      "export", "writes a person with all items and captures into files",
      output: .model(ExportedPerson.self), effects: [.reads, .writes]
    ).taking(
      PersonCommands.person, format, output, to, origin, destination, controlNumber, StationKey.option,
      StationKey.standardInput
    ).explained(
      """
      What is written is not encrypted: only its owner can read the files, and whoever gets them can. The key of the \
      store is asked for once more, and the audit log tells of it. Nothing is ever replaced.
      """,
      examples: [
        .init("export 1 --output ada", "a folder with all data as it was received"),
        .init("export 1 --output ada.zip", "the same in one file"),
        .init("export 1 --output ada.an2", "for systems that read ANSI/NIST-ITL"),
        .init("export 1 --output ada.eft", "the same, its biography in the codes of the FBI's specification"),
      ])
  ) { call, station in
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station)
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
      call.warn(Diagnostic(.warning, code: "wsabi.left-out", "item \(entry.item.id) is not in it: \(entry.reason)"))
    }
    for entry in outcome.incomplete {
      call.warn(Diagnostic(.warning, code: "wsabi.left-out", "item \(entry.item.id) is not whole: \(entry.reason)"))
    }
    for entry in outcome.uncoded {
      call.warn(
        Diagnostic(
          .warning, code: "wsabi.left-out",
          entry.isCut ? "the \(entry.field) is cut" : "the \(entry.field) is not in it, as it has no code",
          advice: entry.isCut
            ? "the format takes \(entry.expected)" : "'person edit \(person)' takes \(entry.expected)"))
    }
    try await call.emit(ExportedPerson(person: person, form: form, path: path, outcome: outcome))
  }

  private static let path = Argument("path", String.self, "a folder, a ZIP archive or an AN2K file")
  private static let allowsKnownData = Option(
    flag: "allow-known-data", "take data too that the store has already, under another id")

  static let load = WSABICommand(
    CommandDescription(
      "import", "takes a person out of an export into the store",
      output: .model(PersonImport.Outcome.self), effects: [.reads, .writes]
    ).taking(path, allowsKnownData, StationKey.option, StationKey.standardInput).explained(
      """
      Every file is checked against its hash, and all of it is kept, or nothing. A capture that is in the store \
      already is not taken twice. The person gets a new number.
      """, examples: [.init("import ada", "what 'wsabi export' wrote"), .init("import ada.an2", "a transaction")])
  ) { call, station in
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station)
    try await records.checkPermission(.importRecords)
    let reader = PersonImport(
      records: records, takesKnownData: call[allowsKnownData], now: call.context.now())
    let outcome = try await reader.read(call[path]) { call.report(Progress("captures", fraction: $0)) }
    for entry in outcome.leftOut {
      call.warn(Diagnostic(.warning, code: "wsabi.left-out", "record \(entry.record) is not taken: \(entry.reason)"))
    }
    try await call.emit(outcome)
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

/// The result of an export.
private struct ExportedPerson: Model {
  let person: Int
  let form: ExchangeFiles.Form
  let path: String
  let outcome: PersonExport.Outcome

  private var leftOut: [Omission] {
    (outcome.leftOut + outcome.incomplete).map { Omission(what: $0.item.submodality.title, reason: $0.reason) }
      + outcome.uncoded.map { Omission(what: $0.field, reason: $0.isCut ? "it is cut" : "it has no code") }
  }

  static let typeName = WSABIValueType.exported
  static let fields = Fields<ExportedPerson> {
    Field("person", \.person, "the person's number")
    Field("format", \.form.rawValue, "what was written")
    Field("path", \.path, "where it is")
    Field("files", \.outcome.files, "how many files it has")
    Field("captures", \.outcome.captures, "how many captures are in it")
    Field("sizeInBytes", \.outcome.sizeInBytes, "of all files")
    Field("leftOut", \.leftOut, "what could not be taken along")
  }
}

extension PersonImport.Outcome: Model {
  static let typeName = WSABIValueType.imported
  static let fields = Fields<PersonImport.Outcome> {
    Field("person", \.person, "the number the person has here")
    Field("items", \.items, "how many items")
    Field("captures", \.captures, "how many captures")
    Field("sizeInBytes", \.sizeInBytes, "of all captures")
    Field(
      "leftOut", { $0.leftOut.map { Omission(what: "record \($0.record)", reason: $0.reason) } },
      "what could not be taken along")
  }
}

/// Something that an export or an import leaves out.
private struct Omission: Model {
  let what: String
  let reason: String

  static let typeName = "wsabi.omission"
  static let fields = Fields<Omission> {
    Field("what", \.what, "the item or record")
    Field("reason", \.reason, "why it is not there")
  }
}

extension ExchangeFiles.Form: ParameterValue {}
