import PluginAPI

/// Writes a prediction: high and low waters, and in full every height.
struct PredictionRenderer: TextRenderer {
  /// The unit in which heights are shown.
  let unit: TideUnit

  var typeName: String { Prediction.typeName }

  func render(_ value: Value, for request: TextRequest) throws -> StyledText {
    let station = value["station"].text ?? ""
    let extremes = value["extremes"].list ?? []
    if request.detail == .summary { return StyledText("\(station): \(extremes.count) high and low waters") }
    var text = StyledText("Tide at \(station), Universal Time", .heading)
    for extreme in extremes {
      let isHigh = extreme["kind"].text == "high"
      text.add(
        time(extreme["time"].date), StyledText.Run(isHigh ? "  high" : "  low ", isHigh ? .accent : .secondary),
        height(extreme["height"]))
    }
    if request.detail == .full, let start = value["from"].date, let step = value["stepMinutes"].integer {
      text.add()
      for (index, meters) in (value["heights"].list ?? []).enumerated() {
        text.add(time(start.adding(seconds: 60 * step * index)), height(meters))
      }
    }
    return text
  }

  private func time(_ instant: Instant?) -> StyledText.Run {
    StyledText.Run(instant.map { "  \($0.dateText) \($0.timeText)" } ?? "")
  }

  private func height(_ meters: Value) -> StyledText.Run {
    StyledText.Run(TextWidth.padded(unit.text(meters.number ?? 0), to: 10, right: true))
  }
}

/// The unit people read heights in.
enum TideUnit: String, CaseIterable, ParameterValue {
  case metre
  case foot

  static let setting = Setting("unit", "Unit of heights", default: TideUnit.metre)

  /// Returns a height given in meters as users see it: `+1.24 m`.
  ///
  /// - Source: 1 foot is 0.3048 m exactly (international yard and pound agreement, 1959).
  func text(_ meters: Double) -> String {
    let number =
      switch self {
      case .metre: NumberText.fixed(meters, decimals: 2) + " m"
      case .foot: NumberText.fixed(meters / 0.3048, decimals: 1) + " ft"
      }
    return (number.hasPrefix("-") ? "" : "+") + number
  }
}
