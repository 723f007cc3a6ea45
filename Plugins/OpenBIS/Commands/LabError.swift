import PluginAPI

/// Errors of requests for a server or an entity.
///
/// Reports of them are sanitized where they are made: ids, addresses and messages in them may come from a server.
enum LabError {
  // MARK: Accounts

  static let notLoggedIn = DeclaredError(
    "openbis.not-logged-in", .notFound, "you are not logged in to any server")
  static let noSuchAccount = DeclaredError(
    "openbis.no-such-account", .notFound, "no account matches, or several do")
  static let badAddress = DeclaredError("openbis.bad-address", .usage, "the address of the server is malformed")
  static let openAddress = DeclaredError(
    "openbis.open-address", .refused, "the address of another machine has no encryption")
  static let unknownDataStore = DeclaredError(
    "openbis.unknown-data-store", .notFound, "the data store has no read service")
  static let noInterface = DeclaredError(
    "openbis.no-interface", .network, "the server supports neither V1 with tables nor V3")

  // MARK: Secrets and trust

  static let noSecret = DeclaredError(
    "openbis.no-secret", .refused, "the password or token is missing")
  static func secretEmpty(source: String) -> ErrorReport {
    var report = noSecret("\(source) contains no password or token")
    report.kind = .usage
    return report.sanitized
  }
  static let noUser = DeclaredError("openbis.no-user", .usage, "no user or token is given")
  static let untrusted = DeclaredError(
    "openbis.untrusted", .refused, "the server's certificate is not trusted")
  static let changedKey = DeclaredError(
    "openbis.changed-key", .refused, "the server has another key than the trusted one")
  private static let tokenRefused = DeclaredError(
    "openbis.token-refused", .refused, "the server rejected the token")
  static func tokenRefused(server: String) -> ErrorReport {
    tokenRefused(
      "'\(server)' rejected the token; it may have expired",
      advice: "create a new one with 'workbench openbis login \(server) --user NAME --new-token NAME'",
      details: ["server": .text(server)]
    ).sanitized
  }
  static let noToken = DeclaredError(
    "openbis.no-token", .notFound, "no personal access token has this id or name, or several do")
  static let tokenByToken = DeclaredError(
    "openbis.token-by-token", .usage, "a token cannot create another token")

  // MARK: Entities and searches

  static let unknownEntity = DeclaredError(
    "openbis.unknown-entity", .notFound, "the entity is not in the cache")
  static let emptyText = DeclaredError("openbis.empty-text", .usage, "the text to find is empty")
  static let indexing = DeclaredError(
    "openbis.indexing", .failure, "the substring index is incomplete")
  static let otherSearch = DeclaredError(
    "openbis.other-search", .usage, "the option works only in the cache, or only on the server")
  private static let unknownDomain = DeclaredError(
    "openbis.unknown-domain", .notFound, "the server has no such search domain")
  static func unknownDomain(_ key: String, known: [String]) -> ErrorReport {
    unknownDomain(
      "the server has no search domain '\(key)'",
      advice: known.isEmpty
        ? "leave out '--domain'; the server has no domains" : "choose one of " + known.joined(separator: ", "),
      details: ["domain": .text(key)]
    ).sanitized
  }
  static let notCached = DeclaredError(
    "openbis.not-cached", .network, "the image or entity is not cached")
  static let mapsItself = DeclaredError(
    "openbis.maps-itself", .usage, "a server with a read service needs no mapping file")
  static let alreadySyncing = DeclaredError(
    "openbis.already-syncing", .refused, "a sync of the same cache is already running")

  // MARK: Images and files

  static let noImage = DeclaredError(
    "openbis.no-image", .notFound, "the entity has no such image, or it cannot be shown")
  static func noImage(_ id: String, reason: String) -> ErrorReport {
    noImage("cannot show an image of '\(id)': \(reason)", details: ["permId": .text(id)]).sanitized
  }
  private static let noDataSet = DeclaredError("openbis.no-data-set", .notFound, "the data set was not found")
  static func noDataSet(named word: String) -> ErrorReport {
    noDataSet(
      "no data set '\(word)' was found",
      advice: "give its code, such as 20260131120000000-17, or the id of its entity",
      details: ["dataSet": .text(word)]
    ).sanitized
  }
  static let pathOrAll = DeclaredError(
    "openbis.path-or-all", .usage, "a download needs either a path or '--all'")
  private static let noFile = DeclaredError("openbis.no-file", .notFound, "the data set has no such file")
  static func noFile(dataSet: String, path: String) -> ErrorReport {
    noFile(
      "data set '\(dataSet)' has no file '\(path)'", advice: "list its files with 'workbench openbis files \(dataSet)'",
      details: ["dataSet": .text(dataSet), "path": .text(path)]
    ).sanitized
  }
  static let filesNeedV3 = DeclaredError(
    "openbis.files-need-v3", .network, "the server does not support V3, which lists files")
  static let fileTooLarge = DeclaredError(
    "openbis.file-too-large", .unusableInput, "the file is too large for a preview; download it")
  static let fileUnreadable = DeclaredError(
    "openbis.file-unreadable", .failure, "the downloaded copy of a file cannot be read")

  // MARK: Catalog

  /// The entries of the catalog of errors, with the notes of the same commands.
  static let errorCodes: [ErrorCodeDescription] = [
    notLoggedIn.catalogueEntry, noSuchAccount.catalogueEntry, badAddress.catalogueEntry, openAddress.catalogueEntry,
    unknownDataStore.catalogueEntry,
    ErrorCodeDescription("openbis.several-data-stores", "several data stores have a read service; one of them is used"),
    noSecret.catalogueEntry, noUser.catalogueEntry, untrusted.catalogueEntry, changedKey.catalogueEntry,
    unknownEntity.catalogueEntry, emptyText.catalogueEntry, otherSearch.catalogueEntry, unknownDomain.catalogueEntry,
    ErrorCodeDescription("openbis.never-synced", "the cache is empty"),
    ErrorCodeDescription("openbis.logged-out", "the user is logged out; cached data is shown"),
    ErrorCodeDescription("openbis.columns-left-out", "a table has fewer columns than there are properties"),
    notCached.catalogueEntry, noImage.catalogueEntry, noDataSet.catalogueEntry, pathOrAll.catalogueEntry,
    noFile.catalogueEntry, filesNeedV3.catalogueEntry, noInterface.catalogueEntry, tokenRefused.catalogueEntry,
    noToken.catalogueEntry, tokenByToken.catalogueEntry,
    ErrorCodeDescription("openbis.token-ends", "the personal access token expires soon"),
    mapsItself.catalogueEntry, alreadySyncing.catalogueEntry,
    ErrorCodeDescription("openbis.no-categories", "the server lists no categories; the cached ones are kept"),
    indexing.catalogueEntry,
    ErrorCodeDescription("openbis.offline", "the server cannot be reached; cached data is shown"),
    ErrorCodeDescription(
      "openbis.session-not-ended", "the session could not be ended at the server; its token is deleted here"),
    ErrorCodeDescription("openbis.rows-skipped", "rows of a response could not be used and were left out"),
    ErrorCodeDescription("openbis.no-details", "the server sent no details of an entity; it may have been deleted"),
    ErrorCodeDescription("openbis.open-connection", "the connection to the server is not encrypted"),
  ]

  /// The entries of the errors of previews.
  static let previewErrorCodes = [fileTooLarge, fileUnreadable].map(\.catalogueEntry)
}
