import PluginAPI
import PluginImages
import Synchronization

/// The command that shows what a sensor sees.
enum PreviewCommand {
  static let command = WSABICommand(
    CommandDescription(
      "preview", "shows the live preview of a sensor", output: .init(.picture, isStream: true), effects: [.network]
    ).taking(
      [SensorCommands.address],
      options: [
        Parameter(
          "frames", .integer(minimum: 1, maximum: 1_000_000), "how many pictures; until Ctrl-C if it is left out"),
        Parameter("session", .text, "the session that holds the lock, for sensors that show the preview to it alone"),
      ]
    ).explained(
      "Pictures that come faster than they are shown are left out. Nothing is stored.",
      examples: [
        .init("preview http://127.0.0.1:8000/sensor/2", "live"),
        .init("preview http://127.0.0.1:8000/sensor/2 --frames 1 --output view.png", "one picture into a file"),
      ])
  ) { call, station in
    let address = try SensorAddress(parsing: call.text("uri"))
    let connection = station.connection(address, call.context)
    let information = try await connection.serviceInformation(deadlineInSeconds: 10)
    guard let resource = information.livePreview else { throw StationError.noPreview(host: address.host) }
    let session = SensorUUID(call.text("session"))
    let (frames, feed) = AsyncStream.makeStream(of: PreviewFrame.self, bufferingPolicy: .bufferingNewest(1))
    let following = Task {
      defer { feed.finish() }
      do throws(SensorFault) {
        return Result<Int, SensorFault>.success(
          try await connection.preview(resource, session: session) { feed.yield($0) })
      } catch {
        return .failure(error)
      }
    }
    defer { following.cancel() }
    let limit = call["frames"].integer ?? Int.max
    var shown = 0
    for await frame in frames {
      // A picture that came damaged is left out: the next one is on its way.
      guard let picture = try? ImageReader.picture(from: frame.bytes, drawingSize: call.presentation.pictureSize) else {
        continue
      }
      try await call.emit(.picture(picture))
      shown += 1
      if shown == limit { return }
    }
    try Task.checkCancellation()
    if case .failure(let fault) = await following.value { throw fault }
    if shown == 0 { throw StationError.noPreview(host: address.host) }
  }
}
