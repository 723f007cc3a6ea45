import Testing

@testable import OpenBIS

/// The table service as a service of the application server.
@Suite struct CustomTableServiceTests {
  private let none = #"{"@id":1,"objects":[],"totalCount":0}"#
  private let custom = """
    {"@type":"as.dto.common.search.SearchResult","@id":1,"objects":[{"@type":"as.dto.service.CustomASService","@id":2,
    "code":{"@type":"as.dto.service.id.CustomASServiceCode","@id":3,"permId":"xls-import"},"label":"Import"},
    {"@id":4,"code":{"@id":5,"permId":"ipad-read-service-v1"},"label":"Our lab","description":""}],"totalCount":2}
    """

  @Test func `The application server is searched for the service if no data store offers tables`() async throws {
    let caller = TextCaller(["searchAggregationServices": none, "searchCustomASServices": custom])
    let found = try await TableService.services(caller, host: .v3)
    #expect(
      found == [
        TableServiceDescription(dataStore: "", baseAddress: "", key: "ipad-read-service-v1", label: "Our lab")
      ])
    #expect(
      caller.calls.last?.parameterTexts == [
        #"{"@type":"as.dto.service.search.CustomASServiceSearchCriteria"}"#,
        #"{"@type":"as.dto.service.fetchoptions.CustomASServiceFetchOptions"}"#,
      ])
  }

  @Test func `A data store that offers tables is enough`() async throws {
    let store = """
      {"@id":1,"objects":[{"@id":2,"permId":{"@id":3,"permId":"ipad-read-service-v1","dataStoreId":{"@id":4,
      "permId":"DSS1"}},"label":"iPad Read Service"}],"totalCount":1}
      """
    let caller = TextCaller(["searchAggregationServices": store, "searchCustomASServices": custom])
    #expect(try await TableService.services(caller, host: .v3).map(\.dataStore) == ["DSS1"])
    #expect(caller.calls.count == 1)
  }

  @Test func `The table of the application server has the titles and cells of its script`() async throws {
    let table = #"{"columns":[{"title":"KEY"},{"title":"VALUE"}],"rows":[["ROOT_SET_REFRESH_INTERVAL","900"]]}"#
    let caller = TextCaller(["executeCustomASService": table], pieceSize: 3)
    let preferences = try await TableService(caller, host: .v3, dataStore: "").preferences()
    #expect(preferences.refreshIntervalInSeconds == 900)
    #expect(
      caller.calls.first?.parameterTexts == [
        #"{"@type":"as.dto.service.id.CustomASServiceCode","permId":"ipad-read-service-v1"}"#,
        #"{"@type":"as.dto.service.CustomASServiceExecutionOptions","parameters":{"requestKey":"CLIENT_PREFS"}}"#,
      ])
  }
}
