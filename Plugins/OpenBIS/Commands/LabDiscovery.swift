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
  /// - Throws: ``LabError/noInterface(server:)``, ``RPCError/noTables(server:)``; other errors of the calls.
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
      throw try await services(.v1) == nil
        ? LabError.noInterface(server: account.server.shown) : RPCError.noTables(server: account.server.shown)
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
      throw LabError.unknownDataStore(wanted, known: codes)
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
