import PluginAPI

/// The commands that predict the tide at a station, as numbers or as a picture.
enum PredictCommands {
  private static let station = Argument("station", String.self, "Name of the station")
    .completed(by: "list", column: "name")
  private static let from = Option("from", Instant.self, "First day or minute in Universal Time; default today")
  private static let hours = Option("hours", in: 1...8760, "Duration", unit: "hour", default: 24.0)
  private static let step = Option("step", in: 1...1440, "Time between heights", unit: "minute", default: 60)

  static let predict = CommandPart(
    CommandDescription("predict", "Predict the tide at a station", output: .model(Prediction.self))
      .taking(station, from, hours, step)
      .explained(
        "Heights are meters above mean sea level, without the influence of the weather.",
        examples: [
          .init("predict temperate", "Heights, high and low waters of today"),
          .init("predict temperate --from 2026-11-20 --hours 48", "Two days from a date"),
        ])
  ) { call in
    try await call.emit(prediction(call, stepInMinutes: call[step]))
  }

  static let draw = CommandPart(
    CommandDescription("draw", "Draw the tide at a station", output: .init(.picture))
      .taking(station, from, hours).explained(examples: [.init("draw temperate --hours 72", "Three days as a curve")])
  ) { call in
    let heights = try await prediction(call, stepInMinutes: max(1, Int(call[hours] * 60 / 400))).heights
    let size = call.presentation.pictureSize ?? Size(width: 640, height: 240)
    try await call.emit(.picture(TideCurve.picture(of: heights, size: size)))
  }

  private static func prediction(_ call: CommandCall, stepInMinutes: Int) async throws -> Prediction {
    let station = try await StationStore(call.context).station(call[station])
    let start = call[from] ?? call.context.now().startOfDay
    // Thousands of heights need a thread of their own, and support for cancellation.
    return try await call.compute("predict") { progress in
      progress.report(Progress("predicting \(station.name)"))
      return try Prediction(
        station, from: start, hours: call[hours], stepInMinutes: stepInMinutes,
        checkCancellation: progress.checkCancellation)
    }
  }
}
