import PluginAPI

/// One station: its curve of a day above, high and low waters below.
struct StationView: View {
  let station: Station?
  let prediction: Prediction?
  let unit: TideUnit
  let day: Instant

  func draw(into frame: inout TextFrame) {
    let (top, rest) = frame.bounds.split(top: frame.size.height / 2)
    frame.inside(top) { frame in
      let curve = prediction.map { TideCurve.picture(of: $0.heights, size: frame.pixelSize) }
      PictureView(
        curve, description: "", overlays: [PictureView.Overlay(.topLeft, [StyledText.Run(heading, .heading)])]
      ).draw(into: &frame)
    }
    frame.draw(FormView("", FormState([FormSection("", fields)]), emptyText: "", isActive: false), in: rest)
  }

  var outline: Outline {
    Outline(title: heading, fields: fields.map { Outline.Field($0.label, $0.value) })
  }

  private var heading: String {
    station.map { "\($0.name), \(day.description.prefix(10))" } ?? "No station selected"
  }

  private var fields: [FormSection.Field] {
    guard let station else { return [] }
    let waters = (prediction?.extremes ?? []).enumerated().map { index, extreme in
      FormSection.Field(
        extreme.kind == .high ? "High water" : "Low water",
        PredictionRenderer.minute(extreme.time).dropFirst(11) + "  " + unit.text(extreme.height), id: "water-\(index)")
    }
    let place =
      "\(NumberText.fixed(station.latitude, decimals: 2))° north, "
      + "\(NumberText.fixed(station.longitude, decimals: 2))° east"
    let strongest = station.constants.first.map { constant in
      "\(constant.constituent.rawValue) \(unit.text(constant.amplitude)), \(NumberText.fixed(constant.lag, decimals: 0))°"
    }
    return waters + [
      FormSection.Field("Place", place), FormSection.Field("Strongest constituent", strongest ?? "none"),
    ]
  }
}
