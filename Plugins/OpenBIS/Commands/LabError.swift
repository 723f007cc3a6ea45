import PluginAPI

/// Errors of requests for a server or an entity.
///
/// Each is declared with its code, followed by the reports of its occurrences. Their texts are sanitized: ids, addresses
/// and messages in them may come from a server.
enum LabError {
  // MARK: Accounts

  private static let notLoggedIn = DeclaredError(
    "openbis.not-logged-in", .notFound, "no server is known yet: log in to one")
  static var noAccount: ErrorReport {
    notLoggedIn(
      "no server is known yet",
      advice: "'workbench openbis login URL --user NAME' begins; 'workbench openbis simulate' gives one to try")
  }

  private static let noSuchAccount = DeclaredError(
    "openbis.no-such-account", .notFound, "no server or user is called so, or several are")
  static func unknownAccount(_ name: String, known: [String]) -> ErrorReport {
    // The name may be an address with a password in it.
    let shown = ServerAddress.hidingSecrets(name)
    return noSuchAccount(
      "no server or user is called '\(shown)'", advice: "there are " + known.joined(separator: ", "),
      details: ["account": .text(shown)]
    ).harmless
  }
  static func ambiguousAccount(_ name: String, accounts: [String]) -> ErrorReport {
    let shown = ServerAddress.hidingSecrets(name)
    var report = noSuchAccount(
      "'\(shown)' means \(accounts.count) accounts", advice: "name one of " + accounts.joined(separator: ", "),
      details: ["account": .text(shown)])
    report.kind = .usage
    return report.harmless
  }

  private static let badAddress = DeclaredError("openbis.bad-address", .usage, "a text is no address of a server")
  static func badAddress(of text: String) -> ErrorReport {
    badAddress(
      "'\(ServerAddress.hidingSecrets(text))' is no address of a server",
      advice: "write it as https://host, https://host:port or https://host/path, without user and password"
    ).harmless
  }

  private static let openAddress = DeclaredError(
    "openbis.open-address", .refused, "the address has no encryption and is of another machine")
  static func openAddress(server: String) -> ErrorReport {
    openAddress(
      "'\(server)' would get the password without encryption",
      advice: "use https, or '--insecure' if the network is yours alone", details: ["server": .text(server)]
    ).harmless
  }

  private static let unknownDataStore = DeclaredError(
    "openbis.unknown-data-store", .notFound, "a data store that was named does not map")
  static func unknownDataStore(_ code: String, known: [String]) -> ErrorReport {
    unknownDataStore(
      "the data store '\(code)' does not map", advice: "there are " + known.joined(separator: ", "),
      details: ["dataStore": .text(code)]
    ).harmless
  }

  private static let noInterface = DeclaredError(
    "openbis.no-interface", .network, "the server answers neither V1 with tables nor V3")
  static func noInterface(server: String) -> ErrorReport {
    noInterface(
      "'\(server)' answers neither V1 with tables nor V3",
      advice: "check the address; the path before '/openbis' belongs to it", details: ["server": .text(server)]
    ).harmless
  }

  // MARK: Secrets and trust

  private static let noSecret = DeclaredError(
    "openbis.no-secret", .refused, "a password or token is needed, and none was given")
  static func secretMissing(user: String, server: String) -> ErrorReport {
    noSecret(
      "the password of '\(user)' at '\(server)' is needed",
      advice: "log in at a terminal, give it with '--password-stdin', or a token with '--token-file'",
      details: ["server": .text(server)]
    ).harmless
  }
  static func secretEmpty(source: String) -> ErrorReport {
    var report = noSecret("\(source) has no password or token in it")
    report.kind = .usage
    return report.harmless
  }

  private static let noUser = DeclaredError("openbis.no-user", .usage, "neither a user nor a token was named")
  static func userMissing(server: String) -> ErrorReport {
    noUser(
      "neither a user nor a token is named for '\(server)'",
      advice: "give '--user NAME', '--token-file FILE' or WORKBENCH_OPENBIS_TOKEN"
    ).harmless
  }

