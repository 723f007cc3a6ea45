import PluginAPI

/// The requests of the capture card.
extension ScreenStation {
  /// Returns the content of an item's card.
  func cardAndWait(_ item: Int) throws -> CardContent {
    let records = records()
    return try Waiting.value {
      let found = try await records.item(item)
      let items = try await records.items(of: found.person)
      let others = found.modality == .finger ? items.filter { $0.id != item } : []
      let states = MissingFingers(others).states
      let open = (1...10).filter { states[$0 - 1] == .waiting }.map(MissingFingers.title)
      // Captures left open by an earlier run are put to the next user who opens the card.
      let entries = found.capture == nil ? try await records.journal(of: item) : []
      return CardContent(
        item: found, person: try await records.person(found.person), open: open, question: CaptureQuestion(entries),
        next: found.next(in: items))
    }
  }

  /// Returns the open decisions about earlier captures of some items.
  func questionsAndWait(_ items: [Int]) throws -> [Int: CaptureQuestion] {
    let records = records()
    return try Waiting.value {
      var found: [Int: CaptureQuestion] = [:]
      for item in items { found[item] = CaptureQuestion(try await records.journal(of: item)) }
      return found
    }
  }

  /// Steals the lock of a sensor.
  ///
  /// - Parameter cancels: True to also cancel the operation of the previous holder.
  /// - Returns: True if the service granted it.
  func stealAndWait(_ address: SensorAddress, cancels: Bool) throws -> Bool {
    let sensors = sensors
    return try Waiting.value { try await sensors.steal(address, cancels) } == .success
  }

  /// Returns the time for which a service refuses to have its lock stolen, in milliseconds; nil if it does not say.
  func stealPreventionAndWait(_ address: SensorAddress) throws -> Int? {
    let sensors = sensors
    return try Waiting.value {
      try await sensors.information(address).lockStealingPreventionPeriodInMilliseconds
    }
  }

  /// Cancels a sensor's operation, even one of another client.
  ///
  /// - Throws: ``StationError/saidNo(_:_:message:badFields:)``.
  func interruptAndWait(_ address: SensorAddress) throws {
    let sensors = sensors
    let status = try Waiting.value { try await sensors.interrupt(address) }
    if status != .success { throw StationError.saidNo(.cancel, status, message: "", badFields: []) }
  }

  /// Starts releasing all locks and sessions when the last list of people is closed, and returns at once.
  ///
  /// The close of the store waits for it for a short while. Locks not released by then are in the store, and the next
  /// run releases them.
  ///
  /// - Parameter person: A person to withdraw first if they were left empty; nil for none.
  func leaveSensors(withdrawing person: Int?) {
    let (records, sensors) = (records(), sensors)
    sensors.runInBackground {
      if let person { _ = try? await records.withdrawPerson(person) }
      await sensors.leave()
    }
  }
}

/// The content of a card.
struct CardContent: Sendable {
  var item: BiometricItem
  var person: Person
  /// The person's fingers with an item but no capture yet.
  var open: [String] = []
  /// The open decision about an earlier capture.
  var question: CaptureQuestion?
  /// The item that is captured next.
  var next: BiometricItem?
}
