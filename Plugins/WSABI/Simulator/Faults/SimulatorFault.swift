import PluginSimulation

/// A fault of a simulated sensor with the calls it affects; its instance is the number of a sensor.
typealias SimulatorFaultRule = FaultRule<SimulatorFault>

/// A fault of a simulated sensor, by its name for `--fault`.
enum SimulatorFault: String, SimulatedFault {
  // Transport.
  case delay, hang, freeze, silence, stall
  case dropBefore = "drop-before"
  case dropAfter = "drop-after"
  case resetBefore = "reset-before"
  case resetAfter = "reset-after"
  case truncate, overstate, understate, glued, garbage, throttle, dribble
  case noLength = "no-length"
  case gzip
  case gzipBomb = "gzip-bomb"
  case hugeMessage = "huge-message"
  case hugeData = "huge-data"
  // Replacements for a document.
  case http
  case httpLate = "http-late"
  case redirect
  case loginPage = "login-page"
  case wrongType = "wrong-type"
  case emptyBody = "empty-body"
  // Malformed or dangerous XML.
  case cutTag = "cut-tag"
  case junkBehind = "junk-behind"
  case mismatchedTags = "mismatched-tags"
  case doctype
  case externalEntity = "external-entity"
  case entityBomb = "entity-bomb"
  case deep
  case manyItems = "many-items"
  case bigKey = "big-key"
  case unknownNamespace = "unknown-namespace"
  case noNamespace = "no-namespace"
  case otherNamespace = "other-namespace"
  case badUTF8 = "bad-utf8"
  case escapeCharacters = "escape-characters"
  case nul
  // XML that is unusual.
  case prefixed
  case otherStyle = "other-style"
  case utf16 = "utf-16"
  case bom, cdata, comments, references, padded
  case reordered
  case hostileTexts = "hostile-texts"
  // Responses that lack something or contain too much.
  case noStatus = "no-status"
  case twoStatuses = "two-statuses"
  case unknownStatus = "unknown-status"
  case upperCaseStatus = "upper-case-status"
  case noSession = "no-session"
  case noCaptures = "no-captures"
  case noData = "no-data"
  case noMetadata = "no-metadata"
  case badSession = "bad-session"
  case pathSession = "path-session"
  case blankSession = "blank-session"
  case emptyCaptures = "empty-captures"
  case doubleCaptures = "double-captures"
  case manyCaptures = "many-captures"
  case foreignCapture = "foreign-capture"
  // Wrong data.
  case wrappedData = "wrapped-data"
  case cdataData = "cdata-data"
  case junkData = "junk-data"
  case cutData = "cut-data"
  case paddedData = "padded-data"
  case emptyData = "empty-data"
  case lyingType = "lying-type"
  case noType = "no-type"
  case unknownType = "unknown-type"
  case cutPicture = "cut-picture"
  case emptyPicture = "empty-picture"
  case bombPicture = "bomb-picture"
  // Metadata.
  case doubleKeys = "double-keys"
  case wrongTypes = "wrong-types"
  case hugeNumbers = "huge-numbers"
  case notANumber = "not-a-number"
  case badDates = "bad-dates"
  case date
  case namelessParameter = "nameless-parameter"
  case unknownModality = "unknown-modality"
  case noModality = "no-modality"
  case noSubmodality = "no-submodality"
  // The sensor and its other users.
  case status
  case statusLate = "status-late"
  case restart
  case restartAfter = "restart-after"
  case die
  case hold
  case busy
  case stolen
  case thief
  case stealRefused = "steal-refused"
  case stealFalse = "steal-false"
  case preparing
  case forget
  case cancelFailure = "cancel-failure"
  case lateCancel = "late-cancel"
  case ignoreConfiguration = "ignore-configuration"
  case clockJump = "clock-jump"
  // The live preview.
  case previewHeader = "preview-header"
  case previewHuge = "preview-huge"
  case previewEndless = "preview-endless"
  case previewBoundary = "preview-boundary"
  case previewSilent = "preview-silent"
  case previewEnds = "preview-ends"
}

extension SimulatorFault {
  static let operations: [String]? = SimulatedOperation.allCases.map(\.rawValue)
  var marks: String { "@#:~+=" }

  /// The description in `--fault list`.
  var summary: String { Self.summaries[self] ?? rawValue }

