import PluginAPI
import PluginJSON

/// The table service `ipad-read-service-v1` of a data store.
struct TableService: Sendable {
  /// The interface by which the service is called.
  enum Host: Sendable, Hashable, CaseIterable {
    /// V1, `createReportFromAggregationService`.
    case v1
    /// V3, `executeAggregationService` of a data store, or `executeCustomASService` of the application server.
    case v3
  }

  /// The name of the service.
  static let key = "ipad-read-service-v1"

  private let caller: any RPCCaller
  private let host: Host
  private let dataStore: String

  /// Creates access to the service of a data store.
  ///
  /// - Parameters:
  ///   - caller: The caller of the server.
  ///   - host: The interface to use.
  ///   - dataStore: The data store's code; "" if the application server offers the service itself, by V3.
  init(_ caller: any RPCCaller, host: Host, dataStore: String) {
    self.caller = caller
    self.host = host
    self.dataStore = dataStore
  }

  /// Requests the preferences for clients; missing or wrong values are replaced by the defaults.
  ///
  /// - Throws: Errors of the call.
  func preferences() async throws -> ClientPreferences {
    let reader = TableReader(PreferenceRows())
    _ = try await caller.call(call(.preferences), reader)
    try reader.check()
    return reader.rows.preferences
  }

  /// Requests a table and sends its rows to a channel while they arrive; the channel ends with the call.
  ///
  /// - Throws: Errors of the call; the channel then fails with the same error.
  func rows(_ request: TableRequest, into channel: RowChannel) async throws -> TableSummary {
    do {
      let reader = TableReader(
        EntityRows { batch in
          // The receiver of the rows has stopped.
          if channel.hasEnded { throw CancellationError() }
          channel.push(batch)
        }, channel)
      let response = try await caller.call(call(request), reader)
      try reader.check()
      try reader.withRows { try $0.flush() }
      channel.finish()
      return TableSummary(request, reader.rows, response)
    } catch {
      channel.fail(error)
      throw error
    }
  }

  private func call(_ request: TableRequest) -> RPCCall {
    var call: RPCCall
    switch host {
    case .v1:
      call = RPCCall(interface: .query, method: "createReportFromAggregationService")
      call.parameters = [Value.text(dataStore).json, Value.text(Self.key).json, request.parameters]
    case .v3 where dataStore.isEmpty:
      call = RPCCall(interface: .application, method: "executeCustomASService")
      call.parameters = [
        (["@type": "as.dto.service.id.CustomASServiceCode", "permId": .text(Self.key)] as Value).json,
        Self.options("as.dto.service.CustomASServiceExecutionOptions", request.parameters),
      ]
    case .v3:
      call = RPCCall(interface: .application, method: "executeAggregationService")
      call.parameters = [
        serviceID.json,
        Self.options("as.dto.service.execute.AggregationServiceExecutionOptions", request.parameters),
      ]
    }
    call.stallInSeconds = request.stallInSeconds
    return call
  }

  /// The id of the service.
  /// - Source: the sources of openBIS, its V1 and V3 interfaces
  private var serviceID: Value {
    .record([
      "@type": "as.dto.service.id.DssServicePermId", "permId": .text(Self.key),
      "dataStoreId": .record(["@type": "as.dto.datastore.id.DataStorePermId", "permId": .text(dataStore)]),
    ])
  }

  private static func options(_ type: String, _ parameters: [UInt8]) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("@type")
    writer.write(type)
    writer.key("parameters")
    writer.write(raw: parameters)
    writer.endObject()
    return writer.take()
  }
}

/// The summary of a table service's response.
struct TableSummary: Sendable {
  /// The number of rows passed on.
  var rowCount: Int
  /// The number of unusable rows.
  var skippedRows: Int
  /// A Boolean value indicating whether the server reports deletions, so that it need not send everything.
  var hasDeletedColumn: Bool
  /// The titles of the columns.
  var columns: [String]
  var warnings: [Diagnostic]
  var response: RPCResponse

