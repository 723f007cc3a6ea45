import Glibc
import PluginAPI

/// The command that connects to a server.
enum LoginCommand {
  private static let url = Argument(
    "url", String.self, "Address of the server: https://host, https://host:port or https://host/path")
  fileprivate static let user = Option("user", String.self, "Name of the user")
  fileprivate static let passwordInput = Option(
    flag: "password-stdin", "Read the password from the first line of standard input")
  fileprivate static let tokenFile = Option(
    "token-file", String.self, kind: .inputFile(extensions: []),
    "File with a personal access token, which WORKBENCH_OPENBIS_TOKEN can hold instead")
  fileprivate static let forgetPassword = Option(
    flag: "forget-password", "Do not store the password; log in again when the session expires")
  fileprivate static let newToken = Option(
    "new-token", String.self, "Name of an access token to create and store instead of the password")
  fileprivate static let days = Option(
    "days", in: 1...3650, "Lifetime of the new token; the server may allow less", unit: "day", default: 30)
  fileprivate static let native = Option(flag: "native", "Use a mapping file even if the server has a read service")
  fileprivate static let dataStore = Option(
    "data-store", String.self, "Code of the data store whose read service is used; by default the first")
  fileprivate static let trust = Option(
    "trust", String.self, "Key of an unknown certificate to trust (SHA-256 in Base64)")
  fileprivate static let insecure = Option(flag: "insecure", "Send the password even without encryption")

  static let command = OpenBISCommand(
    CommandDescription(
      "login", "Log in to a server and store the session",
      output: .model(ListedAccount.self), effects: [.reads, .writes, .network]
    ).taking(
      url, user, passwordInput, tokenFile, forgetPassword, newToken, days, native, dataStore, trust, insecure
    ).explained(
      """
      The session token and the password are stored in files that only you can read; 'secrets encrypt' encrypts them. \
      The password renews an expired session without a prompt; '--forget-password' does not store it. If this machine \
      does not trust the server's certificate, the login asks whether to trust its key. Any other key is refused from \
      then on. The plugin never changes data on a server. It only creates and revokes access tokens, with \
      '--new-token' and 'token revoke', which need V3.
      """,
      examples: [
        .init("login https://lab.example.org --user anna", "Log in with a password"),
        .init("login https://lab.example.org --token-file ~/.openbis-token", "Log in with a personal access token"),
        .init(
          "login https://lab.example.org --user anna --new-token laptop --days 90",
          "Create an access token; the password is not stored"),
      ])
  ) { call, laboratory in
    guard let server = ServerAddress(call[url]) else {
      throw LabError.badAddress(
        "'\(ServerAddress.hidingSecrets(call[url]))' is not an address of a server",
        advice: "use https://host, https://host:port or https://host/path, without user and password"
      ).sanitized
    }
    try LabLogin.checkEncryption(server, call)
    // This comes before any request to the server: a session that cannot be stored would be lost.
    let credentials = try await LabKey(call, laboratory).credentials()
    let login = LabLogin(
      call: call, laboratory: laboratory, server: server, servers: try ServersStore.of(call.context),
      credentials: credentials)
    try await call.emit(ListedAccount(account: login.run(), isCurrent: true))
  }
}

/// A login to a server, with the detection of its interface.
private struct LabLogin: Sendable {
  let call: CommandCall
  let laboratory: Laboratory
  let server: ServerAddress
  let servers: ServersStore
  let credentials: CredentialFiles

  /// The credentials given for a login.
  private enum Proof {
    case password(Secret)
    case token(Secret)
  }

  /// The name of the token to create; nil for none.
  private var newToken: String? { call[LoginCommand.newToken].flatMap { $0.isEmpty ? nil : $0 } }