  /// The operations affected if a rule names none; nil for all.
  var usualOperations: Set<SimulatedOperation>? {
    switch self {
    case .noSession, .badSession, .pathSession, .blankSession: [.register]
    case .freeze, .noCaptures, .emptyCaptures, .doubleCaptures, .manyCaptures, .foreignCapture, .die, .hold, .thief,
      .cancelFailure, .lateCancel:
      [.capture]
    case .noData, .wrappedData, .cdataData, .junkData, .cutData, .paddedData, .emptyData, .hugeData, .cutPicture,
      .emptyPicture, .bombPicture:
      [.download, .thriftyDownload]
    case .lyingType, .noType, .unknownType, .date, .badDates: [.download, .thriftyDownload, .getDownloadInfo]
    case .preparing, .forget: [.download, .thriftyDownload, .getDownloadInfo, .rawDownload]
    case .doubleKeys, .wrongTypes, .hugeNumbers, .notANumber, .manyItems, .bigKey, .hostileTexts, .noMetadata:
      [.getServiceInfo, .download, .getDownloadInfo]
    case .namelessParameter, .unknownModality, .noModality, .noSubmodality: [.getServiceInfo]
    case .stealRefused, .stealFalse: [.stealLock]
    case .ignoreConfiguration: [.setConfiguration]
    case .busy, .stolen: [.initialize, .setConfiguration, .capture]
    case .previewHeader, .previewHuge, .previewEndless, .previewBoundary, .previewSilent, .previewEnds: [.stream]
    case .delay, .hang, .silence, .stall, .dropBefore, .dropAfter, .resetBefore, .resetAfter, .truncate, .overstate,
      .understate, .glued, .garbage, .throttle, .dribble, .noLength, .gzip, .gzipBomb, .hugeMessage, .http, .httpLate,
      .redirect, .loginPage, .wrongType, .emptyBody, .cutTag, .junkBehind, .mismatchedTags, .doctype, .externalEntity,
      .entityBomb, .deep, .unknownNamespace, .noNamespace, .otherNamespace, .badUTF8, .escapeCharacters, .nul,
      .prefixed, .otherStyle, .utf16, .bom, .cdata, .comments, .references, .padded, .reordered, .noStatus,
      .twoStatuses, .unknownStatus, .upperCaseStatus, .status, .statusLate, .restart, .restartAfter, .clockJump:
      nil
    }
  }

  private static let summaries: [SimulatorFault: String] = transport.merging(documents) { first, _ in first }
    .merging(contents) { first, _ in first }.merging(sensor) { first, _ in first }

  private static let transport: [SimulatorFault: String] = [
    .delay: "responds VALUE milliseconds late (500)", .hang: "accepts the call, then does nothing",
    .freeze: "performs the call, and responds only when it is canceled",
    .silence: "sends the head of the response, then nothing",
    .stall: "sends half of the response, then nothing",
    .dropBefore: "closes the connection without performing the call",
    .dropAfter: "performs the call and closes the connection without a response",
    .resetBefore: "resets the connection without performing the call",
    .resetAfter: "performs the call and resets the connection without a response",
    .truncate: "closes the connection after half of the response",
    .overstate: "states more bytes than it sends", .understate: "states fewer bytes than it sends",
    .glued: "sends a second response after the first", .garbage: "sends bytes that are not HTTP",
    .throttle: "sends VALUE bytes a second (10)",
    .dribble: "sends chunks of one byte", .noLength: "sends chunks, without a length", .gzip: "compresses the response",
    .gzipBomb: "sends VALUE MB (256), compressed to a thousandth", .hugeMessage: "sends a message of VALUE MB (300)",
    .hugeData: "sends VALUE MB of data (1000)",
    .http: "responds with HTTP status VALUE (500) without performing the call",
    .httpLate: "performs the call and responds with HTTP status VALUE (500)",
    .redirect: "redirects to VALUE, by default a host that does not exist",
    .loginPage: "responds with status 200 and a login page",
    .wrongType: "states the content type VALUE (application/octet-stream)",
    .emptyBody: "responds with status 200 and an empty body",
  ]

  private static let documents: [SimulatorFault: String] = [
    .cutTag: "the document ends in the middle of a tag", .junkBehind: "text follows the document",
    .mismatchedTags: "an end tag has the name of another element", .doctype: "the document has a document type",
    .externalEntity: "an external entity includes a file of the client", .entityBomb: "entities expand to a billion",
    .deep: "100000 nested elements", .manyItems: "300000 items", .bigKey: "a key of 10 MB",
    .unknownNamespace: "an unknown namespace", .noNamespace: "no namespace",
    .otherNamespace: "another of the four namespaces", .badUTF8: "bytes that are not UTF-8",
    .escapeCharacters: "control characters that XML does not allow", .nul: "a NUL in the middle",
    .prefixed: "a prefix before every element", .otherStyle: "the style of the other implementation",
    .utf16: "UTF-16 with a byte order mark", .bom: "UTF-8 with a byte order mark", .cdata: "all texts as CDATA",
    .comments: "comments within texts", .references: "all texts as character references",
    .padded: "blanks around all texts", .reordered: "the parts in the wrong order",
    .hostileTexts: "texts with control characters and bidirectional marks",
  ]

