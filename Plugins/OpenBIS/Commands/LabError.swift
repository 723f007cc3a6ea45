import PluginAPI

/// Errors of requests for a server or an entity.
enum LabError: Error, Equatable {
  /// No account is logged in.
  case noAccount
  /// An argument does not denote any account.
  case unknownAccount(String, known: [String])
  /// An argument denotes several accounts.
  case ambiguousAccount(String, accounts: [String])
  /// A text is not a server address.
  case badAddress(String)
  /// An address of another machine without encryption.
  case openAddress(String)
  /// The data store that was named does not serve tables.
  case unknownDataStore(String, known: [String])
  /// No password was given, and the user cannot be asked for it.
  case secretMissing(user: String, server: String)
  /// A file or standard input contained no secret.
  case secretEmpty(source: String)
  /// Neither a user nor a token was named.
  case userMissing(server: String)
  /// A server's certificate is not trusted, and the user did not agree to trust it.
  case untrusted(server: String, pin: String, subject: String, problem: String)
  /// A server shows a key other than the trusted one.
  case changedKey(server: String, known: [String], shown: String)
  /// The cache has no such entity.
  case unknownEntity(String, nearest: String?)
  /// The search text is empty.
  case emptyText
  /// A substring search is impossible, because entities are not indexed yet.
  case notIndexed(count: Int)
  /// A search option that the server, or the cache, does not support.
  case otherSearch(option: String, isRemote: Bool)
  /// A search domain that the server does not offer.
  case unknownDomain(String, known: [String])
  /// Data that was never fetched, requested while offline.
  case notCached(what: String)
  /// The entity has no image that can be displayed.
  case noImage(String, reason: String)
  /// The entity has fewer images than the number requested.
  case fewerImages(String, count: Int)
  /// A text does not denote a data set.
  case noDataSet(String)
  /// A download names neither a file nor all files, or names both.
  case pathOrAll
  /// A data set has no such file.
  case noFile(dataSet: String, path: String)
  /// The files of the data set can be listed by V3 only.
  case filesNeedV3(server: String)
  /// The server offers neither tables nor objects.
  case noInterface(server: String)
  /// The server rejected a token.
  case tokenRefused(server: String)
  /// The user has no token with that id or name.
  case noToken(String, known: [String])
  /// Several tokens have that name.
  case ambiguousToken(String, ids: [String])
  /// A token was given to create another token with.
  case tokenByToken
  /// A mapping was named for a server that maps its objects itself.
  case mapsItself(server: String)
  /// A refresh of the cache is already running.
  case alreadySyncing(String)
}

extension LabError: ReportableError {
  static let errorCodes = [
    ErrorCodeDescription("openbis.not-logged-in", "no server is known yet: log in to one"),
    ErrorCodeDescription("openbis.no-such-account", "no server or user is called so, or several are"),
    ErrorCodeDescription("openbis.bad-address", "a text is no address of a server"),
    ErrorCodeDescription("openbis.open-address", "the address has no encryption and is of another machine"),
    ErrorCodeDescription("openbis.unknown-data-store", "a data store that was named does not map"),
    ErrorCodeDescription("openbis.several-data-stores", "several data stores map; one of them is asked"),
    ErrorCodeDescription("openbis.no-secret", "a password or token is needed, and none was given"),
    ErrorCodeDescription("openbis.no-user", "neither a user nor a token was named"),
    ErrorCodeDescription("openbis.untrusted", "the server's certificate is signed by nobody this machine trusts"),
    ErrorCodeDescription("openbis.changed-key", "the server shows another key than the one that is trusted"),
    ErrorCodeDescription("openbis.unknown-entity", "nothing is cached under that id"),
    ErrorCodeDescription("openbis.empty-text", "a search was given no text"),
    ErrorCodeDescription(
      "openbis.other-search", "an option is of a search in the cache, or of one on the server"),
    ErrorCodeDescription("openbis.unknown-domain", "the server offers no such kind of search"),
    ErrorCodeDescription("openbis.never-synced", "nothing was fetched from the server yet"),
    ErrorCodeDescription("openbis.logged-out", "nobody is logged in; what is cached is shown"),
    ErrorCodeDescription("openbis.columns-left-out", "a table has fewer columns than there are properties"),
    ErrorCodeDescription("openbis.not-cached", "it is not kept here, and the server is not asked now"),
    ErrorCodeDescription("openbis.no-image", "the entity has no image, or not so many, or none that can be shown"),
    ErrorCodeDescription("openbis.no-data-set", "a text names no data set"),
    ErrorCodeDescription("openbis.path-or-all", "a download names neither a file nor all files, or both"),
    ErrorCodeDescription("openbis.no-file", "the data set has no such file"),
    ErrorCodeDescription("openbis.files-need-v3", "files of data sets are asked for by V3, which the server lacks"),
    ErrorCodeDescription("openbis.no-interface", "the server answers neither V1 with tables nor V3"),
    ErrorCodeDescription("openbis.token-refused", "the server does not know the token"),
    ErrorCodeDescription("openbis.no-token", "the user has no personal access token of that id or name, or several"),
    ErrorCodeDescription("openbis.token-by-token", "a new token is made by user and password, not by another token"),
    ErrorCodeDescription("openbis.token-ends", "the personal access token is about to end"),
    ErrorCodeDescription("openbis.maps-itself", "a mapping file is of no use for a server that maps by itself"),
    ErrorCodeDescription("openbis.already-syncing", "a refresh of the same cache runs already"),
    ErrorCodeDescription("openbis.no-categories", "the server suddenly has no categories; the cache was kept"),
    ErrorCodeDescription("openbis.indexing", "the index for parts of words is not complete"),
    ErrorCodeDescription("openbis.offline", "the server cannot be reached; what is cached is shown"),
    ErrorCodeDescription(
      "openbis.session-not-ended", "a session could not be ended at its server; here it is forgotten"),
    ErrorCodeDescription("openbis.rows-skipped", "rows of an answer could not be used and were left out"),
    ErrorCodeDescription("openbis.no-details", "the server said nothing of an entity: it may have been deleted"),
    ErrorCodeDescription("openbis.open-connection", "what is sent to the server can be read on the way"),
  ]

