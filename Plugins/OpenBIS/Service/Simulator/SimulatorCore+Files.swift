import PluginServer
import Synchronization

extension SimulatorCore {
  /// Answers a request for a picture or a file of a data set.
  func answerFile(_ request: ServerRequest) -> ServerResponse {
    let path = request.path
    state.withLock { $0.fetched.append(path) }
    if path == "/" || path == "/openbis/" { return ServerResponse(text: "a simulated openBIS server\n") }
    let parts = path.split(separator: "/").map(String.init)
    if parts.first == "datastore_server" {
      var call = SimulatedCall(number: 0, interface: .dataStore, method: "GET")
      call.token = request.queryItem("sessionID") ?? ""
      guard let user = try? user(of: call) else { return refusal(401, ServerWords.downloadExpired) }
      if parts.count > 2, !configuration.dataStores.contains(parts[1]) {
        return dataSetFile(parts, request, user)
      }
    }
    return picture(path, parts) ?? ServerResponse(404, text: "not found\n")
  }

  /// Returns a refusal of the data store: with a status, or as the real servlet writes it.
  ///
  /// - Source: openBIS, `AbstractDatasetDownloadServlet.printErrorResponse`, `HTMLErrorRenderer`.
  func refusal(_ status: Int, _ words: String) -> ServerResponse {
    guard state.withLock({ $0.has(.dssPage) }) else { return ServerResponse(status, text: words + "\n") }
    let body = status == 401 ? words : "<h1>Error</h1>\n\(words)\n"
    return ServerResponse(type: "text/html", Array("<html><body>\(body)</body></html>".utf8))
  }

  private func picture(_ path: String, _ parts: [String]) -> ServerResponse? {
    let number = parts.last?.split(separator: ".").first.flatMap { UInt64($0) } ?? 0
    if let faulty = faultyPicture(path) { return faulty }
    return switch (parts.first, parts.dropLast().last, path.split(separator: ".").last) {
    case ("images", "gel", "png"), (_, "gels", "png"): ServerResponse(type: "image/png", SimulatedPictures.gel(number))
    case (_, _, "svg"): ServerResponse(type: "image/svg+xml", SimulatedPictures.svg(number))
    case (_, _, "jpg"): ServerResponse(type: "image/jpeg", SimulatedPictures.jpeg(number))
    case (_, "molecule", "png"), (_, "images", "png"): ServerResponse(type: "image/png", SimulatedPictures.png(number))
    default: nil
    }
  }

  private func faultyPicture(_ path: String) -> ServerResponse? {
    let state = self.state.withLock { $0 }
    if state.has(.pictureMissing) || path.hasSuffix("/missing.png") { return ServerResponse(404, text: "not found\n") }
    if state.has(.pictureIsPage) || path.hasSuffix("/page") {
      return ServerResponse(type: "text/html", Array("<html><body>no picture</body></html>".utf8))
    }
    if state.has(.pictureHuge) || path.hasSuffix("/huge.png") {
      return ServerResponse(
        200, headers: [.init("Content-Type", "image/png")],
        .stream(length: 500 << 20) { body in
          let piece = [UInt8](repeating: 0x2A, count: 1 << 16)
          try await body.write(Array(SimulatedPictures.png(1).prefix(8)) + piece.dropFirst(8))
          for _ in 1..<(500 << 4) { try await body.write(piece) }
        })
    }
    if state.has(.pictureSlow) || path.hasSuffix("/slow.png") {
      return ServerResponse(type: "image/png", SimulatedPictures.png(1), fault: .drip(bytes: 1, milliseconds: 200))
    }
    return nil
  }
}
