import PluginAPI

extension NativeService {
  /// Returns the times of the last creation, deletion and change of objects by kind; a cheap call to make first.
  ///
  /// - Returns: The times, and the server's clock in seconds since 1970; nil if it does not report it.
  func modifications(
    _ kinds: [NativeKind] = [.project, .experiment, .sample, .dataSet]
  ) async throws -> (changes: [NativeModification], serverTimeInSeconds: Double?) {
    let fetching = NativeRequest.object(
      "as.dto.objectkindmodification.fetchoptions.ObjectKindModificationFetchOptions")
    let call = call("searchObjectKindModifications", [NativeRequest.modifications(kinds), fetching])
    let (changes, answer) = try await collectWithAnswer(call, .search) { graph, node -> NativeModification? in
      guard let kind = graph.text(.objectKind, of: node),
        let operation = graph.text(.operationKind, of: node).flatMap(NativeModification.Operation.init),
        let time = graph.integer(.lastModificationTimeStamp, of: node)
      else { return nil }
      return NativeModification(kind: kind, operation: operation, at: time)
    }
    return (changes, answer.serverTimeInSeconds)
  }

  /// Returns the codes of the spaces that the user may see, in order.
  func spaceCodes() async throws -> [String] {
    let parameters = [NativeRequest.criteria(.space), NativeRequest.fetching(.space, idsOnly: true)]
    return try await search("searchSpaces", parameters) { graph, node in graph.code(node) }.sorted()
  }

  /// Returns objects that contain a text anywhere, in the server's order, without kinds that are not browsed.
  func searchGlobally(_ text: String, limit: Int = 50) async throws -> [NativeMatch] {
    let fetching = NativeRequest.object(
      "as.dto.global.fetchoptions.GlobalSearchObjectFetchOptions", [.init("from", 0), .init("count", .integer(limit))])
    return try await search("searchGlobally", [NativeRequest.text(text), fetching]) { graph, node in
      guard let kind = graph.text(.objectKind, of: node).flatMap(NativeKind.init),
        let permID = graph.node(.objectPermId, of: node).flatMap(graph.key)
      else { return nil }
      return NativeMatch(
        kind: kind, permID: permID, identifier: graph.node(.objectIdentifier, of: node).flatMap(graph.key) ?? "",
        text: graph.text(.match, of: node) ?? "")
    }
  }

  /// Returns the result of ``spaceCodes()``; nil if the server has no V3.
  func spacesIfKnown() async throws -> [String]? {
    do {
      return try await spaceCodes()
    } catch let error as RPCError {
      switch error {
      case .methodMissing, .notJSON, .remote, .refused: return nil
      default: throw error
      }
    }
  }

  /// Returns the properties of each type, by the type's code, in the order set by the users.
  func propertyTypes(_ kind: NativeKind) async throws -> [String: [NativePropertyType]] {
    // Spaces and projects have neither types nor properties.
    if kind == .space || kind == .project { return [:] }
    let criteria = NativeRequest.object("as.dto.\(kind.package).search.\(kind.name)TypeSearchCriteria")
    let types = try await search("search\(kind.name)Types", [criteria, NativeRequest.fetchingTypes(kind)]) {
      graph, node in graph.code(node).map { ($0, graph.propertyTypes(of: node)) }
    }
    return Dictionary(types) { _, last in last }
  }

  /// Returns the data store servers.
  func dataStores() async throws -> [NativeDataStore] {
    let criteria = NativeRequest.object("as.dto.datastore.search.DataStoreSearchCriteria")
    let fetching = NativeRequest.object("as.dto.datastore.fetchoptions.DataStoreFetchOptions")
    return try await search("searchDataStores", [criteria, fetching]) { graph, node in
      guard let code = graph.text(.code, of: node) else { return nil }
      return NativeDataStore(code: code, downloadAddress: graph.text(.downloadUrl, of: node) ?? "")
    }
  }

  /// Returns the services of all data stores that respond with tables.
  func aggregationServices() async throws -> [NativeAggregationService] {
    let criteria = NativeRequest.object("as.dto.service.search.AggregationServiceSearchCriteria")
    let fetching = NativeRequest.object("as.dto.service.fetchoptions.AggregationServiceFetchOptions")
    return try await search("searchAggregationServices", [criteria, fetching]) { graph, node in
      guard let id = graph.node(.permId, of: node), let key = graph.text(.permId, of: id) else { return nil }
      let label = graph.text(.label, of: node) ?? graph.text(.name, of: node) ?? key
      return NativeAggregationService(
        key: key, dataStore: graph.node(.dataStoreId, of: id).flatMap(graph.key) ?? "", label: label)
    }
  }

  /// Returns the custom services of the application server.
  func customServices() async throws -> [NativeCustomService] {
    let criteria = NativeRequest.object("as.dto.service.search.CustomASServiceSearchCriteria")
    let fetching = NativeRequest.object("as.dto.service.fetchoptions.CustomASServiceFetchOptions")
    return try await search("searchCustomASServices", [criteria, fetching]) { graph, node in
      guard let code = graph.node(.code, of: node).flatMap(graph.key) ?? graph.text(.code, of: node) else { return nil }
      return NativeCustomService(code: code, label: graph.text(.label, of: node) ?? code)
    }
  }

