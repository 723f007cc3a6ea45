import PluginAPI
import PluginJSON

/// A data store, or the application server itself, that offers the table service.
struct TableServiceDescription: Sendable, Hashable {
  /// The data store's code; "" for the application server.
  var dataStore: String
  /// The address of the data store; "" if the server does not report it.
  var baseAddress: String
  /// The name of the service.
  var key: String
  /// The name of the service for people.
  var label: String
}

extension TableService {
  /// Returns the providers of the table service, in the server's order; empty if there are none.
  ///
  /// The application server is asked only if no data store offers the service.
  ///
  /// - Throws: Errors of the calls.
  static func services(_ caller: any RPCCaller, host: Host) async throws -> [TableServiceDescription] {
    switch host {
    case .v1:
      let found = try await caller.callForValue(RPCCall(interface: .query, method: "listAggregationServices"))
      return (found.list ?? []).compactMap { service in
        description(
          key: service["serviceKey"], service["dataStoreCode"], service["dataStoreBaseUrl"], service["label"])
      }
    case .v3:
      let found = try await NativeService(caller).aggregationServices().compactMap { service in
        description(key: .text(service.key), .text(service.dataStore), .null, .text(service.label))
      }
      return found.isEmpty ? try await customServices(caller) : found
    }
  }

  /// Returns the application server if it offers the table service itself; older servers without such services offer
  /// none.
  private static func customServices(_ caller: any RPCCaller) async throws -> [TableServiceDescription] {
    do {
      return try await NativeService(caller).customServices().filter { $0.code == key }.prefix(1).map {
        TableServiceDescription(dataStore: "", baseAddress: "", key: $0.code, label: $0.label)
      }
    } catch let error as RPCError where error.isMissingMethod {
      return []
    }
  }

  private static func description(
    key: Value, _ dataStore: Value, _ address: Value, _ label: Value
  ) -> TableServiceDescription? {
    guard key.text == Self.key, let code = dataStore.text, !code.isEmpty else { return nil }
    return TableServiceDescription(
      dataStore: code, baseAddress: address.text ?? "", key: Self.key, label: label.text ?? Self.key)
  }
}