  static let untrusted = DeclaredError(
    "openbis.untrusted", .refused, "the server's certificate is signed by nobody this machine trusts")
  static func untrusted(server: String, pin: String, subject: String, problem: String) -> ErrorReport {
    untrusted(
      "the certificate of '\(server)' (\(subject)) is not trusted: \(problem)",
      advice: "if its people confirm the key \(pin), log in with '--trust \(pin)'",
      details: ["server": .text(server), "pin": .text(pin), "subject": .text(subject)]
    ).harmless
  }

  private static let changedKey = DeclaredError(
    "openbis.changed-key", .refused, "the server shows another key than the one that is trusted")
  static func changedKey(server: String, known: [String], shown: String) -> ErrorReport {
    changedKey(
      "'\(server)' shows the key \(shown), not the trusted \(known.joined(separator: " or ")): nothing was sent",
      advice: "somebody may listen; if its people changed the key, log in with '--trust \(shown)'",
      details: ["server": .text(server), "shown": .text(shown), "trusted": .list(known.map(Value.text))]
    ).harmless
  }

  private static let tokenRefused = DeclaredError(
    "openbis.token-refused", .refused, "the server does not know the token")
  static func tokenRefused(server: String) -> ErrorReport {
    tokenRefused(
      "'\(server)' does not know the token",
      advice: "make a new one; tokens end after the time the server allows", details: ["server": .text(server)]
    ).harmless
  }

  private static let noToken = DeclaredError(
    "openbis.no-token", .notFound, "the user has no personal access token of that id or name, or several")
  static func noToken(_ name: String, known: [String]) -> ErrorReport {
    noToken(
      "token '\(name)' does not exist",
      advice: known.isEmpty ? "you have none" : "tokens are " + known.joined(separator: ", ")
    ).harmless
  }
  static func ambiguousToken(_ name: String, ids: [String]) -> ErrorReport {
    var report = noToken(
      "\(ids.count) tokens are named '\(name)'", advice: "name one by its id: " + ids.joined(separator: ", "))
    report.kind = .usage
    return report.harmless
  }

  static let tokenByToken = DeclaredError(
    "openbis.token-by-token", .usage, "a new token is made by user and password, not by another token")

  // MARK: Entities and searches

  private static let unknownEntity = DeclaredError(
    "openbis.unknown-entity", .notFound, "nothing is cached under that id")
  static func unknownEntity(_ id: String, nearest: String?) -> ErrorReport {
    unknownEntity(
      "nothing is cached under '\(id)'",
      advice: nearest.map { "did you mean '\($0)'?" } ?? "'workbench openbis search TEXT' finds entities",
      details: ["permId": .text(id)]
    ).harmless
  }

  static let emptyText = DeclaredError("openbis.empty-text", .usage, "a search was given no text")

  private static let indexing = DeclaredError(
    "openbis.indexing", .failure, "the index for parts of words is not complete")
  static func notIndexed(count: Int) -> ErrorReport {
    indexing(
      "\(count) entities are not indexed for parts of words, and nothing is found among the others",
      advice: "'workbench openbis sync' makes the index; whole words are found without '--anywhere'",
      details: ["entities": .integer(count)], isRetryable: true)
  }

  private static let otherSearch = DeclaredError(
    "openbis.other-search", .usage, "an option is of a search in the cache, or of one on the server")
  static func otherSearch(option: String, isRemote: Bool) -> ErrorReport {
    otherSearch(
      isRemote ? "the server knows nothing of '--\(option)'" : "'--\(option)' is the server's",
      advice: isRemote ? "leave out '--remote' to search the cache" : "give '--remote' too",
      details: ["option": .text(option)])
  }

