import PluginSimulation

/// A fault with the calls it affects; its operation is a request key or a method.
typealias SimulatorFaultRule = FaultRule<SimulatorFault>

/// The faults of a simulated server, by name.
enum SimulatorFault: String, SimulatedFault {
  // The network.
  case htmlPage = "html-page"
  case busy503 = "busy-503"
  case busy502 = "busy-502"
  case busy504 = "busy-504"
  case notFoundMethod = "not-found-method"
  case redirectOtherHost = "redirect-other-host"
  case redirectSameHost = "redirect-same-host"
  // Sessions.
  case wrongPassword = "wrong-password"
  case expireSession = "expire-session"
  case expireAlways = "expire-always"
  case sessionTextOtherClass = "session-text-other-class"
  case sessionLimit = "session-limit"
  case notAllowed = "not-allowed"
  case scriptFails = "script-fails"
  case serviceMissing = "service-missing"
  case twoDataStores = "two-data-stores"
  // The envelope.
  case nullError = "null-error"
  case noResult = "no-result"
  case wrongID = "wrong-id"
  case emptyBody = "empty-body"
  // The bytes.
  case cutBody = "cut-body"
  case resetBody = "reset-body"
  case overstatedLength = "overstated-length"
  case stall
  case slowRows = "slow-rows"
  case bom
  case utf16 = "utf-16"
  case invalidUTF8 = """
    invalid-utf-8
    """
  case nulTexts = "nul-texts"
  case deepJSON = "deep-json"
  case gzip
  case gzipBomb = "gzip-bomb"
  case chunked
  case connectionClose = "connection-close"
  case clockAhead = "clock-skew"
  case clockBehind = "clock-skew-behind"
  // Tables.
  case emptyNavigation = "empty-navigation"
  case duplicateRows = "duplicate-rows"
  case raggedRows = "ragged-rows"
  case duplicateTitles = "duplicate-titles"
  case missingPermIDColumn = "missing-perm-id-column"
  case emptyPermID = "empty-perm-id"
  case extraColumns = "extra-columns"
  case bareCells = "bare-cells"
  case badChildren = "bad-children"
  case oddChildren = "odd-children"
  case objectChildren = "object-children"
  case danglingChildren = "dangling-children"
  case selfChildren = "self-children"
  case deepChain = "deep-chain"
  case hugeCell = "huge-cell"
  case badRefcon = "bad-refcon"
  case oddRefcon = "odd-refcon"
  case badProperties = "bad-properties"
  case objectProperties = "object-properties"
  case hugeProperty = "huge-property"
  case badImages = "bad-images"
  case badBase64 = "bad-base64"
  case manyTiles = "many-tiles"
  case foreignImages = "foreign-images"
  case oldImageColumn = "old-image-column"
  case hostileStrings = "hostile-strings"
  case oddDeletions = "odd-deletions"
  case oddDeletedWords = "odd-deleted-words"
  case oddRootLevel = "odd-root-level"
  case oddInterval = "odd-interval"
  case noDetails = "no-details"
  case otherDetails = "other-details"
  case extraDetails = "extra-details"
  // V3 objects.
  case forwardReference = "forward-reference"
  case reusedID = "reused-id"
  case movingTotal = "moving-total"
  case shortPages = "short-pages"
  case deepObjects = "deep-objects"
  // The behavior of the server's database.
  case lateCommit = "late-commit"
  case unstableTies = "unstable-ties"
  case ignoresPaging = "ignores-paging"
  case translationChanged = "translation-changed"
  case pageCost = "page-cost"
  case rightsChange = "rights-change"
  case movedProject = "moved-project"
  case dataStoreDown = "dss-down"
  // Pictures and files.
  case pictureMissing = "picture-missing"
  case pictureIsPage = "picture-is-page"
  case pictureHuge = "picture-huge"
  case pictureSlow = "picture-slow"
  case wrongChecksum = "wrong-checksum"
  case noRanges = "no-ranges"
  case cutDownload = "cut-download"
  case dssPage = "dss-page"
  case damagedChunk = "damaged-chunk"
  case noFastDownload = "no-fast-download"

