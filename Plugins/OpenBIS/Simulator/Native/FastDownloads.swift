import PluginAPI
import PluginJSON
import PluginServer
import Synchronization

/// A started fast download: chunks of files, and the queue of those to fetch.
struct SimulatedTransfer: Sendable {
  /// A chunk: part of a file.
  struct Chunk: Sendable {
    var item: String
    var path: String
    var offset: Int
    var bytes: ArraySlice<UInt8>
  }

  var token: String
  var chunks: [Chunk]
  var queue: [Int] = []
  var streams: [String]
}

/// The fast download of data stores.
///
/// - Source: openBIS, `DataStoreServerApi.createFastDownloadSession`, `FileTransferServerServlet`, and the library
///   `ch.ethz.sis.filetransfer`, whose `ChunkInputStream` writes the chunks.
extension SimulatorCore {
  static let transferPath = "/datastore_server/file-transfer"

  /// Answers `createFastDownloadSession` with the address of the files and the user's session.
  func transferOutcome(of call: SimulatedCall) throws(SimulatedFailure) -> SimulatedOutcome {
    let user = try user(of: call)
    let view = view(hidden: user.hidden)
    guard call.parameters.count == 2, let ids = call.parameters[0].list else { throw .badParameters(call.method) }
    let files: [Value] = ids.compactMap { id in
      guard let code = id["dataSetId"]["permId"].text, let index = SimulatedDataSet.index(ofCode: code),
        view.hasDataSet(index)
      else { return nil }
      return id
    }
    let session: Value = [
      "@type": "dss.dto.datasetfile.fastdownload.FastDownloadSession", "@id": 1,
      "downloadUrl": .text(base.withLock { $0 } + Self.transferPath), "fileTransferUserSessionId": .text(call.token),
      "files": .list(files), "options": call.parameters[1],
    ]
    var writer = JSONWriter()
    writer.write(session)
    return .jsonText(String(decoding: writer.take(), as: UTF8.self))
  }

  /// Answers a request to the servlet; its errors have status 200 too.
  func transferAnswer(_ request: ServerRequest) async throws -> ServerResponse {
    let parameters = try Self.parameters(request, try await request.body.whole())
    let method = parameters["method"]?.first ?? ""
    let ranges = parameters["ranges"].map { " " + $0.joined(separator: ", ") } ?? ""
    state.withLock { $0.fetched.append("\(request.path)#\(method)\(ranges)") }
    do throws(TransferFailure) {
      return try transferAnswer(method, parameters)
    } catch {
      return Self.json([
        "error": .text(error.message), "exception-class": "ch.ethz.sis.filetransfer.DownloadException",
        "retriable": .bool(error.isRetriable),
      ])
    }
  }

  /// An error of a request to the servlet.
  private struct TransferFailure: Error {
    var message: String
    var isRetriable = false
  }

  /// Returns the parameters of the body, lists of texts by name; those of the query if there is no body.
  private static func parameters(_ request: ServerRequest, _ body: [UInt8]) throws -> [String: [String]] {
    if body.isEmpty {
      return Dictionary(request.query.map { ($0.name, [$0.value]) }, uniquingKeysWith: { first, _ in first })
    }
    let fields = (try? Value(json: body))?.record?.fields ?? []
    return Dictionary(
      fields.map { ($0.name, $0.value.list?.compactMap(\.text) ?? []) }, uniquingKeysWith: { first, _ in first })
  }

  private static func json(_ value: Value) -> ServerResponse {
    var writer = JSONWriter()
    writer.write(value)
    return ServerResponse(type: "application/json", writer.take())
  }

  private func transferAnswer(
    _ method: String, _ parameters: [String: [String]]
  ) throws(TransferFailure) -> ServerResponse {
    if method == "startDownloadSession" { return try beginTransfer(parameters) }
    guard let id = parameters["downloadSessionId"]?.first, let transfer = state.withLock({ $0.transfers[id] }) else {
      throw TransferFailure(message: "Download session is not valid.")
    }
    switch method {
    case "queue":
      let ranges = Self.elements(parameters, "ranges").map { $0.split(separator: ":").compactMap { Int($0) } }
      for range in ranges {
        guard let first = range.first, let last = range.last, first <= last, first >= 0,
          last < transfer.chunks.count
        else { throw TransferFailure(message: "Unknown chunk in \(range)") }
        state.withLock { state in
          let known = Set(state.transfers[id]?.queue ?? [])
          state.transfers[id]?.queue += (first...last).filter { !known.contains($0) }
        }
      }
      return ServerResponse()
    case "download": return try chunks(of: id, transfer, parameters)
    case "finishDownloadSession":
      state.withLock { $0.transfers[id] = nil }
      return ServerResponse()
    default: throw TransferFailure(message: "Unknown method '\(method)'.")
    }
  }