  private static let unknownDomain = DeclaredError(
    "openbis.unknown-domain", .notFound, "the server offers no such kind of search")
  static func unknownDomain(_ key: String, known: [String]) -> ErrorReport {
    unknownDomain(
      "the server offers no search '\(key)'",
      advice: known.isEmpty ? "it names none: leave out '--domain'" : "there are " + known.joined(separator: ", "),
      details: ["domain": .text(key)]
    ).harmless
  }

  private static let notCached = DeclaredError(
    "openbis.not-cached", .network, "it is not kept here, and the server is not asked now")
  static func notCached(what: String) -> ErrorReport {
    notCached(
      "\(what) is not kept, and the server is not asked now",
      advice: "leave out '--cached', or try again when the server can be reached", isRetryable: true
    ).harmless
  }

  private static let mapsItself = DeclaredError(
    "openbis.maps-itself", .usage, "a mapping file is of no use for a server that maps by itself")
  static func mapsItself(server: String) -> ErrorReport {
    mapsItself(
      "'\(server)' says by itself what is browsed", advice: "log in with '--native' to use a mapping instead",
      details: ["server": .text(server)]
    ).harmless
  }

  private static let alreadySyncing = DeclaredError(
    "openbis.already-syncing", .refused, "a refresh of the same cache runs already")
  static func alreadySyncing(account: String) -> ErrorReport {
    alreadySyncing("a refresh of '\(account)' runs already", advice: "wait until it ends", isRetryable: true).harmless
  }

  // MARK: Images and files

  private static let noImage = DeclaredError(
    "openbis.no-image", .notFound, "the entity has no image, or not so many, or none that can be shown")
  static func noImage(_ id: String, reason: String) -> ErrorReport {
    noImage("'\(id)' has no image that can be shown: \(reason)", details: ["permId": .text(id)]).harmless
  }
  static func fewerImages(_ id: String, count: Int) -> ErrorReport {
    noImage(
      "'\(id)' has \(count) \(count == 1 ? "image" : "images")", advice: "they are counted from 1",
      details: ["permId": .text(id), "images": .integer(count)]
    ).harmless
  }

  private static let noDataSet = DeclaredError("openbis.no-data-set", .notFound, "a text names no data set")
  static func noDataSet(named word: String) -> ErrorReport {
    noDataSet(
      "'\(word)' is no data set",
      advice: "name it by its code, such as 20260131120000000-17, or by an entity's id",
      details: ["dataSet": .text(word)]
    ).harmless
  }

  static let pathOrAll = DeclaredError(
    "openbis.path-or-all", .usage, "a download names neither a file nor all files, or both")

  private static let noFile = DeclaredError("openbis.no-file", .notFound, "the data set has no such file")
  static func noFile(dataSet: String, path: String) -> ErrorReport {
    noFile(
      "the data set '\(dataSet)' has no file '\(path)'", advice: "'workbench openbis files \(dataSet)' lists them",
      details: ["dataSet": .text(dataSet), "path": .text(path)]
    ).harmless
  }

  private static let filesNeedV3 = DeclaredError(
    "openbis.files-need-v3", .network, "files of data sets are asked for by V3, which the server lacks")
  static func filesNeedV3(server: String) -> ErrorReport {
    filesNeedV3("'\(server)' has no V3, by which files are asked for", details: ["server": .text(server)]).harmless
  }

  private static let fileTooLarge = DeclaredError(
    "openbis.file-too-large", .unusableInput, "the file is too large to be shown: download it")
  static func fileTooLarge(path: String, size: Int) -> ErrorReport {
    fileTooLarge(
      "'\(path)' has \(ShownValue.readableSize(size)), too much to be shown", advice: "download it",
      details: ["path": .text(path), "bytes": .integer(size)])
  }

  private static let fileUnreadable = DeclaredError(
    "openbis.file-unreadable", .failure, "what was fetched of a file cannot be read")
  static func fileUnreadable(path: String) -> ErrorReport {
    fileUnreadable(
      "what was fetched of '\(path)' cannot be read", advice: "look whether there is room on the disk",
      details: ["path": .text(path)])
  }

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
