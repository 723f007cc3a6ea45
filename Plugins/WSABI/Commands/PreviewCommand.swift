import PluginAPI
import PluginImages

/// The command that shows a sensor's live preview.
enum PreviewCommand {
  private static let frames = Option(
    "frames", Int.self, kind: .integer(minimum: 1, maximum: 1_000_000),
    "how many pictures; until a key if it is left out")
  private static let seconds = Option(
    "seconds", Int.self, kind: .integer(minimum: 1, maximum: 86_400),
    "for how long; until a key if it is left out", unit: "second")
  private static let session = ProtocolCommands.session.summarized(
    "the session that holds the lock already, such as that of 'sensor lock'")

  static let command = WSABICommand(
    CommandDescription(
      "preview", "shows the live preview of a sensor", output: .init(.picture, isStream: true), effects: [.network]
    ).taking([SensorCommands.address, frames, seconds, session] + SensorTrustOptions.all).explained(
      """
      On a terminal any key ends it, unless '--frames' or '--seconds' does; everywhere else Ctrl-C. Pictures that come \
      faster than they are shown are left out. Nothing is stored. Where a sensor shows its preview to \
      the holder of its lock alone, the lock is taken for as long as it is shown, and given back; never taken from \
      anybody.
      """,
      examples: [
        .init("preview http://127.0.0.1:8000/sensor/2", "live, until a key"),
        .init("preview http://127.0.0.1:8000/sensor/2 --frames 1 --output view.png", "one picture into a file"),
        .init("preview http://127.0.0.1:8000/sensor/2 --seconds 10", "for ten seconds"),
      ])
  ) { call, station in
    let address = try SensorTrustOptions(call: call).address()
    address.warnIfUnprotected(call)
    let connection = station.connection(address, call.context)
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
    try judge(ending, address: address.text)
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

  private static func judge(_ ending: Result<LivePreview.Ending, SensorFault>, address: String) throws {
    switch ending {
    case .success(.refused(let status)):
      throw SensorRefusal(
        operation: .tryLock, status: status, message: "its preview is shown to the holder of the lock alone")
    case .success(.missing), .success(.ended): throw StationError.noPreview(address: address)
    // The time was over before a picture arrived.
    case .failure(let fault) where fault.kind == .cancelled: throw StationError.noPreview(address: address)
    case .failure(let fault): throw fault
    }
  }
}
