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
    case "isSessionActive": return .jsonText(isActive(call) ? "true" : "false")
    case "logout":
      logOut(call)
      return .null
    case "getServerPublicInformation": return .jsonText(Self.publicInformation)
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
    case "getServerInformation": return .jsonText(Self.information)
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
    .jsonText(
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
    return .jsonText("[" + ids.joined(separator: ",") + "]")
  }
}

extension SimulatorCore {
  /// Answers a call of V3's data store server.
  func dataStoreOutcome(of call: SimulatedCall) throws(SimulatedFailure) -> SimulatedOutcome {
    if call.method == "createFastDownloadSession", !state.withLock({ $0.has(.noFastDownload) }) {
      return try transferOutcome(of: call)
    }
    guard call.method == "searchFiles" else { throw .unknownMethod(call.method) }
    let user = try user(of: call)
    let view = view(hidden: user.hidden)
    let criterion = SimulatedCriterion(Self.dataSetCriteria(call.parameters.first ?? .null), of: "DataSet")
    var writer = SimulatedObjectWriter(view)
    var fetches = SimulatedFetches()
    let fetch = fetches.read(call.parameters.dropFirst().first ?? .null)
    var count = 0
    writer.begin("as.dto.common.search.SearchResult")
    writer.buffer.add(#","objects":["#)
    for index in dataSetPlaces(call.parameters.first ?? .null, view) where view.fits(index, .dataSet, criterion) {
      for (path, file) in entries(index) {
        if count > 0 { writer.buffer.add(",") }
        count += 1
        write(path, file, index, fetch, &writer)
      }
    }
    writer.buffer.add("]")
    writer.field(#","totalCount":"#, count)
    writer.end()
    return writer.outcome
  }

  /// Returns the criteria on data sets among those on files.
  private static func dataSetCriteria(_ value: Value) -> Value {
    value["criteria"].list?.first { $0["@type"].text?.hasSuffix("DataSetSearchCriteria") == true } ?? .null
  }

  /// Returns the indices to examine: those of named data sets, or all.
  private func dataSetPlaces(_ criteria: Value, _ view: SimulatedView) -> [Int] {
    var named: [Int] = []
    func look(_ value: Value) {
      for part in value["criteria"].list ?? [] { look(part) }
      for text in [value["fieldValue"]["value"].text, value["id"]["permId"].text] {
        if let index = text.flatMap({ SimulatedDataSet.index(ofCode: $0) }) { named.append(index) }
      }
    }
    look(criteria)
    return named.isEmpty ? Array(stride(from: 0, to: min(view.count, 1000), by: 10)) : named
  }

  /// Returns the folders and files of a data set in the order of their paths; folders have no file.
  private func entries(_ index: Int) -> [(String, SimulatedDataSet.File?)] {
    let files = SimulatedDataSet.files(index).map { ($0.path, Optional($0)) }
    return (SimulatedDataSet.folders.map { ($0, nil) } + files).sorted { $0.0 < $1.0 }
  }

  private func write(
    _ path: String, _ file: SimulatedDataSet.File?, _ index: Int, _ fetch: SimulatedFetch,
    _ writer: inout SimulatedObjectWriter
  ) {
    let code = SimulatedDataSet.code(index)
    writer.begin("dss.dto.datasetfile.DataSetFile")
    writer.fetchOptions(fetch)
    writer.buffer.add(#","permId":"#)
    writer.begin("dss.dto.datasetfile.id.DataSetFilePermId")
    writer.id(#","dataSetId":"#, "as.dto.dataset.id.DataSetPermId", #","permId":"#, code)
    writer.field(#","filePath":"#, path)
    writer.end()
    writer.buffer.add(#","dataStore":"#)
    writer.dataStore(0, fetch)
    writer.id(#","dataSetPermId":"#, "as.dto.dataset.id.DataSetPermId", #","permId":"#, code)
    writer.field(#","path":"#, path)
    writer.buffer.add(file == nil ? #","directory":true"# : #","directory":false"#)
    writer.field(#","fileLength":"#, file?.bytes.count ?? 0)
    if let file {
      let isWrong = state.withLock { $0.has(.wrongChecksum) }
      // The number is signed, as in Java.
      let checksum = Int32(bitPattern: SimulatedChecksum.crc32(file.bytes) ^ (isWrong ? 1 : 0))
      writer.buffer.add(#","checksumCRC32":"#)
      writer.buffer.add(Int(checksum))
    } else {
      writer.buffer.add(#","checksumCRC32":0"#)
    }
    writer.buffer.add(#","checksum":null,"checksumType":null}"#)
  }

  /// Answers a call of V1's data store server.
  func fileListOutcome(of call: SimulatedCall) throws(SimulatedFailure) -> SimulatedOutcome {
    guard call.method == "listFilesForDataSet" else { throw .unknownMethod(call.method) }
    let user = try user(of: call)
    let view = view(hidden: user.hidden)
    guard call.parameters.count == 3, let code = call.parameters[0].text, let start = call.parameters[1].text else {
      throw .badParameters(call.method)
    }
    guard let index = SimulatedDataSet.index(ofCode: code), view.hasDataSet(index) else {
      throw .user("Data set '\(code)' does not exist.")
    }
    let folder = start.split(separator: "/").joined(separator: "/")
    let prefix = folder.isEmpty ? "" : folder + "/"
    let isRecursive = call.parameters[2].bool ?? false
    var number = 0
    let list = entries(index).filter { path, _ in
      path.hasPrefix(prefix) && (isRecursive || !path.dropFirst(prefix.count).contains("/"))
    }.map { path, file in
      number += 1
      return #"{"@type":"FileInfoDssDTO","@id":\#(number),"pathInDataSet":\#(path.asSimulatedJSON),"pathInListing":"#
        + #"\#(String(path.dropFirst(prefix.count)).asSimulatedJSON),"isDirectory":\#(file == nil),"fileSize":"#
        + #"\#(file?.bytes.count ?? -1),"crc32Checksum":\#(file.map { Int(SimulatedChecksum.crc32($0.bytes)) } ?? 0)}"#
    }
    return .jsonText("[" + list.joined(separator: ",") + "]")
  }

  /// Returns the bytes of a data set's file, or of the requested part.
  func dataSetFile(
    _ parts: [String], _ request: ServerRequest, _ user: SimulatorConfiguration.User
  ) -> ServerResponse {
    let view = view(hidden: user.hidden)
    let path = parts.dropFirst(2).joined(separator: "/")
    guard let index = SimulatedDataSet.index(ofCode: parts[1]), view.hasDataSet(index) else {
      return refusal(404, ServerWords.notAccessible(parts[1]))
    }
    guard let file = SimulatedDataSet.files(index).first(where: { $0.path == path }) else {
      return refusal(404, ServerWords.missing(path, in: parts[1]))
    }
    let isReal = state.withLock { $0.has(.dssPage) }
    var response = ServerResponse(type: isReal ? file.mediaType : "application/octet-stream", file.bytes)
    let name = String(String.UnicodeScalarView(parts[parts.count - 1].unicodeScalars.filter { 32..<127 ~= $0.value }))
    response.headers.append(.init("Content-Disposition", "inline; filename=\"\(name)\""))
    let hasRanges = !isReal && !state.withLock { $0.has(.noRanges) }
    if hasRanges { response.headers.append(.init("Accept-Ranges", "bytes")) }
    if hasRanges, let range = request.header("Range").flatMap({ Self.range($0, of: file.bytes.count) }) {
      response.status = range.isEmpty ? 416 : 206
      response.body = .bytes(range.isEmpty ? [] : Array(file.bytes[range]))
      response.headers.append(
        .init(
          "Content-Range",
          range.isEmpty
            ? "bytes */\(file.bytes.count)"
            : "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.bytes.count)"))
      if range.isEmpty { return response }
    }
    let isCut = state.withLock { state in
      state.has(.cutDownload) && state.cutPaths.insert(request.path).inserted
    }
    if isCut { response.fault = .cut(after: file.bytes.count / 2) }
    return response
  }

  /// Returns the part that a `Range` field requests; empty if it is outside of the file, nil for other fields.
  private static func range(_ text: String, of count: Int) -> Range<Int>? {
    guard text.hasPrefix("bytes=") else { return nil }
    let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, !text.contains(",") else { return nil }
    guard let first = Int(ends[0]) else {
      return Int(ends[1]).map { max(0, count - $0)..<count }
    }
    let last = Int(ends[1]).map { min($0, count - 1) } ?? count - 1
    return first <= last ? first..<(last + 1) : 0..<0
  }
}

/// The files of a simulated data set, generated on request.
enum SimulatedDataSet {
  /// A file of a data set.
  struct File {
    var path: String
    var bytes: [UInt8]

    /// The media type that a real data store reports for a file of that name.
    var mediaType: String {
      switch path.split(separator: ".").last {
      case "png": "image/png"
      case "jpg": "image/jpeg"
      case "svg": "image/svg+xml"
      case "html": "text/html"
      case "txt", "csv": "text/plain"
      default: "application/octet-stream"
      }
    }
  }

  /// Returns the code of the data set of the sample at an index.
  static func code(_ index: Int) -> String { "20240102080000000-\(index + 1)" }

  /// Returns the index of the sample that owns a data set.
  static func index(ofCode code: String) -> Int? {
    guard code.hasPrefix("20240102080000000-"), let number = Int(code.dropFirst(18)), number > 0 else { return nil }
    return number - 1
  }

  /// The folders of each data set.
  static let folders = ["original", "original/notes"]

  static func files(_ index: Int) -> [File] {
    let seed = UInt64(truncatingIfNeeded: index)
    var chance = SimulatedChance(seed, 17)
    let notes = (1...20).map { "\($0). \(chance.sentence(8))." }.joined(separator: "\n") + "\n"
    let table =
      "time,temperature,label\n"
      + (0..<50).map { "\($0 * 10),\(20 + chance.below(15)).\(chance.below(10)),\(chance.sentence(2))\n" }.joined()
    let curve = (0..<40_000).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ index) }
    return [
      File(path: "original/gel.png", bytes: SimulatedPictures.gel(seed)),
      File(path: "original/molecule.png", bytes: SimulatedPictures.png(seed)),
      File(path: "original/photograph.jpg", bytes: SimulatedPictures.jpeg(seed)),
      File(path: "original/map.svg", bytes: SimulatedPictures.svg(seed)),
      File(path: "original/values.csv", bytes: Array(table.utf8)),
      File(path: "original/raw data #1.bin", bytes: curve),
      File(path: "original/notes/notes.txt", bytes: Array(notes.utf8)),
    ] + (oddPaths[index] ?? []).map { File(path: $0, bytes: Array("The file '\($0)'.\n".utf8)) }
  }

  /// The paths of further files in some data sets, which must not reach a terminal or a file system unchanged.
  private static let oddPaths = [
    270: [
      "manifest.json", "original/.hidden", "original/-rf", "original/\u{1B}]0;title\u{7}.txt",
      "original/two\nlines.txt",
      "original/txt.\u{202E}gpj.sh",
    ],
    280: ["original/../../../escape.txt"],
  ]
}

extension SimulatedView {
  /// Returns true if the sample at an index has a data set: every tenth has one.
  func hasDataSet(_ index: Int) -> Bool { index % 10 == 0 && entity(index) != nil }

  /// The index of each sample type.
  var sampleTypePlaces: [String: Int] { frameIndex.sampleTypes }

  /// All property types, each once.
  var propertyTypes: [SimulatedFrame.PropertyType] { frameIndex.propertyTypes }
}

/// The lookup tables of a lab's frame.
struct SimulatedFrameIndex: Sendable {
  let sampleTypes: [String: Int]
  let propertyTypes: [SimulatedFrame.PropertyType]

  init(_ frame: SimulatedFrame) {
    sampleTypes = Dictionary(
      frame.sampleTypes.enumerated().map { ($1.code, $0) }, uniquingKeysWith: { first, _ in first })
    var seen: Set<String> = []
    propertyTypes = (frame.sampleTypes + frame.experimentTypes + frame.dataSetTypes).flatMap(\.properties)
      .filter { seen.insert($0.code).inserted }
  }
}
