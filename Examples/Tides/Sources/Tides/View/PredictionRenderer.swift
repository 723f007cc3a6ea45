import PluginAPI

/// Writes the high and low waters of a prediction.
struct PredictionRenderer: TextRenderer {
  let unit: TideUnit

  var typeName: String { Prediction.typeName }

  func render(_ value: Value, for request: TextRequest) throws -> StyledText {
    let prediction = ModelRecord<Prediction>(value)
    var text = StyledText("Tide at \(prediction[\.station]), Universal Time", .heading)
    for extreme in prediction[\.extremes] {
      let (time, isHigh) = (extreme[\.time].map { "  \($0.dateText) \($0.timeText)" } ?? "", extreme[\.kind] == .high)
      let height = TextWidth.padded(unit.text(extreme[\.height] ?? 0), to: 10, right: true)
      text.add(.init(time), .init(isHigh ? "  high" : "  low ", isHigh ? .accent : .secondary), .init(height))
    }
    return text
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
