/// A fault of a simulated sensor, by its name for `--fault`.
enum SimulatorFault: String, CaseIterable, Sendable {
  // The way there and back.
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
