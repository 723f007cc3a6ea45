import Testing

@testable import OpenBIS

/// The parameters of calls, byte for byte.
@Suite struct NativeRequestTests {
  private let empty = #"{"@id":1,"objects":[],"totalCount":0}"#

  private func parameters(
    _ method: String, answer: String? = nil, _ body: (NativeService) async throws -> Void
  ) async throws -> [String] {
    let caller = TextCaller([method: answer ?? empty])
    try await body(NativeService(caller))
    #expect(caller.calls.map(\.method) == [method])
    return caller.calls.first?.parameterTexts ?? []
  }

  /// Returns a text without line breaks and the blanks after them.
  private func line(_ text: String) -> String {
    text.split(separator: "\n").map { String($0.drop { $0 == " " }) }.joined()
  }

  @Test func `A page of samples is requested by modification time, sorted by it, with relations`() async throws {
    let sent = try await parameters("searchSamples") {
      let request = NativePageRequest(modifiedSince: 1_700_000_000_000, from: 20, count: 1000)
      _ = try await $0.page(.sample, request) { _ in }
    }
    #expect(
      sent == [
        line(
          """
          {"@type":"as.dto.sample.search.SampleSearchCriteria","operator":"AND","criteria":[
          {"@type":"as.dto.common.search.ModificationDateSearchCriteria","fieldName":"modification_date",
          "fieldType":"ATTRIBUTE","fieldValue":{"@type":"as.dto.common.search.DateObjectLaterThanOrEqualToValue",
          "value":1700000000000}}]}
          """),
        line(
          """
          {"@type":"as.dto.sample.fetchoptions.SampleFetchOptions","from":20,"count":1000,
          "sort":{"@type":"as.dto.sample.fetchoptions.SampleSortOptions","sortings":[
          {"@type":"as.dto.common.fetchoptions.Sorting","field":"MODIFICATION_DATE",
          "order":{"@type":"as.dto.common.fetchoptions.SortOrder","asc":true}},
          {"@type":"as.dto.common.fetchoptions.Sorting","field":"PERM_ID",
          "order":{"@type":"as.dto.common.fetchoptions.SortOrder","asc":true}}]},
          "type":{"@type":"as.dto.sample.fetchoptions.SampleTypeFetchOptions"},
          "space":{"@type":"as.dto.space.fetchoptions.SpaceFetchOptions"},
          "project":{"@type":"as.dto.project.fetchoptions.ProjectFetchOptions"},
          "experiment":{"@type":"as.dto.experiment.fetchoptions.ExperimentFetchOptions"},
          "container":{"@type":"as.dto.sample.fetchoptions.SampleFetchOptions"},
          "parents":{"@type":"as.dto.sample.fetchoptions.SampleFetchOptions"},
          "properties":{"@type":"as.dto.property.fetchoptions.PropertyFetchOptions"},
          "registrator":{"@type":"as.dto.person.fetchoptions.PersonFetchOptions"}}
          """),
      ])
  }

  @Test func `A count requests no objects and a half-open time range`() async throws {
    let sent = try await parameters("searchSamples", answer: #"{"@id":1,"objects":[],"totalCount":7}"#) {
      let count = try await $0.count(.sample, since: 5, before: 9)
      #expect(count == 7)
    }
    #expect(
      sent == [
        line(
          """
          {"@type":"as.dto.sample.search.SampleSearchCriteria","operator":"AND","criteria":[
          {"@type":"as.dto.common.search.ModificationDateSearchCriteria","fieldName":"modification_date",
          "fieldType":"ATTRIBUTE","fieldValue":{"@type":"as.dto.common.search.DateObjectLaterThanOrEqualToValue",
          "value":5}},
          {"@type":"as.dto.common.search.ModificationDateSearchCriteria","fieldName":"modification_date",
          "fieldType":"ATTRIBUTE","fieldValue":{"@type":"as.dto.common.search.DateObjectEarlierThanValue",
          "value":9}}]}
          """),
        #"{"@type":"as.dto.sample.fetchoptions.SampleFetchOptions","from":0,"count":0}"#,
      ])
  }

  @Test func `Objects with equal timestamps are divided at the permId of the middle one`() async throws {
    let request = NativePageRequest(
      modifiedSince: 5, modifiedBefore: 6, permIDFrom: "S-1", permIDBefore: "S-7", from: 3, count: 1)
    let answer = #"{"@id":1,"objects":[{"@id":2,"permId":{"@id":3,"permId":"S-4"}}],"totalCount":7}"#
    let sent = try await parameters("searchSamples", answer: answer) {
      let permID = try await $0.firstPermID(.sample, request)
      #expect(permID == "S-4")
    }
    let criterion = #"{"@type":"as.dto.common.search.PermIdSearchCriteria","fieldName":"perm id","#
    let value = #""fieldType":"ATTRIBUTE","fieldValue":{"@type":"as.dto.common.search.String"#
    #expect(sent[0].contains(criterion + value + #"GreaterThanOrEqualToValue","value":"S-1"}}"#))
    #expect(sent[0].contains(criterion + value + #"LessThanValue","value":"S-7"}}"#))
    #expect(sent[0].contains("DateObjectLaterThanOrEqualToValue") && sent[0].contains("DateObjectEarlierThanValue"))
    #expect(sent[1].contains(#""from":3,"count":1"#) && !sent[1].contains("properties"))
  }

  @Test func `A page of ids requests nothing else`() async throws {
    let sent = try await parameters("searchExperiments") {
      _ = try await $0.page(.experiment, NativePageRequest(count: 5), idsOnly: true) { _ in }
    }
    #expect(
      sent == [
        #"{"@type":"as.dto.experiment.search.ExperimentSearchCriteria"}"#,
        line(
          """
          {"@type":"as.dto.experiment.fetchoptions.ExperimentFetchOptions","from":0,"count":5,
          "sort":{"@type":"as.dto.experiment.fetchoptions.ExperimentSortOptions","sortings":[
          {"@type":"as.dto.common.fetchoptions.Sorting","field":"MODIFICATION_DATE",
          "order":{"@type":"as.dto.common.fetchoptions.SortOrder","asc":true}},
          {"@type":"as.dto.common.fetchoptions.Sorting","field":"PERM_ID",
          "order":{"@type":"as.dto.common.fetchoptions.SortOrder","asc":true}}]}}
          """),
      ])
  }

  @Test func `Data sets and experiments request their own relations`() async throws {
    let dataSets = try await parameters("getDataSets", answer: "{}") { _ = try await $0.objects(.dataSet, ["D-1"]) }
    #expect(
      dataSets == [
        #"[{"@type":"as.dto.dataset.id.DataSetPermId","permId":"D-1"}]"#,
        line(
          """
          {"@type":"as.dto.dataset.fetchoptions.DataSetFetchOptions",
          "type":{"@type":"as.dto.dataset.fetchoptions.DataSetTypeFetchOptions"},
          "experiment":{"@type":"as.dto.experiment.fetchoptions.ExperimentFetchOptions"},
          "sample":{"@type":"as.dto.sample.fetchoptions.SampleFetchOptions"},
          "containers":{"@type":"as.dto.dataset.fetchoptions.DataSetFetchOptions"},
          "parents":{"@type":"as.dto.dataset.fetchoptions.DataSetFetchOptions"},
          "dataStore":{"@type":"as.dto.datastore.fetchoptions.DataStoreFetchOptions"},
          "properties":{"@type":"as.dto.property.fetchoptions.PropertyFetchOptions"},
          "registrator":{"@type":"as.dto.person.fetchoptions.PersonFetchOptions"}}
          """),
      ])
    let experiments = try await parameters("getExperiments", answer: "{}") {
      _ = try await $0.objects(.experiment, ["E"])
    }
    #expect(
      experiments[1]
        == line(
          """
          {"@type":"as.dto.experiment.fetchoptions.ExperimentFetchOptions",
          "type":{"@type":"as.dto.experiment.fetchoptions.ExperimentTypeFetchOptions"},
          "project":{"@type":"as.dto.project.fetchoptions.ProjectFetchOptions",
          "space":{"@type":"as.dto.space.fetchoptions.SpaceFetchOptions"}},
          "properties":{"@type":"as.dto.property.fetchoptions.PropertyFetchOptions"},
          "registrator":{"@type":"as.dto.person.fetchoptions.PersonFetchOptions"}}
          """))
  }

  @Test func `Data sets are sorted by code, their permId, and found by the server's 'perm id'`() async throws {
    let page = try await parameters("searchDataSets") {
      _ = try await $0.page(.dataSet, NativePageRequest(count: 5), idsOnly: true) { _ in }
    }
    #expect(page[1].contains(#""field":"CODE""#) && !page[1].contains("PERM_ID"))
    let below = Mapping.Edge(kind: .dataSet, relation: .container)
    let found = try await parameters("searchDataSets") {
      _ = try await $0.belonging(below, to: ["D-1"], from: 0, count: 9)
    }
    #expect(
      found[0].contains(
        line(
          """
          {"@type":"as.dto.common.search.PermIdSearchCriteria","fieldName":"perm id","fieldType":"ATTRIBUTE",
          "fieldValue":{"@type":"as.dto.common.search.StringEqualToValue","value":"D-1"}}
          """)))
  }

  @Test func `Spaces are requested all at once regardless of the page`() async throws {
    let sent = try await parameters("searchSpaces") {
      _ = try await $0.page(.space, NativePageRequest(modifiedSince: 7, from: 3, count: 2)) { _ in }
    }
    #expect(
      sent == [
        #"{"@type":"as.dto.space.search.SpaceSearchCriteria"}"#,
        line(
          """
          {"@type":"as.dto.space.fetchoptions.SpaceFetchOptions",
          "registrator":{"@type":"as.dto.person.fetchoptions.PersonFetchOptions"}}
          """),
      ])
  }

  @Test func `A global search requires all words, each anywhere`() async throws {
    let sent = try await parameters("searchGlobally") { _ = try await $0.searchGlobally(" ki\"nase  yeast ", limit: 7) }
    #expect(
      sent == [
        line(
          """
          {"@type":"as.dto.global.search.GlobalSearchCriteria","criteria":[
          {"@type":"as.dto.global.search.GlobalSearchTextCriteria","fieldName":"anything","fieldType":"ANY_FIELD",
          "fieldValue":{"@type":"as.dto.common.search.StringContainsValue","value":"ki\\"nase"}},
          {"@type":"as.dto.global.search.GlobalSearchTextCriteria","fieldName":"anything","fieldType":"ANY_FIELD",
          "fieldValue":{"@type":"as.dto.common.search.StringContainsValue","value":"yeast"}}],"operator":"AND"}
          """),
        #"{"@type":"as.dto.global.fetchoptions.GlobalSearchObjectFetchOptions","from":0,"count":7}"#,
      ])
  }

  @Test func `Modifications are requested by kinds and operations`() async throws {
    let sent = try await parameters("searchObjectKindModifications") {
      _ = try await $0.modifications([.sample, .dataSet])
    }
    #expect(
      sent == [
        line(
          """
          {"@type":"as.dto.objectkindmodification.search.ObjectKindModificationSearchCriteria","operator":"AND",
          "criteria":[{"@type":"as.dto.objectkindmodification.search.ObjectKindCriteria",
          "objectKinds":["SAMPLE","DATA_SET"]},
          {"@type":"as.dto.objectkindmodification.search.OperationKindCriteria",
          "operationKinds":["CREATE_OR_DELETE","UPDATE"]}]}
          """),
        #"{"@type":"as.dto.objectkindmodification.fetchoptions.ObjectKindModificationFetchOptions"}"#,
      ])
  }

  @Test func `Types are requested with their properties`() async throws {
    let sent = try await parameters("searchDataSetTypes") { _ = try await $0.propertyTypes(.dataSet) }
    #expect(
      sent == [
        #"{"@type":"as.dto.dataset.search.DataSetTypeSearchCriteria"}"#,
        line(
          """
          {"@type":"as.dto.dataset.fetchoptions.DataSetTypeFetchOptions",
          "propertyAssignments":{"@type":"as.dto.property.fetchoptions.PropertyAssignmentFetchOptions",
          "propertyType":{"@type":"as.dto.property.fetchoptions.PropertyTypeFetchOptions",
          "vocabulary":{"@type":"as.dto.vocabulary.fetchoptions.VocabularyFetchOptions",
          "terms":{"@type":"as.dto.vocabulary.fetchoptions.VocabularyTermFetchOptions"}}}}}
          """),
      ])
  }

  @Test func `Files are requested by the code of their data set`() async throws {
    let sent = try await parameters("searchFiles") { _ = try await $0.files(of: "20240101-1", at: "https://h") }
    #expect(
      sent == [
        line(
          """
          {"@type":"dss.dto.datasetfile.search.DataSetFileSearchCriteria","operator":"AND","criteria":[
          {"@type":"as.dto.dataset.search.DataSetSearchCriteria","relation":"DATASET","operator":"OR","criteria":[
          {"@type":"as.dto.common.search.CodeSearchCriteria","fieldName":"code","fieldType":"ATTRIBUTE",
          "fieldValue":{"@type":"as.dto.common.search.StringEqualToValue","value":"20240101-1"}}]}]}
          """),
        #"{"@type":"dss.dto.datasetfile.fetchoptions.DataSetFileFetchOptions"}"#,
      ])
  }

  @Test func `A personal access token is requested with a name and a validity period`() async throws {
    let sent = try await parameters("createPersonalAccessTokens", answer: #"[{"@id":1,"permId":"t"}]"#) {
      _ = try await $0.createAccessToken(name: "workbench", from: 1_700_000_000_000, to: 1_702_592_000_000)
    }
    #expect(
      sent == [
        line(
          """
          [{"@type":"as.dto.pat.create.PersonalAccessTokenCreation","sessionName":"workbench",
          "validFromDate":1700000000000,"validToDate":1702592000000}]
          """)
      ])
  }
}
