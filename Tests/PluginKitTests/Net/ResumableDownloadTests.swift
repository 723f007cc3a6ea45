import Glibc
import PluginAPI
import PluginCompression
import PluginNet
import PluginStore
import Synchronization
import TestSupport
import Testing

/// Downloads into parts, from servers that support ranges, do not, or break off.
struct ResumableDownloadTests {
  private let folder: StoreFolder
  private let content = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }

  init() {
    folder = StoreFolder()
    mkdir(folder.path, 0o700)
  }

  private func download(_ part: StoredPart) -> ResumableDownload {
    var configuration = HTTPClient.Configuration(isOffline: false)
    configuration.repeatLimit = 0
    return ResumableDownload(HTTPClient(configuration), into: part)
  }

  private func part(_ identifies: StoredPart.Means, _ bytes: [UInt8] = []) throws -> StoredPart {
    try StoredPart(folder.file("a.part"), identifies, bytes)
  }

  /// Returns the response of a server that supports ranges.
  private func served(
    _ request: FixtureRequest, tag: String? = nil, _ manner: FixtureReply.Manner = .whole
  ) -> FixtureReply {
    let tags = tag.map { [(name: "ETag", value: $0)] } ?? []
    guard let range = request.headers["range"], let start = Int(range.dropFirst(6).dropLast()) else {
      return FixtureReply(200, content, headers: tags, manner)
    }
    let named = (name: "Content-Range", value: "bytes \(start)-\(content.count - 1)/\(content.count)")
    return FixtureReply(206, Array(content[start...]), headers: tags + [named], manner)
  }

  private func ranges(_ server: FixtureServer) -> [String?] { server.requests.map { $0.headers["range"] } }

  // MARK: Parts with a validator

  @Test func `a lost connection is reopened, and the rest requested if the file is still the same`() async throws {
    let server = try FixtureServer {
      served($0, tag: "\"one\"", $0.headers["range"] == nil ? .cut(after: 1000) : .whole)
    }
    let part = try part(.validator)
    defer { part.close() }
    let reported = Mutex<[ResumableDownload.Progress]>([])
    let head = try await download(part).run(HTTPRequest(server.address)) { state in
      reported.withLock { $0.append(state) }
    }
    #expect(head?.status == 206)
    #expect(try part.bytes == content)
    #expect(ranges(server) == [nil, "bytes=1000-"])
    #expect(server.requests.last?.headers["if-range"] == "\"one\"")
    let all = reported.withLock { $0 }
    #expect(all.first?.received == 0 && all.last?.received == 3000)
    #expect(all.allSatisfy { $0.total == 3000 } && all.map(\.received) == all.map(\.received).sorted())
  }

  @Test func `without a validator the file is received again from its beginning`() async throws {
    let count = Atomic(0)
    let server = try FixtureServer {
      served($0, count.add(1, ordering: .relaxed).newValue == 1 ? .cut(after: 1000) : .whole)
    }
    let part = try part(.validator)
    defer { part.close() }
    try await download(part).run(HTTPRequest(server.address)) { _ in }
    #expect(try part.bytes == content)
    #expect(ranges(server) == [nil, nil])
  }

  @Test func `a date identifies a file whose ETag is weak`() async throws {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let server = try FixtureServer { _ in
      FixtureReply(200, content, headers: [("ETag", "W/\"one\""), ("Last-Modified", date)])
    }
    let part = try part(.validator)
    defer { part.close() }
    try await download(part).run(HTTPRequest(server.address)) { _ in }
    #expect(part.validator == date)
  }

  @Test func `a file that has changed replaces the part`() async throws {
    let server = try FixtureServer { _ in FixtureReply(200, content, headers: [("ETag", "\"two\"")]) }
    let part = try part(.validator, [UInt8](repeating: 7, count: 100))
    defer { part.close() }
    try part.restart(validator: "\"one\"")
    try part.add([UInt8](repeating: 7, count: 100))
    try await download(part).run(HTTPRequest(server.address)) { _ in }
    #expect(try part.bytes == content)
    #expect(part.validator == "\"two\"")
    #expect(ranges(server) == ["bytes=100-"])
  }

  @Test(arguments: [206, 416]) func `a part that the server cannot continue is received again`(
    status: Int
  ) async throws {
    let server = try FixtureServer { request in
      if request.headers["range"] == nil { return served(request, tag: "\"one\"") }
      return FixtureReply(status, [1, 2, 3], headers: status == 206 ? [("Content-Range", "bytes 0-2/3")] : [])
    }
    let part = try part(.validator)
    defer { part.close() }
    try part.restart(validator: "\"one\"")
    try part.add([7, 7])
    try await download(part).run(HTTPRequest(server.address)) { _ in }
    #expect(try part.bytes == content)
    #expect(ranges(server) == ["bytes=2-", nil])
  }

  @Test func `a range that was not requested is refused if the size of the file is unknown`() async throws {
    let server = try FixtureServer { _ in
      FixtureReply(206, [1, 2, 3], headers: [("Content-Range", "bytes 0-2/3000")])
    }
    let part = try part(.validator)
    defer { part.close() }
    await #expect(throws: ResumableDownload.Failure.otherRange) {
      try await download(part).run(HTTPRequest(server.address)) { _ in }
    }
    #expect(part.count == 0 && server.requests.count == 1)
  }

  // MARK: Parts with a digest

  @Test func `a part with a digest is continued without a condition`() async throws {
    let server = try FixtureServer { served($0) }
    let part = try part(.digest, Array(content[..<1234]))
    defer { part.close() }
    var download = download(part)
    download.sizeInBytes = content.count
    try await download.run(HTTPRequest(server.address)) { _ in }
    #expect(try part.bytes == content)
    #expect(ranges(server) == ["bytes=1234-"] && server.requests.first?.headers["if-range"] == nil)
  }

  @Test func `a part with a digest is kept if the server sends the whole file`() async throws {
    let count = Atomic(0)
    // Breaks off within the known bytes, after them, and not at all.
    let manners: [FixtureReply.Manner] = [.cut(after: 500), .cut(after: 2000), .whole]
    let server = try FixtureServer { _ in
      FixtureReply(200, content, manners[count.add(1, ordering: .relaxed).oldValue])
    }
    let part = try part(.digest, Array(content[..<1000]))
    defer { part.close() }
    await #expect(throws: HTTPError.self) { try await download(part).run(HTTPRequest(server.address)) { _ in } }
    #expect(try part.bytes == Array(content[..<1000]))
    let least = Mutex(Int.max)
    try await download(part).run(HTTPRequest(server.address)) { state in
      least.withLock { $0 = min($0, state.received) }
    }
    #expect(try part.bytes == content)
    #expect(least.withLock { $0 } == 1000)
    #expect(ranges(server) == ["bytes=1000-", "bytes=1000-", "bytes=2000-"])
  }

  @Test func `a part with another beginning than the file is discarded`() async throws {
    let server = try FixtureServer { _ in FixtureReply(200, content) }
    let part = try part(.digest, [UInt8](repeating: 7, count: 1000))
    defer { part.close() }
    try await download(part).run(HTTPRequest(server.address)) { _ in }
    #expect(try part.bytes == content)
    #expect(ranges(server) == ["bytes=1000-", nil])
  }

  @Test func `another range than requested is refused, and the part with a digest stays`() async throws {
    let server = try FixtureServer { _ in
      FixtureReply(206, [1, 2, 3], headers: [("Content-Range", "bytes 0-2/3000")])
    }
    let part = try part(.digest, Array(content[..<1000]))
    defer { part.close() }
    await #expect(throws: ResumableDownload.Failure.otherRange) {
      try await download(part).run(HTTPRequest(server.address)) { _ in }
    }
    #expect(try part.bytes == Array(content[..<1000]))
  }

  @Test func `a file that is longer or shorter than stated is refused, and the part stays`() async throws {
    let bodies = [content, Array(content[..<50])]
    let part = try part(.digest, Array(content[..<100]))
    defer { part.close() }
    for body in bodies {
      let server = try FixtureServer { _ in FixtureReply(200, body) }
      var download = download(part)
      download.sizeInBytes = 200
      let failure = await #expect(throws: ResumableDownload.Failure.self) {
        try await download.run(HTTPRequest(server.address)) { _ in }
      }
      if body.count < 100 { #expect(failure == .otherSize(expected: 200, found: 50)) }
      if case .otherSize = failure {} else { Issue.record("\(String(describing: failure))") }
      #expect(try part.bytes == Array(content[..<100]))
    }
  }

  @Test func `a complete part is not requested, an empty file is`() async throws {
    let server = try FixtureServer { _ in FixtureReply(200) }
    let part = try part(.digest, content)
    defer { part.close() }
    var download = download(part)
    download.sizeInBytes = content.count
    #expect(try await download.run(HTTPRequest(server.address)) { _ in } == nil)
    #expect(server.requests.isEmpty)
    try part.restart(validator: nil)
    download.sizeInBytes = 0
    #expect(try await download.run(HTTPRequest(server.address)) { _ in }?.status == 200)
    #expect(part.count == 0 && server.requests.count == 1)
  }

  // MARK: Limits, pages, refusals

  @Test func `a file above the limit is refused, with or without a stated length`() async throws {
    for manner in [FixtureReply.Manner.whole, .endless] {
      let server = try FixtureServer { _ in FixtureReply(200, content, manner) }
      let part = try part(.validator)
      var download = download(part)
      download.limitInBytes = 2000
      let error = await #expect(throws: HTTPError.self) {
        try await download.run(HTTPRequest(server.address)) { _ in }
      }
      if case .tooLarge(_, limitInBytes: 2000) = error {} else { Issue.record("\(String(describing: error))") }
      #expect(part.count <= 2000)
      part.close()
    }
  }

  @Test func `a stated length near the largest number is refused`() async throws {
    let server = try FixtureServer { _ in
      FixtureReply(
        206, [1],
        headers: [("Content-Range", "bytes 100-\(Int.max)/\(Int.max)"), ("Content-Length", "\(Int.max)")], .unstated)
    }
    let part = try part(.digest, Array(content[..<100]))
    defer { part.close() }
    let error = await #expect(throws: HTTPError.self) {
      try await download(part).run(HTTPRequest(server.address)) { _ in }
    }
    if case .tooLarge = error {} else { Issue.record("\(String(describing: error))") }
    #expect(part.count == 100)
  }

  @Test func `connections that are lost without a byte end the attempts`() async throws {
    let server = try FixtureServer {
      served($0, tag: "\"one\"", .cut(after: $0.headers["range"] == nil ? 1000 : 0))
    }
    let part = try part(.validator)
    defer { part.close() }
    let error = await #expect(throws: HTTPError.self) {
      try await download(part).run(HTTPRequest(server.address)) { _ in }
    }
    if case .cutShort = error {} else { Issue.record("\(String(describing: error))") }
    #expect(part.count == 1000 && ranges(server) == [nil, "bytes=1000-"])
  }

  @Test func `no more requests than allowed are sent for a file whose connection is lost`() async throws {
    let server = try FixtureServer { served($0, tag: "\"one\"", .cut(after: 10)) }
    let part = try part(.validator)
    defer { part.close() }
    var download = download(part)
    download.attempts = 3
    let error = await #expect(throws: HTTPError.self) {
      try await download.run(HTTPRequest(server.address)) { _ in }
    }
    if case .cutShort = error {} else { Issue.record("\(String(describing: error))") }
    #expect(part.count == 30 && server.requests.count == 3)
  }

  @Test func `after a refusal the replacement of the request continues the part`() async throws {
    let server = try FixtureServer { request in
      switch request.target {
      case "/old":
        request.headers["range"] == nil ? served(request, tag: "\"one\"", .cut(after: 10)) : FixtureReply(401)
      default: served(request)
      }
    }
    let part = try part(.validator)
    defer { part.close() }
    let errors = Mutex<[HTTPError]>([])
    try await download(part).run(HTTPRequest(server.address + "/old")) { error in
      errors.withLock { $0 += [error as? HTTPError].compactMap(\.self) }
      return HTTPRequest(server.address + "/new")
    } onProgress: { _ in
    }
    #expect(try part.bytes == content)
    #expect(server.requests.map(\.target) == ["/old", "/old", "/new"])
    #expect(ranges(server).last == "bytes=10-")
    // A lost connection alone is not a refusal.
    #expect(errors.withLock { $0.map(\.report.code) } == ["net.status"])
  }

  @Test func `a page instead of the file is recognized by the check, and the part stays`() async throws {
    struct Page: Error {}
    let part = try part(.digest, Array(content[..<100]))
    defer { part.close() }
    var download = download(part)
    download.pageCheck = { head in
      head.mediaType == "text/html"
        ? .init(limitInBytes: 1000) { bytes in if bytes.starts(with: "<html>".utf8) { throw Page() } } : nil
    }
    let pages = try FixtureServer { _ in .text("<html>session expired</html>", type: "text/html") }
    await #expect(throws: Page.self) { try await download.run(HTTPRequest(pages.address)) { _ in } }
    #expect(try part.bytes == Array(content[..<100]))
    // A file of this type that is larger than a page, and one that is not a page.
    for count in [3000, 900] {
      let server = try FixtureServer { _ in FixtureReply(200, Array(content[..<count]), type: "text/html") }
      try part.restart(validator: nil)
      try await download.run(HTTPRequest(server.address)) { _ in }
      #expect(try part.bytes == Array(content[..<count]))
    }
  }

  @Test func `a response that the caller refuses leaves the part as it is`() async throws {
    struct Refused: Error {}
    let server = try FixtureServer { _ in FixtureReply(203, [1, 2, 3]) }
    let part = try part(.digest, Array(content[..<100]))
    defer { part.close() }
    var download = download(part)
    download.checkHead = { if $0.status != 200 { throw Refused() } }
    await #expect(throws: Refused.self) { try await download.run(HTTPRequest(server.address)) { _ in } }
    #expect(try part.bytes == Array(content[..<100]))
  }

  @Test func `a part that cannot be written ends the download`() async throws {
    let server = try FixtureServer { served($0) }
    let part = try part(.digest)
    part.close()
    await #expect(throws: WholeFileFailure(number: EBADF)) {
      try await download(part).run(HTTPRequest(server.address)) { _ in }
    }
  }

  @Test func `a canceled download ends at once and keeps its part for later`() async throws {
    let server = try FixtureServer { served($0, .stuck(after: 1000)) }
    let part = try part(.digest)
    defer { part.close() }
    let (counts, sink) = AsyncStream<Int>.makeStream()
    let (download, address) = (download(part), server.address)
    let task = Task { try await download.run(HTTPRequest(address)) { sink.yield($0.received) } }
    for await count in counts where count >= 1000 { break }
    // The server hangs: without cancellation the request would end with a timeout.
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try part.bytes == Array(content[..<1000]))
  }
}

