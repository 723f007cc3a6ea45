import PluginAPI
import PluginNet
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// Sessions: logging in, expiry, and renewal.
@Suite(.timeLimit(.minutes(10)))
struct RPCSessionTests {
  private static let password = Secret("swordfish")

  /// A server with one user, `peter`, whose tokens expire on the test's command.
  private final class SessionLab: Sendable {
    struct State: Sendable {
      var logins = 0
      var served = 0
      var valid: Set<String> = []
      /// The numbers of served calls before which the session expires.
      var endings: Set<Int> = []
      var knowsV3 = true
    }

    let state: Mutexed<State>
    let lab: LabFixture

    init(_ state: State = State(), _ message: @escaping @Sendable (String) -> String = SessionLab.words) throws {
      let state = Mutexed(state)
      self.state = state
      lab = try LabFixture { call in
        state.withLock { state in Self.answer(call, &state, message) }
      }
    }

    static func words(_ token: String) -> String { "Session token '\(token)' is invalid: user is not logged in." }

    private static func answer(
      _ call: LabFixture.Call, _ state: inout State, _ message: (String) -> String
    ) -> LabFixture.Reply {
      if !state.knowsV3, call.path.hasSuffix("v3.json") { return .body("gone", status: 404, type: "text/html") }
      if call.method == "login" || call.method == "tryToAuthenticateAtQueryServer" {
        guard call.parameters == ["peter", "swordfish"] else { return .result("null") }
        state.logins += 1
        let token = "peter-13022510203040\(state.logins)xABCDEF0123456789"
        state.valid.insert(token)
        return .result("\"\(token)\"")
      }
      let token = call.parameters.first?.text ?? ""
      if state.endings.remove(state.served) != nil { state.valid = [] }
      if call.method == "isSessionActive" { return .result("\(state.valid.contains(token))") }
      guard state.valid.contains(token) else {
        return .fault(exception: LabFixture.sessionException, message: message(token))
      }
      if call.method == "logout" { state.valid.remove(token) }
      state.served += 1
      return .result("\(state.served)")
    }

    func session(
      _ key: RPCSession.Key = .password(RPCSessionTests.password), token: Secret? = nil, user: String = "peter",
      onNewToken: @escaping @Sendable (Secret) -> Void = { _ in }
    ) -> RPCSession {
      RPCSession(lab.connection(), user: user, key: key, token: token, onNewToken: onNewToken)
    }
  }

  private func call(_ number: Int) -> RPCCall { RPCCall(interface: .query, method: "ask\(number)") }

  @Test func `case 1: a wrong password fails the login once and leaves no token`() async throws {
    let lab = try SessionLab()
    let kept = Mutexed<[Secret]>([])
    let session = lab.session(.password(Secret("wrong-one"))) { token in kept.withLock { $0.append(token) } }
    let error = await errorOf { try await session.callForValue(call(1)) }
    #expect(error as? RPCError == .loginFailed(server: lab.lab.address.base, user: "peter"))
    let report = (error as? RPCError)?.report
    #expect(report?.code == "openbis.login-failed" && report?.exitStatus == 7)
    #expect(report?.message.contains("wrong-one") == false && report?.message.hasPrefix("login failed") == true)
    #expect(lab.lab.methods == ["login"] && session.token == nil && kept.value.isEmpty)
  }

