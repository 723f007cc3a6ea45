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
      let overlay = PictureView.Overlay(.topLeft, [StyledText.Run(form.title, .heading)])
      PictureView(curve, description: "", overlays: [overlay]).draw(into: &frame)
    }
    frame.draw(form, in: rest)
  }

  var outline: Outline { form.outline }

  private var form: FormView {
    guard let station else { return FormView("", FormState(), emptyText: "No station selected", isActive: false) }
    var fields = (prediction?.extremes ?? []).enumerated().map { index, extreme in
      FormSection.Field(
        extreme.kind == .high ? "High water" : "Low water", extreme.time.timeText + "  " + unit.text(extreme.height),
        id: "water-\(index)")
    }
    let place = [station.latitude, station.longitude].map { NumberText.fixed($0, decimals: 2) }
    let strongest = station.constants.first.map { constant in
      "\(constant.constituent.rawValue) \(unit.text(constant.amplitude)), \(NumberText.fixed(constant.lag, decimals: 0))°"
    }
    fields.append(FormSection.Field("Place", "\(place[0])° north, \(place[1])° east"))
    fields.append(FormSection.Field("Strongest constituent", strongest ?? "none"))
    return FormView("\(station.name), \(day.dateText)", FormState([FormSection("", fields)]), isActive: false)
  }
}
