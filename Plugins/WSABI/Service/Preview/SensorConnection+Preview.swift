import PluginNet
import Synchronization

extension SensorConnection {
  /// Follows a live preview until it ends, or the task is canceled.
  ///
  /// - Parameters:
  ///   - resource: The service's description of the stream.
  ///   - session: The session that holds the lock, which streams of some services need in their address.
  ///   - onFrame: Receives the newest picture, on the network thread: it must be quick and never wait.
  /// - Returns: The number of received pictures; 0 if a service shows them only to the holder of the lock.
  @discardableResult
  func preview(
    _ resource: WireResource, session: SensorUUID?, onFrame: @escaping @Sendable (PreviewFrame) -> Void
  ) async throws(SensorFault) -> Int {
    guard let target = HTTPAddress.resolved(resource.uri, against: address.text + "/") else {
      throw previewFault(.unaskable(reason: "its address is none of the web"), .notSent)
    }
    if !isAllowed { throw previewFault(.forbidden, .notSent) }
    let host = HTTPAddress.host(of: target)
    let isSafe = target.lowercased().hasPrefix("https:")
    // Otherwise a service could make this machine send requests to other hosts on its behalf.
    guard host == address.host, isSafe || !address.isSecure else {
      throw previewFault(.redirected(target: HTTPAddress.hostAndPort(of: target)), .notSent)
    }
    return try await follow(Self.named(target, session), onFrame)
  }

  /// Follows the stream that a request names.
  @discardableResult
  func stream(
    _ request: SensorRequest, onFrame: @escaping @Sendable (PreviewFrame) -> Void
  ) async throws(SensorFault) -> Int {
    if !isAllowed { throw previewFault(.forbidden, .notSent) }
    do {
      return try await follow(.success(address.appending(try request.path())), onFrame)
    } catch let fault as SensorFault {
      throw fault
    } catch {
      throw previewFault(.unaskable(reason: "it needs the name of a stream"), .notSent)
    }
  }

  /// Returns the address with the session in place of a last segment `uuid`, its placeholder.
  private static func named(_ target: String, _ session: SensorUUID?) -> Result<String, SensorFault.Kind> {
    guard let slash = target.utf8.lastIndex(of: UInt8(ascii: "/")),
      target[target.utf8.index(after: slash)...].lowercased() == "uuid"
    else { return .success(target) }
    guard let session else { return .failure(.unaskable(reason: "it needs the session that holds the lock")) }
    return .success(target[...slash] + session.text)
  }

  private func follow(
    _ target: Result<String, SensorFault.Kind>, _ onFrame: @escaping @Sendable (PreviewFrame) -> Void
  ) async throws(SensorFault) -> Int {
    let reader = Mutex(PreviewReader(boundary: nil, limitInBytes: limits.frameInBytes))
    let limit = limits.frameInBytes
    let idle = Mutex(0)
    do {
      var request = HTTPRequest(try target.get(), headers: ["Accept": "multipart/x-mixed-replace, */*;q=0.1"])
      request.limitInBytes = .max
      request.deadlineInSeconds = nil
      request.stallInSeconds = limits.stallInSeconds
      request.decodesContent = false
      request.isRepeatable = false
      let head = try await client.stream(
        request,
        onHead: { head in
          guard head.status == 200 else { return .enough }
          // A stream that shows nothing is empty and has no type.
          if head.statedLength == 0 { return .enough }
          guard let kind = PreviewReader.kind(contentType: head.headers["Content-Type"] ?? "") else {
            throw SensorFault.Kind.notAService(found: "something that is no stream of pictures")
          }
          reader.withLock { $0 = PreviewReader(boundary: kind.boundary, limitInBytes: limit) }
          return .more
        },
        receive: { bytes in
          if let frame = reader.withLock({ $0.push(bytes) }) {
            idle.withLock { $0 = 0 }
            onFrame(frame)
            return .more
          }
          let passed = idle.withLock { idle in
            idle += bytes.count
            return idle
          }
          if passed > 4 * limit { throw SensorFault.Kind.malformed(reason: "no picture came in \(passed) bytes") }
          return .more
        })
      if head.status != 200 { throw SensorFault.Kind.status(head.status) }
    } catch {
      var fault = SensorFault(error, .stream, address: address.text)
      if Task.isCancelled { fault.kind = .cancelled }
      throw fault
    }
    if let frame = reader.withLock({ $0.finish() }) { onFrame(frame) }
    return reader.withLock { $0.pictures }
  }

  private func previewFault(_ kind: SensorFault.Kind, _ reach: SensorFault.Reach) -> SensorFault {
    SensorFault(kind, reach, .stream, address: address.text)
  }
}
