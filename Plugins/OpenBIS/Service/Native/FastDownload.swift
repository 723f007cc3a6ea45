import PluginAPI
import PluginCompression
import PluginJSON
import PluginNet
import Synchronization

/// A downloader of a data set's files in chunks, over several streams at once.
///
/// Each chunk has its checksum and can be requested again, so that an interrupted download resumes at a chunk although
/// the plain download of a data store does not support ranges.
///
/// - Source: openBIS, `DataStoreServerApi.createFastDownloadSession`, `FileTransferServerServlet`, and pybis
///   `fast_download.py` for version 2 of the parameters.
struct FastDownload: Sendable {
  /// The client that requests chunks.
  let client: HTTPClient
  /// The caller of the data store.
  let caller: any RPCCaller
  /// True if the server supports version 2 of the parameters: lists in JSON, so that paths may contain commas.
  let hasLists: Bool

  /// The number of streams requested.
  private static let streams = 4
  /// The number of chunks per response.
  private static let chunksPerResponse = 8
  /// The number of attempts without any progress.
  private static let attempts = 3

  /// A file and its part on disk.
  struct Target: Sendable {
    var file: DataSetFile
    var part: PartFile
  }

  /// Downloads the remaining bytes of one data set's files into their parts.
  ///
  /// - Returns: False if the data store has no fast download, or does not offer it for these files.
  /// - Throws: ``FastDownloadFailure``, ``DownloadError``, `HTTPError` without the token, ``RPCError`` if the data
  ///   store cannot be reached; `CancellationError`. The parts keep the received bytes.
  func fetch(_ targets: [Target], onProgress: @escaping @Sendable (Int) -> Void) async throws -> Bool {
    let wanted = targets.filter { $0.part.count < $0.file.size }
    guard let first = wanted.first else { return true }
    var failures = 0
    while true {
      let before = wanted.reduce(0) { $0 + $1.part.count }
      do {
        return try await fetchOnce(wanted.filter { $0.part.count < $0.file.size }, first.file, onProgress)
      } catch let error as HTTPError {
        guard error.isPassing else { throw error }
        failures = wanted.reduce(0) { $0 + $1.part.count } > before ? 0 : failures + 1
        if failures >= Self.attempts { throw error }
      }
    }
  }

  private func fetchOnce(
    _ targets: [Target], _ first: DataSetFile, _ onProgress: @escaping @Sendable (Int) -> Void
  ) async throws -> Bool {
    guard let session = try await begin(targets, first) else { return false }
    let result: Result<Void, any Error>
    do { result = .success(try await session.run(onProgress)) } catch { result = .failure(error) }
    // This happens after a cancellation too: an open download holds streams of the data store.
    await Task.detached { await session.end() }.value
    try result.get()
    return true
  }

  // MARK: Start

  /// Begins a download; returns nil if the data store does not offer it.
  private func begin(_ targets: [Target], _ first: DataSetFile) async throws -> FastDownloadSession? {
    let ids = targets.map { "\($0.file.dataSet)/\($0.file.path)" }
    if !hasLists, ids.contains(where: { $0.utf8.contains(UInt8(ascii: ",")) }) { return nil }
    let session: Value
    do {
      let call = RPCCall(
        interface: .dataStore(first.store), method: "createFastDownloadSession",
        parameters: NativeRequest.fastDownload(targets.map(\.file), streams: Self.streams))
      session = try await caller.callForValue(call)
    } catch let error as RPCError where error.isFromServer {
      // The plain download reports the reason, if it fails too.
      return nil
    }
    guard let address = session["downloadUrl"].text, let token = session["fileTransferUserSessionId"].text,
      !address.utf8.contains(UInt8(ascii: "?")), DataStoreAddress.contains(address, in: first.store)
    else { return nil }
    let servlet = FileTransferServlet(client, address: address, token: token, hasLists: hasLists)
    guard let start = try await servlet.start(ids, streams: Self.streams), !start.streams.isEmpty else { return nil }
    var ranges: [ClosedRange<Int>] = []
    for (id, target) in zip(ids, targets) {
      // Only an empty file has an empty chunk; a range with more chunks than bytes is wrong.
      guard let range = start.ranges[id], range.upperBound - range.lowerBound < max(1, target.file.size) else {
        await servlet.end(start.id)
        return nil
      }
      ranges.append(range)
    }
    let sink = FileChunkSink(targets, ids: ids, ranges: ranges)
    return FastDownloadSession(
      servlet: servlet, id: start.id, streams: start.streams, sink: sink, attempts: Self.attempts,
      chunksPerResponse: Self.chunksPerResponse)
  }
}

