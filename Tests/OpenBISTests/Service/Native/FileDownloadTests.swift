import Glibc
import PluginAPI
import PluginCompression
import PluginNet
import PluginServer
import Synchronization
import TestSupport
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

@Suite(.timeLimit(.minutes(5))) struct FileDownloadTests {
  private static let token = "ada-20240101x0123456789ABCDEF+/= secret"
  private let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }

  private func file(_ store: String, size: Int? = nil, checksum: UInt32? = nil) -> DataSetFile {
    var sum = CRC32()
    sum.add(content)
    return DataSetFile(
      dataSet: "20240101-1", path: "original/täst #1 100%.bin", isFolder: false, size: size ?? content.count,
      checksum: checksum ?? sum.value, store: store)
  }

  private var download: FileDownload {
    var configuration = HTTPClient.Configuration(isOffline: false)
    configuration.repeatLimit = 0
    return FileDownload(client: HTTPClient(configuration)) { Self.token }
  }

  /// Serves the content, from an offset if requested.
  private func served(_ request: ServerRequest, fault: ServerResponse.Fault? = nil) -> ServerResponse {
    guard let range = request.header("Range"), let start = Int(range.dropFirst(6).dropLast()) else {
      return ServerResponse(200, .bytes(content), fault: fault)
    }
    if start >= content.count { return ServerResponse(416) }
    let told = ServerRequest.Field("Content-Range", "bytes \(start)-\(content.count - 1)/\(content.count)")
    return ServerResponse(206, headers: [told], .bytes(Array(content[start...])), fault: fault)
  }

  @Test func `A file is downloaded completely, with escaped path and verified checksum`() async throws {
    let (log, folder) = (RequestLog(), try DownloadFolder())
    let told = Mutex<[Int]>([])
    let server = try HTTPServer {
      _ = log.note($0)
      return served($0)
    }
    let isChecked = try await download.fetch(file(server.url), to: folder.path + "/a") { count in
      told.withLock { $0.append(count) }
    }
    #expect(isChecked)
    #expect(folder.names == ["a"])
    #expect(folder.bytes("a") == content)
    #expect(told.withLock { $0.first == 0 && $0.last == content.count && $0 == $0.sorted() })
    #expect(log.requests.map(\.path) == ["/datastore_server/20240101-1/original/täst #1 100%.bin"])
    #expect(log.requests.first?.queryItem("sessionID") == Self.token)
    await server.stop()
  }

  @Test func `A download resumes where the connection was lost`() async throws {
    let (log, folder) = (RequestLog(), try DownloadFolder())
    let server = try HTTPServer { log.note($0) < 3 ? served($0, fault: .cut(after: 100_000)) : served($0) }
    try await download.fetch(file(server.url), to: folder.path + "/a")
    #expect(folder.bytes("a") == content)
    #expect(log.ranges == ["", "bytes=100000-", "bytes=200000-"])
    await server.stop()
  }

  @Test func `An earlier part is resumed, or discarded on request`() async throws {
    let (log, folder) = (RequestLog(), try DownloadFolder())
    let server = try HTTPServer {
      _ = log.note($0)
      return served($0)
    }
    for isResuming in [true, false] {
      folder.write(Array(content[..<123_456]), "a.part")
      try await download.fetch(file(server.url), to: folder.path + "/a", isResuming: isResuming)
      #expect(folder.bytes("a") == content)
      #expect(folder.names == ["a"])
    }
    #expect(log.ranges == ["bytes=123456-", ""])
    await server.stop()
  }

  @Test func `A complete part is only verified`() async throws {
    let (log, folder) = (RequestLog(), try DownloadFolder())
    let server = try HTTPServer {
      _ = log.note($0)
      return served($0)
    }
    folder.write(content, "a.part")
    try await download.fetch(file(server.url), to: folder.path + "/a")
    #expect(folder.names == ["a"])
    #expect(log.requests.isEmpty)
    await server.stop()
  }

  @Test func `A store without support for ranges, or for this one, sends everything again`() async throws {
    let folder = try DownloadFolder()
    for status in [200, 416] {
      let server = try HTTPServer { request in
        request.header("Range") == nil || status == 200 ? ServerResponse(200, .bytes(content)) : ServerResponse(416)
      }
      folder.write(Array(content[..<1000]), "a.part")
      try await download.fetch(file(server.url), to: folder.path + "/a")
      #expect(folder.bytes("a") == content)
      await server.stop()
    }
  }

  @Test func `A part that is longer than the file is discarded`() async throws {
    let folder = try DownloadFolder()
    let server = try HTTPServer { served($0) }
    folder.write(content + [1], "a.part")
    try await download.fetch(file(server.url), to: folder.path + "/a")
    #expect(folder.bytes("a") == content)
    await server.stop()
  }

  @Test func `A damaged download is deleted, and an existing file of its name stays`() async throws {
    let folder = try DownloadFolder()
    let server = try HTTPServer { served($0) }
    folder.write([1, 2, 3], "a")
    await #expect {
      try await download.fetch(file(server.url, checksum: 7), to: folder.path + "/a")
    } throws: {
      ($0 as? DownloadError)?.report.code == "openbis.download-checksum"
    }
    #expect(folder.names == ["a"])
    #expect(folder.bytes("a") == [1, 2, 3])
    await server.stop()
  }

  @Test(arguments: [10, 400_000]) func `A file of another size is refused, such as a login page`(
    size: Int
  ) async throws {
    let folder = try DownloadFolder()
    let server = try HTTPServer { served($0) }
    await #expect {
      try await download.fetch(file(server.url, size: size), to: folder.path + "/a")
    } throws: {
      ($0 as? DownloadError)?.report.code == "openbis.download-size"
    }
    #expect(folder.names == [])
    await server.stop()
  }

  @Test func `A response with another range than requested is refused`() async throws {
    let folder = try DownloadFolder()
    let server = try HTTPServer { _ in
      ServerResponse(206, headers: [.init("Content-Range", "bytes 0-9/300000")], .bytes(Array(repeating: 0, count: 10)))
    }
    folder.write(Array(content[..<1000]), "a.part")
    await #expect(throws: DownloadError.otherPart(file: file(server.url).path)) {
      try await download.fetch(file(server.url), to: folder.path + "/a")
    }
    #expect(folder.bytes("a.part") == Array(content[..<1000]))
    await server.stop()
  }

  @Test func `A file without a checksum is accepted and reported as unverified`() async throws {
    let folder = try DownloadFolder()
    let server = try HTTPServer { served($0) }
    var bare = file(server.url)
    bare.checksum = nil
    #expect(try await !download.fetch(bare, to: folder.path + "/a"))
    #expect(folder.bytes("a") == content)
    await server.stop()
  }

  @Test func `An empty file is downloaded`() async throws {
    let folder = try DownloadFolder()
    let server = try HTTPServer { _ in ServerResponse(200, .bytes([])) }
    #expect(try await download.fetch(file(server.url, size: 0, checksum: 0), to: folder.path + "/a"))
    #expect(folder.names == ["a"])
    await server.stop()
  }

  @Test func `A canceled download ends at once and keeps its part for later`() async throws {
    let (folder, told) = (try DownloadFolder(), AsyncStream<Int>.makeStream())
    let server = try HTTPServer { served($0, fault: .stall(after: 280_000)) }
    let path = folder.path + "/a"
    let (download, file) = (download, file(server.url))
    let task = Task {
      try await download.fetch(file, to: path) { told.continuation.yield($0) }
    }
    for await count in told.stream where count > 0 { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(folder.names == ["a.part"])
    let kept = folder.bytes("a.part")
    #expect(kept.count >= 1 << 18)
    #expect(kept == Array(content[..<kept.count]))
    await server.stop(deadlineInSeconds: 0)
  }

  @Test func `A second download into the same file is refused`() async throws {
    let folder = try DownloadFolder()
    let part = try PartFile(of: folder.path + "/a")
    await #expect(throws: DownloadError.busy(path: folder.path + "/a")) {
      try await download.fetch(file("http://127.0.0.1:1"), to: folder.path + "/a")
    }
    part.remove()
    part.close()
  }

  @Test func `A failed download releases its file at once, even while child processes start`() async throws {
    let folder = try DownloadFolder()
    let part = folder.path + "/a.part"
    let copies = Mutex<[Int32]>([])
    // A starting child process has copies of all descriptors until it runs its program.
    let server = try HTTPServer { _ in
      copies.withLock { $0 = OpenDescriptors.copies(of: part) }
      return ServerResponse(404)
    }
    for _ in 0..<100 {
      await #expect {
        try await download.fetch(file(server.url), to: folder.path + "/a")
      } throws: { error in
        if case HTTPError.status = error { true } else { false }
      }
      #expect(throws: Never.self) { try PartFile(of: folder.path + "/a").close() }
      let held = copies.withLock { $0 }
      #expect(held.count == 1)
      for copy in held { close(copy) }
    }
    await server.stop()
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `A redirection is followed on the same host only, and no token goes elsewhere`(status: Int) async throws {
    let (log, folder) = (RequestLog(), try DownloadFolder())
    let other = try HTTPServer {
      _ = log.note($0)
      return served($0)
    }
    let target = Mutex(other.url + "/x?sessionID=" + HTTPAddress.escaped(Self.token))
    let server = try HTTPServer { request in
      if request.path == "/moved" { return served(request) }
      return ServerResponse(status, headers: [.init("Location", target.withLock { $0 })], .bytes([]))
    }
    await #expect {
      try await download.fetch(file(server.url), to: folder.path + "/a")
    } throws: { error in
      if case HTTPError.redirectedElsewhere = error { true } else { false }
    }
    #expect(log.requests.isEmpty)
    target.withLock { $0 = "/moved" }
    try await download.fetch(file(server.url), to: folder.path + "/a")
    #expect(folder.bytes("a") == content)
    await server.stop()
    await other.stop()
  }

  @Test func `A symbolic link is followed and stays a link`() async throws {
    let folder = try DownloadFolder()
    let server = try HTTPServer { served($0) }
    folder.write([1], "kept")
    for (name, end) in [("link", "kept"), ("early", "new")] {
      symlink(end, folder.path + "/" + name)
      try await download.fetch(file(server.url), to: folder.path + "/" + name)
      #expect(folder.bytes(end) == content)
    }
    var status = stat()
    #expect(lstat(folder.path + "/link", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(folder.names == ["early", "kept", "link", "new"])
    await server.stop()
  }

  @Test func `A folder, a pipe and a device are refused and left unchanged`() async throws {
    let folder = try DownloadFolder()
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let cases: [(String, ErrorReport.Kind)] = [
      (folder.path, .failure), (pipe, .refused), ("/dev/null", .refused), ("/tmp/no such folder/a", .notFound),
      (pipe + "/a", .notFound),
    ]
    for (path, kind) in cases {
      await #expect {
        try await download.fetch(file("http://127.0.0.1:1"), to: path)
      } throws: { error in
        let report = (error as? DownloadError)?.report
        return report?.code == "openbis.download-file" && report?.kind == kind
      }
    }
    var status = stat()
    #expect(lstat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    #expect(folder.names == ["pipe"])
  }

  @Test func `A missing folder is reported`() async {
    await #expect {
      try await download.fetch(file("http://127.0.0.1:1"), to: "/tmp/no such folder/a")
    } throws: {
      ($0 as? DownloadError)?.report.code == "openbis.download-file"
    }
  }

  @Test func `An expired session is renewed once, also in the middle of a file`() async throws {
    let folder = try DownloadFolder()
    let log = RequestLog()
    let server = try HTTPServer { request in
      switch log.note(request) {
      case 1: served(request, fault: .cut(after: 100_000))
      default: request.queryItem("sessionID") == "new" ? served(request) : ServerResponse(401)
      }
    }
    var download = download
    await #expect(throws: HTTPError.self) { try await download.fetch(file(server.url), to: folder.path + "/a") }
    download.renewedToken = { _ in "new" }
    try await download.fetch(file(server.url), to: folder.path + "/a")
    #expect(folder.bytes("a") == content)
    #expect(log.requests.map { $0.queryItem("sessionID") } == [Self.token, Self.token, Self.token, "new"])
    #expect(log.ranges.last == "bytes=100000-")
    download.renewedToken = { _ in "also old" }
    await #expect(throws: HTTPError.self) { try await download.fetch(file(server.url), to: folder.path + "/b") }
    #expect(log.requests.count == 6)
    await server.stop()
  }

  @Test(arguments: [401, 403, 404, 500, 503, 302]) func `Errors of requests do not show the token`(status: Int)
    async throws
  {
    let folder = try DownloadFolder()
    let server = try HTTPServer { request in
      ServerResponse(status, headers: [.init("Location", "ftp://x/?sessionID=\(Self.token)")], .bytes([]))
    }
    try await expectSilence(folder, server.url)
    await server.stop()
  }

  @Test(arguments: [
    "http://127.0.0.1:1", "ftp://x", "https://127.0.0.1:1/datastore_server/", "",
  ])
  func `Errors of an unreachable store do not show the token`(store: String) async throws {
    try await expectSilence(try DownloadFolder(), store)
  }

  private func expectSilence(_ folder: DownloadFolder, _ store: String) async throws {
    do {
      try await download.fetch(file(store), to: folder.path + "/a")
      Issue.record("no error")
    } catch {
      let words = "\(error) \((error as? any ReportableError)?.report.details ?? Record())"
      // Not even a prefix of it.
      for secret in ["ada-2024", "sessionID"] { #expect(!words.contains(secret), "\(words)") }
    }
  }

  @Test func `The address of a file is made of escaped parts`() {
    var some = DataSetFile(
      dataSet: "2024-1", path: "a/b c/#?.txt", isFolder: false, size: 1, checksum: nil, store: "https://h:444/")
    let address = "https://h:444/datastore_server/2024-1/a/b%20c/%23%3F.txt?sessionID=t%26%3D"
    #expect(FileDownload.address(some, "t&=") == address)
    some.store = "https://h:444/datastore_server"
    #expect(FileDownload.address(some, "t&=") == address)
  }

  // MARK: Pages instead of files

  private static func page(_ words: String) -> ServerResponse {
    ServerResponse(type: "text/html", Array("<html><body>\(words)</body></html>".utf8))
  }

  @Test(arguments: [
    ("Data set '2024-1' is not accessible.", ErrorReport.Kind.refused), ("Download session expired.", .refused),
    ("<h1>Error</h1>\nResource 'x' does not exist in data set '2024-1'.\n", .notFound), ("", .network),
  ])
  func `a page instead of a file is reported with its reason, and the part stays`(
    words: String, kind: ErrorReport.Kind
  ) async throws {
    let folder = try DownloadFolder()
    let server = try HTTPServer { _ in Self.page(words) }
    folder.write(Array(content[..<200_000]), "a.part")
    var reason = ""
    do {
      try await download.fetch(file(server.url), to: folder.path + "/a")
    } catch let error as DownloadError {
      reason = error.report.message
      #expect(error.report.code == "openbis.download-refused" && error.report.kind == kind)
    }
    let told = words.split(separator: "\n").last { !$0.hasPrefix("<") } ?? "empty page"
    #expect(reason.contains(told) && !reason.contains("<"))
    #expect(folder.bytes("a.part") == Array(content[..<200_000]))
    await server.stop()
  }

  @Test func `a session reported as expired by a page is renewed, and the download resumes`() async throws {
    let (log, folder) = (RequestLog(), try DownloadFolder())
    let told = Mutex<[Int]>([])
    // As the servlet of a data store does: no ranges, and refusals with status 200.
    let server = try HTTPServer { request in
      switch log.note(request) {
      case 1: ServerResponse(200, .bytes(content), fault: .cut(after: 100_000))
      default:
        request.queryItem("sessionID") == "new"
          ? ServerResponse(200, .bytes(content)) : Self.page("Download session expired.")
      }
    }
    var download = download
    download.renewedToken = { _ in "new" }
    try await download.fetch(file(server.url), to: folder.path + "/a") { count in told.withLock { $0.append(count) } }
    #expect(folder.bytes("a") == content)
    #expect(log.requests.map { $0.queryItem("sessionID") } == [Self.token, Self.token, "new"])
    // No received bytes were discarded.
    #expect(told.withLock { $0 == $0.sorted() })
    await server.stop()
  }

  @Test func `a data store without ranges never loses the existing part, however often it disconnects`() async throws {
    let folder = try DownloadFolder()
    let ends = Mutex([50_000, 200_000, 250_000])
    let server = try HTTPServer { _ in
      let end = ends.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      return ServerResponse(200, .bytes(content), fault: end.map { .cut(after: $0) })
    }
    folder.write(Array(content[..<123_456]), "a.part")
    await #expect(throws: HTTPError.self) { try await download.fetch(file(server.url), to: folder.path + "/a") }
    #expect(folder.bytes("a.part") == Array(content[..<123_456]))
    try await download.fetch(file(server.url), to: folder.path + "/a")
    #expect(folder.bytes("a") == content && ends.withLock { $0.isEmpty })
    await server.stop()
  }

  @Test func `a part of another file is discarded if its start differs`() async throws {
    let (log, folder) = (RequestLog(), try DownloadFolder())
    let server = try HTTPServer { request in
      _ = log.note(request)
      return ServerResponse(200, .bytes(content))
    }
    folder.write(Array(repeating: 7, count: 5000), "a.part")
    try await download.fetch(file(server.url), to: folder.path + "/a")
    #expect(folder.bytes("a") == content && log.ranges == ["bytes=5000-", ""])
    await server.stop()
  }

  @Test(arguments: [true, false]) func `a file that is an HTML page is downloaded like any other`(hasLength: Bool)
    async throws
  {
    let folder = try DownloadFolder()
    let html = Array("<html><body>Download session expired.</body></html>".utf8)
    let server = try HTTPServer { _ in
      hasLength
        ? ServerResponse(type: "text/html", html)
        : ServerResponse(
          200, headers: [.init("Content-Type", "text/html")], .stream(length: nil) { try await $0.write(html) })
    }
    var sum = CRC32()
    sum.add(html)
    #expect(
      try await download.fetch(file(server.url, size: html.count, checksum: sum.value), to: folder.path + "/a"))
    #expect(folder.bytes("a") == html)
    await server.stop()
  }

  @Test(arguments: ["../../../../x", "a/./b", "original/.."])
  func `a path outside the data set is not requested`(path: String) async throws {
    let (log, folder) = (RequestLog(), try DownloadFolder())
    let server = try HTTPServer { request in
      _ = log.note(request)
      return ServerResponse(200, .bytes(content))
    }
    var bad = file(server.url)
    bad.path = path
    await #expect(throws: DownloadError.badPath(file: path)) { try await download.fetch(bad, to: folder.path + "/a") }
    #expect(log.requests.isEmpty && folder.names.isEmpty)
    await server.stop()
  }

  @Test func `an empty part is deleted`() async throws {
    let folder = try DownloadFolder()
    let server = try HTTPServer { _ in ServerResponse(404) }
    await #expect(throws: HTTPError.self) { try await download.fetch(file(server.url), to: folder.path + "/a") }
    #expect(folder.names.isEmpty)
    await server.stop()
  }
}