  private static let contents: [SimulatorFault: String] = [
    .noStatus: "no status", .twoStatuses: "two statuses", .unknownStatus: "an unknown status",
    .upperCaseStatus: "the status in capital letters", .noSession: "no session id", .noCaptures: "no capture ids",
    .noData: "no data", .noMetadata: "no metadata", .badSession: "a session id that is not a UUID",
    .pathSession: "a session id that is a path to another address", .blankSession: "a session id with blanks",
    .emptyCaptures: "an empty list of captures", .doubleCaptures: "each capture id twice",
    .manyCaptures: "10000 capture ids", .foreignCapture: "the id of an earlier capture",
    .wrappedData: "base64 in lines", .cdataData: "base64 as CDATA", .junkData: "base64 with other characters in it",
    .cutData: "truncated base64", .paddedData: "base64 with padding in the middle", .emptyData: "empty data",
    .lyingType: "a content type other than that of the data", .noType: "no content type",
    .unknownType: "an unknown content type", .cutPicture: "half a picture", .emptyPicture: "a picture without pixels",
    .bombPicture: "a small picture that claims 50000 × 50000 pixels", .doubleKeys: "a key twice",
    .wrongTypes: "values that do not match their types", .hugeNumbers: "numbers beyond 64 bits",
    .notANumber: "NaN and infinities", .badDates: "malformed dates", .date: "the date VALUE (1970-01-01T00:00:00)",
    .namelessParameter: "a parameter without a name", .unknownModality: "an unknown modality",
    .noModality: "no modality", .noSubmodality: "no submodality",
  ]

  private static let sensor: [SimulatorFault: String] = [
    .status: "responds with status VALUE (failure) without performing the call",
    .statusLate: "performs the call and responds with status VALUE",
    .restart: "restarts before the call and forgets its sessions",
    .restartAfter: "restarts after the call and forgets its sessions",
    .die: "breaks after the call, until it is initialized", .hold: "waits for a person forever",
    .busy: "is always busy", .stolen: "another client steals the lock before the call",
    .thief: "another client steals the lock and cancels the call", .stealRefused: "refuses all thefts of the lock",
    .stealFalse: "reports a theft of the lock that did not happen", .preparing: "never has the data ready",
    .forget: "no longer has the data", .cancelFailure: "a cancel harms the sensor",
    .lateCancel: "a cancel arrives too late", .ignoreConfiguration: "ignores the configuration, but reports success",
    .clockJump: "moves its clock by VALUE seconds (86400)",
    .previewHeader: "parts of the preview have broken headers", .previewHuge: "a frame of VALUE MB (200)",
    .previewEndless: "a header that never ends", .previewBoundary: "a frame contains the boundary",
    .previewSilent: "sends no frame", .previewEnds: "ends after VALUE frames (3)",
  ]
}

extension SimulatorFaultRule {
  /// Creates a fault of an operation.
  init(
    _ fault: SimulatorFault, on operation: SimulatedOperation, calls: ClosedRange<Int> = 1...Int.max,
    sensor: Int? = nil, percent: Int = 100, times: Int? = nil, value: String? = nil
  ) {
    self.init(
      fault, on: operation.rawValue, calls: calls, instance: sensor, percent: percent, times: times, value: value)
  }

  /// Creates a fault of one call, counted from 1.
  init(_ fault: SimulatorFault, on operation: SimulatedOperation, call: Int, sensor: Int? = nil, value: String? = nil) {
    self.init(fault, on: operation.rawValue, calls: call...call, instance: sensor, value: value)
  }
}

/// The calls that simulated sensors received, and their faults.
typealias SensorLedger = SimulatorLedger<SimulatedCall, SimulatorFault>

extension SensorLedger {
  /// Creates the ledger of sensors whose random numbers depend on a seed.
  init(_ rules: [SimulatorFaultRule], seed: UInt64) {
    // For a simulator that runs for days the first million calls are enough.
    self.init(rules, limit: 1_000_000) { stream in
      var chance = SeededChance(seed, stream)
      return chance.below(100)
    }
  }

  /// Counts a call and returns its faults, in the order of the rules.
  mutating func meet(_ operation: SimulatedOperation, sensor: Int) -> [SimulatorFaultRule] {
    meet([operation.rawValue], instance: sensor) { rule in
      if rule.operation != nil { return .operation }
      guard let usual = rule.fault.usualOperations else { return .instance }
      return usual.contains(operation) ? .operation : .none
    }
  }
}
