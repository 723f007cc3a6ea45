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

  /// Takes the lock of a sensor from its holder.
  ///
  /// - Parameter cancels: Whether what the holder has begun is cancelled.
  /// - Returns: Whether the service gave it.
  func stealAndWait(_ address: SensorAddress, cancels: Bool) throws -> Bool {
    let sensors = sensors
    return try Waiting.value { try await sensors.steal(address, cancels) } == .success
  }

  /// For how long a service refuses to have its lock taken, in milliseconds; nil if it does not say.
  func stealPreventionAndWait(_ address: SensorAddress) throws -> Int? {
    let sensors = sensors
    return try Waiting.value {
      try await sensors.information(address).lockStealingPreventionPeriodInMilliseconds
    }
  }

  /// Cancels what a sensor does, whoever has begun it.
  ///
  /// - Throws: ``StationError/saidNo(_:_:message:badFields:)``.
  func interruptAndWait(_ address: SensorAddress) throws {
    let sensors = sensors
    let status = try Waiting.value { try await sensors.interrupt(address) }
    if status != .success { throw StationError.saidNo(.cancel, status, message: "", badFields: []) }
  }

  /// Begins to give back all locks and sessions as the last list of people was left, and returns at once.
  ///
  /// The close of the store waits for it for a short while. What is not given back by then is in the store, and the next
  /// run gives it back.
  ///
  /// - Parameter person: Somebody who is withdrawn first, if nothing was said of them; nil for nobody.
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
  /// Fingers of the person that items are there for and no capture yet.
  var open: [String] = []
  /// The open decision about an earlier capture.
  var question: CaptureQuestion?
  /// The item that is captured next.
  var next: BiometricItem?
}
