import PluginAPI
import PluginImages

/// The command that shows a sensor's live preview.
enum PreviewCommand {
  private static let frames = Option(
    "frames", Int.self, kind: .integer(minimum: 1, maximum: 1_000_000),
    "Number of pictures; until a key is pressed if omitted")
  private static let seconds = Option(
    "seconds", Int.self, kind: .integer(minimum: 1, maximum: 86_400),
    "Time to show the preview; until a key is pressed if omitted", unit: "second")
  private static let session = ProtocolCommands.session.summarized(
    "Session that holds the lock, such as one of 'sensor lock'")

  static let command = WSABICommand(
    CommandDescription(
      "preview", "Show the live preview of a sensor", output: .init(.picture, isStream: true), effects: [.network]
    ).taking([SensorCommands.address, frames, seconds, session] + SensorTrustOptions.all).explained(
      """
      On a terminal any key ends the preview, unless '--frames' or '--seconds' is given; elsewhere Ctrl-C ends it. \
      Pictures that arrive too fast are skipped, and none is stored. If a sensor shows its preview only to the holder \
      of its lock, the command locks it and releases it at the end. It never steals a lock.
      """,
      examples: [
        .init("preview http://127.0.0.1:8000/sensor/2", "Live, until a key is pressed"),
        .init("preview http://127.0.0.1:8000/sensor/2 --frames 1 --output view.png", "Write one picture to a file"),
        .init("preview http://127.0.0.1:8000/sensor/2 --seconds 10", "For ten seconds"),
      ])
  ) { call, station in
    let connection = try station.connection(call)
    let clock = LinkClock(now: { call.context.now() }) { try await Task.sleep(for: .milliseconds($0)) }
    // If the store opens without a question, the lock is recorded as that of a capture is.
    let link = SensorLink(connection, clock, LinkTimes(), await StationKey(call: call).recordsUnasked(station))
    let preview = LivePreview(link: link, connection: connection, session: call[session].flatMap(SensorUUID.init))
    let (shown, feed) = AsyncStream.makeStream(of: PreviewFrame.self, bufferingPolicy: .bufferingNewest(1))
    let following = Task {
      defer { feed.finish() }
      do throws(SensorFault) {
        return Result<LivePreview.Ending, SensorFault>.success(try await preview.follow { feed.yield($0) })
      } catch {
        return .failure(error)
      }
    }
    let limit = Task {
      guard let seconds = call[seconds] else { return }
      if (try? await Task.sleep(for: .seconds(seconds))) != nil { feed.finish() }
    }
    let key = Task {
      // Keys typed ahead must not end a preview that ends on its own.
      guard call[frames] == nil, call[seconds] == nil, try await call.waitForKey() else { return false }
      feed.finish()
      return true
    }
    let result: Result<Bool, any Error>
    do {
      result = .success(try await show(shown, call))
    } catch {
      result = .failure(error)
    }
    limit.cancel()
    key.cancel()
    following.cancel()
    let ending = await following.value
    // Awaited, so that the terminal is as it was.
    let isEndedByKey = (try? await key.value) ?? false
    // A canceled preview releases its session too.
    await Task { await link.leave() }.value
    if try result.get() || isEndedByKey { return }
    try Task.checkCancellation()
    try judge(ending, of: connection.address)
  }

  /// Shows pictures until there are enough, or the stream ends.
  ///
  /// - Returns: True if any was shown.
  private static func show(_ frames: AsyncStream<PreviewFrame>, _ call: CommandCall) async throws -> Bool {
    let limit = call[Self.frames] ?? Int.max
    var shown = 0
    for await frame in frames {
      // A damaged picture is skipped: the next one is on its way.
      guard let picture = try? ImageReader.picture(from: frame.bytes, drawingSize: call.presentation.pictureSize) else {
        continue
      }
      try await call.emit(.picture(picture))
      shown += 1
      if shown == limit { break }
    }
    try Task.checkCancellation()
    return shown > 0
  }

  private static func judge(_ ending: Result<LivePreview.Ending, SensorFault>, of address: SensorAddress) throws {
    switch ending {
    case .success(.refused(let status)):
      throw SensorRefusal(
        operation: .tryLock, address: address, status: status,
        message: "the sensor shows its preview only to the holder of the lock")
    case .success(.missing), .success(.ended): throw StationError.noPreview(address: address.text)
    // The time was over before a picture arrived.
    case .failure(let fault) where fault.kind == .cancelled: throw StationError.noPreview(address: address.text)
    case .failure(let fault): throw fault
    }
  }
}
