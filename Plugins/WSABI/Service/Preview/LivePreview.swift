/// The live preview of one sensor, from the first of its streams that shows anything.
///
/// Public streams need neither session nor lock. For streams restricted to the holder of the lock, the lock is
/// acquired, kept while pictures are followed, and released afterwards; meanwhile the sensor is in use for others. It
/// is never stolen.
struct LivePreview: Sendable {
  /// The reason a preview ended that was not canceled.
  enum Ending: Sendable, Hashable {
    /// The service has no live preview.
    case missing
    /// The stream ended after a number of pictures; 0 if it shows nothing.
    case ended(pictures: Int)
    /// The required lock was not granted.
    case refused(OperationStatus)
  }

  let link: SensorLink
  let connection: SensorConnection
  /// A session that holds the lock already; nil to take the lock where it is needed.
  var session: SensorUUID?

  /// Follows the preview until it ends, or the task is canceled.
  ///
  /// - Parameter onFrame: Receives the newest picture, on the network thread: it must be quick and never wait.
  /// - Throws: The reason it could not be followed, ``SensorFault/Kind/cancelled`` if the task was canceled.
  func follow(_ onFrame: @escaping @Sendable (PreviewFrame) -> Void) async throws(SensorFault) -> Ending {
    let information = try await link.knownInformation()
    let streams = information.livePreviews
    var ending = streams.isEmpty ? Ending.missing : .ended(pictures: 0)
    var refusal: SensorFault?
    for stream in streams {
      do throws(SensorFault) {
        ending = try await follow(stream, information, onFrame)
        if ending != .ended(pictures: 0) { return ending }
      } catch {
        guard case .status(403...404) = error.kind else { throw error }
        refusal = error
      }
    }
    if let refusal { throw refusal }
    return ending
  }

  private func follow(
    _ stream: WireResource, _ information: ServiceInformation, _ onFrame: @escaping @Sendable (PreviewFrame) -> Void
  ) async throws(SensorFault) -> Ending {
    guard stream.needsLock, session == nil else {
      return .ended(pictures: try await connection.preview(stream, session: session, onFrame: onFrame))
    }
    await link.addViewer()
    let result = await followLocked(stream, information, onFrame)
    // In a separate task, so that the lock is released even if this one was canceled.
    await Task { [link] in await link.removeViewer() }.value
    return try result.get()
  }

  private func followLocked(
    _ stream: WireResource, _ information: ServiceInformation, _ onFrame: @escaping @Sendable (PreviewFrame) -> Void
  ) async -> Result<Ending, SensorFault> {
    do throws(SensorFault) {
      let response = try await link.hold()
      guard response.status == .success, let session = await link.state.session else {
        return .success(.refused(response.status))
      }
      let keeping = keep(information)
      defer { keeping?.cancel() }
      return .success(.ended(pictures: try await connection.preview(stream, session: session, onFrame: onFrame)))
    } catch {
      return .failure(error)
    }
  }

  /// Keeps the session from expiring, as viewing alone does not count as use.
  private func keep(_ information: ServiceInformation) -> Task<Void, Never>? {
    guard let pause = information.keepAliveIntervalInMilliseconds else { return nil }
    return Task { [link] in
      while (try? await Task.sleep(for: .milliseconds(pause))) != nil { _ = try? await link.hold() }
    }
  }
}
