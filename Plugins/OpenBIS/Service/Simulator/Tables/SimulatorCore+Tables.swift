import PluginAPI
import Synchronization

extension SimulatorCore {
  static let serviceKey = "ipad-read-service-v1"

  /// Answers a call of V1.
  func tableOutcome(of call: SimulatedCall) throws(SimulatedFailure) -> SimulatedOutcome {
    switch (call.interface, call.method) {
    case (.query, "tryToAuthenticateAtQueryServer"), (.generalInformation, "tryToAuthenticateForAllServices"):
      guard call.parameters.count == 2 else { throw .badParameters(call.method) }
      return logIn(call).map { .text($0) } ?? .null
    case (_, "logout"):
      logOut(call)
      return .null
    case (_, "isSessionActive"): return .words(isActive(call) ? "true" : "false")
    case (.query, "listAggregationServices"):
      _ = try user(of: call)
      return .words(serviceList)
    case (.query, "createReportFromAggregationService"):
      let user = try user(of: call)
      guard call.parameters.count == 3, let key = call.parameters[1].text, let store = call.parameters[0].text else {
        throw .badParameters(call.method)
      }
      return try dataStoreReport(store, key, call.parameters[2], user, .v1)
    default: throw .unknownMethod(call.method)
    }
  }

  /// Runs the service at a data store, which the application server calls.
  func dataStoreReport(
    _ store: String, _ key: String, _ parameters: Value, _ user: SimulatorConfiguration.User,
    _ syntax: SimulatedTableSyntax
  ) throws(SimulatedFailure) -> SimulatedOutcome {
    if state.withLock({ $0.has(.dataStoreDown) }) {
      throw .exception("org.springframework.remoting.RemoteConnectFailureException", ServerWords.dataStoreUnreached)
    }
    return try report(store, key, parameters, user, syntax)
  }

  /// Runs the service.
  func report(
    _ store: String, _ key: String, _ parameters: Value, _ user: SimulatorConfiguration.User,
    _ syntax: SimulatedTableSyntax
  ) throws(SimulatedFailure) -> SimulatedOutcome {
    let view = view(hidden: user.hidden)
    guard view.dataStores.contains(store) else { throw .user("Unknown data store server '\(store)'") }
    guard key == Self.serviceKey, !state.withLock({ $0.has(.serviceMissing) }) else {
      throw .user("Data store server '\(store)' has no report with key '\(key)'")
    }
    return switch try TableAnswers(view: view).answer(parameters) {
    case .table(let table): .table(table, syntax)
    case .rows(let rows): .rows(rows, syntax)
    }
  }

  private var serviceList: String {
    let view = view(hidden: [])
    let isMissing = state.withLock { $0.has(.serviceMissing) }
    let label = lab.shape == .tagBrowser ? "iPad Tag Browser Service" : "iPad Read Service"
    var services: [String] = []
    func add(_ store: String, _ key: String, _ label: String) {
      services.append(
        #"{"@type":"AggregationServiceDescription","@id":\#(services.count + 1),"dataStoreCode":\#(store.asSimulatedJSON),"#
          + #""dataStoreBaseUrl":\#(view.base.asSimulatedJSON),"serviceKey":"\#(key)","label":"\#(label)","type":"REPORT"}"#
      )
    }
    for store in view.dataStores {
      add(store, "plate-overview", "Plate Overview")
      if !isMissing { add(store, Self.serviceKey, label) }
    }
    return "[" + services.joined(separator: ",") + "]"
  }
}
