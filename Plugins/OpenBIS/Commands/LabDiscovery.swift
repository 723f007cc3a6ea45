import PluginAPI

/// The detection of a server's interface: tables by V1, tables by V3, or objects only.
struct LabDiscovery: Sendable {
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
    call.report(Progress("asking what \(account.server.shown) offers"))
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
          "'\(account.user)' is logged in, but may not see anything at '\(account.server.shown)' yet",
          advice: "ask who runs the server for a role; then log in again"
        ).harmless)
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
        "'\(server)' answers neither V1 with tables nor V3",
        advice: "check the address; the path before '/openbis' belongs to it", details: ["server": .text(server)]
      ).harmless
    }
    account.backEnd = .native
    account.dataStore = nil
    if !call[LoginCommand.native] {
      call.warn(
        Diagnostic(
          .note, code: "openbis.no-tables",
          "the server has no service '\(TableService.key)'; its objects are shown by a mapping",
          advice: "'workbench openbis mapping show' prints it"))
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
        "the data store '\(wanted)' does not map", advice: "there are " + codes.joined(separator: ", "),
        details: ["dataStore": .text(wanted)]
      ).harmless
    }
    account.backEnd = host == .v1 ? .tablesV1 : .tablesV3
    account.dataStore = chosen.dataStore
    account.dataStores = codes
    if codes.count > 1, wanted.isEmpty, before == nil {
      call.warn(
        Diagnostic(
          .note, code: "openbis.several-data-stores",
          "\(codes.count) data stores map: \(codes.joined(separator: ", ")); '\(chosen.dataStore)' is asked",
          advice: "'--data-store' chooses another one"))
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
      call.context.log(.warning, "the data store at '\(ServerAccess.shown(address))' could not be looked at")
    } catch let report as ErrorReport where report.code == LabError.untrusted.code {
      call.warn(
        Diagnostic(
          .warning, code: report.code, "no images and files of the data store: " + report.message, advice: report.advice
        ))
    }
  }
}

/// The decision to trust a server's key, made before anything is sent to the server.
///
/// A key signed by an authority that this machine trusts needs no confirmation. Any other key is trusted once the user
/// agrees; from then on the server must show that key.
struct LabTrust: Sendable {
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
    let place = ServerAccess.hostAndPort(of: address)
    let known = try await servers.snapshot().trustedKeys.filter { $0.host == place }.map(\.pin)
    let certificate = try await LabAccess(call.context, keys: []).servers.certificate(of: address)
    if known.contains(certificate.pin) { return certificate.pin }
    if known.isEmpty, certificate.problem == nil { return nil }
    if agreed == certificate.pin || (known.isEmpty && sibling == certificate.pin) {
      try await remember(place, certificate)
      return certificate.pin
    }
    guard known.isEmpty else {
      throw LabError.changedKey(
        "'\(place)' shows the key \(certificate.pin), not the trusted \(known.joined(separator: " or ")): nothing was "
          + "sent",
        advice: "somebody may listen; if its people changed the key, log in with '--trust \(certificate.pin)'",
        details: [
          "server": .text(place), "shown": .text(certificate.pin), "trusted": .list(known.map(Value.text)),
        ]
      ).harmless
    }
    guard agreed.isEmpty, try await isAgreed(place, certificate) else {
      throw LabError.untrusted(
        "the certificate of '\(place)' (\(certificate.subject)) is not trusted: \(certificate.problem ?? "unknown")",
        advice: "if its people confirm the key \(certificate.pin), log in with '--trust \(certificate.pin)'",
        details: ["server": .text(place), "pin": .text(certificate.pin), "subject": .text(certificate.subject)]
      ).harmless
    }
    try await remember(place, certificate)
    return certificate.pin
  }

  private func remember(_ place: String, _ certificate: ShownCertificate) async throws {
    let key = TrustedKey(
      host: place, pin: certificate.pin, subject: certificate.subject, firstTrustedAt: call.context.now())
    try await servers.trust(key)
  }

  private func isAgreed(_ place: String, _ certificate: ShownCertificate) async throws -> Bool {
    let question =
      "The certificate of \(place) is signed by nobody this machine trusts (\(certificate.subject), signed by "
      + "\(certificate.issuer), until \(certificate.validUntil)). Ask its people whether its key is "
      + "\(certificate.pin). Trust it from now on? [y/N]"
    let answer = try await call.ask(PromptRequest(question))
    return ["y", "yes"].contains(answer?.lowercased())
  }
}