  /// Returns the files and folders of a data set, as its data store lists them.
  ///
  /// - Parameter store: The address of the data store server.
  func files(of dataSet: String, at store: String) async throws -> [DataSetFile] {
    let fetching = NativeRequest.object("dss.dto.datasetfile.fetchoptions.DataSetFileFetchOptions")
    let call = RPCCall(
      interface: .dataStore(store), method: "searchFiles",
      parameters: [NativeRequest.files(of: dataSet), fetching].map(NativeRequest.json))
    return try await collect(call, .search) { graph, node in
      guard let path = graph.text(.path, of: node) else { return nil }
      let size = max(0, graph.integer(.fileLength, of: node) ?? 0)
      let checksum = graph.integer(.checksumCRC32, of: node).map { UInt32(truncatingIfNeeded: $0) }
      let owner = graph.node(.dataSetPermId, of: node).flatMap(graph.key) ?? dataSet
      return DataSetFile(
        dataSet: owner, path: String(path.drop { $0 == "/" }), isFolder: graph.integer(.directory, of: node) == 1,
        size: size,
        // The store writes 0 if it has no checksum; for an empty file 0 is the checksum.
        checksum: checksum == 0 && size > 0 ? nil : checksum, store: store)
    }
  }

  /// Creates a long-lived token, which works wherever a session's token does.
  ///
  /// - Parameters:
  ///   - name: The purpose of the token; tokens of one name share a session.
  ///   - from: The beginning of its validity, in milliseconds since 1970.
  ///   - to: The end of its validity, in milliseconds since 1970; the server may grant less.
  /// - Returns: The token, a secret.
  func createAccessToken(name: String, from: Int, to: Int) async throws -> String {
    let creation = NativeRequest.object(
      "as.dto.pat.create.PersonalAccessTokenCreation",
      [.init("sessionName", .text(name)), .init("validFromDate", .integer(from)), .init("validToDate", .integer(to))])
    let tokens = try await collect(call("createPersonalAccessTokens", [.list([creation])]), .list) { $0.key($1) }
    guard let token = tokens.first else {
      throw GraphError.otherShape(expected: "the id of a personal access token", found: "nothing")
    }
    return token
  }

  /// Returns the personal access tokens of the user; servers list them only after a login by password.
  func accessTokens() async throws -> [NativeAccessToken] {
    let criteria = NativeRequest.object("as.dto.pat.search.PersonalAccessTokenSearchCriteria")
    let fetching = NativeRequest.object("as.dto.pat.fetchoptions.PersonalAccessTokenFetchOptions")
    return try await search("searchPersonalAccessTokens", [criteria, fetching]) { graph, node in
      guard let token = graph.permID(node) else { return nil }
      return NativeAccessToken(
        token: Secret(token), id: Secret(token).fingerprint, name: graph.text(.sessionName, of: node) ?? "",
        from: graph.integer(.validFromDate, of: node), to: graph.integer(.validToDate, of: node),
        usedAt: graph.integer(.accessDate, of: node))
    }
  }

  /// Revokes a personal access token.
  func revoke(_ token: NativeAccessToken) async throws {
    let id = NativeRequest.object("as.dto.pat.id.PersonalAccessTokenPermId", [.init("permId", .text(token.token.text))])
    let options = NativeRequest.object(
      "as.dto.pat.delete.PersonalAccessTokenDeletionOptions", [.init("reason", "revoked by its owner")])
    _ = try await caller.callForValue(call("deletePersonalAccessTokens", [.list([id]), options]))
  }

  /// Returns the end of a personal access token's validity, in milliseconds since 1970; nil if the server does not
  /// report it.
  func endOfAccessToken(_ token: Secret) async throws -> Int? {
    let id = NativeRequest.object("as.dto.pat.id.PersonalAccessTokenPermId", [.init("permId", .text(token.text))])
    let fetching = NativeRequest.object("as.dto.pat.fetchoptions.PersonalAccessTokenFetchOptions")
    let ends = try await collect(call("getPersonalAccessTokens", [.list([id]), fetching]), .map) {
      $0.integer(.validToDate, of: $1)
    }
    return ends.first
  }
}

extension ObjectGraph {
  /// Returns the labels of the terms of a property type's vocabulary, by code.
  fileprivate func terms(of propertyType: Node) -> [String: String] {
    guard let vocabulary = node(.vocabulary, of: propertyType) else { return [:] }
    let terms = nodes(.terms, of: vocabulary).compactMap { term -> (String, String)? in
      guard let code = text(.code, of: term), let label = text(.label, of: term), !label.isEmpty else { return nil }
      return (code, label)
    }
    return Dictionary(terms) { first, _ in first }
  }

  /// Returns the property types assigned to an entity type, in their order.
  fileprivate func propertyTypes(of type: Node) -> [NativePropertyType] {
    let assignments = nodes(.propertyAssignments, of: type).enumerated().map { place, assignment in
      (place: place, ordinal: integer(.ordinal, of: assignment) ?? Int.max, assignment: assignment)
    }
    let sorted = assignments.sorted { ($0.ordinal, $0.place) < ($1.ordinal, $1.place) }
    return sorted.compactMap { _, _, assignment in
      guard let propertyType = node(.propertyType, of: assignment), let code = code(propertyType) else { return nil }
      let label = text(.label, of: propertyType) ?? ""
      return NativePropertyType(
        code: code, label: label.isEmpty ? code : label, dataType: text(.dataType, of: propertyType) ?? "",
        terms: terms(of: propertyType))
    }
  }
}
