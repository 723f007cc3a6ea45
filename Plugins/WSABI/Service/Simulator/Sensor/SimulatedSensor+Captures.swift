extension SimulatedSensor {
  /// Stores a capture, makes room for it, and records it in the ledger.
  func store(
    _ made: [(CaptureMaker.Order, CaptureMaker.Made)], _ session: String, _ values: [String: SimulatedValue],
    _ state: inout State
  ) -> SimulatedAnswer {
    let needed = made.reduce(0) { $0 + $1.1.data.count }
    let capacity = configuration.storageInBytes
    let isFull = needed > capacity || (!configuration.dropsLRUCaptures && state.storedBytes + needed > capacity)
    if isFull { return SimulatedAnswer(.failure, message: "the storage is full") }
    while state.storedBytes + needed > capacity,
      let oldest = state.captures.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      state.storedBytes -= oldest.value.data.count
      state.captures[oldest.key] = nil
    }
    var answer = SimulatedAnswer.success
    answer.captureIDs = made.map { order, made in
      let id = state.chance.identifier()
      let now = clock.now
      state.useCount += 1
      state.captures[id] = Capture(
        id: id, data: made.data, image: made.image, contentType: made.contentType ?? order.contentType,
        metadata: metadata(order, made, values, now), readyAt: now + configuration.postProcessingInMilliseconds,
        lastUse: state.useCount)
      ledger.add(
        CaptureLedger.Entry(
          id: id, sha256: made.sha256, sizeInBytes: made.data.count, time: now, session: session, sensor: number,
          modality: profile.modalityWord, submodality: order.submodality,
          contentType: made.contentType ?? order.contentType, person: order.person))
      return id
    }
    state.storedBytes += needed
    return answer
  }

  private func metadata(
    _ order: CaptureMaker.Order, _ made: CaptureMaker.Made, _ values: [String: SimulatedValue], _ now: Int
  ) -> [SimulatedItem] {
    let isNet = configuration.style == .wcf
    var items = [
      SimulatedItem(
        configuration.namespace == .preRelease ? "captureTime" : "captureDate",
        .plain(SimulatedClock.text(now, fractionDigits: isNet ? 7 : 3), type: "dateTime")),
      SimulatedItem("modality", .text(profile.modalityWord)), SimulatedItem("submodality", .text(order.submodality)),
      SimulatedItem("contentType", .text(made.contentType ?? order.contentType)),
    ]
    if let size = made.size ?? made.image.map({ CaptureMaker.Order.Size(width: $0.width, height: $0.height) }) {
      items += [SimulatedItem("width", .int(size.width)), SimulatedItem("height", .int(size.height))]
    }
    for setting in profile.settings where !items.contains(where: { $0.key == setting.name }) {
      items.append(SimulatedItem(setting.name, values[setting.name] ?? setting.defaultValue))
    }
    return items
  }

  // MARK: Downloads

  /// Returns data, its metadata, or both; needs neither session nor lock.
  func download(_ route: SimulatedRoute, _ faults: [SimulatorFaultRule], _ state: inout State) -> SimulatedReply {
    let key = Self.key(of: route.capture)
    let size = route.maximumSize.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    let isBadSize = route.maximumSize != nil && size == nil
    if key == nil || isBadSize, configuration.actualManner == .dotNet || key != nil {
      var answer = SimulatedAnswer(.badValue)
      answer.badFields = (key == nil ? ["captureId"] : []) + (isBadSize ? ["maxSize"] : [])
      return .document(answer)
    }
    guard let key else { return badIdentifier("captureId") }
    if faults.contains(.forget), let capture = state.captures[key] {
      state.storedBytes -= capture.data.count
      state.captures[key] = nil
    }
    guard let capture = state.captures[key] else { return .status(.invalidId) }
    state.useCount += 1
    state.captures[key]?.lastUse = state.useCount
    if faults.contains(.preparing) || clock.now < capture.readyAt { return .status(.preparingDownload) }
    switch route.operation {
    case .getDownloadInfo: return .document(.about(capture.metadata))
    case .thriftyDownload: return thrifty(capture, size ?? 1)
    default:
      ledger.countDownload(of: capture.id)
      var answer = SimulatedAnswer.about(capture.metadata)
      answer.data = capture.data
      return .document(answer)
    }
  }

  /// Returns the picture scaled down, with minimal metadata.
  private func thrifty(_ capture: Capture, _ edge: Int) -> SimulatedReply {
    guard let image = capture.image, edge < max(image.width, image.height) else {
      return .document(.bad("maxSize", status: .unsupported))
    }
    let reduced = image.reduced(toLongestEdge: edge)
    var answer = SimulatedAnswer.about([
      SimulatedItem("contentType", .text(capture.contentType)), SimulatedItem("width", .int(reduced.width)),
      SimulatedItem("height", .int(reduced.height)),
    ])
    answer.data = SimulatedData(source.file(of: reduced, contentType: capture.contentType))
    return .document(answer)
  }

  /// Returns the bare data; an error is a text in its place, with status 200.
  func rawDownload(_ route: SimulatedRoute, _ faults: [SimulatorFaultRule], _ state: inout State) -> SimulatedReply {
    var plain = route
    plain.operation = .download
    switch download(plain, faults, &state) {
    case .document(let answer):
      guard let data = answer.data else {
        return .http(200, type: "text/plain", Array(answer.status.rawValue.utf8))
      }
      let type = answer.metadata?.first { $0.key == "contentType" }?.value.plainText
      return .data(data, type: type ?? "application/octet-stream")
    case let reply: return reply
    }
  }
}