  /// The stage of a call at which a fault takes effect.
  enum Stage: Sendable {
    case transport, session, envelope, bytes, table, objects
    /// Permanently, or outside of calls.
    case standing
  }

  var stage: Stage {
    switch self {
    case .htmlPage, .busy502, .busy503, .busy504, .notFoundMethod, .redirectOtherHost, .redirectSameHost: .transport
    case .expireSession, .expireAlways, .sessionTextOtherClass, .scriptFails, .notAllowed: .session
    case .nullError, .noResult, .wrongID, .emptyBody: .envelope
    case .cutBody, .resetBody, .overstatedLength, .stall, .slowRows, .bom, .utf16, .invalidUTF8, .nulTexts, .deepJSON,
      .gzip, .gzipBomb, .chunked, .connectionClose:
      .bytes
    case .translationChanged: .session
    case .forwardReference, .reusedID, .movingTotal, .shortPages, .deepObjects, .unstableTies, .ignoresPaging,
      .pageCost:
      .objects
    case .lateCommit, .rightsChange, .movedProject, .dataStoreDown: .standing
    case .wrongPassword, .serviceMissing, .twoDataStores, .clockAhead, .clockBehind, .pictureMissing, .pictureIsPage,
      .pictureHuge, .pictureSlow, .wrongChecksum, .noRanges, .cutDownload, .dssPage, .damagedChunk, .noFastDownload,
      .sessionLimit:
      .standing
    case .emptyNavigation, .duplicateRows, .raggedRows, .duplicateTitles, .missingPermIDColumn, .emptyPermID,
      .extraColumns, .bareCells, .badChildren, .oddChildren, .objectChildren, .danglingChildren, .selfChildren,
      .deepChain, .hugeCell, .badRefcon, .oddRefcon, .badProperties, .objectProperties, .hugeProperty, .badImages,
      .badBase64, .manyTiles, .foreignImages, .oldImageColumn, .hostileStrings, .oddDeletions, .oddDeletedWords,
      .oddRootLevel, .oddInterval, .noDetails, .otherDetails, .extraDetails:
      .table
    }
  }

  /// The marks that rules may contain; none for faults that are in effect from the start.
  var marks: String { stage == .standing ? "" : "@#~+" }

  /// The number of affected calls unless specified otherwise; nil for all.
  var usualTimes: Int? {
    switch self {
    case .busy502, .busy503, .busy504, .translationChanged: 2
    case .redirectSameHost, .hugeCell, .expireSession, .sessionTextOtherClass, .cutBody, .resetBody, .overstatedLength,
      .stall:
      1
    case .htmlPage, .notFoundMethod, .redirectOtherHost, .wrongPassword, .expireAlways, .sessionLimit, .notAllowed,
      .scriptFails, .serviceMissing, .twoDataStores, .nullError, .noResult, .wrongID, .emptyBody, .slowRows, .bom,
      .utf16, .invalidUTF8, .nulTexts, .deepJSON, .gzip, .gzipBomb, .chunked, .connectionClose, .clockAhead,
      .clockBehind, .emptyNavigation, .duplicateRows, .raggedRows, .duplicateTitles, .missingPermIDColumn,
      .emptyPermID, .extraColumns, .bareCells, .badChildren, .oddChildren, .objectChildren, .danglingChildren,
      .selfChildren, .deepChain, .badRefcon, .oddRefcon, .badProperties, .objectProperties, .hugeProperty, .badImages,
      .badBase64, .manyTiles, .foreignImages, .oldImageColumn, .hostileStrings, .oddDeletions, .oddDeletedWords,
      .oddRootLevel, .oddInterval, .noDetails, .otherDetails, .extraDetails, .forwardReference, .reusedID,
      .movingTotal, .shortPages, .deepObjects, .lateCommit, .unstableTies, .ignoresPaging, .pageCost, .rightsChange,
      .movedProject, .dataStoreDown, .pictureMissing, .pictureIsPage, .pictureHuge, .pictureSlow, .wrongChecksum,
      .noRanges, .cutDownload, .dssPage, .damagedChunk, .noFastDownload:
      nil
    }
  }

