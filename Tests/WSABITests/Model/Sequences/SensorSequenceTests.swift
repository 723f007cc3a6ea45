import Testing

@testable import WSABI

@Suite struct SensorSequenceTests {
  private let configuration = WireDictionary([.init("submodality", .string("LeftThumbFlat"))])

  @Test func `connecting registers, locks, initializes and unlocks`() {
    var player = SequencePlayer()
    let outcome = player.play(.connect)
    #expect(outcome == SequenceOutcome(ending: .done))
    #expect(player.steps == [.register, .lock, .initialize, .unlock])
    #expect(player.state.isInitialized && !player.state.holdsLock)
  }

  @Test func `the first capture takes all steps, and the next only the remaining ones`() {
    var player = SequencePlayer()
    #expect(player.play(.capture(configuration)).ending == .captured([SequencePlayer.capture(1)]))
    #expect(player.steps == [.register, .lock, .initialize, .configure, .readBack, .capture, .unlock])
    // Another client may have configured the sensor since the lock was released.
    #expect(player.play(.capture(configuration)).ending == .captured([SequencePlayer.capture(2)]))
    #expect(player.steps == [.lock, .configure, .capture, .unlock])
    let other = WireDictionary([.init("submodality", .string("RightThumbFlat"))])
    _ = player.play(.capture(other))
    #expect(player.steps == [.lock, .configure, .readBack, .capture, .unlock])
  }

  @Test func `34: every capture warns about a setting that the sensor did not apply`() {
    var player = SequencePlayer()
    let other = [WireDictionary.Item("submodality", .string("RightThumbFlat"))]
    player.answers[.readBack] = [.success(metadata: other), .success(metadata: other)]
    for number in 1...2 {
      let outcome = player.play(.capture(configuration))
      #expect(outcome.ending == .captured([SequencePlayer.capture(number)]))
      #expect(outcome.warnings == ["the sensor did not accept the setting 'submodality'"])
      #expect(player.steps.contains(.readBack))
    }
    #expect(player.play(.capture(configuration)).warnings.isEmpty)
  }

  @Test func `a setting that the sensor does not report causes a warning`() {
    var player = SequencePlayer()
    let other = [WireDictionary.Item("resolution", .string("500"))]
    player.answers[.readBack] = [.success(metadata: []), .success(metadata: other)]
    for _ in 1...2 {
      #expect(player.play(.capture(configuration)).warnings == ["the sensor does not report its configuration"])
    }
    var more = configuration
    more["resolution"] = .string("500")
    player.answers[.readBack] = [.success(metadata: configuration.items)]
    let outcome = player.play(.capture(more))
    #expect(outcome.warnings == ["the sensor does not report the setting 'resolution'"])
  }

  @Test(arguments: [OperationStatus.failure, .unsupported, .sensorTimeout, .badValue, .unknown("shy")])
  func `a sensor that cannot report its configuration still captures`(_ status: OperationStatus) {
    var player = SequencePlayer()
    player.answers[.readBack] = [.status(status)]
    let outcome = player.play(.capture(configuration))
    #expect(outcome.ending == .captured([SequencePlayer.capture(1)]))
    #expect(outcome.warnings == ["the sensor cannot report its configuration"])
    player.state = LinkState()
    player.answers[.readBack] = [.none(.unknown)]
    #expect(player.play(.capture(configuration)).ending == .captured([SequencePlayer.capture(2)]))
  }