/// A violation of the protocol by the data store; the plain download remains.
struct FastDownloadFailure: Error, Equatable {
  var reason: String
}

/// A started fast download.
private struct FastDownloadSession: Sendable {
  let servlet: FileTransferServlet
  let id: String
  let streams: [String]
  let sink: FileChunkSink
  let attempts: Int
  let chunksPerResponse: Int

  /// The number of consecutive responses without a new chunk after which a stream is given up.
  private static let mostIdleResponses = 2

  /// Requests all missing chunks, and damaged ones again.
  func run(_ onProgress: @escaping @Sendable (Int) -> Void) async throws {
    var failures = 0
    while true {
      let missing = try sink.missing()
      if missing.isEmpty { return }
      try await servlet.queue(id, missing)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for stream in streams {
          group.addTask {
            var idleResponses = 0
            while !sink.isComplete, idleResponses < Self.mostIdleResponses {
              let (count, newCount) = try await servlet.chunks(id, stream, most: chunksPerResponse) { chunk in
                let isNew = try sink.take(chunk)
                onProgress(sink.count)
                return isNew
              }
              if count == 0 { return }
              idleResponses = newCount > 0 ? 0 : idleResponses + 1
            }
          }
        }
        try await group.waitForAll()
      }
      let left = sink.missingCount
      failures = left < missing.reduce(0) { $0 + $1.count } ? 0 : failures + 1
      if failures >= attempts { throw FastDownloadFailure(reason: "chunks were damaged or missing \(attempts) times") }
    }
  }

  /// Ends the download at the data store; one that is not ended here ends with the user's session.
  func end() async { await servlet.end(id) }
}

/// A writer of chunks to the files they belong to; on any thread, without waiting for the network.
private final class FileChunkSink: Sendable {
  private struct State {
    var missing: Set<Int> = []
    /// The chunks that arrived before their predecessors, by file and offset.
    var early: [Int: [Int: [UInt8]]] = [:]
    var earlyBytes = 0
    /// The chunks that arrived since they were last requested but were not kept.
    var rejected: Set<Int> = []
    var count = 0
  }

  /// The largest number of bytes held in memory until the chunks before them arrive.
  private static let mostEarlyBytes = 64 << 20

  private let targets: [FastDownload.Target]
  private let indices: [String: Int]
  private let ranges: [ClosedRange<Int>]
  private let state: Mutex<State>

