import PluginAPI

extension SimulatedSensor {
  func initialize(_ route: SimulatedRoute, _ faults: [SimulatorFaultRule]) async -> SimulatedReply {
    await perform(route, faults) { _, _ in
      var work = plainWork(.initialize, faults) { state in
        if state.isBroken { (state.isConfigured, state.configuration) = (false, [:]) }
        (state.isInitialized, state.isBroken) = (true, false)
        return .success
      }
      let commit = work.prepare
      work.prepare = {
        do {
          try await self.source.check()
          return await commit()
        } catch {
          return Self.failure(error)
        }
      }
      return work
    }
  }

  /// Returns a commit that marks the sensor as failed until it is initialized again.
  private static func failure(_ error: any Error) -> Commit {
    let words = (error as? any ReportableError)?.report.message ?? "the sensor failed"
    return { state in
      (state.isBroken, state.isInitialized) = (true, false)
      return SimulatedAnswer(.sensorFailure, message: words)
    }
  }

  func uninitialize(_ route: SimulatedRoute, _ faults: [SimulatorFaultRule]) async -> SimulatedReply {
    await perform(route, faults) { _, _ in
      plainWork(.uninitialize, faults) { state in
        (state.isInitialized, state.isConfigured, state.configuration) = (false, false, [:])
        return .success
      }
    }
  }

  func readConfiguration(_ route: SimulatedRoute, _ faults: [SimulatorFaultRule]) async -> SimulatedReply {
    await perform(route, faults) { _, _ in
      plainWork(.getConfiguration, faults) { state in
        let all = self.profile.settings.map { setting in
          SimulatedItem(setting.name, state.configuration[setting.name] ?? setting.defaultValue)
        }
        return .about(all)
      }
    }
  }

  /// Applies a configuration, whole or not at all.
  func configure(
    _ route: SimulatedRoute, _ body: [UInt8], _ faults: [SimulatorFaultRule]
  ) async -> SimulatedReply {
    if body.isEmpty {
      let trace = "java.lang.NullPointerException\n\tat Service.setConfiguration(Service.java:412)"
      return configuration.actualManner == .java ? .status(.failure, trace) : .http(400, type: nil, [])
    }
    let reader = SimulatedRequestReader(namespace: configuration.namespace.rawValue)
    var items: [SimulatedItem] = []
    switch reader.request(body) {
    case .items(let read): items = read
    case .malformed: return .http(400, type: nil, [])
    case .foreign:
      if !configuration.actuallyIgnoresForeign { return .http(400, type: nil, []) }
    }
    let isIgnored = faults.contains(.ignoreConfiguration)
    return await perform(route, faults) { _, _ in
      plainWork(.setConfiguration, faults) { [items] state in
        if let problem = self.profile.problem(with: items, current: state.configuration) { return problem }
        state.isConfigured = true
        if !isIgnored { for item in items { state.configuration[item.key] = item.value } }
        return .success
      }
    }
  }

  // MARK: Captures

  func capture(_ route: SimulatedRoute, _ faults: [SimulatorFaultRule]) async -> SimulatedReply {
    await perform(route, faults) { key, state in captureWork(key, faults, &state) }
  }

  /// Starts a capture and responds at once; the job continues.
  func beginCapture(_ route: SimulatedRoute, _ faults: [SimulatorFaultRule]) -> SimulatedReply {
    change { state in
      switch admission(route, &state) {
      case .refused(let reply): return reply
      case .admitted(let key):
        if let obstacle = obstacle(.beginCapture, state) { return .status(obstacle) }
        let work = captureWork(key, faults, &state)
        state.asyncCapture = AsyncCapture(session: key, task: begin(.capture, key, faults, work, &state))
        return .status(.success)
      }
    }
  }

  /// Waits for the capture that was begun; the holder of the lock receives it.
  func endCapture(_ route: SimulatedRoute) async -> SimulatedReply {
    let admitted: (reply: SimulatedReply?, task: Task<SimulatedAnswer, Never>?) = change { state in
      switch admission(route, &state) {
      case .refused(let reply): return (reply, nil)
      case .admitted: return (nil, state.asyncCapture?.task)
      }
    }
    if let reply = admitted.reply { return reply }
    guard let task = admitted.task else { return .status(.failure, "no capture was begun") }
    let answer = await task.value
    change { $0.asyncCapture = nil }
    return .document(answer)
  }

  /// Returns the work of a capture: wait for the person, make the data, store it.
  private func captureWork(_ key: String, _ faults: [SimulatorFaultRule], _ state: inout State) -> Work {
    let session = state.sessions[key]?.id ?? key
    if let obstacle = obstacle(.capture, state) {
      return Work(delayInMilliseconds: 0) { { _ in SimulatedAnswer(obstacle) } }
    }
    let orders = orders(&state)
    let values = state.configuration
    return Work(delayInMilliseconds: faults.contains(.hold) ? nil : configuration.captureDelayInMilliseconds) {
      var made: [(CaptureMaker.Order, CaptureMaker.Made)] = []
      do {
        for order in orders { made.append((order, try await self.source.make(order))) }
      } catch {
        return Self.failure(error)
      }
      return { [made] state in
        let answer = self.store(made, session, values, &state)
        if faults.contains(.die) { (state.isBroken, state.isInitialized) = (true, false) }
        return answer
      }
    }
  }

  /// Returns the captures that a call makes now.
  private func orders(_ state: inout State) -> [CaptureMaker.Order] {
    var order = order(state)
    var names = [order.submodality]
    if let sides = ["BothIrises": ["LeftIris", "RightIris"]][order.submodality] { names = sides }
    if configuration.segmentsSlaps { names += Submodality(wire: order.submodality).segments }
    if let count = configuration.capturesPerCall { names = (0..<max(1, count)).map { names[$0 % names.count] } }
    return names.map { name in
      state.impressions += 1
      (order.submodality, order.impression) = (name, state.impressions)
      return order
    }
  }

  /// Returns the frames of the live preview.
  ///
  /// - Throws: The reason there are none.
  func preview() async throws -> any PreviewReel {
    var order = order(snapshot)
    order.pixelsPerInch = 250
    return try await source.preview(order)
  }

  private func order(_ state: State) -> CaptureMaker.Order {
    func value(_ name: String) -> SimulatedValue? { state.configuration[name] ?? profile.setting(name)?.defaultValue }
    let submodality = value("submodality")?.plainText ?? profile.submodalities[0]
    var size: CaptureMaker.Order.Size?
    if case .resolution(let width, let height, _)? = value("imageSize"), let width = Int(width),
      let height = Int(height)
    {
      size = .init(width: width, height: height)
    }
    return CaptureMaker.Order(
      sensor: number, modality: profile.modality, submodality: submodality, person: state.person, impression: 0,
      contentType: value("imageContentType")?.plainText ?? "image/bmp", size: size,
      pixelsPerInch: value("imageDensity")?.plainText.flatMap(Int.init) ?? 500)
  }
}

extension Submodality {
  /// The words of the single fingers of a slap, in its order; empty for anything else.
  fileprivate var segments: [String] {
    guard wireName.hasSuffix("Slap"), parts.count > 1 else { return [] }
    let side = wireName == "LeftSlap" ? "Left" : wireName == "RightSlap" ? "Right" : ""
    return parts.map { side.isEmpty ? "\($0.title)ThumbFlat" : "\(side)\($0.title)Flat" }
  }
}
