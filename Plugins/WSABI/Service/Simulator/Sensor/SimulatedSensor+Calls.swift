extension SimulatedSensor {
  /// Responds to a call, as far as the faults that change the sensor allow.
  ///
  /// - Parameter base: The address of this service.
  func answer(
    _ route: SimulatedRoute, _ body: [UInt8], base: String, _ faults: [SimulatorFaultRule]
  ) async -> SimulatedReply {
    let reply = await plainAnswer(route, body, base: base, faults)
    if faults.contains(.freeze) {
      let pause = SimulatedPause()
      change { $0.frozen.append(pause) }
      await pause.wait(milliseconds: nil)
    }
    return reply
  }

  private func plainAnswer(
    _ route: SimulatedRoute, _ body: [UInt8], base: String, _ faults: [SimulatorFaultRule]
  ) async -> SimulatedReply {
    switch route.operation {
    case .initialize: return await initialize(route, faults)
    case .uninitialize: return await uninitialize(route, faults)
    case .getConfiguration: return await readConfiguration(route, faults)
    case .setConfiguration: return await configure(route, body, faults)
    case .capture: return await capture(route, faults)
    case .beginCapture: return beginCapture(route, faults)
    case .endCapture: return await endCapture(route)
    default: return change { state in quickAnswer(route, base: base, faults, &state) }
    }
  }

  /// Returns the reply to a call that needs no work of the sensor.
  private func quickAnswer(
    _ route: SimulatedRoute, base: String, _ faults: [SimulatorFaultRule], _ state: inout State
  ) -> SimulatedReply {
    switch route.operation {
    case .register: register(&state)
    case .unregister: unregister(route, &state)
    case .tryLock: tryLock(route, &state)
    case .stealLock: stealLock(route, faults, &state)
    case .unlock: unlock(route, &state)
    case .cancel: cancel(route, &state)
    case .getServiceInfo: .document(information(base: base))
    case .getSensorStatus: .document(status(state))
    case .rawDownload: rawDownload(route, faults, &state)
    case .stream: stream(route, state)
    default: download(route, faults, &state)
    }
  }

  private func stream(_ route: SimulatedRoute, _ state: State) -> SimulatedReply {
    guard configuration.hasPreview else { return .http(404, type: nil, []) }
    switch (route.stream, route.session) {
    case ("live"?, nil) where !configuration.hasOpenPreview: return .http(403, type: nil, [])
    case ("live"?, nil): return .preview(session: nil, isEmpty: false)
    case ("locked"?, nil): return .http(403, type: nil, [])
    case ("locked"?, let session?):
      guard let key = Self.key(of: session) else { return .http(404, type: nil, []) }
      return .preview(session: key, isEmpty: state.lockHolder != key)
    default: return .http(404, type: nil, [])
    }
  }

  // MARK: Actions on the sensor

  /// Restarts the service: no sessions, no lock, not initialized; captures stay.
  func restart() {
    change { state in
      cancelJob(&state)
      (state.job, state.asyncCapture) = (nil, nil)
      (state.sessions, state.lockHolder, state.lastWork) = ([:], nil, nil)
      (state.isInitialized, state.isConfigured, state.configuration) = (false, false, [:])
      (state.isBroken, state.isDead) = (false, false)
      for pause in state.frozen { pause.end() }
      state.frozen = []
    }
  }

  /// Ends its wait: the person has come.
  func release() { change { $0.job?.pause.end() } }

  /// Stops all responses from now on, even the service information, or resumes them; its sessions stay.
  func setDead(_ isDead: Bool) {
    change { state in
      state.isDead = isDead
      guard isDead else { return }
      cancelJob(&state)
      for pause in state.frozen { pause.end() }
      state.frozen = []
    }
  }

  /// Breaks the sensor until it is initialized.
  func breakSensor() { change { ($0.isBroken, $0.isInitialized) = (true, false) } }

  /// Sets the person at the sensor.
  func setPerson(_ number: Int) { change { $0.person = number } }
}