  var report: ErrorReport { wholeReport.harmless }

  private var wholeReport: ErrorReport {
    switch self {
    case .noAccount:
      ErrorReport(
        code: "openbis.not-logged-in", kind: .notFound, "no server is known yet",
        advice: "'workbench openbis login URL --user NAME' begins; 'workbench openbis simulate' gives one to try")
    case .unknownAccount(let word, let known):
      accountReport(word, .notFound, "no server or user is called", "", advice: "there are ", known)
    case .ambiguousAccount(let word, let accounts):
      accountReport(word, .usage, "", "means \(accounts.count) accounts", advice: "name one of ", accounts)
    case .badAddress(let text):
      ErrorReport(
        code: "openbis.bad-address", kind: .usage, "'\(ServerAddress.hidingSecrets(text))' is no address of a server",
        advice: "write it as https://host, https://host:port or https://host/path, without user and password")
    case .openAddress(let server):
      ErrorReport(
        code: "openbis.open-address", kind: .refused, "'\(server)' would get the password without encryption",
        advice: "use https, or '--insecure' if the network is yours alone", details: ["server": .text(server)])
    case .unknownDataStore(let code, let known):
      ErrorReport(
        code: "openbis.unknown-data-store", kind: .notFound, "the data store '\(code)' does not map",
        advice: "there are " + known.joined(separator: ", "), details: ["dataStore": .text(code)])
    case .secretMissing(let user, let server):
      ErrorReport(
        code: "openbis.no-secret", kind: .refused, "the password of '\(user)' at '\(server)' is needed",
        advice: "log in at a terminal, give it with '--password-stdin', or a token with '--token-file'",
        details: ["server": .text(server)])
    case .secretEmpty(let source):
      ErrorReport(code: "openbis.no-secret", kind: .usage, "\(source) has no password or token in it")
    case .userMissing(let server):
      ErrorReport(
        code: "openbis.no-user", kind: .usage, "neither a user nor a token is named for '\(server)'",
        advice: "give '--user NAME', '--token-file FILE' or WORKBENCH_OPENBIS_TOKEN")
    case .untrusted(let server, let pin, let subject, let problem):
      ErrorReport(
        code: "openbis.untrusted", kind: .refused,
        "the certificate of '\(server)' (\(subject)) is not trusted: \(problem)",
        advice: "if its people confirm the key \(pin), log in with '--trust \(pin)'",
        details: ["server": .text(server), "pin": .text(pin), "subject": .text(subject)])
    case .changedKey(let server, let known, let shown):
      ErrorReport(
        code: "openbis.changed-key", kind: .refused,
        "'\(server)' shows the key \(shown), not the trusted \(known.joined(separator: " or ")): nothing was sent",
        advice: "somebody may listen; if its people changed the key, log in with '--trust \(shown)'",
        details: ["server": .text(server), "shown": .text(shown), "trusted": .list(known.map(Value.text))])
    case .unknownEntity(let id, let nearest):
      ErrorReport(
        code: "openbis.unknown-entity", kind: .notFound, "nothing is cached under '\(id)'",
        advice: nearest.map { "did you mean '\($0)'?" } ?? "'workbench openbis search TEXT' finds entities",
        details: ["permId": .text(id)])
    case .emptyText:
      ErrorReport(
        code: "openbis.empty-text", kind: .usage, "there is nothing to look for", advice: "give a word or a part of one"
      )
    case .notIndexed(let count):
      ErrorReport(
        code: "openbis.indexing", kind: .failure,
        "\(count) entities are not indexed for parts of words, and nothing is found among the others",
        advice: "'workbench openbis sync' makes the index; whole words are found without '--anywhere'",
        details: ["entities": .integer(count)], isRetryable: true)
    case .otherSearch(let option, let isRemote):
      ErrorReport(
        code: "openbis.other-search", kind: .usage,
        isRemote ? "the server knows nothing of '--\(option)'" : "'--\(option)' is the server's",
        advice: isRemote ? "leave out '--remote' to search the cache" : "give '--remote' too",
        details: ["option": .text(option)])
    case .unknownDomain(let key, let known):
      ErrorReport(
        code: "openbis.unknown-domain", kind: .notFound, "the server offers no search '\(key)'",
        advice: known.isEmpty
          ? "it names none: leave out '--domain'" : "there are " + known.joined(separator: ", "),
        details: ["domain": .text(key)])
    case .notCached(let what):
      ErrorReport(
        code: "openbis.not-cached", kind: .network, "\(what) is not kept, and the server is not asked now",
        advice: "leave out '--cached', or try again when the server can be reached", isRetryable: true)
    case .noImage(let id, let reason):
      ErrorReport(
        code: "openbis.no-image", kind: .notFound, "'\(id)' has no image that can be shown: \(reason)",
        details: ["permId": .text(id)])
    case .fewerImages(let id, let count):
      ErrorReport(
        code: "openbis.no-image", kind: .notFound, "'\(id)' has \(count) \(count == 1 ? "image" : "images")",
        advice: "they are counted from 1", details: ["permId": .text(id), "images": .integer(count)])
    case .noDataSet(let word):
      ErrorReport(
        code: "openbis.no-data-set", kind: .notFound, "'\(word)' is no data set",
        advice: "name it by its code, such as 20260131120000000-17, or by an entity's id",
        details: ["dataSet": .text(word)])
    case .pathOrAll:
      ErrorReport(
        code: "openbis.path-or-all", kind: .usage, "name one file of the data set, or give '--all' or '--match'",
        advice: "'workbench openbis files' lists them")
    case .noFile(let dataSet, let path):
      ErrorReport(
        code: "openbis.no-file", kind: .notFound, "the data set '\(dataSet)' has no file '\(path)'",
        advice: "'workbench openbis files \(dataSet)' lists them",
        details: ["dataSet": .text(dataSet), "path": .text(path)])
    case .filesNeedV3(let server):
      ErrorReport(
        code: "openbis.files-need-v3", kind: .network, "'\(server)' has no V3, by which files are asked for",
        details: ["server": .text(server)])
    case .noInterface(let server):
      ErrorReport(
        code: "openbis.no-interface", kind: .network, "'\(server)' answers neither V1 with tables nor V3",
        advice: "check the address; the path before '/openbis' belongs to it", details: ["server": .text(server)])
    case .tokenRefused(let server):
      ErrorReport(
        code: "openbis.token-refused", kind: .refused, "'\(server)' does not know the token",
        advice: "make a new one; tokens end after the time the server allows", details: ["server": .text(server)])
    case .noToken(let word, let known):
      ErrorReport(
        code: "openbis.no-token", kind: .notFound, "token '\(word)' does not exist",
        advice: known.isEmpty ? "you have none" : "tokens are " + known.joined(separator: ", "))
    case .ambiguousToken(let word, let ids):
      ErrorReport(
        code: "openbis.no-token", kind: .usage, "\(ids.count) tokens are named '\(word)'",
        advice: "name one by its id: " + ids.joined(separator: ", "))
    case .tokenByToken:
      ErrorReport(
        code: "openbis.token-by-token", kind: .usage, "servers make no token for those who come with one",
        advice: "give '--user NAME' and the password")
    case .mapsItself(let server):
      ErrorReport(
        code: "openbis.maps-itself", kind: .usage, "'\(server)' says by itself what is browsed",
        advice: "log in with '--native' to use a mapping instead", details: ["server": .text(server)])
    case .alreadySyncing(let account):
      ErrorReport(
        code: "openbis.already-syncing", kind: .refused, "a refresh of '\(account)' runs already",
        advice: "wait until it ends", isRetryable: true)
    }
  }

  /// Returns an error about an account name, which may be an address with a password in it.
  private func accountReport(
    _ word: String, _ kind: ErrorReport.Kind, _ before: String, _ behind: String, advice: String, _ accounts: [String]
  ) -> ErrorReport {
    let shown = ServerAddress.hidingSecrets(word)
    let words = [before, "'\(shown)'", behind].filter { !$0.isEmpty }.joined(separator: " ")
    return ErrorReport(
      code: "openbis.no-such-account", kind: kind, words, advice: advice + accounts.joined(separator: ", "),
      details: ["account": .text(shown)])
  }
}
