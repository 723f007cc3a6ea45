import Foundation
import PluginAPI
import PluginTesting
import TestSupport

@testable import OpenBIS
@testable import OpenBISSimulator

/// A user of the plugin, and a V1 server whose tables the test writes cell by cell.
final class WrittenLab: LabTesting {
  let fixture: LabFixture
  let plugin: TestPlugin
  private let tables: Mutexed<[String: String]>

  /// Starts a server with one category and a plugin that is logged in.
  init() async throws {
    let tables = Mutexed<[String: String]>([:])
    let base = Mutexed("")
    self.tables = tables
    fixture = try LabFixture { call in
      switch call.method {
      case "tryToAuthenticateAtQueryServer": .result(#""anna-170000000000x00ff""#)
      case "listAggregationServices":
        .result(
          """
          [{"@type":"AggregationServiceDescription","@id":1,"dataStoreCode":"DSS1","dataStoreBaseUrl":"\(base.value)",
          "serviceKey":"ipad-read-service-v1","label":"iPad Read Service","type":"REPORT"}]
          """)
      case "createReportFromAggregationService":
        .result(Self.table(call.parameters.last ?? .null, tables.value))
      default: .fault(exception: "", message: "method not found", code: -32601, status: 404)
      }
    }
    base.withLock { [fixture] in $0 = fixture.address.base }
    plugin = try await TestPlugin(
      OpenBISPlugin(), resources: Checkout.root.path + "/Plugins/OpenBIS/Resources", isOffline: false)
    plugin.answers.inputLine = "wonderland"
    write(
      "CLIENT_PREFS", ["KEY", "VALUE"], [["ROOT_SET_REFRESH_INTERVAL", "1800"]])
    write("NAVIGATION", Self.navigationColumns, [["C", "{}", "Navigation", "C", "", "true"]])
    try await run("login \(fixture.address.base) --user anna --password-stdin")
  }

  static let navigationColumns = ["PERM_ID", "REFCON", "CATEGORY", "SUMMARY_HEADER", "SUMMARY", "ROOT_LEVEL"]
  static let rootColumns = ["PERM_ID", "REFCON", "CATEGORY", "SUMMARY_HEADER", "SUMMARY", "CHILDREN", "ROOT_LEVEL"]
  static let detailColumns = [
    "PERM_ID", "REFCON", "CATEGORY", "SUMMARY_HEADER", "SUMMARY", "IDENTIFIER", "IMAGES", "PROPERTIES",
  ]

  /// Sets the response to a request key; "ROOT C" is that to ROOT for the category C alone.
  func write(_ key: String, _ columns: [String], _ rows: [[String]]) {
    write(key, TableText.v1(columns, rows))
  }

  /// Sets the response of ``write(_:_:_:)`` as JSON.
  func write(_ key: String, _ json: String) { tables.withLock { $0[key] = json } }

  /// Returns a row of ROOT.
  static func root(_ permID: String, children: String = "[]", header: String? = nil, refcon: String = "{}") -> [String]
  {
    [permID, refcon, "Things", header ?? "Header \(permID)", "", children, "true"]
  }

  /// Returns a row of DETAIL.
  static func detail(
    _ permID: String, properties: String = "[]", images: String = "{}", refcon: String = "{}"
  ) -> [String] {
    [permID, refcon, "Things", "Header \(permID)", "", "/X/\(permID)", images, properties]
  }

  /// Returns the parameters of the requests with a request key, in order.
  func parameters(_ key: String) -> [Value] {
    fixture.calls.compactMap { $0.parameters.last }.filter { $0["requestKey"].text == key }
  }

  private static func table(_ request: Value, _ tables: [String: String]) -> String {
    let key = request["requestKey"].text ?? ""
    let first = request["entities"].list?.first?["PERM_ID"].text ?? ""
    return tables["\(key) \(first)"] ?? tables[key] ?? TableText.v1(["PERM_ID", "REFCON"], [])
  }
}
