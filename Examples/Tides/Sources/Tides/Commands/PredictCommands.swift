import PluginAPI

/// Predicts the tide at a station, as numbers or as a picture.
struct PredictCommand: Command {
  static let predict = CommandDescription(
    "predict", "predict the tide at a station",
    output: CommandDescription.Output(Prediction.schema, typeName: Prediction.typeName)
  ).taking(
    [station],
    options: times + [
      Parameter(
        "step", .integer(minimum: 1, maximum: 1440), "minutes between heights", unit: "minute", defaultValue: 60)
    ]
  ).explained(
    "Heights are metres over mean sea level. The weather is not in them.",
    examples: [
      CommandDescription.Example("predict temperate", "today's heights, high and low waters"),
      CommandDescription.Example("predict temperate --from 2026-11-20 --hours 48", "two days from a date on"),
    ])

  static let draw = CommandDescription(
    "draw", "draw the tide at a station", output: CommandDescription.Output(.picture)
  ).taking([station], options: times)
    .explained(examples: [CommandDescription.Example("draw temperate --hours 72", "three days as a curve")])

  private static let station = Parameter("station", .text, "the station's name", isRequired: true)
  private static let times = [
    Parameter("from", .text, "the first day or minute in Universal Time, as 2026-11-20 or 2026-11-20T06:30"),
    Parameter("hours", .number(minimum: 1, maximum: 8760), "how long", unit: "hour", defaultValue: 24.0),
  ]

  let declaration: CommandDescription

  func run(_ call: CommandCall) async throws {
    let station = try await StationStore(call.context).station(call.text("station"))
    let start = try PredictCommand.start(call)
    let hours = call["hours"].number ?? 24
    let isPicture = declaration.givesPicture
    let step = isPicture ? max(1, Int(hours * 60 / 400)) : call["step"].integer ?? 60
    // Thousands of heights take their time: off the pool, with a way to stop.
    let prediction = try await call.compute("predict") { progress in
      progress.report(Progress("predicting \(station.name)"))
      return try Prediction(
        station, from: start, hours: hours, stepInMinutes: step, checkCancellation: progress.checkCancellation)
    }
    if isPicture {
      let size = call.presentation.pictureSize ?? Size(width: 640, height: 240)
      try await call.emit(.picture(TideCurve.picture(of: prediction.heights, size: size)))
    } else {
      try await call.emit(prediction.value)
    }
  }

  /// The instant asked for; midnight of today if none was.
  private static func start(_ call: CommandCall) throws -> Instant {
    let text = call.text("from")
    if text.isEmpty {
      let now = call.context.now().seconds
      return Instant(seconds: now - (now % 86_400 + 86_400) % 86_400)
    }
    guard let instant = CivilDate.instant(text) else { throw TidesError.unreadableDate(text) }
    return instant
  }
}
