import PluginAPI
import PluginNet
import PluginServer
import Testing

@testable import OpenBIS

/// Fetching images, and the recipients of the token.
@Suite(.timeLimit(.minutes(10)))
struct ImageFetcherTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]
  private static let token = Secret("peter-130225102030405xABCDEF0123456789")

  /// A server of images that records its requests.
  private final class ImageLab: Sendable {
    let asked = Mutexed<[String]>([])
    let http: HTTPServer

    init(
      _ answer: @escaping @Sendable (ServerRequest) async throws -> ServerResponse = { _ in
        ServerResponse(type: "image/png", ImageFetcherTests.png)
      }
    ) throws {
      let asked = asked
      http = try HTTPServer { request in
        let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        asked.withLock { $0.append(query.isEmpty ? request.path : request.path + "?" + query) }
        return try await answer(request)
      }
    }

    func fetcher(dataStores: [String]? = nil, limit: Int = 1 << 20, parallel: Int = 4) -> ImageFetcher {
      ImageFetcher(
        HTTPClient(.init(isOffline: false)), server: ServerAddress(base: http.url),
        dataStores: dataStores ?? [http.url],
        limitInBytes: limit, parallel: parallel, token: { ImageFetcherTests.token })
    }
  }

  /// Returns the error of an image, after checking it for the token.
  private func failure(_ lab: ImageLab, _ address: String, limit: Int = 1 << 20) async -> ImageFetchError? {
    let error = await errorOf { try await lab.fetcher(limit: limit).image(address) } as? ImageFetchError
    let words = "\(String(describing: error)) \(String(describing: error?.report))"
    #expect(!words.contains(Self.token.text) && !words.contains("sessionID"))
    return error
  }

  @Test func `case 38: an address may be relative to the server`() async throws {
    let lab = try ImageLab()
    for address in ["/a/x.png", "a/x.png", lab.http.url + "/a/x.png"] {
      let image = try await lab.fetcher().image(address)
      #expect(image.bytes == Self.png && image.format == "PNG")
    }
    #expect(lab.asked.value == ["/a/x.png", "/a/x.png", "/a/x.png"])
  }

  @Test(arguments: ["ftp://h/x.png", "data:image/png;base64,AA==", "file:///etc/passwd", "javascript:x", "", "#x"])
  func `case 38: other addresses than those of the web are not fetched`(address: String) async throws {
    let lab = try ImageLab()
    guard case .badAddress = await failure(lab, address) else {
      Issue.record("it is fetched")
      return
    }
    #expect(lab.asked.value.isEmpty)
  }

  @Test func `case 38: 404, pages, other files and large images have distinct reasons`() async throws {
    let lab = try ImageLab { request in
      switch request.path {
      case "/datastore_server/missing": ServerResponse(404, type: "text/plain", Array("no".utf8))
      case "/datastore_server/page": ServerResponse(type: "text/html", Array("<html>log in".utf8))
      case "/datastore_server/hidden": ServerResponse(type: "image/png", Array("  <!DOCTYPE html><html>".utf8))
      case "/datastore_server/text": ServerResponse(type: "image/png", Array("hello".utf8))
      case "/datastore_server/endless":
        ServerResponse(
          200,
          .stream(length: nil) { body in while true { try await body.write([UInt8](repeating: 7, count: 1 << 16)) } })
      default: ServerResponse(type: "image/png", [UInt8](repeating: 7, count: 3 << 20))
      }
    }
    let base = lab.http.url + "/datastore_server/"
    #expect(await failure(lab, base + "missing") == .status(404, address: base + "missing"))
    #expect(await failure(lab, base + "page") == .page(address: base + "page", reason: "log in"))
    #expect(await failure(lab, base + "hidden") == .page(address: base + "hidden"))
    #expect(await failure(lab, base + "text") == .noImage(address: base + "text"))
    for name in ["large", "endless"] {
      let error = await failure(lab, base + name)
      #expect(
        error == .tooLarge(address: base + name, limitInBytes: 1 << 20) && error?.reason.contains("1 MiB") == true)
    }
    await lab.http.stop(deadlineInSeconds: 0)
    guard case .failed = await failure(lab, base + "x") else {
      Issue.record("a server that is gone has images")
      return
    }
  }

  @Test func `case 41: the token is sent to data stores, appended to an existing query`() async throws {
    let lab = try ImageLab()
    let fetcher = lab.fetcher()
    let base = lab.http.url + "/datastore_server/DSS1"
    _ = try await fetcher.image(base + "/a.png")
    _ = try await fetcher.image(base + "/a.png?mode=simple&x=%26")
    _ = try await fetcher.image(base + "/a.png?sessionID=old&mode=simple")
    _ = try await fetcher.image("/datastore_server/DSS1/b.png")
    let token = Self.token.text
    #expect(
      lab.asked.value == [
        "/datastore_server/DSS1/a.png?sessionID=\(token)",
        "/datastore_server/DSS1/a.png?mode=simple&x=&&sessionID=\(token)",
        "/datastore_server/DSS1/a.png?mode=simple&sessionID=\(token)",
        "/datastore_server/DSS1/b.png?sessionID=\(token)",
      ])
  }

  @Test(arguments: [
    "https://evil.example/datastore_server/x.png", "https://datastore_server.example/x.png",
    "https://dss.example:8444/x?y=/datastore_server/", "https://dss.example:8444/other/datastore_server/x.png",
    "https://dss.example/datastore_server/x.png", "http://dss.example:8444/datastore_server/x.png",
    "https://dss.example:8444/datastore_server_evil/x.png", "https://dss.example:8444@evil.example/datastore_server/x",
    "https://dss.example:8444.evil.example/datastore_server/x", "https://dss.example:8444/datastore_server/../x.png",
    "https://sub.dss.example:8444/datastore_server/x.png", "https://dss.example:8444/datastore_server",
  ])
  func `case 41: a foreign address that contains 'datastore_server' gets no token`(address: String) {
    let fetcher = ImageFetcher(
      HTTPClient(.init(isOffline: true)), server: ServerAddress(base: "https://as.example"),
      dataStores: ["https://dss.example:8444"], token: { Self.token })
    #expect(fetcher.asked(address, Self.token).address == address && !fetcher.asked(address, Self.token).hasToken)
  }

  @Test(arguments: [
    ("https://dss.example:8444", "https://DSS.example:8444/datastore_server/x.png"),
    ("https://dss.example/", "https://dss.example:443/datastore_server/x.png"),
    ("https://dss.example/datastore_server", "https://dss.example/datastore_server/x.png"),
    ("https://h.example/lab", "https://h.example/lab/datastore_server/x.png"),
  ])
  func `case 41: data stores are identified by protocol, host, port and path`(dataStore: String, address: String) {
    let fetcher = ImageFetcher(
      HTTPClient(.init(isOffline: true)), server: ServerAddress(base: "https://as.example"), dataStores: [dataStore],
      token: { Self.token })
    #expect(fetcher.asked(address, Self.token).address == address + "?sessionID=" + Self.token.text)
  }

  @Test func `case 41: a data store that redirects elsewhere does not forward the token`() async throws {
    let other = try ImageLab()
    let elsewhere = other.http.url
    let lab = try ImageLab { request in
      ServerResponse(302, headers: [.init("Location", elsewhere + "/x?" + (request.queryItem("sessionID") ?? ""))])
    }
    guard case .failed = await failure(lab, "/datastore_server/x.png") else {
      Issue.record("it is followed")
      return
    }
    #expect(other.asked.value.isEmpty)
    // Without a token, redirects are followed.
    _ = try await lab.fetcher().image("/x.png")
    #expect(other.asked.value.count == 1)
  }

  @Test func `case 41: the token of an https server is not sent to an http data store`() {
    let address = "http://dss.example:8444/datastore_server/x.png"
    for (server, hasToken) in [("https://as.example", false), ("http://as.example", true)] {
      let fetcher = ImageFetcher(
        HTTPClient(.init(isOffline: true)), server: ServerAddress(base: server),
        dataStores: ["http://dss.example:8444"], token: { Self.token })
      #expect(fetcher.asked(address, Self.token).hasToken == hasToken)
    }
  }

  @Test(arguments: [401, 403])
  func `a request that a data store refuses is repeated with a new token`(status: Int) async throws {
    let lab = try ImageLab { request in
      request.queryItem("sessionID") == "new" ? ServerResponse(type: "image/png", Self.png) : ServerResponse(status)
    }
    let renewals = Mutexed<[Secret?]>([])
    func fetcher(_ token: Secret?, new: String) -> ImageFetcher {
      ImageFetcher(
        HTTPClient(.init(isOffline: false)), server: ServerAddress(base: lab.http.url), dataStores: [lab.http.url],
        token: { token },
        renewedToken: { refused in
          renewals.withLock { $0.append(refused) }
          return Secret(new)
        })
    }
    #expect(try await fetcher(Self.token, new: "new").image("/datastore_server/x.png").bytes == Self.png)
    #expect(try await fetcher(nil, new: "new").image("/datastore_server/x.png").bytes == Self.png)
    #expect(renewals.value == [Self.token, nil] && lab.asked.value.count == 4)
    // Once is enough, and other servers than data stores have nothing to do with tokens.
    let still = await errorOf { try await fetcher(Self.token, new: "also old").image("/datastore_server/x.png") }
    let elsewhere = await errorOf { try await fetcher(Self.token, new: "new").image("/x.png") }
    #expect(codeOf(still) == "openbis.image-missing" && codeOf(elsewhere) == "openbis.image-missing")
    #expect(renewals.value.count == 3 && lab.asked.value.count == 7)
  }

  @Test func `case 40: concurrent requests are limited`() async throws {
    let state = Mutexed((now: 0, most: 0))
    let lab = try ImageLab { _ in
      state.withLock { state in
        state.now += 1
        state.most = max(state.most, state.now)
      }
      for _ in 0..<100 { await Task.yield() }
      state.withLock { $0.now -= 1 }
      return ServerResponse(type: "image/png", Self.png)
    }
    let fetcher = lab.fetcher(parallel: 3)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 { group.addTask { _ = try await fetcher.image("/\(number).png") } }
      try await group.waitForAll()
    }
    #expect(state.value.most <= 3 && lab.asked.value.count == 40)
  }

  @Test func `a queued request can be canceled`() async throws {
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let entered = AsyncStream.makeStream(of: Void.self)
    let lab = try ImageLab { _ in
      entered.continuation.yield()
      for await _ in gate { break }
      return ServerResponse(type: "image/png", Self.png)
    }
    let fetcher = lab.fetcher(parallel: 1)
    let first = Task { try await fetcher.image("/1.png") }
    for await _ in entered.stream { break }
    let second = Task { try await fetcher.image("/2.png") }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    open.yield()
    #expect(try await first.value.format == "PNG")
    #expect(lab.asked.value == ["/1.png"])
  }

  @Test(
    arguments: [
      ([0xFF, 0xD8, 0xFF, 0xE0], "JPEG"), (Array("GIF89a".utf8), "GIF"), (Array("II*\0".utf8), "TIFF"),
      (Array("RIFF0000WEBPVP8 ".utf8), "WEBP"), (Array("BM".utf8) + [UInt8](repeating: 0, count: 30), "BMP"),
      (Array("\u{FEFF} <svg/>".utf8), "SVG"), (Array("<?xml version='1.0'?><!-- x --><svg>".utf8), "SVG"),
      (Array("<?xml version='1.0'?><html>".utf8), nil), ([], nil), (Array("%PDF".utf8), nil),
    ] as [([UInt8], String?)])
  func `case 39: the format is detected from the bytes`(bytes: [UInt8], format: String?) {
    #expect(ImageBytes.format(bytes) == format)
  }
}
