import PluginAPI

/// Writes a station with its constants.
struct StationRenderer: TextRenderer {
  var typeName: String { Station.typeName }

  let unit: TideUnit

  func render(_ value: Value, for request: TextRequest) throws -> StyledText {
    let station = try Station(value: value)
    var text = StyledText()
    text.add(
      StyledText.Run(station.name, .heading),
      StyledText.Run("  \(station.latitude)° north, \(station.longitude)° east", .secondary))
    if request.detail == .summary { return text }
    for constant in station.constants {
      text.add(
        StyledText.Run("  " + TextWidth.padded(constant.constituent.rawValue, to: 4)),
        StyledText.Run(TextWidth.padded(unit.text(constant.amplitude), to: 9, right: true)),
        StyledText.Run(TextWidth.padded(NumberText.fixed(constant.lag, decimals: 1) + "°", to: 9, right: true)))
    }
    return text
  }
}
