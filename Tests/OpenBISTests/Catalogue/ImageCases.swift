import Foundation
import PluginAPI
import PluginNet
import PluginServer
import PluginSimulation
import PluginTesting
import PluginText
import TestSupport
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// Cases 36 to 42: properties and images.
struct ImageCases {
  /// Returns a lab with the entity A and these details.
  private func lab(properties: String = "[]", images: String = "{}") async throws -> WrittenLab {
    let lab = try await WrittenLab()
    lab.write("ROOT", WrittenLab.rootColumns, [WrittenLab.root("A")])
    lab.write(
      "DETAIL", WrittenLab.detailColumns, [WrittenLab.detail("A", properties: properties, images: images)])
    try await lab.run("sync")
    try await lab.run("detail A")
    return lab
  }

  private static func address(_ text: String) -> String { #"{"MARQUEE":{"URL":\#(text.asSimulatedJSON)}}"# }

  private static func data(_ base64: String, _ format: String = "PNG") -> String {
    #"{"MARQUEE":{"DATA":{"BASE64":\#(base64.asSimulatedJSON),"FORMAT":"\#(format)"}}}"#
  }

  @Test func `case 36: values of any kind become sanitized texts`() async throws {
    let list = """
      [{"key":"NULL","label":"Null","value":null},{"key":"NUMBER","label":"Number","value":7.50},
      {"key":"LIST","label":"List","value":["x",1,null]},
      {"key":"HTML","label":"Html","value":"<html><table><tr><td>one</td><td>two</td></tr><tr><td>three</td></tr></table>"},
      {"key":"CONTROL","label":"Con\\u001b[2Jtrol","value":"\\u001b[31mred\\u0007\\u0000\\u009b2J\\u202e"},
      {"key":"LONG","label":"Long","value":"\(String(repeating: "0123456789", count: 1 << 20))"}]
      """
    let lab = try await lab(properties: list)
    let entity = try await lab.entity("A")
    let values = entity["properties"].list?.compactMap { $0["value"].text } ?? []
    #expect(
      values.prefix(3) == ["", "7.50", "x, 1, "] || values.prefix(3) == ["", "7.50", "x, 1"], "\(values.prefix(3))")
    #expect(values.last?.utf8.count == 10 << 20)

    let text = try lab.plugin.text(entity)
    #expect(Harm.found(in: text, allowing: ["\n"]).isEmpty)
    #expect(text.contains("one") && text.contains("two") && !text.contains("<td>"))
    // The long text is cut for people, and complete on request.
    #expect(text.utf8.count < 100_000)
    let short = try await self.lab(
      properties: #"[{"key":"L","label":"L","value":"\#(String(repeating: "0123456789", count: 1 << 13))"}]"#)
    let value = try await short.entity("A")
    #expect(try short.plugin.text(value).utf8.count < 40_000)
    #expect(try short.plugin.text(value, for: TextRequest(detail: .full)).utf8.count > 80_000)
  }

  @Test func `case 37: properties in an object are shown as keys and values`() async throws {
    let lab = try await lab(properties: #"{"NAME":"a name","SIZE":7}"#)
    let properties = try await lab.entity("A")["properties"].list ?? []
    #expect(properties.map { $0["label"] } == ["NAME", "SIZE"] && properties.map { $0["value"] } == ["a name", "7"])
  }

  @Test(arguments: [
    (#"{"MARQUEE":{"URL":null}}"#, "gives no address"), (address(""), "gives no address"),
    (address("ftp://127.0.0.1/x.png"), "not http or https"),
    (address("data:image/png;base64,AAAA"), "not http or https"), (address("/missing.png"), "status"),
    (address("BASE/images/missing.png"), "status 404"), (address("BASE/images/page"), "sent a page"),
    (address("BASE/images/huge.png"), "larger than 32 MiB"), (address("http://[bad"), "its address"),
  ])
  func `case 38: an image that cannot be shown has a reason`(_ cell: String, _ reason: String) async throws {
    let pictures = try SimulatorServer()
    let lab = try await lab(images: cell.replacing("BASE", with: pictures.url))
    let report = try #require(await lab.report("image A"))
    #expect(report.code == "openbis.no-image" || report.code == "openbis.image-missing")
    #expect(report.message.contains(reason), "\(report.message)")
    #expect(try lab.plugin.text(try await lab.entity("A")).contains("mage"))
    #expect(try await lab.canBrowse())
  }

  @Test func `case 38: relative addresses refer to the server, and a slow image can be canceled`() async throws {
    let user = try await LabUser.synced()
    let compound = try #require(
      user.server.permIDs(43..<200).first { user.server.entity($0)?.imageIsPath == true })
    let picture = try await user.plugin.run("image", ["perm-id": .text(compound)]).value
    #expect(picture.picture != nil)
    let lab = try await lab(images: Self.address(user.server.url + "/images/slow.png"))
    let task = Task { try await lab.run("image A") }
    await until { user.server.fetched.contains("/images/slow.png") }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `case 39: bytes in a cell decide the image format, or are rejected with a reason`() async throws {
    let picture = Base64.text(SimulatedPictures.png(7, side: 24))
    let good = [
      Self.data(picture), Self.data(Base64.text(SimulatedPictures.jpeg(7))),
      Self.data(picture.prefix(40) + "\n " + picture.dropFirst(40)),
    ]
    for cell in good {
      let lab = try await lab(images: cell)
      #expect(try await lab.run("image A --known-details").value.picture != nil, "\(cell.prefix(60))")
    }
    let safe = String(picture.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    #expect(safe != picture)
    let bad = [
      ("!!!no base64!!!", "Base64"), (safe, "Base64"), ("", "Base64"),
      (Base64.text(Array("no picture".utf8)), "not an image of a known format"),
    ]
    for (text, reason) in bad {
      let lab = try await lab(images: Self.data(text))
      let report = try #require(await lab.report("image A --known-details"))
      #expect(report.code == "openbis.no-image" && report.message.contains(reason), "\(report.message)")
      #expect(try await lab.entity("A")["images"].list?.first?["problem"].text?.contains(reason) == true)
    }
  }

  @Test func `case 40: two hundred tiles are fetched only when needed, few at once, and each once`()
    async throws
  {
    let (now, most) = (Mutexed(0), Mutexed(0))
    let pictures = try HTTPServer(.init()) { request in
      let count = now.withLock { count in
        count += 1
        return count
      }
      most.withLock { $0 = max($0, count) }
      for _ in 0..<20 { await Task.yield() }
      now.withLock { $0 -= 1 }
      return ServerResponse(type: "image/png", SimulatedPictures.png(UInt64(request.path.utf8.count), side: 24))
    }
    let tiles = (0..<200).map { #"{"URL":"\#(pictures.url)/\#($0).png"}"# }.joined(separator: ",")
    let lab = try await lab(images: #"{"TILED":[\#(tiles)]}"#)
    #expect(most.value == 0)
    let fetcher = ImageFetcher(
      .init(.init(isOffline: false)), server: lab.fixture.address, dataStores: [], token: { nil })
    let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
      for tile in 0..<200 {
        group.addTask { try await fetcher.image("\(pictures.url)/\(tile).png").bytes.count }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(sizes.count == 200 && most.value <= 4 && most.value > 0)
    for number in [1, 2, 3, 100, 101] { try await lab.run("image A --number \(number) --known-details") }
    let store = EntityStore(path: try await lab.cachePath())
    let hashes = try await [0, 1, 99, 100].asyncMap { try await store.imageHash(for: "\(pictures.url)/\($0).png") }
    // Equal bytes are stored once, whatever their addresses.
    #expect(hashes[0] != nil && hashes[0] == hashes[1] && hashes[3] != hashes[0])
    await store.close()
    await pictures.stop(deadlineInSeconds: 0)
    #expect(try await lab.run("image A --number 1 --known-details").value.picture != nil)
  }

  @Test func `case 41: the token is added to a query, and only for data stores of the server`()
    async throws
  {
    let user = try await LabUser.synced()
    user.server.add(SimulatorFaultRule(.foreignImages, on: "DETAIL"))
    let id = try #require(user.server.permIDs(0..<1).first)
    // The data store responds with 401 without a session.
    #expect(try await user.plugin.run("image", ["perm-id": .text(id)]).value.picture != nil)
    #expect(user.server.fetched.last == "/datastore_server/DSS1/original/images/1.jpg")
    let queries = Mutexed<[String]>([])
    let foreign = try HTTPServer(.init()) { request in
      queries.withLock { $0.append(request.path + "?" + (request.queryItem("sessionID") ?? "none")) }
      return ServerResponse(type: "image/png", SimulatedPictures.png(3, side: 24))
    }
    let lab = try await lab(images: Self.address(foreign.url + "/datastore_server/x.jpg?a=b"))
    try await lab.run("image A")
    #expect(queries.value == ["/datastore_server/x.jpg?none"])
    await foreign.stop(deadlineInSeconds: 0)
  }

  @Test func `case 42: images are shown offline, within limits, without tokens in names, files or logs`()
    async throws
  {
    let user = try await LabUser.synced()
    try user.plugin.context.set("image-budget", to: 1)
    let probe = try #require(
      user.server.permIDs(300..<400).first { user.server.entity($0)?.header.hasPrefix("PROBE") == true })
    #expect(try await user.plugin.run("image", ["perm-id": .text(probe)]).value.picture != nil)
    let token = try #require(
      try LabAccess.credentials(user.plugin.context).secret(.token, of: try await user.accounts()[0].id))
    await user.server.stop()
    #expect(try await user.plugin.run("image", ["perm-id": .text(probe), "cached": true]).value.picture != nil)
    let folders = user.plugin.context.folders
    var kept = 0
    for folder in [folders.data, folders.cache] {
      let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
      for name in names {
        #expect(!name.contains(token.text))
        guard let bytes = FileManager.default.contents(atPath: folder + "/" + name) else { continue }
        kept += 1
        #expect(bytes.range(of: Data(token.text.utf8)) == nil, "the token is in \(name)")
      }
    }
    #expect(kept > 0)
    #expect(!user.plugin.context.logLines.contains { $0.message.contains(token.text) })
    // The least recently used images are removed.
    let folder = CacheFolder()
    let store = folder.store(.init(imageBudget: 100_000))
    for number in 0..<10 {
      _ = try await store.keepImage(
        [UInt8](repeating: UInt8(number), count: 30_000), for: "http://x/\(number)", role: .tiled)
    }
    #expect(try await store.imageHash(for: "http://x/0") == nil)
    #expect(try await store.imageHash(for: "http://x/9") != nil)
    await store.close()
  }
}

extension Array {
  /// Returns the results of a function for each element, one after the other.
  func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await body(element)) }
    return results
  }
}

extension SimulatedEntity {
  /// A Boolean value indicating whether its image has an address on the server itself.
  var imageIsPath: Bool { if case .path(let path) = image { path.hasPrefix("/images") } else { false } }
}