  /// Logs in and stores the account.
  func run() async throws -> Account {
    call.report(Progress("connecting to \(server.shown)"))
    let trust = LabTrust(call: call, servers: servers, agreed: call[LoginCommand.trust] ?? "")
    let pin = try await trust.decide(server.base)
    let proof = try await proof()
    if case .token = proof, newToken != nil {
      throw LabError.tokenByToken(
        "a token cannot create another token", advice: "log in with '--user NAME' and the password")
    }
    var account = Account(id: "", server: server, user: call[LoginCommand.user] ?? "")
    account.id = Account.id(of: account.user, at: server)
    let registry = try await servers.snapshot()
    let known = registry.accounts.first { $0.id == account.id }
    account.dataStore = known?.dataStore
    let session = session(account, proof, keys: registry.trustedKeys)
    // A login stores its token at once.
    let former = (try? credentials.secret(.token, of: account.id)) ?? nil
    call.report(Progress("logging in to \(server.shown)"))
    if case .token(let token) = proof {
      guard try await session.isActive() else { throw LabError.tokenRefused(server: server.shown) }
      account.usesAccessToken = true
      if account.user.isEmpty { account.user = try await user(of: token, session) ?? "" }
      // Two tokens with unknown users may belong to two users, who must not share anything.
      account.id = Account.id(of: account.user.isEmpty ? "token \(token.fingerprint)" : account.user, at: server)
    } else {
      try await session.login()
    }
    do {
      try await LabDiscovery(call: call, session: session, trust: trust, pin: pin).complete(&account, before: known)
      if let newToken {
        try await keepNewToken(newToken, &account, session)
      } else {
        try await keep(account, proof, session)
      }
    } catch {
      // Servers limit the sessions of a user: a session that is not stored would eventually displace another one.
      if case .password = proof {
        let failed = session.token
        await Task.detached { try? await session.logout() }.value
        restore(former, after: failed, of: account)
      }
      throw error
    }
    if let former { await end(former, of: account, registry.trustedKeys) }
    return account
  }

  /// Restores the former token if that of a failed login has replaced it.
  private func restore(_ former: Secret?, after failed: Secret?, of account: Account) {
    guard let failed, let kept = (try? credentials.secret(.token, of: account.id)) ?? nil, kept == failed else {
      return
    }
    do throws(ErrorReport) {
      try credentials.keep(former, as: .token, of: account.id)
    } catch {
      call.context.log(.warning, error.report.description)
    }
  }

  /// Ends the former session, which the new one replaces, unless it has ended already or its token is long-lived.
  private func end(_ former: Secret, of account: Account, _ keys: [TrustedKey]) async {
    let kept = (try? credentials.secret(.token, of: account.id)) ?? nil
    if former == kept { return }
    let connection = LabAccess(call.context, keys: keys).servers.connection(to: server)
    do {
      try await RPCSession(connection, user: account.user, key: .none, token: former).logout()
    } catch {
      call.context.log(.warning, "could not end the former session at '\(server.shown)'")
    }
  }

  /// Rejects addresses to which passwords would be sent in clear, unless the user agrees.
  static func checkEncryption(_ server: ServerAddress, _ call: CommandCall) throws {
    guard server.isOpen, !server.isLoopback else { return }
    guard call[LoginCommand.insecure] else {
      throw LabError.openAddress(
        "the password would be sent to '\(server.base)' without encryption",
        advice: "use https, or '--insecure' on a private network", details: ["server": .text(server.base)]
      ).sanitized
    }
    call.warn(
      Diagnostic(
        .warning, code: "openbis.open-connection", "the connection to '\(server.base)' is not encrypted"))
  }

  // MARK: Secrets

