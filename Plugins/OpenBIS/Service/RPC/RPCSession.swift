import PluginAPI
import PluginJSON
import PluginNet
import Synchronization

/// A user's session at a server: logs in when needed, and again when the server has dropped the session.
///
/// A token is valid for all interfaces of a server, whichever issued it.
final class RPCSession: RPCCaller {
  /// The credentials for renewing a session.
  enum Key: Sendable, Hashable {
    /// The user's password.
    case password(Secret)
    /// No credentials: there is only a token, possibly a personal access token.
    case none
  }

  /// The method of logging in.
  enum Dialect: Sendable, Hashable, CaseIterable {
    /// V3, `login`.
    case v3
    /// V1, `tryToAuthenticateAtQueryServer`.
    case v1
  }

  private struct State {
    var token: Secret?
    var key: Key
    var dialects: [Dialect]
  }

  /// The user's name.
  let user: String
  private let connection: RPCConnection
  private let onNewToken: @Sendable (Secret) -> Void
  private let keptToken: @Sendable () -> Secret?
  private let logins = SingleFlight<Secret>()
  private let state: Mutex<State>
  /// A Boolean value indicating whether the user logged out.
  ///
  /// The lock is held while a new token is stored, so that none is stored after a logout.
  private let isEnded = Mutex(false)

  /// Creates a session without sending any request.
  ///
  /// - Parameters:
  ///   - connection: The connection to the server.
  ///   - user: The user's name.
  ///   - key: The credentials for renewing the session.
  ///   - token: The token of a session that may still be active; nil to log in at the first call.
  ///   - dialects: The methods of logging in, tried in order until the server knows one.
  ///   - onNewToken: Stores each new token; called on any thread.
  ///   - keptToken: Returns the stored token, possibly of another process; nil if there is none.
  init(
    _ connection: RPCConnection, user: String, key: Key, token: Secret? = nil, dialects: [Dialect] = [.v3, .v1],
    onNewToken: @escaping @Sendable (Secret) -> Void = { _ in },
    keptToken: @escaping @Sendable () -> Secret? = { nil }
  ) {
    self.connection = connection
    self.user = user
    self.onNewToken = onNewToken
    self.keptToken = keptToken
    state = Mutex(State(token: token, key: key, dialects: dialects))
  }

  /// The server.
  var server: ServerAddress { connection.server }

  /// The current token; nil before the first login.
  var token: Secret? { state.withLock { $0.token } }

  /// The method of the last login; nil while several are still to be tried.
  var dialect: Dialect? { state.withLock { $0.dialects.count == 1 ? $0.dialects[0] : nil } }

  /// Logs in now, even if there is a session; concurrent calls log in once.
  ///
  /// - Throws: ``RPCError/loginFailed(server:user:)``, ``RPCError/sessionEnded(_:wasRenewed:)`` without a password, and
  ///   errors of a call.
  @discardableResult
  func login() async throws -> Secret {
    try await logins.run { [self] in try await loginNow(for: target("login")) }
  }

  /// Returns true if the server still knows the session; false without a request if there is none.
  func isActive() async throws -> Bool {
    guard let token else { return false }
    return try await isActive(token)
  }

  private func isActive(_ token: Secret) async throws -> Bool {
    do {
      return try await askEither(token) { dialect in
        RPCCall(interface: dialect == .v1 ? .generalInformation : .application, method: "isSessionActive")
      }.bool ?? false
    } catch let failure as RPCFailure {
      if failure.endsSession { return false }
      throw failure.error
    }
  }

  /// Ends the session at the server and discards token and password; a personal access token is only discarded.
  ///
  /// Further calls of this session fail: nothing renews it.
  func logout() async throws {
    isEnded.withLock { $0 = true }
    let token = state.withLock { state in
      defer { (state.token, state.key) = (nil, .none) }
      return state.token
    }
    if let token { try await end(token) }
  }

  /// Ends a session at the server.
  private func end(_ token: Secret) async throws {
    if SessionToken(token).isPersonal { return }
    do {
      _ = try await askEither(token) { dialect in
        RPCCall(interface: dialect == .v1 ? .query : .application, method: "logout")
      }
    } catch let failure as RPCFailure {
      if !failure.endsSession { throw failure.error }
    }
  }

  /// Calls by the method of the last login; tries the methods in order while it is unknown, as in a new process.
  private func askEither(_ token: Secret, _ call: (Dialect) -> RPCCall) async throws -> Value {
    let dialects = state.withLock { $0.dialects }
    for dialect in dialects.dropLast() {
      let reader = ValueReader()
      do {
        _ = try await connection.call(call(dialect), token: token, reader)
        return reader.value
      } catch let failure as RPCFailure where failure.error.isMissingMethod {
        continue
      } catch let error as RPCError where error.isMissingMethod {
        continue
      }
    }
    let reader = ValueReader()
    _ = try await connection.call(call(dialects.last ?? .v3), token: token, reader)
    return reader.value
  }