  @Test func `canceling while the configuration is read back prevents the capture`() {
    var player = SequencePlayer()
    player.answers[.readBack] = [.status(.canceled)]
    #expect(
      player.play(.capture(configuration)).ending == .refused(.readBack, .canceled, message: "", badFields: []))
    #expect(!player.steps.contains(.capture))
  }

  @Test func `37: after another client held the lock, the sensor is configured again before the capture`() {
    var player = SequencePlayer()
    player.answers[.capture] = [.status(.lockHeldByAnother)]
    #expect(player.play(.capture(configuration)).ending == .captured([SequencePlayer.capture(1)]))
    #expect(player.waits == [250])
    #expect(
      player.steps == [
        .register, .lock, .initialize, .configure, .readBack, .capture, .lock, .configure, .capture, .unlock,
      ])
  }

  @Test func `configuring ahead reads the settings back, and warns about those not applied`() {
    var player = SequencePlayer()
    player.answers[.readBack] = [.success(metadata: [.init("submodality", .string("RightThumbFlat"))])]
    let outcome = player.play(.configure(configuration))
    #expect(outcome.ending == .done)
    #expect(outcome.warnings == ["the sensor did not accept the setting 'submodality'"])
    #expect(player.steps == [.register, .lock, .initialize, .configure, .readBack, .unlock])
  }

  @Test func `disconnecting unregisters an open session, and otherwise does nothing`() {
    var player = SequencePlayer()
    #expect(player.play(.disconnect).ending == .done)
    #expect(player.steps.isEmpty)
    _ = player.play(.connect)
    #expect(player.play(.disconnect).ending == .done)
    #expect(player.steps == [.unregister])
    #expect(player.state == LinkState())
  }

  @Test func `a dropped session is registered again once, and all later steps are repeated`() {
    var player = SequencePlayer()
    _ = player.play(.connect)
    player.answers[.lock] = [.status(.invalidID)]
    #expect(player.play(.capture(configuration)).ending == .captured([SequencePlayer.capture(1)]))
    #expect(player.steps == [.lock, .register, .lock, .initialize, .configure, .readBack, .capture, .unlock])
    player.answers[.lock] = [.status(.invalidID), .status(.invalidID)]
    #expect(
      player.play(.capture(configuration)).ending
        == .refused(.lock, .invalidID, message: "", badFields: []))
  }

  @Test(arguments: [
    (OperationStatus.initializationNeeded, [SequenceStep.initialize, .configure]),
    (.sensorFailure, [.initialize, .configure]), (.configurationNeeded, [.configure]),
    (.lockNotHeld, [.lock, .configure]),
  ]) func `a missing precondition of a capture is restored, and the capture is retried once`(
    _ status: OperationStatus, _ steps: [SequenceStep]
  ) {
    var player = SequencePlayer()
    player.answers[.capture] = [.status(status)]
    #expect(player.play(.capture(configuration)).ending == .captured([SequencePlayer.capture(1)]))
    let before: [SequenceStep] = [.register, .lock, .initialize, .configure, .readBack, .capture]
    #expect(player.steps == before + steps + [.capture, .unlock])
    player.answers[.capture] = [.status(status), .status(status)]
    #expect(player.play(.capture(configuration)).ending == .refused(.capture, status, message: "", badFields: []))
    #expect(player.steps.last == .unlock)
  }

  @Test(arguments: [
    OperationStatus.failure, .canceled, .canceledWithSensorFailure, .sensorTimeout, .unsupported, .badValue,
    .noSuchParameter, .preparingDownload, .unknown("melted"),
  ]) func `other refusals end a capture, and the lock is released`(_ status: OperationStatus) {
    var player = SequencePlayer()
    player.answers[.capture] = [.status(status)]
    #expect(player.play(.capture(configuration)).ending == .refused(.capture, status, message: "", badFields: []))
    #expect(player.steps == [.register, .lock, .initialize, .configure, .readBack, .capture, .unlock])
    _ = player.play(.capture(configuration))
    let initializes = status == .canceledWithSensorFailure
    #expect(player.steps.contains(.initialize) == initializes)
  }

  @Test func `after a capture without a response, nothing is retried and the sensor is initialized again`() {
    var player = SequencePlayer()
    player.answers[.capture] = [.none(.unknown)]
    #expect(player.play(.capture(configuration)).ending == .unknown(reason: "cut"))
    #expect(player.steps == [.register, .lock, .initialize, .configure, .readBack, .capture, .unlock])
    _ = player.play(.capture(configuration))
    #expect(player.steps == [.lock, .initialize, .configure, .capture, .unlock])
  }

  @Test func `a capture without an id is unknown`() {
    var player = SequencePlayer()
    player.answers[.capture] = [.success(metadata: [])]
    guard case .unknown = player.play(.capture(configuration)).ending else {
      Issue.record("the capture has another ending")
      return
    }
    #expect(player.steps.count { $0 == .capture } == 1)
  }

  @Test func `a lock held by another client is retried with growing pauses, up to a limit`() {
    var player = SequencePlayer()
    player.answers[.lock] = Array(repeating: .status(.lockHeldByAnother), count: 3)
    #expect(player.play(.connect).ending == .done)
    #expect(player.waits == [250, 500, 1000])
    player.state = LinkState()
    player.answers[.lock] = Array(repeating: .status(.lockHeldByAnother), count: 99)
    #expect(player.play(.connect).ending == .refused(.lock, .lockHeldByAnother, message: "", badFields: []))
    #expect(player.waits == [250, 500, 1000, 2000, 4000, 4000])
  }

  @Test func `a registration without a response is retried once, and the other session is reported`() {
    var player = SequencePlayer()
    player.answers[.register] = [.none(.unknown)]
    let outcome = player.play(.connect)
    #expect(outcome.ending == .done)
    #expect(outcome.warnings == ["a session may stay open at the service until it expires"])
    player.state = LinkState()
    player.answers[.register] = [.none(.unknown), .none(.unknown)]
    #expect(player.play(.connect).ending == .failed(.register, reason: "cut"))
  }

  @Test func `a lock that may be held is released`() {
    var player = SequencePlayer()
    player.answers[.lock] = [.none(.unknown)]
    #expect(player.play(.connect).ending == .failed(.lock, reason: "cut"))
    #expect(player.steps == [.register, .lock, .unlock])
  }

  @Test func `giving up during any step releases the lock`() {
    for step in [SequenceStep.register, .lock, .initialize, .configure, .readBack, .capture] {
      var player = SequencePlayer()
      player.answers[step] = [.givenUp]
      #expect(player.play(.capture(configuration)).ending == .givenUp)
      #expect(!player.state.holdsLock)
      #expect(player.steps.last == (step == .register ? .register : .unlock))
    }
  }

  /// Any responses of services: 20 000 random runs with fixed seeds.
  @Test func `every sequence ends without a lock and never repeats a capture blindly`() {
    var faults: [String] = []
    for seed in 0..<20_000 {
      var player = SequencePlayer(seed: UInt64(seed))
      for goal in [SequenceGoal.capture(configuration), .connect, .configure(configuration), .disconnect] {
        let outcome = player.play(goal)
        if player.state.holdsLock { faults.append("\(seed): the lock is held after \(outcome)") }
        if player.steps.count > 40 { faults.append("\(seed): \(player.steps.count) steps") }
        if player.blindCaptures > 0 { faults.append("\(seed): a capture was repeated blindly") }
        if case .captured(let ids) = outcome.ending, ids.isEmpty { faults.append("\(seed): no ids") }
      }
    }
    #expect(faults.prefix(5) == [])
  }
}