  private func proof() async throws -> Proof {
    if let file = call[LoginCommand.tokenFile], !file.isEmpty { return .token(try Self.tokenFile(file)) }
    guard let user = call[LoginCommand.user], !user.isEmpty else {
      if let token = getenv("WORKBENCH_OPENBIS_TOKEN").map({ String(cString: $0) }), !token.isEmpty {
        return .token(Secret(token))
      }
      throw LabError.noUser(
        "no user or token is given for '\(server.shown)'",
        advice: "give '--user NAME', '--token-file FILE' or WORKBENCH_OPENBIS_TOKEN"
      ).sanitized
    }
    if call[LoginCommand.passwordInput] {
      guard let line = try await call.inputLine(), !line.isEmpty else {
        throw LabError.secretEmpty(source: "standard input")
      }
      return .password(Secret(line))
    }
    let question = PromptRequest("Password of \(user) at \(server.shown)", isSecret: true)
    guard let answer = try await call.ask(question), !answer.isEmpty else {
      throw LabError.noSecret(
        "the password of '\(user)' at '\(server.shown)' is missing",
        advice: "log in at a terminal, or use '--password-stdin' or '--token-file'",
        details: ["server": .text(server.shown)]
      ).sanitized
    }
    return .password(Secret(answer))
  }

  /// Returns the user of a token, taken from its text or from the server; nil if neither names the user.
  private func user(of token: Secret, _ session: RPCSession) async throws -> String? {
    if let user = SessionToken(token).user { return user }
    do {
      return try await NativeService(session).userOfSession()
    } catch let error as RPCError where error.isMissingMethod {
      return nil
    }
  }

  private static func tokenFile(_ path: String) throws -> Secret {
    let text = try SecretFile.firstLine(path)
    guard !text.isEmpty else { throw LabError.secretEmpty(source: "'\(path)'") }
    return Secret(text)
  }

  // MARK: Session

  private func session(_ account: Account, _ proof: Proof, keys: [TrustedKey]) -> RPCSession {
    let connection = LabAccess(call.context, keys: keys).servers.connection(to: server)
    let keeper = LabAccess.keeper(of: account.id, credentials, call.context)
    return switch proof {
    case .password(let secret):
      RPCSession(connection, user: account.user, key: .password(secret), onNewToken: keeper)
    case .token(let secret):
      RPCSession(connection, user: account.user, key: .none, token: secret, onNewToken: keeper)
    }
  }

  /// Creates a token at the server, which replaces the session and the password.
  private func keepNewToken(_ name: String, _ account: inout Account, _ session: RPCSession) async throws {
    call.report(Progress("creating the token '\(name)'"))
    let token = try await LabToken.make(name, days: call[LoginCommand.days], by: session, at: call.context.now())
    account.usesAccessToken = true
    let lasting = self.session(account, .token(token), keys: try await servers.snapshot().trustedKeys)
    guard try await lasting.isActive() else { throw LabError.tokenRefused(server: server.shown) }
    try await keep(account, .token(token), lasting)
    do {
      try await session.logout()
    } catch let error where !(error is CancellationError) {
      call.context.log(.warning, "could not end the session that created a token at '\(server.shown)'")
    }
  }

  private func keep(_ account: Account, _ proof: Proof, _ session: RPCSession) async throws {
    try credentials.keep(session.token, as: .token, of: account.id)
    var password: Secret?
    if case .password(let secret) = proof, !call[LoginCommand.forgetPassword] { password = secret }
    try credentials.keep(password, as: .password, of: account.id)
    try await refreshAllNext(account)
    try await servers.keep(account)
    try await servers.setCurrent(account.id)
    // A session that knows the password would be renewed silently.
    laboratory.setSession(call[LoginCommand.forgetPassword] ? nil : session, of: account.id)
    if let warning = try await LabToken.warning(session, at: call.context.now()) { call.warn(warning) }
  }

  /// Makes the next refresh replace everything cached if the back end or data store has changed.
  private func refreshAllNext(_ account: Account) async throws {
    guard let known = try await servers.accounts().first(where: { $0.id == account.id }),
      known.backEnd != account.backEnd || known.dataStore != account.dataStore
    else { return }
    let cache = laboratory.cache(of: account.id, in: servers, call.context)
    guard var state = try await cache.state().flatMap(SyncState.init(encoded:)) else { return }
    state.requestAll(replacing: true)
    try await cache.save(state)
  }
}

/// The detection of a server's interface: tables by V1, tables by V3, or objects only.
private struct LabDiscovery: Sendable {
  let call: CommandCall
  let session: RPCSession
  let trust: LabTrust
  /// The trusted key of the server, if one is required.
  let pin: String?

