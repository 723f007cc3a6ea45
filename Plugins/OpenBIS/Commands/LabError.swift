import PluginAPI

/// Errors of requests for a server or an entity.
///
/// Reports of them are sanitized where they are made: ids, addresses and messages in them may come from a server.
enum LabError {
  // MARK: Accounts

  static let notLoggedIn = DeclaredError(
    "openbis.not-logged-in", .notFound, "no server is known yet: log in to one")
  static let noSuchAccount = DeclaredError(
    "openbis.no-such-account", .notFound, "no server or user is called so, or several are")
  static let badAddress = DeclaredError("openbis.bad-address", .usage, "a text is not an address of a server")
  static let openAddress = DeclaredError(
    "openbis.open-address", .refused, "the address has no encryption and is of another machine")
  static let unknownDataStore = DeclaredError(
    "openbis.unknown-data-store", .notFound, "a data store that was named does not map")
  static let noInterface = DeclaredError(
    "openbis.no-interface", .network, "the server answers neither V1 with tables nor V3")

  // MARK: Secrets and trust

  static let noSecret = DeclaredError(
    "openbis.no-secret", .refused, "a password or token is needed, and none was given")
  static func secretEmpty(source: String) -> ErrorReport {
    var report = noSecret("\(source) has no password or token in it")
    report.kind = .usage
    return report.sanitized
  }
  static let noUser = DeclaredError("openbis.no-user", .usage, "neither a user nor a token was named")
  static let untrusted = DeclaredError(
    "openbis.untrusted", .refused, "the server's certificate is signed by nobody this machine trusts")
  static let changedKey = DeclaredError(
    "openbis.changed-key", .refused, "the server shows another key than the one that is trusted")
  private static let tokenRefused = DeclaredError(
    "openbis.token-refused", .refused, "the server does not know the token")
  static func tokenRefused(server: String) -> ErrorReport {
    tokenRefused(
      "'\(server)' does not know the token",
      advice: "make a new one; tokens end after the time the server allows", details: ["server": .text(server)]
    ).sanitized
  }
  static let noToken = DeclaredError(
    "openbis.no-token", .notFound, "the user has no personal access token of that id or name, or several")
  static let tokenByToken = DeclaredError(
    "openbis.token-by-token", .usage, "a new token is made by user and password, not by another token")

  // MARK: Entities and searches

  static let unknownEntity = DeclaredError(
    "openbis.unknown-entity", .notFound, "nothing is cached under that id")
  static let emptyText = DeclaredError("openbis.empty-text", .usage, "a search was given no text")
  static let indexing = DeclaredError(
    "openbis.indexing", .failure, "the index for parts of words is not complete")
  static let otherSearch = DeclaredError(
    "openbis.other-search", .usage, "an option is of a search in the cache, or of one on the server")
  private static let unknownDomain = DeclaredError(
    "openbis.unknown-domain", .notFound, "the server offers no such kind of search")
  static func unknownDomain(_ key: String, known: [String]) -> ErrorReport {
    unknownDomain(
      "the server offers no search '\(key)'",
      advice: known.isEmpty ? "it names none: leave out '--domain'" : "there are " + known.joined(separator: ", "),
      details: ["domain": .text(key)]
    ).sanitized
  }
  static let notCached = DeclaredError(
    "openbis.not-cached", .network, "it is not kept here, and the server is not asked now")
  static let mapsItself = DeclaredError(
    "openbis.maps-itself", .usage, "a mapping file is of no use for a server that maps by itself")
  static let alreadySyncing = DeclaredError(
    "openbis.already-syncing", .refused, "a refresh of the same cache runs already")

  // MARK: Images and files

  static let noImage = DeclaredError(
    "openbis.no-image", .notFound, "the entity has no image, or not so many, or none that can be shown")
  static func noImage(_ id: String, reason: String) -> ErrorReport {
    noImage("'\(id)' has no image that can be shown: \(reason)", details: ["permId": .text(id)]).sanitized
  }
  private static let noDataSet = DeclaredError("openbis.no-data-set", .notFound, "a text names no data set")
  static func noDataSet(named word: String) -> ErrorReport {
    noDataSet(
      "'\(word)' is not a data set",
      advice: "name it by its code, such as 20260131120000000-17, or by an entity's id",
      details: ["dataSet": .text(word)]
    ).sanitized
  }
  static let pathOrAll = DeclaredError(
    "openbis.path-or-all", .usage, "a download names neither a file nor all files, or both")
  private static let noFile = DeclaredError("openbis.no-file", .notFound, "the data set has no such file")
  static func noFile(dataSet: String, path: String) -> ErrorReport {
    noFile(
      "the data set '\(dataSet)' has no file '\(path)'", advice: "'workbench openbis files \(dataSet)' lists them",
      details: ["dataSet": .text(dataSet), "path": .text(path)]
    ).sanitized
  }
  static let filesNeedV3 = DeclaredError(
    "openbis.files-need-v3", .network, "files of data sets are asked for by V3, which the server lacks")
  static let fileTooLarge = DeclaredError(
    "openbis.file-too-large", .unusableInput, "the file is too large to be shown: download it")
  static let fileUnreadable = DeclaredError(
    "openbis.file-unreadable", .failure, "what was fetched of a file cannot be read")

  // MARK: Catalog

  /// The entries of the catalog of errors, with the notes of the same commands.
  static let errorCodes: [ErrorCodeDescription] = [
    notLoggedIn.catalogueEntry, noSuchAccount.catalogueEntry, badAddress.catalogueEntry, openAddress.catalogueEntry,
    unknownDataStore.catalogueEntry,
    ErrorCodeDescription("openbis.several-data-stores", "several data stores map; one of them is asked"),
    noSecret.catalogueEntry, noUser.catalogueEntry, untrusted.catalogueEntry, changedKey.catalogueEntry,
    unknownEntity.catalogueEntry, emptyText.catalogueEntry, otherSearch.catalogueEntry, unknownDomain.catalogueEntry,
    ErrorCodeDescription("openbis.never-synced", "nothing was fetched from the server yet"),
    ErrorCodeDescription("openbis.logged-out", "nobody is logged in; what is cached is shown"),
    ErrorCodeDescription("openbis.columns-left-out", "a table has fewer columns than there are properties"),
    notCached.catalogueEntry, noImage.catalogueEntry, noDataSet.catalogueEntry, pathOrAll.catalogueEntry,
    noFile.catalogueEntry, filesNeedV3.catalogueEntry, noInterface.catalogueEntry, tokenRefused.catalogueEntry,
    noToken.catalogueEntry, tokenByToken.catalogueEntry,
    ErrorCodeDescription("openbis.token-ends", "the personal access token is about to end"),
    mapsItself.catalogueEntry, alreadySyncing.catalogueEntry,
    ErrorCodeDescription("openbis.no-categories", "the server suddenly has no categories; the cache was kept"),
    indexing.catalogueEntry,
    ErrorCodeDescription("openbis.offline", "the server cannot be reached; what is cached is shown"),
    ErrorCodeDescription(
      "openbis.session-not-ended", "a session could not be ended at its server; here it is forgotten"),
    ErrorCodeDescription("openbis.rows-skipped", "rows of an answer could not be used and were left out"),
    ErrorCodeDescription("openbis.no-details", "the server said nothing of an entity: it may have been deleted"),
    ErrorCodeDescription("openbis.open-connection", "what is sent to the server can be read on the way"),
  ]

  /// The entries of the errors of previews.
  static let previewErrorCodes = [fileTooLarge, fileUnreadable].map(\.catalogueEntry)
}
