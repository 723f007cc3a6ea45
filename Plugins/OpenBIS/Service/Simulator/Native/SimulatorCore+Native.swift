import PluginAPI
import PluginServer
import Synchronization

extension SimulatorCore {
  /// Answers a call of V3's application server.
  func nativeOutcome(of call: SimulatedCall) throws(SimulatedFailure) -> SimulatedOutcome {
    switch call.method {
    case "login":
      guard call.parameters.count == 2 else { throw .badParameters(call.method) }
      return logIn(call).map { .text($0) } ?? .null
    case "isSessionActive": return .words(isActive(call) ? "true" : "false")
    case "logout":
      logOut(call)
      return .null
    case "getServerPublicInformation": return .words(Self.publicInformation)
    case "loginAsAnonymousUser": return .null
    default: break
    }
    let user = try user(of: call)
    let view = view(hidden: user.hidden)
    if call.method.hasPrefix("search") || call.method.hasPrefix("get"),
      let outcome = try SimulatedSearch(self, call, view).outcome()
    {
      return outcome
    }
    switch call.method {
    case "getServerInformation": return .words(Self.information)
    case "getSessionInformation": return sessionInformation(call, user)
    case "executeAggregationService":
      guard call.parameters.count == 2, let key = call.parameters[0]["permId"].text,
        let store = call.parameters[0]["dataStoreId"]["permId"].text
      else { throw .badParameters(call.method) }
      return try dataStoreReport(store, key, call.parameters[1]["parameters"], user, .v3)
    case "executeCustomASService":
      guard call.parameters.count == 2, let key = call.parameters[0]["permId"].text else {
        throw .badParameters(call.method)
      }
      guard key == Self.serviceKey else { throw .user("Unknown custom AS service '\(key)'") }
      return try report(view.dataStores[0], key, call.parameters[1]["parameters"], user, .v3)
    case "createPersonalAccessTokens": return try createTokens(call, user)
    case "deletePersonalAccessTokens": return try deleteTokens(call, user)
    default: throw .unknownMethod(call.method)
    }
  }

  private static let publicInformation =
    #"{"authentication-service":"file-authentication-service","openbis.support.email":"keeper@example.org","api-version":"3.7"}"#
  private static let information =
    #"{"api-version":"3.7","openbis-version":"S20.10.11","archiving-configured":"false","authentication-service":"file-authentication-service","enabled-technologies":"","project-samples-enabled":"true","create-continuous-sample-codes":"false","personal-access-tokens-enabled":"true","personal-access-tokens-max-validity-period":"2592000","personal-access-tokens-validity-warning-period":"259200","openbis.support.email":"keeper@example.org"}"#

  private func sessionInformation(
    _ call: SimulatedCall, _ user: SimulatorConfiguration.User
  ) -> SimulatedOutcome {
    .words(
      #"{"@type":"as.dto.session.SessionInformation","@id":1,"userName":\#(user.name.asSimulatedJSON),"homeGroupCode":null,"#
        + #""person":null,"creatorPerson":null,"sessionToken":\#(call.token.asSimulatedJSON),"personalAccessTokenSession":"#
        + #"\#(call.token.hasPrefix("$pat-")),"personalAccessTokenSessionName":null}"#)
  }

  private func deleteTokens(
    _ call: SimulatedCall, _ user: SimulatorConfiguration.User
  ) throws(SimulatedFailure) -> SimulatedOutcome {
    let named = Set((call.parameters.first?.list ?? []).compactMap { $0["permId"].text })
    state.withLock { state in
      for token in state.tokens where named.contains(token.token) && token.owner == user.name {
        state.sessions[token.token] = nil
      }
      state.tokens.removeAll { named.contains($0.token) && $0.owner == user.name }
    }
    return .null
  }

  private func createTokens(
    _ call: SimulatedCall, _ user: SimulatorConfiguration.User
  ) throws(SimulatedFailure) -> SimulatedOutcome {
    if call.token.hasPrefix("$pat-") {
      throw .user("Personal access tokens cannot be used to manage personal access tokens.")
    }
    // Servers treat a single one as a list.
    let wanted = call.parameters.first?.list ?? call.parameters.filter { $0.record != nil }
    if wanted.isEmpty { throw .badParameters(call.method) }
    let now = self.now
    let tokens = state.withLock { state in
      wanted.map { creation in
        let token = state.begin(user.name, now: now, isForPrograms: true)
        state.tokens.append(
          .init(
            token: token, owner: user.name, sessionName: creation["sessionName"].text ?? "",
            from: creation["validFromDate"].integer ?? now, to: creation["validToDate"].integer ?? now))
        return token
      }
    }
    let ids = tokens.enumerated().map { index, token in
      #"{"@type":"as.dto.pat.id.PersonalAccessTokenPermId","@id":\#(index + 1),"permId":\#(token.asSimulatedJSON)}"#
    }
    return .words("[" + ids.joined(separator: ",") + "]")
  }
}
