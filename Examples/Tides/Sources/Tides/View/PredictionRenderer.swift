import PluginAPI

/// Writes a prediction: high and low waters, and in full every height.
struct PredictionRenderer: TextRenderer {
  var typeName: String { Prediction.typeName }

  /// The unit in which heights are shown.
  let unit: TideUnit

  func render(_ value: Value, for request: TextRequest) throws -> StyledText {
    var text = StyledText()
    let station = value["station"].text ?? ""
    let extremes = value["extremes"].list ?? []
    if request.detail == .summary {
      text.add(StyledText.Run("\(station): \(extremes.count) high and low waters"))
      return text
    }
    text.add(StyledText.Run("Tide at \(station), Universal Time", .heading))
    for extreme in extremes {
      let isHigh = extreme["kind"].text == "high"
      text.add(
        StyledText.Run("  " + (extreme["time"].date.map(PredictionRenderer.minute) ?? "")),
        StyledText.Run(isHigh ? "  high" : "  low ", isHigh ? .accent : .secondary),
        StyledText.Run(TextWidth.padded(unit.text(extreme["height"].number ?? 0), to: 10, right: true)))
    }
    if request.detail == .full { addHeights(value, to: &text) }
    return text
  }

  private func addHeights(_ value: Value, to text: inout StyledText) {
    text.add()
    let (start, step) = (value["from"].date ?? Instant(seconds: 0), value["stepMinutes"].integer ?? 60)
    for (index, height) in (value["heights"].list ?? []).enumerated() {
      let time = Instant(seconds: start.seconds + Int64(60 * step * index))
      text.add(
        StyledText.Run("  " + PredictionRenderer.minute(time)),
        StyledText.Run(TextWidth.padded(unit.text(height.number ?? 0), to: 10, right: true)))
    }
  }

  /// `2026-11-20 06:30`.
  static func minute(_ instant: Instant) -> String {
    let text = instant.description
    return text.prefix(10) + " " + text.dropFirst(11).prefix(5)
  }
}

/// The unit people read heights in.
enum TideUnit: String, CaseIterable, ParameterValue {
  case metre
  case foot

  static let setting = Parameter("unit", parameterKind, "Unit of heights", defaultValue: "metre")

  init(_ context: any PluginContext) {
    self = TideUnit(rawValue: context.setting("unit").text ?? "") ?? .metre
  }

  /// Returns a height given in meters as users see it: `+1.24 m`.
  ///
  /// - Source: 1 foot is 0.3048 m exactly (international yard and pound agreement, 1959).
  func text(_ metres: Double) -> String {
    let number = NumberText.fixed(self == .metre ? metres : metres / 0.3048, decimals: self == .metre ? 2 : 1)
    return (number.hasPrefix("-") ? "" : "+") + number + (self == .metre ? " m" : " ft")
  }
}