  /// The request key of the affected calls unless specified otherwise; nil for all.
  var usualRequestKey: String? { self == .hugeCell || self == .deepChain ? "ROOT" : nil }

  /// Returns true if the fault affects calls of a method unless specified otherwise.
  func meets(method: String) -> Bool {
    let asksForData =
      method == "createReportFromAggregationService" || method == "executeAggregationService"
      || method.hasPrefix("search") || method.hasPrefix("get")
    if self == .notAllowed { return (asksForData || method.hasPrefix("list")) && !method.hasPrefix("getSession") }
    return switch stage {
    case .transport: self != .notFoundMethod || asksForData
    case .session where self == .translationChanged:
      ["searchProjects", "searchExperiments", "searchSamples", "searchDataSets"].contains(method)
    case .session, .bytes, .envelope: asksForData && !method.hasSuffix("Information")
    case .table: method == "createReportFromAggregationService" || method == "executeAggregationService"
    case .objects: method.hasPrefix("search")
    case .standing: false
    }
  }

  /// The effect of the fault, in one line.
  var summary: String {
    switch self {
    case .htmlPage: "status 200 with a web page, such as a proxy's login"
    case .busy503: "status 503 with a web page, twice"
    case .busy502: "status 502 with a web page, twice"
    case .busy504: "status 504 with a web page, twice"
    case .notFoundMethod: "status 404 and error -32601"
    case .redirectOtherHost: "a redirection to another host"
    case .redirectSameHost: "a redirection to the same host, once"
    case .wrongPassword: "every login is refused: the result is null"
    case .expireSession: "the session has expired, once"
    case .expireAlways: "the session has expired at every call"
    case .sessionTextOtherClass: "the text of an expired session in an exception of another class"
    case .sessionLimit: "a sixth session of a user ends the one that was idle longest"
    case .notAllowed: "the user has no right to the requested data"
    case .scriptFails: "the script of the service fails"
    case .serviceMissing: "no data store has the service"
    case .twoDataStores: "two data stores have the service"
    case .nullError: "\"error\":null beside the result"
    case .noResult: "neither result nor error"
    case .wrongID: "the id of another request"
    case .emptyBody: "an empty body"
    case .cutBody: "the connection ends within a row"
    case .resetBody: "the connection is reset within a row"
    case .overstatedLength: "the stated length is too large"
    case .stall: "the body stops after its half, or after 10 MB"
    case .slowRows: "a row a second"
    case .bom: "a byte order mark before the document"
    case .utf16: "the document in UTF-16"
    case .invalidUTF8: "bytes that are not UTF-8"
    case .nulTexts: "U+0000 in every text"
    case .deepJSON: "a document nested 100000 levels deep"
    case .gzip: "a body compressed with gzip"
    case .gzipBomb: "a body of a few megabytes that unpacks to a text of a gigabyte"
    case .chunked: "a body in chunks of odd lengths"
    case .connectionClose: "the connection is closed after each response"
    case .clockAhead: "the server's clock is ten minutes ahead"
    case .clockBehind: "the server's clock is ten minutes behind"
    case .emptyNavigation: "no categories"
    case .duplicateRows: "every row twice, the second with another summary"
    case .raggedRows: "every third row is too short, and every third one too long"
    case .duplicateTitles: "a second column SUMMARY with other texts"
    case .missingPermIDColumn: "no column PERM_ID"
    case .emptyPermID: "every other PERM_ID is empty or null"
    case .extraColumns: "unknown columns"
    case .bareCells: "cells that are bare texts and numbers"
    case .badChildren: "CHILDREN that are not JSON"
    case .oddChildren: "CHILDREN with null, numbers and lists among the ids"
    case .objectChildren: "CHILDREN that are an object"
    case .danglingChildren: "CHILDREN with ids that no row has"
    case .selfChildren: "every entity is its own child, and the next one's"
    case .deepChain: "50000 rows, each the child of the one before"
    case .hugeCell: "a CHILDREN cell of a million ids, in the first ROOT"
    case .badRefcon: "REFCON that is not JSON"
    case .oddRefcon: "REFCON with large numbers, odd orders of keys, half surrogates"
    case .badProperties: "values null, number, list, HTML; and lists that are not JSON"
    case .objectProperties: "PROPERTIES that are an object"
    case .hugeProperty: "a property of 10 MB"
    case .badImages: "addresses null, empty, relative, ftp:, data:, missing, a page, very large"
    case .badBase64: "pictures in cells with wrong base64 or a wrong format"
    case .manyTiles: "200 tiles"
    case .foreignImages: "addresses with a query, or of another host with datastore_server in the path"
    case .oldImageColumn: "the older column IMAGE_URL"
    case .hostileStrings: "escape sequences, right-to-left marks, NUL and very long texts in every column"
    case .oddDeletions: "DELETED rows for unknown ids and for a category"
    case .oddDeletedWords: "DELETED is TRUE, 1, false, yes"
    case .oddRootLevel: "ROOT_LEVEL is false or 0"
    case .oddInterval: "a refresh interval that is not a number"
    case .noDetails: "DETAIL has no rows"
    case .otherDetails: "DETAIL has only rows of another entity"
    case .extraDetails: "DETAIL has rows of other entities too"
    case .forwardReference: "a reference to an object precedes its definition"
    case .reusedID: "two objects with the same @id"
    case .movingTotal: "the total changes from page to page"
    case .shortPages: "pages have fewer objects than requested"
    case .deepObjects: "an object with 20000 generations of parents"
    case .lateCommit: "a change is announced immediately and keeps its time, but is committed only with the next one"
    case .unstableTies: "objects changed at the same time have another order on each page"
    case .ignoresPaging: "searches return everything, regardless of 'from' and 'count'"
    case .translationChanged: "searches fail twice because an object is deleted in the meantime"
    case .pageCost: "each page takes the time of all objects that match, 5 ms for 1000"
    case .rightsChange: "the user loses access to the last space"
    case .movedProject: "the first project is in the last space"
    case .dataStoreDown: "the data store refuses connections"
    case .pictureMissing: "pictures are not found"
    case .pictureIsPage: "pictures are web pages"
    case .pictureHuge: "pictures of 500 MB"
    case .pictureSlow: "pictures that arrive a byte at a time"
    case .wrongChecksum: "files do not have the checksum of the listing"
    case .noRanges: "files are sent whole, regardless of the requested part"
    case .cutDownload: "the connection ends in the middle of each file, once"
    case .dssPage: "the data store refuses with pages of status 200, and has no ranges"
    case .damagedChunk: "chunks of the fast download have a wrong checksum, once each"
    case .noFastDownload: "the data store has no fast download"
    }
  }
}

extension SimulatorFaultRule {
  /// Returns a fault with the calls and the number of times it has unless specified otherwise.
  static func usual(_ fault: SimulatorFault) -> SimulatorFaultRule { SimulatorFaultRule(fault).completed }

  /// Reads fault scripts; what they leave open is as usual for the fault.
  static func rules(_ texts: [String]) throws(FaultScriptError) -> [SimulatorFaultRule] {
    try texts.faultRules(of: SimulatorFault.self).map(\.completed)
  }

  private var completed: SimulatorFaultRule {
    var rule = self
    if operation == nil, !hasCallNumbers { rule.operation = fault.usualRequestKey }
    rule.times = times ?? fault.usualTimes
    return rule
  }

  /// Returns the calls among which the rule's numbers count, if it concerns calls of a method.
  func scope(ofMethod method: String) -> SimulatorLedger<SimulatedCall, SimulatorFault>.Scope {
    if fault.stage == .standing { return .none }
    return operation != nil || hasCallNumbers || fault.meets(method: method) ? .instance : .none
  }
}