  /// Returns a token other than the rejected one; concurrent calls log in once.
  ///
  /// - Parameter refused: The rejected token; nil to return any existing token.
  /// - Throws: The errors of ``login()``.
  func renewed(_ refused: Secret?) async throws -> Secret {
    guard let refused else { return try await currentToken(for: target("login")) }
    return try await renewedToken(insteadOf: refused, for: target("login"))
  }

  func call(_ call: RPCCall, _ reader: any RPCResultReader & Sendable) async throws -> RPCResponse {
    guard call.takesToken else { return try await attempt(call, nil, reader) }
    let target = target(call.method)
    let token = try await currentToken(for: target)
    do {
      return try await connection.call(call, token: token, hiding: secrets, reader)
    } catch let failure as RPCFailure {
      guard failure.endsSession else { throw failure.error }
    }
    // Another call may have logged in since then.
    let renewed = try await renewedToken(insteadOf: token, for: target)
    do {
      return try await connection.call(call, token: renewed, hiding: secrets, reader)
    } catch let failure as RPCFailure {
      throw failure.endsSession ? RPCError.sessionEnded(target, wasRenewed: true) : failure.error
    }
  }

  private func attempt(
    _ call: RPCCall, _ token: Secret?, _ reader: any RPCResultReader & Sendable
  ) async throws -> RPCResponse {
    do {
      return try await connection.call(call, token: token, hiding: secrets, reader)
    } catch let failure as RPCFailure {
      throw failure.error
    }
  }

  private func target(_ method: String) -> RPCTarget {
    RPCTarget(method: method, server: HTTPAddress.shown(connection.server.base))
  }

  private var secrets: [Secret] {
    state.withLock { state in
      if case .password(let password) = state.key { return [password] + [state.token].compactMap { $0 } }
      return [state.token].compactMap { $0 }
    }
  }

  private func currentToken(for target: RPCTarget) async throws -> Secret {
    if let token { return token }
    return try await logins.run { [self] in
      if let token { return token }
      return try await loginNow(for: target)
    }
  }

  private func renewedToken(insteadOf old: Secret, for target: RPCTarget) async throws -> Secret {
    try await logins.run { [self] in
      if let token, token != old { return token }
      if let kept = try await tokenOfOthers(than: old) { return kept }
      return try await loginNow(for: target)
    }
  }

  /// Returns the token of an active session that another process began for the account; nil if there is none.
  private func tokenOfOthers(than old: Secret) async throws -> Secret? {
    guard let kept = keptToken(), kept != old else { return nil }
    do {
      guard try await isActive(kept) else { return nil }
    } catch is RPCError {
      return nil
    }
    return isEnded.withLock { isEnded in
      if isEnded { return nil }
      state.withLock { $0.token = kept }
      return kept
    }
  }

  private func loginNow(for target: RPCTarget) async throws -> Secret {
    let (key, dialects) = state.withLock { ($0.key, $0.dialects) }
    guard case .password(let password) = key else { throw RPCError.sessionEnded(target, wasRenewed: false) }
    for (index, dialect) in dialects.enumerated() {
      do {
        let token = try await login(by: dialect, password)
        let isKept = isEnded.withLock { isEnded in
          if isEnded { return false }
          state.withLock { ($0.token, $0.dialects) = (token, [dialect]) }
          onNewToken(token)
          return true
        }
        if isKept { return token }
        // The user logged out in the meantime: this late session ends at once.
        try? await end(token)
        throw RPCError.sessionEnded(target, wasRenewed: false)
      } catch let error as RPCError where error.isMissingMethod && index < dialects.count - 1 {
        continue
      }
    }
    throw RPCError.methodMissing(target)
  }

  private func login(by dialect: Dialect, _ password: Secret) async throws -> Secret {
    var call = RPCCall(
      interface: dialect == .v3 ? .application : .query,
      method: dialect == .v3 ? "login" : "tryToAuthenticateAtQueryServer")
    call.takesToken = false
    call.parameters = [Value.text(user).json, Value.text(password.text).json]
    let reader = ValueReader()
    _ = try await attempt(call, nil, reader)
    guard let token = reader.value.text, !token.isEmpty else {
      throw RPCError.loginFailed(server: HTTPAddress.shown(connection.server.base), user: user)
    }
    return Secret(token)
  }
}