/// A part on the disk, with one of the means to recognize its bytes.
private final class StoredPart: ResumablePart {
  enum Means { case validator, digest }

  private let file: PartialFile
  private let means: Means
  private let kept = Mutex<String?>(nil)

  init(_ path: String, _ means: Means, _ bytes: [UInt8]) throws {
    (file, self.means) = (try PartialFile(path), means)
    try file.keepFirst(0)
    try add(bytes)
  }

  var count: Int { file.count }

  var validator: String? { kept.withLock { $0 } }

  var bytes: [UInt8] {
    get throws {
      var bytes: [UInt8] = []
      try file.read { bytes += $0 }
      return bytes
    }
  }

  var identity: PartIdentity {
    switch means {
    case .validator: return count > 0 ? validator.map(PartIdentity.validator) ?? .none : .none
    case .digest:
      var sum = Sum()
      try? file.read { sum.add($0) }
      return .digest(sum.value, empty: Sum())
    }
  }

  private struct Sum: PartDigest {
    private var sum = CRC32()
    var value: UInt64 { UInt64(sum.value) }
    mutating func add(_ bytes: UnsafeRawBufferPointer) { sum.add(bytes) }
  }

  func add(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try file.append($0) } }

  func append(_ bytes: UnsafeRawBufferPointer) throws { try file.append(bytes) }

  func restart(validator: String?) throws {
    try file.keepFirst(0)
    kept.withLock { $0 = validator }
  }

  func keepFirst(_ count: Int) { try? file.keepFirst(count) }

  func close() { file.close() }
}