  /// Completes an account with its server's interface; keeps the account's data store if that still serves tables.
  ///
  /// A user without rights is logged in nevertheless, with the interface known from `before`.
  /// - Throws: ``LabError/noInterface``, ``RPCError/noTables(server:)``; other errors of the calls.
  func complete(_ account: inout Account, before known: Account?) async throws {
    call.report(Progress("detecting the interface of \(account.server.shown)"))
    do {
      try await discover(&account)
    } catch let error as RPCError where error.isNotAllowed {
      if let known {
        (account.backEnd, account.dataStore) = (known.backEnd, known.dataStore)
        (account.dataStores, account.dataStoreAddresses) = (known.dataStores, known.dataStoreAddresses)
      }
      call.warn(
        Diagnostic(
          .warning, code: "openbis.no-rights",
          "'\(account.user)' is logged in, but has no rights at '\(account.server.shown)' yet",
          advice: "ask the server's administrator for a role, then log in again"
        ).sanitized)
    }
  }

  private func discover(_ account: inout Account) async throws {
    if !call[LoginCommand.native] {
      for host in [TableService.Host.v1, .v3] {
        guard let found = try await services(host), !found.isEmpty else { continue }
        return try await take(found, host, &account)
      }
    }
    let native = NativeService(session)
    do {
      _ = try await native.serverInformation()
    } catch  where Self.meansMissing(error) {
      // A server with V1 only and without the service cannot be browsed.
      let server = account.server.shown
      if try await services(.v1) != nil { throw RPCError.noTables(server: server) }
      throw LabError.noInterface(
        "'\(server)' supports neither V1 with tables nor V3",
        advice: "check the address, including the path before '/openbis'", details: ["server": .text(server)]
      ).sanitized
    }
    account.backEnd = .native
    account.dataStore = nil
    if !call[LoginCommand.native] {
      call.warn(
        Diagnostic(
          .note, code: "openbis.no-tables",
          "the server has no service '\(TableService.key)'; a mapping file is used",
          advice: "show it with 'workbench openbis mapping show'"))
    }
    try await take(addresses: try await native.dataStores().map(\.downloadAddress), &account)
  }

  private func take(
    _ found: [TableServiceDescription], _ host: TableService.Host, _ account: inout Account
  ) async throws {
    let wanted = call[LoginCommand.dataStore] ?? ""
    let codes = found.map(\.dataStore)
    let before = wanted.isEmpty ? found.first { $0.dataStore == account.dataStore } : nil
    guard let chosen = before ?? (wanted.isEmpty ? found.first : found.first { $0.dataStore == wanted }) else {
      throw LabError.unknownDataStore(
        "the data store '\(wanted)' has no read service", advice: "choose one of " + codes.joined(separator: ", "),
        details: ["dataStore": .text(wanted)]
      ).sanitized
    }
    account.backEnd = host == .v1 ? .tablesV1 : .tablesV3
    account.dataStore = chosen.dataStore
    account.dataStores = codes
    if codes.count > 1, wanted.isEmpty, before == nil {
      call.warn(
        Diagnostic(
          .note, code: "openbis.several-data-stores",
          "\(codes.count) data stores have a read service (\(codes.joined(separator: ", "))); "
            + "'\(chosen.dataStore)' is used",
          advice: "choose another one with '--data-store'"))
    }
    var addresses = found.map(\.baseAddress).filter { !$0.isEmpty }
    if addresses.isEmpty { addresses = try await NativeService(session).dataStores().map(\.downloadAddress) }
    try await take(addresses: addresses, &account)
  }

  /// Returns the data stores that serve tables; nil if the server does not know the interface.
  private func services(_ host: TableService.Host) async throws -> [TableServiceDescription]? {
    do {
      return try await TableService.services(session, host: host)
    } catch  where Self.meansMissing(error) {
      return nil
    }
  }

  private static func meansMissing(_ error: any Error) -> Bool { (error as? RPCError)?.isMissingMethod == true }

