import PluginAPI

/// The screen with one capture over all of it; leads through those of the person.
@MainActor final class LightboxController: Controller {
  static let reading: EffectID = "items"
  static let decoding: EffectID = "picture"

  nonisolated static let actions: [ScreenAction] = [
    ScreenAction("next", "Next capture", keys: ["n", "right", "space"]),
    ScreenAction("previous", "Capture before", keys: ["p", "left"]),
  ]

  private let station: ScreenStation
  private var itemID: Int
  private var items: [BiometricItem] = []
  private var picture: Picture?
  private var note = "reading …"
  private var generation = 0
  private var hasStarted = false
  private var geometry = ScreenGeometry(size: Size(width: 0, height: 0))

  init(_ request: ScreenRequest, _ station: ScreenStation) {
    self.station = station
    itemID = request.arguments["item"]?.integer ?? 0
  }

  private var item: BiometricItem? { items.first { $0.id == itemID } }

  var title: String { item?.submodality.title ?? "Picture" }

  var view: any View {
    LightboxView(
      picture: picture, title: title, note: note,
      fields: item?.capture.map { CaptureText.fields($0) + CaptureText.metadata($0) } ?? [])
  }

  func handle(_ event: Event) -> [Effect]? {
    guard case .resize(let geometry) = event else { return nil }
    self.geometry = geometry
    if hasStarted { return decode() }
    hasStarted = true
    return station.leaving ?? read()
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard let index = items.firstIndex(where: { $0.id == itemID }) else { return [] }
    let next = index + (invocation.action == "next" ? 1 : -1)
    guard items.indices.contains(next) else { return [] }
    itemID = items[next].id
    picture = nil
    return decode()
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .finished(Self.reading, let items as [BiometricItem]):
      self.items = items
      return decode()
    case .finished(EffectID(Self.decoding.name, generation: generation), let picture as Picture):
      (self.picture, note) = (picture, "")
    case .failed(EffectID(Self.decoding.name, generation: generation), let report):
      note = "not shown as a picture: \(report.message)"
    case .failed(Self.reading, let report): note = report.description
    case .notification: return station.leaving ?? []
    default: break
    }
    return []
  }

  private func read() -> [Effect] {
    let (station, id) = (station, itemID)
    return [
      .compute(Self.reading, label: "reading") { _ in
        try station.itemsAndWait(of: try station.itemAndWait(id).person).filter { $0.capture != nil }
      }
    ]
  }

  private func decode() -> [Effect] {
    guard let capture = item?.capture else {
      note = items.isEmpty ? note : "nothing is captured"
      return []
    }
    generation += 1
    note = "reading the picture …"
    let station = station
    let pixels = Size(
      width: 2 * geometry.size.width * geometry.pixelsPerCell.width,
      height: 2 * geometry.size.height * geometry.pixelsPerCell.height)
    return [
      .compute(EffectID(Self.decoding.name, generation: generation), label: "reading the picture") { _ in
        try station.pictureAndWait(of: capture, fitting: pixels)
      }
    ]
  }
}
