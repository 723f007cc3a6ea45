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
      let answer = try await caller.call(call(request), reader)
      try reader.check()
      try reader.withRows { try $0.flush() }
      channel.finish()
      return TableSummary(request, reader.rows, answer)
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
      call.parameters = [RPCParameter.text(dataStore), RPCParameter.text(Self.key), request.parameters]
    case .v3 where dataStore.isEmpty:
      call = RPCCall(interface: .application, method: "executeCustomASService")
      call.parameters = [
        RPCParameter.value(.record(["@type": "as.dto.service.id.CustomASServiceCode", "permId": .text(Self.key)])),
        Self.options("as.dto.service.CustomASServiceExecutionOptions", request.parameters),
      ]
    case .v3:
      call = RPCCall(interface: .application, method: "executeAggregationService")
      call.parameters = [
        RPCParameter.value(serviceID),
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
  var answer: RPCAnswer

  init(_ request: TableRequest, _ rows: EntityRows, _ answer: RPCAnswer) {
    rowCount = rows.notes.rows
    skippedRows = rows.notes.skippedRows
    columns = rows.titles
    hasDeletedColumn = rows.titles.contains("DELETED")
    self.answer = answer
    let place = "the answer to \(request.key)"
    warnings = rows.notes.warnings(place)
    if answer.replacedSurrogates > 0 {
      warnings.append(
        Diagnostic(
          .warning, code: "openbis.text-replaced",
          "\(place) has \(answer.replacedSurrogates) halves of surrogate pairs; U+FFFD takes their place"))
    }
  }
}