  init(_ targets: [FastDownload.Target], ids: [String], ranges: [ClosedRange<Int>]) {
    (self.targets, self.ranges) = (targets, ranges)
    indices = Dictionary(ids.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    var missing: Set<Int> = []
    for (target, range) in zip(targets, ranges) {
      missing.formUnion(Self.firstMissing(target.part.count, of: target.file.size, range)...range.upperBound)
    }
    state = Mutex(State(missing: missing, count: targets.reduce(0) { $0 + $1.part.count }))
  }

  /// Returns the number of the first chunk that may contain missing bytes.
  ///
  /// All chunks of a file but the last have the same size, which the data store does not report: at least the file's
  /// size divided by their number, and less than the size divided by one fewer.
  private static func firstMissing(_ count: Int, of size: Int, _ range: ClosedRange<Int>) -> Int {
    let chunks = range.count
    if chunks < 2 || size == 0 { return range.lowerBound }
    let (high, low) = count.multipliedFullWidth(by: chunks - 1)
    return range.lowerBound + min(chunks - 1, size.dividingFullWidth((high, low)).quotient)
  }

  var isComplete: Bool { state.withLock { $0.missing.isEmpty } }
  var missingCount: Int { state.withLock { $0.missing.count } }
  /// The number of bytes received.
  var count: Int { state.withLock { $0.count } }

  /// Returns the chunks to request, as ranges.
  ///
  /// - Throws: ``DownloadError`` if all chunks were received and a file is not complete.
  func missing() throws -> [ClosedRange<Int>] {
    let numbers = state.withLock { state in
      state.rejected = []
      return state.missing
    }.sorted()
    if numbers.isEmpty, let target = targets.first(where: { $0.part.count != $0.file.size }) {
      throw DownloadError.otherSize(file: target.file.path, expected: target.file.size, found: target.part.count)
    }
    var ranges: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = ranges.last, last.upperBound + 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges
  }

  /// Receives a chunk; one that is damaged, or too early to be held, remains missing.
  ///
  /// - Returns: False if the chunk was received before.
  /// - Throws: ``FastDownloadFailure`` if it does not belong to a file; ``DownloadError`` if a file becomes too long or
  ///   cannot be written.
  func take(_ chunk: FileChunk) throws -> Bool {
    guard let index = indices[chunk.item], ranges[index].contains(chunk.number) else {
      throw FastDownloadFailure(reason: "a chunk belongs to another file")
    }
    let (part, size) = (targets[index].part, targets[index].file.size)
    guard chunk.offset >= 0, chunk.offset <= size else {
      throw FastDownloadFailure(reason: "a chunk is outside its file")
    }
    return try state.withLock { state in
      guard state.missing.contains(chunk.number) else { return false }
      let before = part.count
      guard let bytes = chunk.bytes,
        chunk.offset <= before || state.earlyBytes + bytes.count <= Self.mostEarlyBytes
      else { return state.rejected.insert(chunk.number).inserted }
      state.missing.remove(chunk.number)
      let replaced = state.early[index, default: [:]].updateValue(bytes, forKey: chunk.offset)
      state.earlyBytes += bytes.count - (replaced?.count ?? 0)
      // Chunks are written in the order of their offsets, up to the first gap.
      while let offset = state.early[index]?.keys.min(), offset <= part.count {
        guard let next = state.early[index]?.removeValue(forKey: offset) else { break }
        state.earlyBytes -= next.count
        let known = part.count - offset
        guard known < next.count else { continue }
        try next.withUnsafeBytes { try part.append(UnsafeRawBufferPointer(rebasing: $0[known...])) }
      }
      if part.count > size {
        throw DownloadError.otherSize(file: targets[index].file.path, expected: size, found: part.count)
      }
      state.count += part.count - before
      return true
    }
  }
}

/// The servlet of a data store that serves chunks.
private struct FileTransferServlet: Sendable {
  private let client: HTTPClient
  private let address: String
  private let token: String
  private let hasLists: Bool

  init(_ client: HTTPClient, address: String, token: String, hasLists: Bool) {
    var client = client
    client.configuration.staysOnHost = true
    (self.client, self.address, self.token, self.hasLists) = (client, address, token, hasLists)
  }

  /// The servlet's response to the beginning of a download.
  struct Start {
    var id: String
    /// The chunks of each file, by its id.
    var ranges: [String: ClosedRange<Int>]
    var streams: [String]
  }

  /// The size of the longest response without chunks, of a thousand files with long names.
  private static let limitInBytes = 16 << 20

  /// Starts a download; returns nil if the servlet refuses.
  func start(_ ids: [String], streams: Int) async throws -> Start? {
    var texts = ids.map(Value.text)
    if hasLists { texts = [.text(String(decoding: Value.list(texts).json, as: UTF8.self))] }
    let response: Value
    do {
      response = try await send(
        "startDownloadSession",
        [
          .init("userSessionId", [.text(token)]), .init("downloadItemIds", .list(texts)),
          .init("wishedNumberOfStreams", [.text("\(streams)")]),
        ])
    } catch let error as HTTPError {
      if case .status = error { return nil }
      throw error
    }
    guard let id = response["downloadSessionId"].text, let ranges = response["ranges"].record else { return nil }
    var known: [String: ClosedRange<Int>] = [:]
    for field in ranges.fields {
      let ends = (field.value.text ?? "").split(separator: ":").compactMap { Int($0) }
      guard let first = ends.first, let last = ends.last, first >= 0, first <= last else { continue }
      known[field.name] = first...last
    }
    return Start(id: id, ranges: known, streams: response["streamIds"].list?.compactMap(\.text) ?? [])
  }