  @Test func `cases 2 and 3: an expired session costs one login and one repeated call`() async throws {
    for ending in 0..<12 {
      let lab = try SessionLab(.init(endings: [ending]))
      let session = lab.session()
      try await session.login()
      for number in 1...12 { #expect(try await session.callForValue(call(number)).integer == number) }
      var expected = ["login"] + (1...12).map { "ask\($0)" }
      // The interrupted call comes first, then the login, then the call again.
      expected.insert(contentsOf: ["login", "ask\(ending + 1)"], at: ending + 2)
      #expect(lab.lab.methods == expected)
    }
  }

  @Test func `case 3: a session that expires again at once is an error`() async throws {
    let lab = try LabFixture { call in
      call.method == "login"
        ? .result("\"peter-130225102030405xABCDEF0123456789\"")
        : .fault(exception: LabFixture.sessionException, message: "Session no longer available. Please login again.")
    }
    let session = RPCSession(lab.connection(), user: "peter", key: .password(Self.password))
    let error = await errorOf { try await session.callForValue(call(1)) }
    #expect(error as? RPCError == .sessionEnded(.init(method: "ask1", server: lab.address.base), wasRenewed: true))
    #expect(lab.methods == ["login", "ask1", "login", "ask1"])
  }

  @Test(arguments: ["peter-130225102030405xABCDEF0123456789", "$pat-peter-130225102030405xABCDEF0123456789"])
  func `case 4: without a password an expired session is reported without a login`(token: String) async throws {
    let lab = try SessionLab()
    let session = lab.session(.none, token: Secret(token))
    let error = await errorOf { try await session.callForValue(call(1)) }
    #expect(error as? RPCError == .sessionEnded(.init(method: "ask1", server: lab.lab.address.base), wasRenewed: false))
    #expect(codeOf(error) == "openbis.session-ended" && !messageOf(error).contains(token))
    #expect(lab.lab.methods == ["ask1"])
    // Without a token there is nothing to ask either.
    let none = lab.session(.none)
    #expect(codeOf(await errorOf { try await none.callForValue(call(2)) }) == "openbis.session-ended")
    #expect(lab.lab.methods == ["ask1"])
  }

  @Test func `case 5: the text of an expired session in another exception is an ordinary error`() async throws {
    let token = Secret("peter-130225102030405xABCDEF0123456789")
    for exception in ["ch.systemsx.cisd.common.exceptions.UserFailureException", "NotInvalidSessionException", ""] {
      let lab = try LabFixture { _ in .fault(exception: exception, message: SessionLab.words(token.text)) }
      let session = RPCSession(lab.connection(), user: "peter", key: .password(Self.password), token: token)
      let error = await errorOf { try await session.callForValue(call(1)) }
      #expect(codeOf(error) == "openbis.remote-error")
      #expect(messageOf(error).contains("Session token '•••' is invalid"))
      #expect(lab.methods == ["ask1"])
    }
  }

  @Test func `an exception after the start of a result does not repeat the call`() async throws {
    let lab = try LabFixture { _ in
      .body(
        #"{"id":ID,"result":[1],"error":{"code":0,"message":"m","data":{"exceptionTypeName":"a.InvalidSessionException"}}}"#
      )
    }
    let session = RPCSession(lab.connection(), user: "peter", key: .password(Self.password), token: Secret("t-1xF"))
    #expect(codeOf(await errorOf { try await session.callForValue(call(1)) }) == "openbis.remote-error")
    #expect(lab.methods == ["ask1"])
  }

  @Test func `calls that fail together cause a single login`() async throws {
    let lab = try SessionLab()
    let session = lab.session(token: Secret("peter-130225102030405xDEAD0123456789"))
    let numbers = try await withThrowingTaskGroup(of: Int?.self) { group in
      for number in 1...8 { group.addTask { try await session.callForValue(call(number)).integer } }
      var all: Set<Int> = []
      for try await number in group { all.insert(number ?? 0) }
      return all
    }
    #expect(numbers == Set(1...8))
    #expect(lab.state.value.logins == 1)
  }

  @Test func `a login falls back to V1 for a server without V3, which is used from then on`() async throws {
    let lab = try SessionLab(.init(knowsV3: false))
    let kept = Mutexed<[Secret]>([])
    let session = lab.session { token in kept.withLock { $0.append(token) } }
    #expect(session.dialect == nil)
    #expect(try await session.callForValue(call(1)) == 1)
    #expect(lab.lab.methods == ["login", "tryToAuthenticateAtQueryServer", "ask1"])
    #expect(session.dialect == .v1 && kept.value == [session.token])
    #expect(try await session.isActive())
    #expect(lab.lab.calls.last?.path.hasSuffix("rmi-general-information-v1.json") == true)
    lab.state.withLock { $0.valid = [] }
    #expect(try await session.callForValue(call(2)) == 2)
    #expect(lab.lab.methods.suffix(3) == ["ask2", "tryToAuthenticateAtQueryServer", "ask2"])
  }

  @Test func `a token of one interface serves the others`() async throws {
    let lab = try SessionLab()
    let session = lab.session()
    for interface in [RPCCall.Interface.application, .query, .generalInformation, .dataStore(lab.lab.address.base)] {
      _ = try await session.callForValue(RPCCall(interface: interface, method: "ask"))
    }
    #expect(lab.state.value.logins == 1)
    #expect(Set(lab.lab.calls.map(\.path)).count == 4)
  }

  @Test func `the state of a session is requested, and logging out ends it`() async throws {
    let lab = try SessionLab()
    let session = lab.session()
    #expect(try await session.isActive() == false)
    #expect(lab.lab.calls.isEmpty)
    try await session.login()
    #expect(try await session.isActive())
    try await session.logout()
    #expect(session.token == nil && lab.state.value.valid.isEmpty)
    try await session.logout()
    #expect(lab.lab.methods == ["login", "isSessionActive", "logout"])
  }

  @Test func `on a server without V3 an earlier session is checked and ended by V1`() async throws {
    let token = "peter-130225102030400xABCDEF0123456789"
    let lab = try SessionLab(.init(valid: [token], knowsV3: false))
    #expect(try await lab.session(token: Secret(token)).isActive())
    try await lab.session(token: Secret(token)).logout()
    #expect(lab.state.value.valid.isEmpty)
    #expect(lab.lab.methods == ["isSessionActive", "isSessionActive", "logout", "logout"])
    #expect(try await !lab.session(token: Secret(token)).isActive())
  }

  @Test func `a session is not renewed after a logout`() async throws {
    let lab = try SessionLab()
    let kept = Mutexed<[Secret]>([])
    let session = lab.session { token in kept.withLock { $0.append(token) } }
    #expect(try await session.callForValue(call(1)) == 1)
    try await session.logout()
    #expect(codeOf(await errorOf { try await session.callForValue(call(2)) }) == "openbis.session-ended")
    #expect(codeOf(await errorOf { try await session.login() }) == "openbis.session-ended")
    #expect(lab.state.value.logins == 1 && kept.value.count == 1 && session.token == nil)
  }

  @Test func `a login overtaken by a logout is not stored and ends on the server`() async throws {
    let entered = AsyncStream.makeStream(of: Void.self)
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let lab = try LabFixture { call in
      guard call.method == "login" else { return .result("null") }
      entered.continuation.yield()
      for await _ in gate { break }
      return .result("\"peter-130225102030405xABCDEF0123456789\"")
    }
    let kept = Mutexed<[Secret]>([])
    let session = RPCSession(lab.connection(), user: "peter", key: .password(Self.password)) { token in
      kept.withLock { $0.append(token) }
    }
    let syncing = Task { try await session.callForValue(call(1)) }
    for await _ in entered.stream { break }
    try await session.logout()
    open.yield()
    #expect(codeOf(await errorOf { try await syncing.value }) == "openbis.session-ended")
    #expect(kept.value.isEmpty && session.token == nil)
    #expect(lab.methods == ["login", "logout"])
  }

  @Test func `a personal access token is forgotten but not ended`() async throws {
    let lab = try SessionLab()
    let session = lab.session(.none, token: Secret("$pat-peter-130225102030405xABCDEF0123456789"))
    try await session.logout()
    #expect(session.token == nil && lab.lab.calls.isEmpty)
  }

  @Test func `a call canceled during a hanging login ends at once, and the others get their session`() async throws {
    let entered = AsyncStream.makeStream(of: Void.self)
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let lab = try LabFixture { call in
      guard call.method == "login" else { return .result("1") }
      entered.continuation.yield()
      for await _ in gate { break }
      return .result("\"peter-130225102030405xABCDEF0123456789\"")
    }
    let session = RPCSession(lab.connection(), user: "peter", key: .password(Self.password))
    let staying = Task { try await session.callForValue(call(1)) }
    for await _ in entered.stream { break }
    let leaving = Task { try await session.callForValue(call(2)) }
    leaving.cancel()
    await #expect(throws: CancellationError.self) { try await leaving.value }
    open.yield()
    #expect(try await staying.value == 1)
    #expect(lab.methods == ["login", "ask1"])
  }

  @Test func `no message about a session contains its token`() async throws {
    let token = Secret("hans-peter-130225102030405xABCDEF0123456789")
    let texts = [
      "Session token '\(token.text)' is invalid: user is not logged in.",
      "Session token '\(token.text)' is malformed. Please login again.",
      "Session token '\(token.text)' is invalid: wrong token. Please login again.",
      "Session no longer available. Please login again.",
    ]
    for text in texts {
      let lab = try LabFixture { call in
        call.method == "login" ? .result("null") : .fault(exception: LabFixture.sessionException, message: text)
      }
      for key in [RPCSession.Key.none, .password(Self.password)] {
        let session = RPCSession(lab.connection(), user: "hans-peter", key: key, token: token)
        let error = await errorOf { try await session.callForValue(call(1)) }
        let report = (error as? any ReportableError)?.report
        let words = "\(String(describing: error)) \(String(describing: report)) \(report?.details.fields ?? [])"
        #expect(!words.contains("ABCDEF0123456789") && !words.contains("swordfish"))
        #expect(codeOf(error) == (key == .none ? "openbis.session-ended" : "openbis.login-failed"))
      }
    }
  }
}