  private func beginTransfer(_ parameters: [String: [String]]) throws(TransferFailure) -> ServerResponse {
    var call = SimulatedCall(number: 0, interface: .dataStore, method: "startDownloadSession")
    call.token = parameters["userSessionId"]?.first ?? ""
    guard let user = try? user(of: call) else { throw TransferFailure(message: "User session is not valid.") }
    let view = view(hidden: user.hidden)
    var chunks: [SimulatedTransfer.Chunk] = []
    var ranges: [Record.Field] = []
    for item in Self.elements(parameters, "downloadItemIds") {
      let parts = item.split(separator: "/", maxSplits: 1).map(String.init)
      guard let index = parts.first.flatMap({ SimulatedDataSet.index(ofCode: $0) }), view.hasDataSet(index) else {
        continue
      }
      let first = chunks.count
      let wanted = parts.count > 1 ? parts[1] : ""
      for file in SimulatedDataSet.files(index) where file.path == wanted || file.path.hasPrefix(wanted + "/") {
        var offset = 0
        repeat {
          let end = min(file.bytes.count, offset + configuration.chunkBytes)
          chunks.append(.init(item: item, path: file.path, offset: offset, bytes: file.bytes[offset..<end]))
          offset = end
        } while offset < file.bytes.count
      }
      if chunks.count > first { ranges.append(.init(item, .text("\(first):\(chunks.count - 1)"))) }
    }
    guard !chunks.isEmpty else { throw TransferFailure(message: "Chunks for item ids were null or empty.") }
    let wished = parameters["wishedNumberOfStreams"]?.first.flatMap { Int($0) } ?? 1
    let streams = (1...max(1, min(wished, 25))).map { "stream-\($0)" }
    let id = state.withLock { state in
      state.tokenCount += 1
      let id = "download-\(state.tokenCount)"
      state.transfers[id] = SimulatedTransfer(token: call.token, chunks: chunks, streams: streams)
      return id
    }
    return Self.json([
      "downloadSessionId": .text(id), "ranges": .record(Record(ranges)), "streamIds": .list(streams.map(Value.text)),
    ])
  }

  /// Returns the elements of a parameter: a JSON list as of version 2, otherwise comma-separated parts.
  private static func elements(_ parameters: [String: [String]], _ name: String) -> [String] {
    (parameters[name] ?? []).flatMap { text -> [String] in
      if parameters["version"] == ["2"], text.hasPrefix("["), let list = try? Value(json: Array(text.utf8)).list {
        return list.compactMap(\.text)
      }
      return text.split(separator: ",").map { String($0.drop { $0 == " " }) }
    }
  }

  /// Returns the next chunks of the queue.
  private func chunks(
    of id: String, _ transfer: SimulatedTransfer, _ parameters: [String: [String]]
  ) throws(TransferFailure) -> ServerResponse {
    guard let stream = parameters["downloadStreamId"]?.first, transfer.streams.contains(stream) else {
      throw TransferFailure(message: "Download stream is not valid.")
    }
    let most = parameters["numberOfChunks"]?.first.flatMap { Int($0) } ?? Int.max
    let numbers = state.withLock { state in
      let numbers = Array((state.transfers[id]?.queue ?? []).prefix(most))
      state.transfers[id]?.queue.removeFirst(numbers.count)
      return numbers
    }
    var bytes: [UInt8] = []
    for number in numbers {
      let chunk = transfer.chunks[number]
      let isDamaged = state.withLock { state in
        state.has(.damagedChunk) && state.cutPaths.insert("chunk \(chunk.item) \(chunk.offset)").inserted
      }
      bytes += Self.serialized(chunk, number, isDamaged: isDamaged)
    }
    var response = ServerResponse(type: "application/octet-stream", bytes)
    let isCut = state.withLock { state in
      state.has(.cutDownload) && !numbers.isEmpty
        && state.cutPaths.insert("chunks \(transfer.chunks[numbers[0]].item)").inserted
    }
    if isCut { response.fault = .cut(after: bytes.count / 2) }
    return response
  }

  private static func serialized(_ chunk: SimulatedTransfer.Chunk, _ number: Int, isDamaged: Bool) -> [UInt8] {
    func big(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64(count - 1 - $0))) }
    }
    let (item, path) = (Array(chunk.item.utf8), Array(chunk.path.utf8))
    var bytes = big(UInt64(number), 4) + big(UInt64(item.count), 2) + [0] + big(UInt64(path.count), 2)
    bytes += big(UInt64(chunk.offset), 8) + big(UInt64(chunk.bytes.count), 4) + item + path
    bytes += big(UInt64(SimulatedChecksum.crc32(bytes)), 8)
    bytes += chunk.bytes
    bytes += big(UInt64(SimulatedChecksum.crc32(Array(chunk.bytes))) ^ (isDamaged ? 1 : 0), 8)
    return bytes
  }
}