  init(_ request: TableRequest, _ rows: EntityRows, _ response: RPCResponse) {
    rowCount = rows.notes.rows
    skippedRows = rows.notes.skippedRows
    columns = rows.titles
    hasDeletedColumn = rows.titles.contains("DELETED")
    self.response = response
    let source = "the response to \(request.key)"
    warnings = rows.notes.warnings(source)
    if response.replacedSurrogates > 0 {
      warnings.append(
        Diagnostic(
          .warning, code: "openbis.text-replaced",
          "\(source) has \(response.replacedSurrogates) halves of surrogate pairs; U+FFFD replaces them"))
    }
  }
}

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

/// A request to the table service.
///
/// - Source: the sources of openBIS, its V1 and V3 interfaces
enum TableRequest: Sendable, Hashable {
  /// The entities that group the roots.
  case navigation
  /// The same request in the older dialect.
  case categories
  /// The roots below these navigation entities, or all roots if there are none.
  ///
  /// `lastUpdate` is the time since which changes are requested, by the server's clock in seconds since 1970 with six
  /// decimals; `namesCategory` also sends the first entity's reference as `category`, for the oldest dialect.
  case roots([EntityReference], lastUpdate: String, namesCategory: Bool)
  /// The children of entities.
  case drill([EntityReference])
  /// All details of entities.
  case details([EntityReference])
  /// Entities that match a text, in a domain of the preferences or the default one.
  case search(String, domain: ClientPreferences.SearchDomain?)
  /// An empty request, which shows that server and session are alive.
  case ping
  /// The server's preferences for clients.
  case preferences

  /// The value of `requestKey`.
  var key: String {
    switch self {
    case .navigation: "NAVIGATION"
    case .categories: "CATEGORIES"
    case .roots: "ROOT"
    case .drill: "DRILL"
    case .details: "DETAIL"
    case .search: "SEARCH"
    case .ping: "PING"
    case .preferences: "CLIENT_PREFS"
    }
  }

  /// The time without a received byte after which the call fails, in seconds.
  ///
  /// - Source: the sources of openBIS, its V1 and V3 interfaces; the server computes the whole table before it sends
  ///   the first byte.
  var stallInSeconds: Int {
    if case .roots = self { return 60 }
    return 30
  }

  /// The map of parameters, as JSON.
  var parameters: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("requestKey")
    writer.write(key)
    switch self {
    case .roots(let entities, let lastUpdate, let namesCategory):
      Self.write(entities, isDecoded: false, to: &writer)
      writer.key("lastupdate")
      writer.write(lastUpdate)
      if namesCategory, let first = entities.first {
        writer.key("category")
        Self.write(decoded: first.refcon, to: &writer)
      }
    case .drill(let entities), .details(let entities): Self.write(entities, isDecoded: true, to: &writer)
    case .search(let text, let domain):
      writer.key("searchtext")
      writer.write(text)
      if let domain {
        writer.key("searchdomain")
        writer.write(.record(["key": .text(domain.key), "label": .text(domain.label)]))
      }
    case .navigation, .categories, .ping, .preferences: break
    }
    writer.endObject()
    return writer.take()
  }

  /// Writes entities; REFCON is sent as text to ROOT, and as the decoded value to DRILL and DETAIL.
  ///
  /// - Source: the sources of openBIS, its V1 and V3 interfaces; plugins index into the value.
  private static func write(_ entities: [EntityReference], isDecoded: Bool, to writer: inout JSONWriter) {
    writer.key("entities")
    writer.beginArray()
    for entity in entities {
      writer.beginObject()
      writer.key("PERM_ID")
      writer.write(entity.permID)
      writer.key("REFCON")
      if isDecoded { write(decoded: entity.refcon, to: &writer) } else { writer.write(entity.refcon) }
      writer.endObject()
    }
    writer.endArray()
  }

  /// Inserts the text itself, so that numbers and the order of keys stay unchanged; as a string if it is not JSON.
  private static func write(decoded refcon: String, to writer: inout JSONWriter) {
    let bytes = Array(refcon.utf8)
    if isJSON(bytes) { writer.write(raw: bytes) } else { writer.write(refcon) }
  }

  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    // A reader skips the byte order mark of UTF-8, but within another document it is an error.
    if bytes.isEmpty || bytes.first == 0xEF { return false }
    do {
      let reader = try JSONReader { event in
        switch event {
        case .beginObject, .beginArray: .skip
        default: .more
        }
      }
      try reader.push(bytes)
      try reader.finish()
      return true
    } catch {
      return false
    }
  }
}