  func queue(_ id: String, _ ranges: [ClosedRange<Int>]) async throws {
    let text = ranges.map { "\($0.lowerBound):\($0.upperBound)" }.joined(separator: ", ")
    let response = try await send("queue", [.init("downloadSessionId", [.text(id)]), .init("ranges", [.text(text)])])
    if let reason = response["error"].text { throw refusal(reason) }
  }

  /// Calls `use` with the next chunks of the queue as they arrive.
  ///
  /// - Parameter use: Receives a chunk, and returns false if it was received before.
  /// - Returns: The number of chunks, 0 if the queue is empty, and the number of new ones.
  func chunks(
    _ id: String, _ stream: String, most: Int, _ use: @escaping @Sendable (FileChunk) throws -> Bool
  ) async throws -> (count: Int, newCount: Int) {
    let body = FileChunkBody(use)
    let fields: [Record.Field] = [
      .init("downloadSessionId", [.text(id)]), .init("downloadStreamId", [.text(stream)]),
      .init("numberOfChunks", [.text("\(most)")]),
    ]
    do {
      let head = try await client.stream(request("download", fields)) { head in
        try head.checked()
        body.begin(head)
        return .more
      } receive: { piece in
        try body.take(piece)
        return .more
      }
      if head.mediaType == "application/json" {
        throw refusal((try? Value(json: body.text))?["error"].text ?? "no reason given")
      }
      return body.counts
    } catch is FileChunkReader.Damage {
      throw HTTPError.damaged(host: HTTPAddress.host(of: address), reason: "a chunk has a wrong header")
    } catch let error as HTTPError {
      throw error.hiding(token)
    }
  }

  func end(_ id: String) async {
    _ = try? await send("finishDownloadSession", [.init("downloadSessionId", [.text(id)])], deadlineInSeconds: 5)
  }

  private func refusal(_ reason: String) -> HTTPError {
    .failed(
      host: HTTPAddress.hostAndPort(of: address),
      reason: "the fast download was refused: \(MessageSanitizer(hiding: [Secret(token)]).clean(reason, limit: 200))")
  }

  private func send(_ method: String, _ fields: [Record.Field], deadlineInSeconds: Double? = 120) async throws -> Value
  {
    var request = request(method, fields)
    request.deadlineInSeconds = deadlineInSeconds
    request.stallInSeconds = 120
    do {
      let response = try await client.send(request)
      try response.head.checked()
      return response.body.isEmpty ? .null : try Value(json: response.body)
    } catch let error as HTTPError {
      throw error.hiding(token)
    } catch is JSONError {
      return .null
    }
  }

  private func request(_ method: String, _ fields: [Record.Field]) -> HTTPRequest {
    let version: [Record.Field] = hasLists ? [.init("version", ["2"])] : []
    let body = Record(version + [.init("method", [.text(method)])] + fields)
    var request = HTTPRequest(
      address, body: Value.record(body).json, headers: ["Content-Type": "application/json"],
      limitInBytes: method == "download" ? .max : Self.limitInBytes)
    request.deadlineInSeconds = nil
    return request
  }
}

/// A receiver of a response with chunks, or with the reason for a refusal.
private final class FileChunkBody: Sendable {
  private struct State {
    var reader = FileChunkReader()
    var count = 0
    var newCount = 0
    var text: [UInt8]?
  }

  private let use: @Sendable (FileChunk) throws -> Bool
  private let state = Mutex(State())

  init(_ use: @escaping @Sendable (FileChunk) throws -> Bool) {
    self.use = use
  }

  /// The number of chunks received, and the number of new ones.
  var counts: (count: Int, newCount: Int) { state.withLock { ($0.count, $0.newCount) } }
  /// The text of a refusal.
  var text: [UInt8] { state.withLock { $0.text ?? [] } }

