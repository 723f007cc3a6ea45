import PluginAPI
import PluginServer
import Synchronization

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
    return .words("[" + list.joined(separator: ",") + "]")
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
    response.headers.append(.init("Content-Disposition", "inline; filename=\"\(parts[parts.count - 1])\""))
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