  /// Records the addresses of data stores: only they receive the token with requests for images and files.
  private func take(addresses: [String], _ account: inout Account) async throws {
    account.dataStoreAddresses = addresses
    for address in addresses { try await trustStore(address) }
  }

  /// Decides whether a data store is trusted; does not ask if it shows the server's own key.
  ///
  /// A login succeeds even if a data store is not trusted: only its images and files are unavailable then.
  private func trustStore(_ address: String) async throws {
    do {
      try await trust.decide(address, sibling: pin)
    } catch  where ServerAccess.isConnectionError(error) {
      call.context.log(.warning, "could not connect to the data store at '\(ServerAccess.shown(address))'")
    } catch let report as ErrorReport where report.code == LabError.untrusted.code {
      call.warn(
        Diagnostic(
          .warning, code: report.code, "images and files are not available: " + report.message, advice: report.advice
        ))
    }
  }
}

/// The decision to trust a server's key, made before anything is sent to the server.
///
/// A key signed by an authority that this machine trusts needs no confirmation. Any other key is trusted once the user
/// agrees; from then on the server must show that key.
private struct LabTrust: Sendable {
  let call: CommandCall
  let servers: ServersStore
  /// The key to which the user agreed in the call; "" for none.
  let agreed: String

  /// Checks the certificate of a server and stores its key if the user agrees.
  ///
  /// - Parameters:
  ///   - address: An address of the server.
  ///   - sibling: A trusted key of the same installation; the same key needs no second confirmation.
  /// - Returns: The pin that was stored or is already trusted; nil if none is needed.
  /// - Throws: ``LabError/untrusted``, ``LabError/changedKey``,
  ///   `HTTPError`.
  @discardableResult
  func decide(_ address: String, sibling: String? = nil) async throws -> String? {
    guard address.hasPrefix("https://") else { return nil }
    let host = ServerAccess.hostAndPort(of: address)
    let known = try await servers.snapshot().trustedKeys.filter { $0.host == host }.map(\.pin)
    let certificate = try await LabAccess(call.context, keys: []).servers.certificate(of: address)
    if known.contains(certificate.pin) { return certificate.pin }
    if known.isEmpty, certificate.problem == nil { return nil }
    if agreed == certificate.pin || (known.isEmpty && sibling == certificate.pin) {
      try await remember(host, certificate)
      return certificate.pin
    }
    guard known.isEmpty else {
      throw LabError.changedKey(
        "'\(host)' has the key \(certificate.pin), not the trusted \(known.joined(separator: " or ")); nothing was "
          + "sent",
        advice: "the connection may be intercepted; if the administrator confirms the new key, log in with "
          + "'--trust \(certificate.pin)'",
        details: [
          "server": .text(host), "shown": .text(certificate.pin), "trusted": .list(known.map(Value.text)),
        ]
      ).sanitized
    }
    guard agreed.isEmpty, try await isAgreed(host, certificate) else {
      throw LabError.untrusted(
        "the certificate of '\(host)' (\(certificate.subject)) is not trusted: \(certificate.problem ?? "unknown")",
        advice: "if the administrator confirms the key \(certificate.pin), log in with '--trust \(certificate.pin)'",
        details: ["server": .text(host), "pin": .text(certificate.pin), "subject": .text(certificate.subject)]
      ).sanitized
    }
    try await remember(host, certificate)
    return certificate.pin
  }

  private func remember(_ host: String, _ certificate: ShownCertificate) async throws {
    let key = TrustedKey(
      host: host, pin: certificate.pin, subject: certificate.subject, firstTrustedAt: call.context.now())
    try await servers.trust(key)
  }

  private func isAgreed(_ host: String, _ certificate: ShownCertificate) async throws -> Bool {
    let question =
      "This machine does not trust the certificate of \(host) (\(certificate.subject), signed by "
      + "\(certificate.issuer), valid until \(certificate.validUntil)). Ask the administrator whether its key is "
      + "\(certificate.pin). Trust this key from now on?"
    return try await call.isConfirmed(question)
  }
}