  func begin(_ head: HTTPHead) {
    if head.mediaType == "application/json" { state.withLock { $0.text = [] } }
  }

  func take(_ piece: UnsafeRawBufferPointer) throws {
    try state.withLock { state in
      if let text = state.text {
        if text.count < DataStorePage.limitInBytes { state.text?.append(contentsOf: piece) }
        return
      }
      var (count, newCount) = (0, 0)
      try state.reader.take(piece) { chunk in
        if try use(chunk) { newCount += 1 }
        count += 1
      }
      state.count += count
      state.newCount += newCount
    }
  }
}

extension HTTPError {
  /// A Boolean value indicating whether a retry may succeed, at once or soon.
  fileprivate var isPassing: Bool {
    switch self {
    case .cutShort, .damaged, .timedOut, .failed: true
    case .offline, .badAddress, .protocolRefused, .unknownHost, .notConnected, .notTrusted, .otherKey,
      .tooManyRedirects, .redirectedElsewhere, .tooLarge, .status, .libraryMissing:
      false
    }
  }
}

/// A part of a file, as the fast download of a data store sends it.
struct FileChunk: Sendable, Hashable {
  /// The number of the chunk in its download, from 0.
  var number: Int
  /// The id of the requested file.
  var item: String
  /// The index of its first byte in the file.
  var offset: Int
  /// The bytes; nil if they do not match the checksum sent with them.
  var bytes: [UInt8]?
}

/// A parser of the chunks in a response, while it arrives.
///
/// - Source: openBIS, `ch.ethz.sis.filetransfer.ChunkInputStream` and `PayloadInputStream`: numbers are big-endian;
///   number 4, length of the item's id 2, folder 1, length of the path 2, offset 8, length of the bytes 4, id, path,
///   CRC-32 of all that 8, bytes, CRC-32 of these 8.
struct FileChunkReader {
  /// The header of a chunk is damaged, or its lengths are implausible.
  struct Damage: Error {}

  private var held: [UInt8] = []

  /// The bytes before the id.
  private static let headBytes = 21
  private static let checksumBytes = 8
  /// The largest number of bytes of a chunk; data stores send a mebibyte.
  private static let mostBytes = 64 << 20

  /// Receives the next bytes and calls `use` with the chunks that are complete.
  ///
  /// - Throws: ``Damage``; errors of `use`.
  mutating func take(_ piece: UnsafeRawBufferPointer, _ use: (FileChunk) throws -> Void) throws {
    held.append(contentsOf: piece)
    var start = 0
    while let (chunk, size) = try chunk(at: start) {
      try use(chunk)
      start += size
    }
    if start > 0 { held.removeFirst(start) }
  }

  /// Returns the chunk at an index and its size; nil if it is not complete yet.
  private func chunk(at start: Int) throws(Damage) -> (FileChunk, Int)? {
    guard held.count - start >= Self.headBytes else { return nil }
    let (itemCount, pathCount) = (number(start + 4, 2), number(start + 7, 2))
    let (offset, count) = (number(start + 9, 8), number(start + 17, 4))
    guard count <= Self.mostBytes, offset >= 0 else { throw Damage() }
    let item = start + Self.headBytes
    let head = item + itemCount + pathCount
    let body = head + Self.checksumBytes
    let end = body + count + Self.checksumBytes
    guard held.count >= body else { return nil }
    guard checksum(start..<head) == number(head, 8) else { throw Damage() }
    guard held.count >= end else { return nil }
    let isRight = checksum(body..<(body + count)) == number(body + count, 8)
    let chunk = FileChunk(
      number: number(start, 4), item: String(decoding: held[item..<(item + itemCount)], as: UTF8.self),
      offset: offset, bytes: isRight ? Array(held[body..<(body + count)]) : nil)
    return (chunk, end - start)
  }

  private func number(_ offset: Int, _ count: Int) -> Int {
    held[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) }
  }

  private func checksum(_ range: Range<Int>) -> Int {
    var checksum = CRC32()
    held.withUnsafeBytes { checksum.add(UnsafeRawBufferPointer(rebasing: $0[range])) }
    return Int(checksum.value)
  }
}
